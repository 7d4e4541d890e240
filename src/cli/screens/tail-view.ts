import { clockTime, domainOf, pad } from '../text/match-text.ts';
import { printable } from '../text/printable.ts';
import { cut } from '../text/table.ts';
import { filled, helpLines, type HelpRow, line, type Line, lineOf, rule, type Style } from './styled-line.ts';
import { detailLines, marked as markedSpans, matchedWords, wrap } from './tail-details.ts';
import {
  connectionOf,
  connectionsOf,
  markedIndex,
  markedRow,
  perMinute,
  type Row,
  type TailModel,
  visibleRows,
} from './tail-model.ts';
import { duration } from '../text/time.ts';
import { widthOf } from '../text/width.ts';

/** Columns below which the domain is left out, and rows below which the details take the whole screen. */
const NARROW = 60;
const LOW = 12;
/** Columns from which a row also shows what is new, and those of the title there. */
const WIDE = 100;
const TITLE = 32;
const LABEL = 10;
const DOMAIN = 20;
/** Columns of a filter that is kept, which its keys stand beside. */
const FILTER = 24;
const TIME = '14:02:11'.length;

/**
 * The screen as lines, at most `rows - 1` of them, each at most `columns` wide: with one more line, or one more
 * column, a terminal scrolls and the frame tears.
 */
export function view(model: TailModel, columns: number, rows: number): Line[] {
  const height = Math.max(4, rows - 1);
  const width = Math.max(20, columns);
  const top = [headLine(model, width), countLine(model, width), rule(width)];
  const bottom = [rule(width), keyLine(model, width)];
  const room = Math.max(0, height - top.length - bottom.length);
  if (height <= top.length + bottom.length) return [...top.slice(0, 1), ...body(model, width, height - 1)];
  return [...top, ...filled(body(model, width, room), room), ...bottom];
}

function body(model: TailModel, width: number, room: number): Line[] {
  if (model.question !== undefined) return questionLines(model.question, width, room);
  if (model.help) return helpLines(tailHelp(model), width).slice(0, room);
  const marked = markedRow(model);
  if (!model.open || !marked) return list(model, width, room);
  const isLow = room < LOW;
  const details = detailLines(marked, width, isLow);
  if (isLow) return details.slice(0, room);
  const lower = Math.min(details.length, Math.floor(room / 2));
  const upper = room - lower - 1;
  return [...filled(list(model, width, upper), upper), rule(width, marked.update.id), ...details.slice(0, lower)];
}

/** What is asked, and what is asked of: a query may be long, and none of it is cut. */
function questionLines(lines: readonly string[], width: number, room: number): Line[] {
  const wrapped = lines.flatMap((text) => wrap(printable(text), width - 2));
  return wrapped.slice(0, room).map((text) => line(width, [` ${text}`, undefined]));
}

function list(model: TailModel, width: number, room: number): Line[] {
  const rows = visibleRows(model);
  if (rows.length === 0) return [line(width, [emptyText(model), 'dim'])];
  const marked = markedIndex(model);
  // The window ends with the newest row, or, further up, has the marked one in its middle.
  const start = Math.max(0, Math.min(rows.length - room, marked - Math.floor(room / 2)));
  return rows.slice(start, start + room).map((row, index) => rowLine(row, width, start + index === marked, model));
}

function emptyText(model: TailModel): string {
  if (model.filter !== '' && model.rows.length > 0) return ' none of the matches kept here has this in it';
  if (model.rules === 0) return ' no rules yet: add one with `hydrant rule add`';
  return ' no matches yet; they appear here as pages change';
}

function rowLine(row: Row, width: number, isMarked: boolean, model: TailModel): Line {
  const { document } = row.update.match;
  const held = isMarked && (model.marked !== undefined || model.open);
  const parts = columnsOf(row, width, held ? '▸' : ' ', model.taps.length > 1);
  const style: Style = held ? 'bold' : undefined;
  const title = printable(document.title ?? document.url);
  const news = document.diff?.chunks.find((chunk) => chunk.typ === 'ins')?.text ?? '';
  const place = { text: `${parts}  `, style };
  // Beside a title cut to a stump, the first words of the change would say no more than the title.
  if (width < WIDE || news === '') return lineOf(width, [place, ...markedSpans(title, matchedWords(row, 0), style)]);
  // A chunk may have kilobytes, of which a part of a line is seen; a character may have several code units.
  const room = width - widthOf(parts) - TITLE;
  const words = matchedWords(row, 4 * room);
  return lineOf(width, [
    place,
    ...markedSpans(pad(cut(title, TITLE), TITLE), words, style),
    { text: '  + ', style: 'dim' },
    ...markedSpans(cut(printable(news.slice(0, 4 * room)), room), words, 'dim'),
  ]);
}

/** When, on which tap where there are several, by which rules, and where there is room, on which domain. */
function columnsOf({ update, tap, label }: Row, width: number, mark: string, namesTap: boolean): string {
  const { document, matched_at } = update.match;
  return [
    `${mark}${clockTime(matched_at).padEnd(TIME)}`,
    ...(namesTap ? [column(tap, LABEL)] : []),
    column(label, LABEL),
    ...(width < NARROW ? [] : [column(domainOf(document.url), DOMAIN)]),
  ].join('  ');
}

function column(text: string, width: number): string {
  return pad(cut(printable(text), width), width);
}

