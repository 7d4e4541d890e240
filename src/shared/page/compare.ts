import { align, type Range } from './alignment.ts';
import type { Change, Chunk } from './change.ts';
import { contentOf } from './content.ts';
import type { Anchor, Page } from './page.ts';

/**
 * What changed between two pages of one URL; undefined where segments, anchors and title are the same. A page seen
 * for the first time (`before` undefined) is all new.
 *
 * A segment is its text: one that only became a heading, or only moved, is no change. So the alignment decides where
 * chunks stand and which of several equal segments came or went; what came and went at all is a question of counts.
 */
export function compare(before: Page | undefined, after: Page): Change | undefined {
  const chunks = compareSegments(texts(before), texts(after));
  const was = contentAnchors(before);
  const is = contentAnchors(after);
  const change: Change = {
    chunks,
    addedAnchors: surplus(is, was),
    removedAnchors: surplus(was, is),
    titleChanged: before?.title !== after.title,
  };
  const same = chunks.length + change.addedAnchors.length + change.removedAnchors.length === 0 && !change.titleChanged;
  return same && before ? undefined : change;
}

/** Characters of a chunk, save where one segment is longer: a page seen for the first time is not one text of 300 kB. */
const CHUNK_LENGTH = 4_000;

function texts(page: Page | undefined): string[] {
  return page ? contentOf(page).map(({ text }) => text) : [];
}

function contentAnchors(page: Page | undefined): Anchor[] {
  return page?.anchors.filter(({ zone }) => zone !== 'chrome') ?? [];
}

function compareSegments(before: readonly string[], after: readonly string[]): Chunk[] {
  const numbers = new Map<string, number>();
  const intern = (text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, numbers.size);
    return numbers.size - 1;
  };
  const hunks = align(before.map(intern), after.map(intern));
  const moved = movedTexts(before, after, hunks);
  const deleted = runs(before, new Map(moved));
  const inserted = runs(after, moved);
  const chunks: Chunk[] = [];
  for (const hunk of hunks) {
    for (const text of deleted(hunk.before)) chunks.push({ typ: 'del', text });
    for (const text of inserted(hunk.after)) chunks.push({ typ: 'ins', text });
  }
  return chunks;
}

/** Texts deleted in one place and inserted in another, with how often. */
function movedTexts(
  before: readonly string[],
  after: readonly string[],
  hunks: readonly { before: Range; after: Range }[],
): Map<string, number> {
  const deleted = counted(hunks.flatMap((hunk) => before.slice(hunk.before.from, hunk.before.to)));
  const inserted = counted(hunks.flatMap((hunk) => after.slice(hunk.after.from, hunk.after.to)));
  const moved = new Map<string, number>();
  for (const [text, count] of deleted) {
    const both = Math.min(count, inserted.get(text) ?? 0);
    if (both > 0) moved.set(text, both);
  }
  return moved;
}

/** Joins the runs of a range, leaving out what `moved` still holds (and taking it from there). */
function runs(segments: readonly string[], moved: Map<string, number>): (range: Range) => string[] {
  return ({ from, to }) => {
    const found: string[] = [];
    let run: string | undefined;
    const close = (): void => {
      if (run !== undefined) found.push(run);
      run = undefined;
    };
    for (const text of segments.slice(from, to)) {
      if (take(moved, text)) {
        close();
      } else {
        if (run !== undefined && run.length + text.length >= CHUNK_LENGTH) close();
        run = run === undefined ? text : `${run}\n${text}`;
      }
    }
    close();
    return found;
  };
}

function counted(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, text: string): boolean {
  const left = counts.get(text) ?? 0;
  if (left > 0) counts.set(text, left - 1);
  return left > 0;
}

/** Texts of the anchors in `these` beyond those in `others`, in their order: a link is its target and its text. */
function surplus(these: readonly Anchor[], others: readonly Anchor[]): string[] {
  const known = counted(others.map(linkOf));
  return these.filter((anchor) => !take(known, linkOf(anchor))).map(({ text }) => text);
}

function linkOf({ href, text }: Anchor): string {
  return `${href}\n${text}`;
}
