import type { CheckDetail, CrawlEntry, PlacedHunk } from '../api/watch.ts';
import { changedWords, type LinePart, pairedLines } from '../page/diff/changed-words.ts';
import { linkLines } from '../page/diff/link-lines.ts';

/** What there is to show of a change, whatever it becomes: lines on a terminal, HTML, an entry of a feed. */
export interface ShownHunk {
  /** Where it begins in the old and in the new text, from 1; undefined in entries of the older format. */
  readonly place: { readonly before: number; readonly after: number } | undefined;
  /** Its lines are links with their targets, `Read more -> https://example.org/a`, and no lines of the text. */
  readonly isOfLinks?: boolean;
  readonly lines: readonly ShownLine[];
}

/** A line that stayed, went or came; its parts, joined, are its text, as the page has it: not printable. */
export interface ShownLine {
  readonly kind: 'ctx' | 'del' | 'ins';
  readonly parts: readonly LinePart[];
}

/** `@@ -12,4 +12,5 @@`, as in a unified diff; `@@ links @@` of links that lead elsewhere. */
export function headOf({ place, lines, isOfLinks }: ShownHunk): string {
  if (isOfLinks) return '@@ links @@';
  if (!place) return '@@';
  const count = (without: ShownLine['kind']): number => lines.filter(({ kind }) => kind !== without).length;
  return `@@ -${place.before},${count('ins')} +${place.after},${count('del')} @@`;
}

export function shownHunks({ hunks, chunks }: Pick<CheckDetail, 'hunks' | 'chunks'>): ShownHunk[] {
  const budget = { units: MARKED };
  if (hunks !== undefined) return hunks.map((hunk) => shownHunk(hunk, budget));
  return (chunks ?? []).map(({ typ, text }) => ({
    place: undefined,
    lines: text.split('\n').map((line) => ({ kind: typ, parts: whole(line) })),
  }));
}

/** Those of an entry of the public API, which has no places. */
export function entryHunks(diff: CrawlEntry['diff']): ShownHunk[] {
  if (diff === null) return [];
  if ('chunks' in diff) return shownHunks(diff);
  const placed = shownHunks({ hunks: diff.hunks.map((blocks) => ({ before: 1, after: 1, blocks })) });
  return placed.map(({ lines }) => ({ place: undefined, lines }));
}

/** UTF-16 units of changed lines that are compared word by word: more than one reads. */
const MARKED = 400_000;

interface Budget {
  units: number;
}

interface Run {
  readonly kind: ShownLine['kind'];
  readonly texts: readonly string[];
}

/** Lines that went and lines that came right behind them are compared word by word where one became the other. */
function shownHunk({ before, after, blocks, links }: PlacedHunk, budget: Budget): ShownHunk {
  if (links) {
    const lines = { del: linkLines(links, 'before'), ins: linkLines(links, 'after') };
    return { ...shownHunk({ before, after, blocks: [lines] }, budget), isOfLinks: true };
  }
  const runs = blocks.flatMap(({ ctx = [], del = [], ins = [] }): Run[] =>
    [
      { kind: 'ctx' as const, texts: ctx },
      { kind: 'del' as const, texts: del },
      { kind: 'ins' as const, texts: ins },
    ].filter(({ texts }) => texts.length > 0),
  );
  const lines = runs.flatMap((run, index): ShownLine[] => {
    const [previous, next] = [runs[index - 1], runs[index + 1]];
    if (run.kind === 'del' && next?.kind === 'ins') return paired('del', run.texts, next.texts, budget);
    if (run.kind === 'ins' && previous?.kind === 'del') return paired('ins', previous.texts, run.texts, budget);
    return run.texts.map((text) => ({ kind: run.kind, parts: whole(text) }));
  });
  return { place: { before, after }, lines };
}

/** The lines of one side. */
function paired(
  side: 'del' | 'ins',
  deleted: readonly string[],
  inserted: readonly string[],
  budget: Budget,
): ShownLine[] {
  const parts = (side === 'del' ? deleted : inserted).map(whole);
  const [old, recent] = [within(deleted, budget.units / 2), within(inserted, budget.units / 2)];
  // The other side of the same lines has to be paired alike, so both are paid for together, with the latter one.
  if (side === 'ins') budget.units -= [...old, ...recent].reduce((sum, text) => sum + text.length, 0);
  for (const [after, before] of pairedLines(old, recent)) {
    const words = changedWords(deleted[before] ?? '', inserted[after] ?? '');
    if (words && side === 'del') parts[before] = words.before;
    else if (words) parts[after] = words.after;
  }
  return parts.map((line) => ({ kind: side, parts: line }));
}

/** The first lines, as many as have no more than so many UTF-16 units. */
function within(lines: readonly string[], units: number): readonly string[] {
  let left = units;
  const end = lines.findIndex((line) => (left -= line.length) < 0);
  return end === -1 ? lines : lines.slice(0, end);
}

function whole(text: string): readonly LinePart[] {
  return [{ text, changed: false }];
}
