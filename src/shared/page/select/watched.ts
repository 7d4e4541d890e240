import type { Block, Change, Ignored, PlacedHunk } from '../change.ts';
import { compare } from '../compare.ts';
import { contentOf } from '../structure/content.ts';
import { editsOf } from '../diff/edits.ts';
import type { PageHistory } from '../history.ts';
import { placedHunksOf } from '../diff/hunks.ts';
import type { IgnoredLines } from './ignored-lines.ts';
import { NO_FACTS, type Page } from '../page.ts';
import { leaveOutQuiet } from '../diff/quiet-lines.ts';

/** The lines of a watched page: what a diff looks at, in its order. None has a line feed in it. */
export function linesOf(page: Page): string[] {
  return contentOf(page).map(({ text }) => text);
}

/** A page as the next check compares with it: its content without the lines that are ignored, and the links in it. */
export function watchedPage(page: Page, content: Page['segments']): Page {
  const anchors = page.anchors.filter(({ zone }) => zone !== 'chrome');
  return { ...page, segments: content, anchors, links: [], facts: NO_FACTS };
}

/** What is left of a page's content. */
export function withoutLines(page: Page, ignored: IgnoredLines): Page['segments'] {
  return contentOf(page).filter(({ text }) => !ignored.has(text));
}

export interface WatchedDifference {
  /** Empty if and only if the page has not changed. */
  readonly hunks: readonly PlacedHunk[];
  /** What rules see of it; undefined where nothing differs at all. Titles and links may have changed without a hunk. */
  readonly change: Change | undefined;
  /** What differs and does not count. */
  readonly ignored: readonly Ignored[];
  /** To be kept with the new page. */
  readonly history: PageHistory;
}

/**
 * What changed of a watched page between two checks, of which the latter is so many checks after the former. It is what
 * the crawl would say, without what other pages of the host have taught it, and only lines count: a title or the target
 * of a link is no line.
 */
export function compareWatched(before: Page, after: Page, history: PageHistory, visits: number): WatchedDifference {
  const {
    change,
    ignored,
    history: kept,
    placedHunks,
  } = compare(before, after, { history, visits, tellsReturns: true });
  return { hunks: change && change.chunks.length > 0 ? placedHunks() : [], change, ignored, history: kept };
}

/** Two texts against each other, as `compareWatched` does with pages, but for what only a history of visits shows. */
export function compareTexts(before: readonly string[], after: readonly string[]): PlacedHunk[] {
  const edits = editsOf(before, after);
  leaveOutQuiet(edits, before);
  return placedHunksOf(edits, after);
}

export function countedLines(hunks: readonly PlacedHunk[]): { readonly inserted: number; readonly deleted: number } {
  const blocks = hunks.flatMap((hunk) => hunk.blocks);
  const count = (kind: Kind): number => blocks.reduce((sum, block) => sum + linesIn(block, kind).length, 0);
  return { inserted: count('ins'), deleted: count('del') };
}

/**
 * Hunks with one of their sides; a hunk in which nothing of it is left is gone. What is left is for readers: it cannot be
 * applied any more.
 */
export function oneSide(hunks: readonly PlacedHunk[], kept: 'added' | 'removed'): PlacedHunk[] {
  const other = kept === 'added' ? 'del' : 'ins';
  const own = kept === 'added' ? 'ins' : 'del';
  return hunks
    .filter(({ blocks }) => blocks.some((block) => own in block))
    .map(({ before, after, blocks }) => ({
      before,
      after,
      blocks: joined(blocks.filter((block) => !(other in block))),
    }));
}

/** Blocks of context that now stand side by side are one. */
function joined(blocks: readonly Block[]): Block[] {
  const all: Block[] = [];
  for (const block of blocks) {
    const last = all.at(-1);
    if (last && 'ctx' in last && 'ctx' in block) all[all.length - 1] = { ctx: [...last.ctx, ...block.ctx] };
    else all.push(block);
  }
  return all;
}

/**
 * The old lines, as the hunks have them: the new lines with all hunks taken back. They are those that were compared, but
 * for lines that moved (they stand where they are now) and lines that change by themselves (they say what they say now).
 * Undefined where the hunks are not of these lines.
 */
export function unapplied(after: readonly string[], hunks: readonly PlacedHunk[]): string[] | undefined {
  return replaced(after, hunks, { place: 'after', from: ['ctx', 'ins'], to: ['ctx', 'del'] });
}

/** The new lines, from those that `unapplied` gives; undefined where the hunks are not of these lines. */
export function applied(before: readonly string[], hunks: readonly PlacedHunk[]): string[] | undefined {
  return replaced(before, hunks, { place: 'before', from: ['ctx', 'del'], to: ['ctx', 'ins'] });
}

interface Direction {
  readonly place: 'before' | 'after';
  readonly from: readonly Kind[];
  readonly to: readonly Kind[];
}

function replaced(
  lines: readonly string[],
  hunks: readonly PlacedHunk[],
  { place, from, to }: Direction,
): string[] | undefined {
  const made: string[][] = [];
  let at = 0;
  for (const hunk of hunks) {
    const begin = hunk[place] - 1;
    const expected = sideOf(hunk.blocks, from);
    if (begin < at || expected.some((line, index) => lines[begin + index] !== line)) return undefined;
    made.push(lines.slice(at, begin), sideOf(hunk.blocks, to));
    at = begin + expected.length;
  }
  return [...made, lines.slice(at)].flat();
}

type Kind = 'ctx' | 'del' | 'ins';

function sideOf(blocks: readonly Block[], kinds: readonly Kind[]): string[] {
  return blocks.flatMap((block) => kinds.flatMap((kind) => linesIn(block, kind)));
}

function linesIn(block: Block, kind: Kind): readonly string[] {
  const { ctx = [], del = [], ins = [] }: Sides = block;
  return { ctx, del, ins }[kind];
}

type Sides = { readonly [kind in Kind]?: readonly string[] };
