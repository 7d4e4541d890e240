import type { SavedMatch, SavedMatchCreation, SavedMatchRule } from '../../shared/api/saved-match.ts';
import type { Asking } from './ratings.ts';
import { isObject } from '../../shared/page/json-value.ts';
import { listOf, optional, orNull, shaped, text } from './shape.ts';

const isSavedMatch = shaped<SavedMatch>({
  id: text,
  url: text,
  title: orNull(text),
  tap: shaped<SavedMatch['tap']>({ id: text, name: text }),
  rules: listOf(shaped<Required<SavedMatchRule>>({ id: text, value: optional(text), tag: optional(text) })),
  matched_at: text,
  saved_at: text,
  saved_by: text,
  note: orNull(text),
  document: isObject,
});

/** The endpoints below `/admin/matches`, one method each. @throws as `Client` */
export class SavedMatchEndpoints {
  readonly #asking: Asking;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** Answers the one that is there where the address was saved already. */
  async save(creation: SavedMatchCreation): Promise<SavedMatch> {
    return this.#asking.ask(isSavedMatch, 'POST', '/admin/matches', creation);
  }

  async show(id: string): Promise<SavedMatch> {
    return this.#asking.ask(isSavedMatch, 'GET', pathOf(id));
  }

  async note(id: string, note: string): Promise<SavedMatch> {
    return this.#asking.ask(isSavedMatch, 'PATCH', pathOf(id), { note });
  }

  async remove(id: string): Promise<void> {
    await this.#asking.tell('DELETE', pathOf(id));
  }

  /** All that have the words of `q`, the newest first, a request at a time as they are read. */
  async *all(q = ''): AsyncGenerator<SavedMatch> {
    for (let after: string | undefined; ;) {
      const asked = new URLSearchParams({ ...(q !== '' && { q }), ...(after !== undefined && { after }) });
      const part = await this.#asking.ask(
        listOf(isSavedMatch),
        'GET',
        `/admin/matches${asked.size > 0 ? `?${asked.toString()}` : ''}`,
      );
      yield* part;
      after = part.at(-1)?.id;
      if (after === undefined) return;
    }
  }
}

function pathOf(id: string): string {
  return `/admin/matches/${encodeURIComponent(id)}`;
}
