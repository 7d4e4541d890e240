import { hash } from 'node:crypto';
import { PROBLEMS, type Topic, type TopicPage, type NamedItem, WATCHES } from './topics.ts';
import type { Message, MessageItem } from './sink-kind.ts';
import type { Composition, NewMessage } from '../storage/deliveries.ts';
import { SINK_MESSAGE_BYTES, SINK_MESSAGE_ITEMS } from '../../shared/limits.ts';
import { Fold } from '../../shared/digest/stories.ts';
import { count } from '../../shared/text/plural.ts';

/** Problems that came together beyond which they are one message: a network that fails takes everything with it. */
const PROBLEMS_APART = 3;
/** Matches that are compared with each other: a digest of a day may be of a million. */
const FOLDED = 1_000;
/** Addresses of alike pages that are named. */
const ALIKE_NAMED = 5;

export interface Composing {
  readonly sinkId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A page of one log as messages of their own, in its order; those that say the same are one. */
export function composePage(composing: Composing, topic: Topic, { items, next, missed }: TopicPage): Composition {
  const dropped = droppedOf(topic) + missed;
  const notices = dropped === 0 ? [] : [droppedNotice(composing, topic, dropped)];
  const isOneMessage = topic.name === PROBLEMS && items.length > PROBLEMS_APART;
  const messages = isOneMessage
    ? [together(composing, items, items.length)]
    : folded(items).map(({ key, item }) => single(composing, key, item));
  return composition(composing, [...notices, ...messages], [{ topic, to: next }], dropped);
}

/** What a digest is made of, read a page at a time: the newest items that it has room for, and how many there were. */
export class Gathering {
  readonly #composing: Composing;
  readonly #moves: { topic: Topic; to: number }[] = [];
  #items: NamedItem[] = [];
  #first: string | undefined;
  #last = '';
  #total = 0;
  #dropped = 0;

  constructor(composing: Composing) {
    this.#composing = composing;
  }

  /** Pieces of news so far. */
  get total(): number {
    return this.#total + (this.#dropped > 0 ? 1 : 0);
  }

  add({ items, missed }: Pick<TopicPage, 'items' | 'missed'>): void {
    this.#dropped += missed;
    this.#first ??= items[0]?.key;
    this.#last = items.at(-1)?.key ?? this.#last;
    this.#total += items.length;
    this.#items = [...this.#items, ...items].slice(-FOLDED);
  }

  /** All of the topic up to `to` was added. */
  finish(topic: Topic, to: number): void {
    if (to > topic.cursor || droppedOf(topic) > 0) this.#moves.push({ topic, to });
    this.#dropped += droppedOf(topic);
  }

