import type { WatchReport } from '../../shared/api/watch.ts';
import { headOf, type ShownHunk, type ShownLine, wrapped } from '../changes/change-lines.ts';
import { checkStrip, checkWords } from '../changes/checks.ts';
import { printable } from '../text/printable.ts';
import { duration, relative } from '../text/time.ts';
import { type Line, line, type Style } from './styled-line.ts';
import type { WatchDetail, WatchesModel } from './watches-model.ts';

/** Lines of one change at most: the rest is told by `hydrant watch diff`. */
const LINES = 2_000;
/** Checks in the strip. */
export const STRIP = 60;

/** One watch beside the list: how it is doing, and its newest change. */
export function watchDetail({ detail, scroll, now }: WatchesModel, watch: WatchReport, width: number): Line[] {
  const facts = [
    line(width, [printable(watch.url), 'bold']),
    ...stateLines(watch, now, width),
    ...(detail ? stripLines(detail, width) : []),
    [],
  ];
  if (!detail) return [...facts, line(width, [watch.last_change === null ? 'no change so far' : '…', 'dim'])];
  const change = changeLines(detail, watch, now, width);
  return [...facts, ...change.slice(scroll)];
}

function stateLines({ problem, status, held, next_check_at: next }: WatchReport, now: number, width: number): Line[] {
  const said =
    next === null ? 'no check is due' : `next check ${Date.parse(next) <= now ? 'now' : relative(next, now)}`;
  const state = status === 'paused' ? 'paused' : held === null ? said : 'the checks of this month are used up';
  const since = problem && `${problem.detail}, for ${duration(now - Date.parse(problem.since))}`;
  return [
    line(width, [state, 'dim']),
    ...(since === null ? [] : [line(width, [printable(`failing: ${since}`), 'red'])]),
  ];
}

function stripLines({ checks }: WatchDetail, width: number): Line[] {
  return checks.length === 0 ? [] : [line(width, [checkStrip(checks, Math.min(STRIP, width)), 'dim'])];
}

function changeLines(
  { n, hunks, checks }: WatchDetail,
  { last_change: last }: WatchReport,
  now: number,
  width: number,
) {
  if (n === undefined) return [line(width, ['no change so far', 'dim'])];
  const check = checks.find((one) => one.n === n);
  const when = last === null ? '' : `, ${relative(last.at, now)}`;
  const head = printable(`check ${n}${when}${check ? `: ${checkWords(check)}` : ''}`);
  return [line(width, [head, undefined]), ...hunks.flatMap((hunk) => hunkLines(hunk, width))].slice(0, LINES);
}

function hunkLines(hunk: ShownHunk, width: number): Line[] {
  return [line(width, [headOf(hunk), 'dim']), ...hunk.lines.flatMap((one) => rows(one, width))];
}

const SIGNS = { ctx: ' ', del: '-', ins: '+' } as const;
const STYLES = { ctx: undefined, del: 'red', ins: 'green' } as const;

/** Changed words stand out of their line. */
function rows({ kind, parts }: ShownLine, width: number): Line[] {
  const style: Style = STYLES[kind];
  const shown = parts.map(({ text, changed }) => ({ text: printable(text), changed }));
  return wrapped(shown, width).map((row, index) =>
    line(
      width,
      [index === 0 ? `${SIGNS[kind]} ` : '  ', style],
      ...row.map(({ text, changed }) => [text, changed ? 'bold' : style] as const),
    ),
  );
}
