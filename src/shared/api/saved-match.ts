import { type Static, Type } from 'typebox';
import type { MatchDocument } from './match.ts';
import { SAVED_MATCHES_A_PAGE, SAVED_NOTE_LENGTH } from '../limits.ts';

/** A match that somebody kept, whole, beyond the day that the log keeps it. */
export interface SavedMatch {
  readonly id: string;
  readonly url: string;
  readonly title: string | null;
  readonly tap: { readonly id: string; readonly name: string };
  /** The rules that matched, as they were when it was saved; one that was gone by then has its id alone. */
  readonly rules: readonly SavedMatchRule[];
  readonly matched_at: string;
  readonly saved_at: string;
  readonly saved_by: string;
  readonly note: string | null;
  readonly document: MatchDocument;
}

export interface SavedMatchRule {
  readonly id: string;
  readonly value?: string;
  readonly tag?: string;
}

const note = Type.String({ maxLength: SAVED_NOTE_LENGTH });

/** `tap`: its name or id. `event`: the id of its `update` event, `0-42`. */
export const SavedMatchCreation = Type.Object({ tap: Type.String(), event: Type.String(), note: Type.Optional(note) });
export type SavedMatchCreation = Static<typeof SavedMatchCreation>;

export const SavedMatchNote = Type.Object({ note });
export type SavedMatchNote = Static<typeof SavedMatchNote>;

/** `q`: words that must all be in the address, the title, the note or the text. `after`: the last id of a former answer. */
export const SavedMatchQuestion = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 1_000 })),
  after: Type.Optional(Type.String()),
  limit: Type.Optional(Type.String({ pattern: `^[1-9]\\d{0,2}$`, description: `At most ${SAVED_MATCHES_A_PAGE}.` })),
});
export type SavedMatchQuestion = Static<typeof SavedMatchQuestion>;
