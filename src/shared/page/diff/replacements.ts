import type { Ignored } from '../change.ts';
import type { Edit } from './edits.ts';
import { placeOf, type Replacement } from '../history.ts';

/** Segments that a teaser is made of; more of them that change together are content. */
export const REPLACED = 3;

export interface Placed extends Replacement {
  readonly edit: Edit;
}

/** What stands between two neighbours that stayed, when a few segments gave way to as many. */
export function replacementIn(edit: Edit, was: readonly string[]): Placed[] {
  const before = edit.deleted.filter((text) => text !== undefined);
  const after = edit.inserted.filter((text) => text !== undefined);
  if (before.length !== after.length || before.length === 0 || before.length > REPLACED) return [];
  return [{ edit, before, after, place: placeOf(was[edit.before.from - 1], was[edit.before.to]) }];
}

/** Leaves holes in the edit, and says what stood there. */
export function leaveOut({ edit, before, after }: Placed, reason: string): Ignored[] {
  edit.deleted.fill(undefined);
  edit.inserted.fill(undefined);
  return pairs(before, after, reason);
}

export function pairs(before: readonly string[], after: readonly string[], reason: string): Ignored[] {
  return before.map((text, index) => ({ before: text, after: after[index] ?? '', reason }));
}