function headLine(model: TailModel, width: number): Line {
  const [state, style] = stateOf(model);
  const taps = model.shownTap ?? (model.taps.length > 1 ? `${model.taps.length} taps` : (model.taps[0] ?? ''));
  const left = printable(` hydrant tail · ${taps} · ${model.label}`);
  const right = cut(`${printable(state)} `, Math.max(0, width - 2));
  const room = Math.max(0, width - widthOf(right) - 1);
  return line(width, [pad(cut(left, room), room + 1), 'bold'], [right, style]);
}

/** One of: connecting, live, 1 of 2 live, reconnecting in 3 s, paused view, no rules. */
function stateOf(model: TailModel): [string, Style] {
  const { pausedAt } = model;
  const connection = connectionOf(model);
  if (connection.state === 'connecting') return ['connecting', 'yellow'];
  if (connection.state === 'waiting') {
    const all = connectionsOf(model);
    const live = all.filter(({ state }) => state === 'live').length;
    if (live > 0) return [`${live} of ${all.length} live`, 'yellow'];
    const seconds = Math.max(0, Math.ceil((connection.until - model.now) / 1_000));
    return [`reconnecting in ${seconds} s`, 'yellow'];
  }
  if (pausedAt !== undefined) return [`paused view (+${model.total - pausedAt} new)`, 'yellow'];
  return model.rules === 0 ? ['no rules', 'yellow'] : ['live', 'green'];
}

/** What there is to say, why the connection is away before all else; else the figures, and why one of several is away. */
function countLine(model: TailModel, width: number): Line {
  const connection = connectionOf(model);
  const why = connection.state === 'waiting' ? printable(connection.reason) : undefined;
  const isPartly = connectionsOf(model).some(({ state }) => state === 'live');
  const told = isPartly ? model.notice : (why ?? model.notice);
  if (told !== undefined) return line(width, [` ${printable(told)}`, 'yellow']);
  const lag = model.lagMs === undefined ? '' : ` · lag ${lagText(model.lagMs)}`;
  const text = ` rules ${model.rules} · matches ${model.total} · ${rateText(model)} ${sparks(model.buckets)}${lag}`;
  return line(width, [text, 'dim'], [why === undefined ? '' : ` · ${why}`, 'yellow']);
}

function rateText(model: TailModel): string {
  const rate = perMinute(model);
  return rate < 6_000 ? `${rate}/min` : `${Math.round(rate / 60)}/s`;
}

function lagText(ms: number): string {
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : duration(ms);
}

const BARS = '▁▂▃▄▅▆▇█';

function sparks(buckets: readonly number[]): string {
  const most = Math.max(1, ...buckets);
  return buckets.map((count) => BARS[Math.round((count / most) * (BARS.length - 1))] ?? '').join('');
}

/** The keys, the most wanted first: as many as there is room for, the others are in the help. */
function keyLine(model: TailModel, width: number): Line {
  if (model.question !== undefined) return line(width, [' y yes  n no', 'bold']);
  if (model.typing) return line(width, [` /${printable(model.filter)}▏`, 'bold'], ['  ↵ keep  esc clear', 'dim']);
  const keys = [
    ...(model.filter === '' ? [] : [`${cut(`/${printable(model.filter)}`, FILTER)} (esc clear)`]),
    '↑↓ move',
    model.open ? '↵ close' : '↵ details',
    model.pausedAt === undefined ? 'space pause' : 'space go on',
    'q quit',
    model.help ? '? close' : '? help',
    ...(model.filter === '' ? ['/ filter'] : []),
    ...(model.taps.length > 1 ? ['tab taps'] : []),
    ...(model.canAct ? ['o browser', 's save', 'x mute', 'u undo'] : []),
    'G newest',
  ];
  return line(width, [` ${fitting(keys, width - 1).join('  ')}`, 'dim']);
}

/** Whole ones, from the first: half a word at the edge tells nothing. */
function fitting(keys: readonly string[], room: number): readonly string[] {
  let used = 0;
  const end = keys.findIndex((key, index) => (used += widthOf(key) + (index === 0 ? 0 : 2)) > room);
  return end === -1 ? keys : keys.slice(0, end);
}

/** What `?` shows: the keys that do anything on this screen. */
function tailHelp({ taps, canAct }: Pick<TailModel, 'taps' | 'canAct'>): readonly HelpRow[] {
  return [...READING, ...(taps.length > 1 ? TAPS : []), ...(canAct ? ACTIONS : []), QUIT];
}

const READING: readonly HelpRow[] = [
  ['↑ ↓  j k', 'move; below the last match the newest is followed'],
  ['g G', 'to the oldest that is kept, to the newest'],
  ['↵', 'the match in full: what came, what went, the rules'],
  ['space', 'hold the view, or go on; the reading never stops'],
  ['/', 'only matches with a text in them'],
  ['esc', 'close what is open, or take the filter back'],
];
const TAPS: readonly HelpRow[] = [['tab', 'all taps, or one after the other']];
const ACTIONS: readonly HelpRow[] = [
  ['o', 'open the page in the browser'],
  ['s', 'save the match, for hydrant saved'],
  ['x', 'mute the domain: leave it out of the rules that matched; asks first'],
  ['u', 'undo the last muting'],
];
const QUIT: HelpRow = ['q', 'quit'];
