import { grouped } from '../../shared/grouped.ts';
import type { WatchReport } from '../../shared/api/watch.ts';
import { pad, cut, widthOf } from '../text/table.ts';
import { printable } from '../../shared/text/printable.ts';
import { duration, relative } from '../text/time.ts';
import { filled, helpLines, type HelpRow, line, type Line, rule, type Style } from './styled-line.ts';
import { markedPlace, markedWatch, visibleWatches, type WatchesModel, type WatchDetail } from './watches-model.ts';
import { wrapped } from '../changes/change-lines.ts';
import { headOf, type ShownHunk, type ShownLine } from '../../shared/documents/shown-change.ts';
import { checkStrip } from '../changes/checks.ts';
import { checkWords } from '../../shared/documents/check-words.ts';

/** Columns from which the change stands beside the list, and rows below which there is room for one of the two only. */
const WIDE = 100;
const LOW = 14;
const AGE = '23 h 59 m ago'.length;

/**
 * The screen as lines, at most `rows - 1` of them, each at most `columns` wide: with one more line, or one more column,
 * a terminal scrolls and the frame tears.
 */
export function watchesView(model: WatchesModel, columns: number, rows: number): Line[] {
  const width = Math.max(20, columns);
  const height = Math.max(4, rows - 1);
  const room = height - 4;
  if (room < 1) return [headLine(model, width), ...list(model, width, height - 1)];
  const body = model.help ? helpLines(HELP, width) : filled(bodyOf(model, width, room), room);
  return [
    headLine(model, width),
    troubleLine(model, width),
    ...filled(body, room),
    rule(width),
    footLine(model, width),
  ];
}

function bodyOf(model: WatchesModel, width: number, room: number): Line[] {
  const watch = markedWatch(model);
  if (!watch) return [line(width, [` ${emptyText(model)}`, 'dim'])];
  if (model.open) return watchDetail(model, watch, width).slice(0, room);
  if (room < LOW) return list(model, width, room);
  if (width < WIDE) {
    const upper = Math.max(5, Math.floor(room / 3));
    const lower = watchDetail(model, watch, width).slice(0, room - upper - 1);
    return [...filled(list(model, width, upper), upper), rule(width), ...lower];
  }
  const left = Math.floor(width * 0.4);
  const right = watchDetail(model, watch, width - left - SEAM.length);
  return filled(list(model, left, room), room).map((row, index) => beside(padded(row, left), right[index] ?? []));
}

function beside(left: Line, right: Line): Line {
  return [...left, { text: SEAM, style: 'dim' }, ...right];
}

const SEAM = '│ ';

function emptyText({ watches, filter, onlyFailing }: WatchesModel): string {
  if (watches.length === 0) return 'nothing is watched yet; watch a page with: hydrant watch add <url>';
  if (filter !== '') return `no watch has \`${printable(filter)}\` in its URL, title or tags`;
  return onlyFailing ? 'no watch is failing' : 'no watch';
}

function list(model: WatchesModel, width: number, room: number): Line[] {
  const rows = visibleWatches(model);
  const marked = markedPlace(model);
  const start = Math.max(0, Math.min(rows.length - room, marked - Math.floor(room / 2)));
  return rows.slice(start, start + room).map((watch, index) => row(watch, model, width, start + index === marked));
}

/** What has not been seen has a dot; why it fails is said beside. */
function row(watch: WatchReport, { now }: WatchesModel, width: number, isMarked: boolean): Line {
  const { last_change: change, unseen } = watch;
  const age = cut(change === null ? 'no change' : relative(change.at, now), AGE);
  const sign = `${isMarked ? '▸' : ' '}${unseen > 0 ? '●' : ' '}${stateSign(watch)} `;
  const room = Math.max(4, width - widthOf(sign) - AGE - 1);
  const name = printable(watch.title ?? watch.url.replace(/^https?:\/\/(www\.)?/i, ''));
  return line(width, [sign, undefined], [pad(cut(name, room), room + 1), styleOf(watch, isMarked)], [age, 'dim']);
}

