import stringWidth from 'string-width';
import { clockTime, domainOf, pad } from '../match-text.ts';
import { printable } from '../printable.ts';
import { cut } from '../table.ts';
import { detailLines } from './tail-details.ts';
import { line, type Line, type Style } from './styled-line.ts';
import { markedIndex, perMinute, type Row, type TailModel, visibleRows } from './tail-model.ts';

/** Columns below which the domain is left out, and rows below which the details take the whole screen. */
const NARROW = 60;
const LOW = 12;
/** Columns from which a row also shows what is new, and those of the title there. */
const WIDE = 100;
const TITLE = 32;
const LABEL = 10;
const DOMAIN = 20;
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
  const marked = visibleRows(model)[markedIndex(model)];
  if (!model.open || !marked) return list(model, width, room);
  const isLow = room < LOW;
  const details = detailLines(marked, width, isLow);
  if (isLow) return details.slice(0, room);
  const lower = Math.min(details.length, Math.floor(room / 2));
  const upper = room - lower - 1;
  return [...filled(list(model, width, upper), upper), rule(width, marked.update.id), ...details.slice(0, lower)];
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
  if (model.rules === 0) return ' no rules yet: add one with `hydrant rule add`';
  return ' no matches yet; they appear here as pages change';
}

function rowLine(row: Row, width: number, isMarked: boolean, model: TailModel): Line {
  const { document, matched_at } = row.update.match;
  const held = isMarked && (model.marked !== undefined || model.open);
  const parts = [
    `${held ? '▸' : ' '}${clockTime(matched_at).padEnd(TIME)}`,
    column(row.label, LABEL),
    ...(width < NARROW ? [] : [column(domainOf(document.url), DOMAIN)]),
  ].join('  ');
  const style: Style = held ? 'bold' : undefined;
  const title = printable(document.title ?? document.url);
  const news = document.diff?.chunks.find((chunk) => chunk.typ === 'ins')?.text ?? '';
  // Beside a title cut to a stump, the first words of the change would say no more than the title.
  if (width < WIDE || news === '') return line(width, [`${parts}  ${title}`, style]);
  return line(width, [`${parts}  ${pad(cut(title, TITLE), TITLE)}`, style], [`  + ${printable(news)}`, 'dim']);
}

function column(text: string, width: number): string {
  return pad(cut(printable(text), width), width);
}

function headLine(model: TailModel, width: number): Line {
  const [state, style] = stateOf(model);
  const left = printable(` hydrant tail · ${model.tap} · ${model.label}`);
  const right = cut(`${printable(state)} `, Math.max(0, width - 2));
  const room = Math.max(0, width - stringWidth(right) - 1);
  return line(width, [pad(cut(left, room), room + 1), 'bold'], [right, style]);
}

/** One of: connecting, live, reconnecting in 3 s, paused view, no rules. */
function stateOf(model: TailModel): [string, Style] {
  const { connection, pausedAt } = model;
  if (connection.state === 'connecting') return ['connecting', 'yellow'];
  if (connection.state === 'waiting') {
    const seconds = Math.max(0, Math.ceil((connection.until - model.now) / 1_000));
    return [`reconnecting in ${seconds} s`, 'yellow'];
  }
  if (pausedAt !== undefined) return [`paused view (+${model.total - pausedAt} new)`, 'yellow'];
  return model.rules === 0 ? ['no rules', 'yellow'] : ['live', 'green'];
}

/** What there is to say, why the connection is away before all else; else the figures. */
function countLine(model: TailModel, width: number): Line {
  const told = model.connection.state === 'waiting' ? model.connection.reason : model.notice;
  if (told !== undefined) return line(width, [` ${printable(told)}`, 'yellow']);
  const rate = perMinute(model);
  const text = ` rules ${model.rules} · matches ${model.total} · ${rate}/min ${sparks(model.buckets)}`;
  return line(width, [text, 'dim']);
}

const BARS = '▁▂▃▄▅▆▇█';

function sparks(buckets: readonly number[]): string {
  const most = Math.max(1, ...buckets);
  return buckets.map((count) => BARS[Math.round((count / most) * (BARS.length - 1))] ?? '').join('');
}

function rule(width: number, text = ''): Line {
  const label = text === '' ? '' : ` ${printable(text)} ──`;
  return line(width, ['─'.repeat(Math.max(0, width - stringWidth(label))) + label, 'dim']);
}

function keyLine(model: TailModel, width: number): Line {
  const keys = [
    '↑↓ move',
    model.open ? '↵ close' : '↵ details',
    model.pausedAt === undefined ? 'space pause' : 'space go on',
    'G newest',
    'q quit',
  ];
  return line(width, [` ${keys.join('  ')}`, 'dim']);
}

function filled(lines: readonly Line[], height: number): Line[] {
  return [...lines.slice(0, height), ...Array.from({ length: Math.max(0, height - lines.length) }, (): Line => [])];
}

/** For tests and for plain terminals: the text of the lines, without their styles. */
export function textOf(lines: readonly Line[]): string[] {
  return lines.map((spans) => spans.map((span) => span.text).join(''));
}
