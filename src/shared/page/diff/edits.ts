import { align, type Hunk, type Range } from './alignment.ts';
import type { Chunk, Ignored } from '../change.ts';
import { placeOf, type Replacement } from '../history.ts';

/**
 * Where two lists of segments differ. What is left out of an edit (moved elsewhere, or of no account) stays as a hole,
 * so that the runs beside it are not joined into one.
 */
export interface Edit {
  readonly before: Range;
  readonly after: Range;
  readonly deleted: (string | undefined)[];
  readonly inserted: (string | undefined)[];
}

/**
 * A segment is its text: the alignment decides where edits stand and which of several equal segments came or went;
 * what came and went at all is a question of counts.
 */
export function editsOf(before: readonly string[], after: readonly string[]): Edit[] {
  const numbers = new Map<string, number>();
  const intern = (text: string): number => {
    const same = numbers.get(text);
    if (same !== undefined) return same;
    const key = asciiWidth(text);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, numbers.size);
    return numbers.size - 1;
  };
  const numbered = { before: before.map(intern), after: after.map(intern) };
  const hunks = align(numbered.before, numbered.after);
  const moved = movedAmong(hunks, numbered, numbers.size);
  return hunks.map((hunk) => ({
    before: hunk.before,
    after: hunk.after,
    deleted: unmoved(before, numbered.before, hunk.before, moved.gone),
    inserted: unmoved(after, numbered.after, hunk.after, moved.come),
  }));
}

/**
 * A text with the full-width letters, digits and marks of Chinese and Japanese type as those of ASCII: `３時間` and `3時間` are
 * one text to a reader. What is kept and shown stays as the page has it.
 */
export function asciiWidth(text: string): string {
  return FULL_WIDTH.test(text) ? text.replace(EACH_FULL_WIDTH, narrow) : text;
}

const FULL_WIDTH = /[\uff01-\uff5e\u3000]/;
const EACH_FULL_WIDTH = /[\uff01-\uff5e\u3000]/g;
/** Between a full-width form and its ASCII character (Unicode, Halfwidth and Fullwidth Forms). */
const WIDTH_OFFSET = 0xfee0;

function narrow(character: string): string {
  return character === '\u3000' ? ' ' : String.fromCharCode(character.charCodeAt(0) - WIDTH_OFFSET);
}

interface Numbered {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** A text deleted in one place and inserted in another is a move, as often as it is both: so many to leave out. */
function movedAmong(hunks: readonly Hunk[], { before, after }: Numbered, texts: number) {
  const gone = new Uint32Array(texts);
  const come = new Uint32Array(texts);
  for (const hunk of hunks) {
    count(gone, before, hunk.before);
    count(come, after, hunk.after);
  }
  for (let text = 0; text < texts; text += 1) {
    const both = Math.min(gone[text] ?? 0, come[text] ?? 0);
    gone[text] = both;
    come[text] = both;
  }
  return { gone, come };
}

function count(counts: Uint32Array, numbers: readonly number[], { from, to }: Range): void {
  for (let at = from; at < to; at += 1) {
    const text = numbers[at] ?? 0;
    counts[text] = (counts[text] ?? 0) + 1;
  }
}

/** The texts of a range, with a hole for each that `moved` still has, which is taken from it. */
function unmoved(texts: readonly string[], numbers: readonly number[], { from, to }: Range, moved: Uint32Array) {
  return texts.slice(from, to).map((text, index) => {
    const number = numbers[from + index] ?? 0;
    const left = moved[number] ?? 0;
    if (left === 0) return text;
    moved[number] = left - 1;
    return undefined;
  });
}

export function chunksOf(edits: readonly Edit[]): Chunk[] {
  return edits.flatMap(({ deleted, inserted }) => [
    ...runs(deleted).map((text): Chunk => ({ typ: 'del', text })),
    ...runs(inserted).map((text): Chunk => ({ typ: 'ins', text })),
  ]);
}

/** Characters of a chunk, save where one segment is longer: a page seen for the first time is not one text of 300 kB. */
const CHUNK_LENGTH = 4_000;

function runs(texts: readonly (string | undefined)[]): string[] {
  const found: string[] = [];
  let run: string | undefined;
  const close = (): void => {
    if (run !== undefined) found.push(run);
    run = undefined;
  };
  for (const text of texts) {
    if (text === undefined || (run !== undefined && run.length + text.length >= CHUNK_LENGTH)) close();
    if (text !== undefined) run = run === undefined ? text : `${run}\n${text}`;
  }
  close();
  return found;
}

/** Segments that a teaser is made of; more of them that change together are content. */
export const REPLACED = 3;

interface Placed extends Replacement {
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