function stateSign({ status, problem, held }: WatchReport): string {
  if (problem !== null) return '✕';
  return status === 'paused' || held !== null ? '‖' : ' ';
}

function styleOf({ status, problem, unseen }: WatchReport, isMarked: boolean): Style {
  if (problem !== null) return 'red';
  if (isMarked || unseen > 0) return 'bold';
  return status === 'paused' ? 'dim' : undefined;
}

/** Why the figures are old; a whole line, so that it can be read in a narrow terminal too. */
function troubleLine({ trouble }: WatchesModel, width: number): Line {
  return trouble === undefined ? rule(width) : line(width, [` not up to date: ${printable(trouble)}`, 'red']);
}

function headLine({ label, watches }: WatchesModel, width: number): Line {
  const counts = [
    `${grouped(watches.length)} ${watches.length === 1 ? 'watch' : 'watches'}`,
    ...some(watches.filter(({ unseen }) => unseen > 0).length, 'unseen'),
    ...some(watches.filter(({ problem }) => problem !== null).length, 'failing'),
  ];
  return line(width, [' hydrant watch', 'bold'], [printable(` · ${label} · ${counts.join(' · ')}`), 'dim']);
}

function some(count: number, word: string): string[] {
  return count === 0 ? [] : [`${grouped(count)} ${word}`];
}

function footLine({ typing, filter, onlyFailing, notice, open }: WatchesModel, width: number): Line {
  if (typing) return line(width, [` /${printable(filter)}▏`, 'yellow'], ['  ↵ keep  esc clear', 'dim']);
  const kept = [
    ...(notice === undefined ? [] : [printable(notice)]),
    ...(filter === '' ? [] : [`/${printable(filter)}`]),
    ...(onlyFailing ? ['failing only'] : []),
  ];
  const keys = `${open ? '↑↓ scroll  ↵ close' : '↑↓ move  ↵ read'}  c check  p pause  s seen  f failing  / find  ? help  q quit`;
  return line(width, [kept.length === 0 ? '' : ` ${kept.join(' · ')}`, 'yellow'], [` ${keys}`, 'dim']);
}

const HELP: readonly HelpRow[] = [
  ['↑ ↓  j k', 'move, or scroll the open change'],
  ['g G', 'go to the first, to the last'],
  ['PageUp PageDown', 'scroll the change'],
  ['↵', 'show the change in full and mark it as seen'],
  ['esc', 'close the change, or clear the filter'],
  ['c', 'check the page now'],
  ['p', 'pause or resume the watch'],
  ['o', 'open the page in the browser'],
  ['s', 'mark the changes as seen'],
  ['f', 'show only failing watches'],
  ['/', 'show only watches with a text in their URL'],
  ['q', 'quit'],
  ['', ''],
  ['●', 'an unseen change'],
  ['✕  ‖', 'failing; paused, or out of checks'],
  ['· ▪ ✕', 'checks: nothing new, a change, failed; the newest at the right'],
];
function padded(spans: Line, width: number): Line {
  const used = spans.reduce((sum, { text }) => sum + widthOf(text), 0);
  return [...spans, { text: ' '.repeat(Math.max(0, width - used)), style: undefined }];
}

/** Lines of one change at most: the rest is told by `hydrant watch diff`. */
const LINES = 2_000;
/** Checks in the strip. */
export const STRIP = 60;

/** One watch beside the list: how it is doing, and its newest change. */
function watchDetail({ detail, scroll, now }: WatchesModel, watch: WatchReport, width: number): Line[] {
  const facts = [
    ...(watch.title === undefined ? [] : [line(width, [printable(watch.title), 'bold'])]),
    line(width, [printable(watch.url), watch.title === undefined ? 'bold' : undefined]),
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
  const state = status === 'paused' ? 'paused' : held === null ? said : 'the monthly quota of checks is used up';
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
