import { hashSecret, newSecret } from '../accounts/keys.ts';
import { type Outside, timestamp } from '../outside.ts';
import { VIEW_LINK_SECONDS, VIEW_LINKS, VIEW_SESSION_SECONDS, VIEW_SESSIONS } from '../../shared/limits.ts';
import type { UiSession } from '../../shared/api/ui.ts';
import { printable } from '../../shared/text/printable.ts';

/** Who looks: the operator, or the member who made a management key. The key is asked for by its id at each request. */
export type Viewer = { readonly kind: 'operator' } | { readonly kind: 'member'; readonly keyId: string };

export interface Session {
  readonly id: string;
  readonly viewer: Viewer;
  /** Aborted when it ends: streams that were opened in it end with it. */
  readonly ended: AbortSignal;
  /** Which organization the operator looks at, by id; undefined: the first one. */
  organization: string | undefined;
}

interface Kept {
  readonly session: Session;
  readonly end: AbortController;
  /** Milliseconds since 1970. */
  readonly openedAt: number;
  usedAt: number;
  readonly agent: string;
}

/** What a session tells of the browser, as it calls itself. */
const AGENT_LENGTH = 120;

/**
 * Sessions of the web view, and the links by which the operator opens one. Both are 238 random bits, of which only the hash is
 * kept, in memory: a restart of the daemon ends every session. A link opens one session and expires; a session ends after so
 * many seconds without a request, and once it is as old as one may be.
 */
export class ViewSessions {
  readonly #outside: Outside;
  /** By hash, the oldest first: when it expires. */
  readonly #links = new Map<string, number>();
  /** By hash, the one that was used longest ago first. */
  readonly #sessions = new Map<string, Kept>();

  constructor(outside: Outside) {
    this.#outside = outside;
  }

  /** A code that opens a session of the operator, once. */
  link(): { readonly code: string; readonly expiresAt: number } {
    const code = newSecret('svcl_', this.#outside);
    const expiresAt = this.#outside.now() + VIEW_LINK_SECONDS * 1_000;
    this.#links.set(hashSecret(code), expiresAt);
    trim(this.#links, VIEW_LINKS);
    return { code, expiresAt };
  }

  /** Whether the code was one; it is none from now on. */
  useLink(code: string): boolean {
    const hash = hashSecret(code);
    const expiresAt = this.#links.get(hash) ?? -Infinity;
    this.#links.delete(hash);
    return this.#outside.now() < expiresAt;
  }

  /** Opens a session; the answer is what its browser has to show. `agent`: what the browser calls itself. */
  open(viewer: Viewer, agent = ''): string {
    const token = newSecret('svcs_', this.#outside);
    const end = new AbortController();
    const session = { id: this.#outside.uuid(), viewer, ended: end.signal, organization: undefined };
    const now = this.#outside.now();
    const called = printable(agent.slice(0, AGENT_LENGTH));
    this.#sessions.set(hashSecret(token), { session, end, openedAt: now, usedAt: now, agent: called });
    trim(this.#sessions, VIEW_SESSIONS, (kept) => kept.end.abort());
    return token;
  }

  /** The session of a token, which is used by this; undefined for a token that never was one, and for one of the past. */
  use(token: string): Session | undefined {
    const hash = hashSecret(token);
    const kept = this.#sessions.get(hash);
    if (kept === undefined) return undefined;
    const now = this.#outside.now();
    this.#sessions.delete(hash);
    if (!isOpen(kept, now)) {
      kept.end.abort();
      return undefined;
    }
    kept.usedAt = now;
    this.#sessions.set(hash, kept);
    return kept.session;
  }

  /** @param wanted the id, or the beginning of one; how many were ended */
  end(wanted?: string): number {
    let ended = 0;
    for (const [hash, { session, end }] of this.#sessions) {
      if (wanted !== undefined && (wanted === '' || !session.id.startsWith(wanted))) continue;
      this.#sessions.delete(hash);
      end.abort();
      ended += 1;
    }
    return ended;
  }

  /** Those that are open, the one that was used last first. `who`: what a viewer is called. */
  list(who: (viewer: Viewer) => string): UiSession[] {
    const now = this.#outside.now();
    const open = [...this.#sessions.values()].filter((kept) => isOpen(kept, now));
    return open.toReversed().map(({ session, openedAt, usedAt, agent }) => ({
      id: session.id,
      who: who(session.viewer),
      agent,
      created_at: timestamp(openedAt),
      last_used_at: timestamp(usedAt),
    }));
  }
}

/** A clock that was set back ends none. */
function isOpen({ openedAt, usedAt }: Kept, now: number): boolean {
  const { idle, most } = VIEW_SESSION_SECONDS;
  return now < usedAt + idle * 1_000 && now < openedAt + most * 1_000;
}

function trim<Value>(kept: Map<string, Value>, most: number, forget?: (value: Value) => void): void {
  for (const [key, value] of kept) {
    if (kept.size <= most) return;
    kept.delete(key);
    forget?.(value);
  }
}
