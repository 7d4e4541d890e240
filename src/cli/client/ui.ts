import type { UiLink, UiSession, UiSessionsEnded } from '../../shared/api/ui.ts';
import { type Asking, listOf, number, shaped, text } from './shape.ts';

const isLink = shaped<UiLink>({ url: text, expires_at: text });
const isSession = shaped<UiSession>({ id: text, who: text, agent: text, created_at: text, last_used_at: text });
const isEnded = shaped<UiSessionsEnded>({ ended: number });

/** The sign-in of the web view: `/admin/ui`. @throws as `Client`; `Refused` with 404 where the daemon has no view */
export class UiEndpoints {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  async link(): Promise<UiLink> {
    return this.#asking.ask(isLink, 'POST', '/admin/ui/links');
  }

  async sessions(): Promise<UiSession[]> {
    return this.#asking.ask(listOf(isSession), 'GET', '/admin/ui/sessions');
  }

  /** @param id all of them without one */
  async end(id?: string): Promise<UiSessionsEnded> {
    const path = id === undefined ? '/admin/ui/sessions' : `/admin/ui/sessions/${encodeURIComponent(id)}`;
    return this.#asking.ask(isEnded, 'DELETE', path);
  }
}
