import { duration, localTime, timeOfDay } from '../text/time.ts';
import { domainOf, printable } from '../../shared/text/printable.ts';
import { cut, graphemesOf, pad, widthOf } from '../text/table.ts';
import {
  filled,
  helpLines,
  type HelpRow,
  line,
  type Line,
  lineOf,
  rule,
  type Span,
  type Style,
} from './styled-line.ts';
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
import type { Rule } from '../../shared/api/rule.ts';
import { analyze } from '../../shared/analysis/analyze.ts';
import { explain, type Explanation } from '../../shared/match/explain.ts';
import type { FieldValues } from '../../shared/match/document.ts';
import type { Query } from '../../shared/query/ast.ts';
import { validate } from '../../shared/query/validate.ts';

/** Columns below which the domain is left out, and rows below which the details take the whole screen. */
const NARROW = 60;
const LOW = 12;
/** Columns from which what is new stands beside the title, and those of the title there; on fewer it has its own line. */
const WIDE = 100;
const TITLE = 32;
const LABEL = 10;
const DOMAIN = 20;
/** Columns of a filter that is kept, which its keys stand beside. */
const FILTER = 24;
const TIME = '14:02:11'.length;
/** Where a rule's label begins, which the change stands below. */
const CHANGE_INDENT = ' '.repeat(1 + TIME + 2);

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
  const hasTwoLines = width < WIDE && room >= LOW && !model.open;
  const shown = hasTwoLines ? Math.floor(room / 2) : room;
  // The window ends with the newest row, or, further up, has the marked one in its middle.
  const start = Math.max(0, Math.min(rows.length - shown, marked - Math.floor(shown / 2)));
  return rows.slice(start, start + shown).flatMap((row, index) => {
    const first = rowLine(row, width, start + index === marked, model);
    return hasTwoLines ? [first, changeLine(row, width)] : [first];
  });
}

/** The beginning of what is new, or else of what is gone. */
function changeLine(row: Row, width: number): Line {
  const chunks = row.update.match.document.diff?.chunks ?? [];
  const chunk = chunks.find(({ typ }) => typ === 'ins') ?? chunks[0];
  if (chunk === undefined) return [];
  const room = Math.max(1, width - CHANGE_INDENT.length - 2);
  const text = cut(printable(chunk.text.slice(0, 4 * room)), room);
  return lineOf(width, [
    { text: `${CHANGE_INDENT}${chunk.typ === 'ins' ? '+' : '-'} `, style: 'dim' },
    ...markedSpans(text, matchedWords(row, 4 * room), 'dim'),
  ]);
}

function emptyText(model: TailModel): string {
  if (model.filter !== '' && model.rows.length > 0) return ' no match here contains this text';
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
    `${mark}${timeOfDay(matched_at).padEnd(TIME)}`,
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
    model.pausedAt === undefined ? 'space pause' : 'space resume',
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
  ['↑ ↓  j k', 'move; below the last match, the view follows the newest'],
  ['g G', 'go to the oldest, to the newest'],
  ['↵', 'show the match in full: added and removed text, the rules'],
  ['space', 'pause or resume the view; matches keep arriving'],
  ['/', 'show only matches that contain a text'],
  ['esc', 'close the match, or clear the filter'],
];
const TAPS: readonly HelpRow[] = [['tab', 'show all taps, or one at a time']];
const ACTIONS: readonly HelpRow[] = [
  ['o', 'open the page in the browser'],
  ['s', 'save the match, for hydrant saved'],
  ['x', 'mute the domain: leave it out of the rules that matched; asks first'],
  ['u', 'undo the last mute'],
];
const QUIT: HelpRow = ['q', 'quit'];

/** Lines of one match's details at most: what does not fit is read in the JSON. */
const LINES = 200;

/**
 * One match in full: title, address, the rules it matched, and what came and went, wrapped at `width` columns. Where
 * the terminal is `low`, what came and went stands before the rest, which may not be seen.
 */
function detailLines(row: Row, width: number, low: boolean): Line[] {
  const { update, rules } = row;
  const { document, matched_at } = update.match;
  const words = matchedWords(row);
  const published = document.publish_time === undefined ? undefined : `published ${document.publish_time}`;
  const facts = [document.url, published, document.language].filter((fact) => fact !== undefined);
  const chunks = document.diff?.chunks ?? [];
  const title = lineOf(width, markedSpans(` ${printable(document.title ?? 'without a title')}`, words, 'bold'));
  const about = [
    line(width, [` ${printable(facts.join('  '))}`, 'dim']),
    line(width, [` matched ${localTime(matched_at) ?? printable(matched_at)}`, 'dim']),
    ...rules.map((rule) => line(width, [` rule  ${printable(`${rule.tag ?? rule.id}  ${rule.value}`)}`, 'dim'])),
  ];
  const change = chunks.flatMap((chunk) => block(chunk.typ === 'ins' ? '+' : '-', printable(chunk.text), width, words));
  return [title, ...(low ? [...change, [], ...about] : [...about, [], ...change])].slice(0, LINES);
}

