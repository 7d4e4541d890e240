import { align, type Hunk } from './alignment.ts';

/** Lines of context on each side of a change. */
const CONTEXT = 3;

/**
 * Two texts as a unified diff (POSIX diff -u) of files that end with a line feed, which `git apply` and `patch` take:
 * each line that differs or has moved, whatever counts for a watch. '' where nothing differs.
 * @param file its path, without a space or a tab
 */
export function linePatch(file: string, before: readonly string[], after: readonly string[]): string {
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]): number[] =>
    lines.map((line) => {
      const number = numbers.get(line) ?? numbers.size;
      numbers.set(line, number);
      return number;
    });
  const hunks = align(numbered(before), numbered(after));
  if (hunks.length === 0) return '';
  const lines = grouped(hunks).flatMap((group) => patched(group, before, after));
  return [`--- a/${file}`, `+++ b/${file}`, ...lines, ''].join('\n');
}

/** Changes whose contexts meet stand together. */
function grouped(hunks: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = [];
  for (const hunk of hunks) {
    const last = groups.at(-1)?.at(-1);
    if (last && hunk.after.from - last.after.to <= 2 * CONTEXT) groups.at(-1)?.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

function patched(group: readonly Hunk[], before: readonly string[], after: readonly string[]): string[] {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return [];
  const lead = Math.min(CONTEXT, first.before.from);
  const from = { before: first.before.from - lead, after: first.after.from - lead };
  const trail = Math.min(CONTEXT, before.length - last.before.to);
  const to = { before: last.before.to + trail, after: last.after.to + trail };
  const lines: string[] = [];
  let at = from.after;
  for (const hunk of group) {
    lines.push(...after.slice(at, hunk.after.from).map((text) => ` ${text}`));
    lines.push(...before.slice(hunk.before.from, hunk.before.to).map((text) => `-${text}`));
    lines.push(...after.slice(hunk.after.from, hunk.after.to).map((text) => `+${text}`));
    at = hunk.after.to;
  }
  lines.push(...after.slice(at, to.after).map((text) => ` ${text}`));
  return [`@@ -${range(from.before, to.before)} +${range(from.after, to.after)} @@`, ...lines];
}

/** Counted from 1; of no line, the one before it. */
function range(from: number, to: number): string {
  return `${to === from ? from : from + 1},${to - from}`;
}
