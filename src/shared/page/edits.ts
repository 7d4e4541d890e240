import { align, type Hunk, type Range } from './alignment.ts';
import type { Chunk } from './change.ts';
import { counted, take } from './multiset.ts';

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
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, numbers.size);
    return numbers.size - 1;
  };
  const edits = align(before.map(intern), after.map(intern)).map((hunk) => editAt(hunk, before, after));
  leaveOutMoved(edits);
  return edits;
}

function editAt(hunk: Hunk, before: readonly string[], after: readonly string[]): Edit {
  return {
    before: hunk.before,
    after: hunk.after,
    deleted: before.slice(hunk.before.from, hunk.before.to),
    inserted: after.slice(hunk.after.from, hunk.after.to),
  };
}

export function chunksOf(edits: readonly Edit[]): Chunk[] {
  return edits.flatMap(({ deleted, inserted }) => [
    ...runs(deleted).map((text): Chunk => ({ typ: 'del', text })),
    ...runs(inserted).map((text): Chunk => ({ typ: 'ins', text })),
  ]);
}

/** A text deleted in one place and inserted in another is a move, as often as it is both. */
function leaveOutMoved(edits: readonly Edit[]): void {
  const deleted = counted(edits.flatMap((edit) => edit.deleted));
  const inserted = counted(edits.flatMap((edit) => edit.inserted));
  const moved = new Map([...deleted].map(([text, count]) => [text, Math.min(count, inserted.get(text) ?? 0)]));
  const leftOut = new Map(moved);
  for (const edit of edits) {
    leaveOut(edit.deleted, moved);
    leaveOut(edit.inserted, leftOut);
  }
}

function leaveOut(texts: (string | undefined)[], counts: Map<string | undefined, number>): void {
  for (const [at, text] of texts.entries()) {
    if (text !== undefined && take(counts, text)) texts[at] = undefined;
  }
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