function block(sign: '+' | '-', text: string, width: number, words: ReadonlySet<string>): Line[] {
  const style: Style = sign === '+' ? 'green' : 'red';
  return wrap(text, Math.max(1, width - 4)).map((part) =>
    lineOf(width, [{ text: ` ${sign} `, style }, ...markedSpans(part, words, style)]),
  );
}

/** Breaks at spaces, and inside a word that is wider than a line. Width counts columns: a CJK character has two. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  let used = 0;
  const flush = (): void => {
    if (current !== '') lines.push(current);
    current = '';
    used = 0;
  };
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const wide = widthOf(word);
    if (used > 0 && used + 1 + wide > width) flush();
    if (wide > width) {
      for (const { segment } of graphemesOf(word)) {
        const columns = widthOf(segment);
        if (used + columns > width) flush();
        current += segment;
        used += columns;
      }
      continue;
    }
    current += used > 0 ? ` ${word}` : word;
    used += used > 0 ? wide + 1 : wide;
  }
  flush();
  return lines;
}

const queries = new WeakMap<Rule, Query | undefined>();
const found = new WeakMap<Row, { readonly length: number; readonly words: ReadonlySet<string> }>();

/**
 * The words of a match that its rules are about, in lower case: what each clause hits in the title and in what came
 * and went. A clause that needs more than the delivered match (an age, a link) hits nothing and takes no word from
 * the others. Asked for again with every frame, found once.
 *
 * @param length of what came and went, the characters that count: a list shows the beginning only
 */
function matchedWords(row: Row, length = Number.POSITIVE_INFINITY): ReadonlySet<string> {
  const known = found.get(row);
  if (known?.length === length) return known.words;
  const values = valuesOf(row, length);
  const { texts } = values;
  const words = new Set<string>();
  for (const { field, value, start, end } of row.rules.flatMap((rule) => placesOf(rule, values))) {
    if (!SHOWN.has(field)) continue;
    eachTerm(texts[field]?.[value]?.slice(start, end) ?? '', (term) => words.add(term));
  }
  found.set(row, { length, words });
  return words;
}

/** Fields whose text is on the screen as it is in the page. */
const SHOWN: ReadonlySet<string> = new Set(['title', 'added', 'removed']);

function placesOf(rule: Rule, values: FieldValues): Explanation['places'] {
  const query = queryOf(rule);
  return query ? placesIn(explain(query, values)) : [];
}

/** As much of the page as was delivered. */
function valuesOf({ update }: Row, length: number): FieldValues {
  const { title, url, diff } = update.match.document;
  const chunks = (diff?.chunks ?? []).map(({ typ, text }) => ({ typ, text: text.slice(0, length) }));
  return {
    texts: {
      ...(title !== undefined && { title: [title] }),
      url: [url],
      added: chunks.filter(({ typ }) => typ === 'ins').map(({ text }) => text),
      removed: chunks.filter(({ typ }) => typ === 'del').map(({ text }) => text),
    },
    numbers: {},
  };
}

/** The text in pieces, those that are one of the words with the style of a hit. */
function markedSpans(text: string, words: ReadonlySet<string>, style: Style): Span[] {
  if (words.size === 0) return [{ text, style }];
  const spans: Span[] = [];
  let at = 0;
  eachTerm(text, (term, start, end) => {
    if (!words.has(term)) return;
    if (start > at) spans.push({ text: text.slice(at, start), style });
    spans.push({ text: text.slice(start, end), style: 'hit' });
    at = end;
  });
  return at < text.length ? [...spans, { text: text.slice(at), style }] : spans;
}

function eachTerm(text: string, onTerm: (term: string, start: number, end: number) => void): void {
  analyze(text, true, (term, _, start, end) => onTerm(term, start, end));
}

/** Undefined for one that this version does not understand, or that refers to a saved filter. */
function queryOf(rule: Rule): Query | undefined {
  if (!queries.has(rule)) queries.set(rule, validate(rule.value).query);
  return queries.get(rule);
}

function placesIn({ occur, places, clauses }: Explanation): Explanation['places'] {
  return occur === 'must_not' ? [] : [...places, ...clauses.flatMap(placesIn)];
}