  /** One message with all of it; none where there was nothing. */
  composition(digestedAt?: number): Composition {
    const messages = this.total === 0 ? [] : [this.#message()];
    const made = composition(this.#composing, messages, this.#moves, this.#dropped);
    return digestedAt === undefined ? made : { ...made, digestedAt };
  }

  #message(): Message {
    const [only, ...others] = this.#items;
    if (only && others.length === 0 && this.total === 1) return single(this.#composing, only.key, only.item);
    const notices = this.#dropped === 0 ? [] : [noticeItem(this.#composing, lostWords(this.#dropped, 'event'))];
    const range = `${this.#first ?? ''}..${this.#last}+${this.#total}`;
    return together(this.#composing, folded(this.#items), this.#total, { range, notices });
  }
}

function composition(
  { at }: Composing,
  messages: readonly Message[],
  moves: readonly { readonly topic: Topic; readonly to: number }[],
  dropped: number,
): Composition {
  return {
    at,
    dropped,
    messages: messages.map(toStored),
    moves: moves.map(({ topic: { name, cursor }, to }) => ({ topic: name, from: cursor, to })),
  };
}

function toStored(message: Message): NewMessage {
  const { id, type, title, url } = message;
  return { id, type, title, ...(url !== undefined && { url }), message: JSON.stringify(message) };
}

/** Events of a topic that were deleted before they were read. */
function droppedOf({ position, floor }: Topic): number {
  return Math.max(0, floor - position);
}

function single({ sinkId }: Composing, key: string, item: MessageItem): Message {
  const { type, at, title, url } = item;
  return { id: idOf(sinkId, key), type, at, title, ...(url !== undefined && { url }), items: [item], more: 0 };
}

interface Together {
  /** Which events it is of; by itself the first and the last item. */
  readonly range?: string;
  readonly notices?: readonly MessageItem[];
}

/** @param total events, those that `items` stand for and those that are left out */
function together({ sinkId, at }: Composing, items: readonly NamedItem[], total: number, more: Together = {}): Message {
  const { range = `${items[0]?.key}..${items.at(-1)?.key}`, notices = [] } = more;
  const shown = [...notices, ...withinSize(items.map(({ item }) => item))];
  const told = shown.reduce((sum, { alike }) => sum + 1 + (alike?.count ?? 0), 0) - notices.length;
  return {
    id: idOf(sinkId, range),
    type: 'digest',
    at: new Date(at).toISOString(),
    title: titleOf(items, total),
    items: shown,
    more: Math.max(0, total - told),
  };
}

/** `12 matches and 3 changes`. */
function titleOf(items: readonly NamedItem[], total: number): string {
  const kinds = { match: 0, change: 0, problem: 0, recovery: 0, notice: 0 };
  for (const { item } of items) kinds[item.type] += 1 + (item.alike?.count ?? 0);
  const told = Object.values(kinds).reduce((sum, one) => sum + one, 0);
  // Of those that are not kept any more it is not known what they were.
  if (told < total) return count(total, 'event');
  const parts = Object.entries(kinds).flatMap(([kind, number]) =>
    number === 0 ? [] : [count(number, NOUNS[kind] ?? kind)],
  );
  return parts.length === 0 ? 'Nothing new' : parts.join(', ').replace(/, (?=[^,]*$)/, ' and ');
}

const NOUNS: Readonly<Record<string, string>> = { problem: 'new problem' };

/** The newest, as many as there may be, oldest first. */
function withinSize(items: readonly MessageItem[]): MessageItem[] {
  const kept: MessageItem[] = [];
  let bytes = 0;
  for (const item of items.toReversed()) {
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (kept.length >= SINK_MESSAGE_ITEMS || (kept.length > 0 && bytes > SINK_MESSAGE_BYTES)) break;
    kept.push(item);
  }
  return kept.reverse();
}

/**
 * Matches that say the same, as the digest's builder knows them, become one: the first of them, with how many there are. Two texts of
 * one page are two.
 */
export function folded(items: readonly NamedItem[]): readonly NamedItem[] {
  const matches = items.filter(({ item }) => item.type === 'match' && item.url !== undefined && URL.canParse(item.url));
  if (matches.length < 2) return items;
  const fold = new Fold((data) => hash('sha1', data));
  for (const { key, item } of matches) {
    const { url = '', title, at, lines } = item;
    fold.add({ id: key, tapId: '', tap: '', at, url, title, tags: [], categories: [], chunks: lines });
  }
  const gone = new Set<NamedItem>();
  const leads = new Map<NamedItem, NamedItem>();
  for (const group of fold.groups()) {
    const members = group.flatMap((index) => matches[index] ?? []);
    for (const same of Map.groupBy(members, textOf).values()) {
      const [lead, ...others] = same;
      if (!lead || others.length === 0) continue;
      for (const other of others) gone.add(other);
      leads.set(lead, withAlike(lead, others));
    }
  }
  return items.filter((one) => !gone.has(one)).map((one) => leads.get(one) ?? one);
}

function withAlike({ key, item }: NamedItem, others: readonly NamedItem[]): NamedItem {
  const urls = new Set(others.flatMap((other) => other.item.url ?? []));
  if (item.url !== undefined) urls.delete(item.url);
  return { key, item: { ...item, alike: { count: others.length, urls: [...urls].slice(0, ALIKE_NAMED) } } };
}

function textOf({ item: { lines } }: NamedItem): string {
  return JSON.stringify(lines.map(({ typ, text }) => [typ, text.toLowerCase().match(/[\p{L}\p{N}]+/gu)]));
}

function droppedNotice(composing: Composing, topic: Topic, dropped: number): Message {
  const item = noticeItem(composing, lostWords(dropped, nounOf(topic)));
  return single(composing, `${topic.name}:dropped:${topic.position}-${topic.position + dropped}`, item);
}

function noticeItem({ at }: Composing, title: string): MessageItem {
  return { type: 'notice', at: new Date(at).toISOString(), title, lines: [], labels: {}, payload: { notice: title } };
}

function lostWords(dropped: number, noun: string): string {
  const were = dropped === 1 ? 'was' : 'were';
  return `${count(dropped, noun)} ${were} dropped: the log had deleted them before they could be sent`;
}

function nounOf({ name }: Topic): string {
  if (name === WATCHES) return 'change';
  return name === PROBLEMS ? 'problem' : 'match';
}

/** The same wherever and whenever it is made: receivers know by it what they have. */
function idOf(sinkId: string, key: string): string {
  return `msg_${hash('sha256', `${sinkId}\n${key}`).slice(0, 40)}`;
}
