import { itemOfChange, itemOfMatch, itemOfProblem } from './message-items.ts';
import type { ProblemFacts } from './problem-facts.ts';
import type { MessageItem } from './sink-kind.ts';
import { isAskedFor, readSinkQuery } from './sink-query.ts';
import type { SinkRecord, TapRecord } from '../storage/catalog.ts';
import type { TopicCursor, ProblemEvent } from '../storage/deliveries.ts';
import type { Storage } from '../storage/storage.ts';
import { detailOf, labelsOf } from '../watch/watch-wire.ts';
import type { Match } from '../../shared/api/match.ts';
import type { WatchNewsItem } from '../../shared/api/watch.ts';
import { SINK_MESSAGES_AHEAD } from '../../shared/limits.ts';
import type { Query } from '../../shared/query/ast.ts';

export type TopicStorage = Pick<Storage, 'catalog' | 'deliveries' | 'eventLog' | 'watches'>;

/** One log that a sink reads, and where it stands in it. */
export interface Topic {
  /** As `TopicCursor.topic`. */
  readonly name: string;
  /** The tap's; empty for the other two. */
  readonly tapId: string;
  /** As it is stored. */
  readonly cursor: number;
  /** What is read next is behind it. */
  readonly position: number;
  /** What is below it is no longer kept. */
  readonly floor: number;
  /** As far as there is something now. */
  readonly head: number;
}

export const WATCHES = 'watches';
export const PROBLEMS = 'problems';

function topicOfTap(tapId: string): string {
  return `tap:${tapId}`;
}

/** The logs that a sink carries something of, and the generation of the log, which is part of each event's name. */
export interface Topics {
  readonly partition: number;
  readonly topics: readonly Topic[];
}

export async function topicsOf(sink: SinkRecord, storage: TopicStorage): Promise<Topics> {
  const cursors = new Map((await storage.deliveries.cursors(sink.id)).map(({ topic, position }) => [topic, position]));
  const { partition, heads } = await headsOf(sink, storage);
  const topics = heads.map(({ name, tapId, floor, head }) => {
    // Of a log that was made anew, the cursor of before says nothing.
    const cursor = cursors.get(name) ?? 0;
    return { name, tapId, floor, head, cursor, position: Math.min(cursor, head) };
  });
  return { partition, topics };
}

/** Cursors behind everything that there is now: a sink carries what comes. */
export async function cursorsAtHead(sink: SinkRecord, storage: TopicStorage): Promise<TopicCursor[]> {
  const { heads } = await headsOf(sink, storage);
  return heads.map(({ name, head }) => ({ topic: name, position: head }));
}

/** Cursors before everything of a time and later that is still kept. */
export async function cursorsAt(sink: SinkRecord, storage: TopicStorage, at: number): Promise<TopicCursor[]> {
  const { heads } = await headsOf(sink, storage);
  const positionOf = ({ name, tapId }: Head): Promise<number> => {
    if (name === WATCHES) return storage.watches.changeCursorAt(sink.organizationId, at);
    return name === PROBLEMS ? storage.deliveries.problemCursorAt(at) : storage.eventLog.firstAt(tapId, at);
  };
  return Promise.all(heads.map(async (head) => ({ topic: head.name, position: await positionOf(head) })));
}

/** Events that the sink has not looked at. */
export async function behindOf(sink: SinkRecord, storage: TopicStorage): Promise<number> {
  const { topics } = await topicsOf(sink, storage);
  let behind = 0;
  for (const { name, position, floor, head } of topics) {
    if (position >= head) continue;
    behind +=
      name === WATCHES
        ? await storage.watches.countChanges(sink.organizationId, position)
        : head - Math.max(position, floor);
  }
  return behind;
}

type Head = Omit<Topic, 'cursor' | 'position'>;

async function headsOf(sink: SinkRecord, storage: TopicStorage): Promise<{ partition: number; heads: Head[] }> {
  const { partition, taps } = await storage.eventLog.allBounds();
  const bounds = new Map(taps.map((tap) => [tap.tapId, tap]));
  const heads: Head[] = carriedTaps(sink, storage).map((tapId) => {
    const { floor = 0, head = 0 } = bounds.get(tapId) ?? {};
    return { name: topicOfTap(tapId), tapId, floor, head };
  });
  if (sink.watches !== 'none') {
    heads.push({ name: WATCHES, tapId: '', floor: 0, head: await storage.watches.newestChange(sink.organizationId) });
  }
  if (sink.problems) heads.push({ name: PROBLEMS, tapId: '', ...(await storage.deliveries.problemBounds()) });
  return { partition, heads };
}

/** Ids of the taps that are there. */
function carriedTaps(sink: SinkRecord, { catalog }: Pick<TopicStorage, 'catalog'>): string[] {
  return catalog.data.taps.filter((tap) => carriesTap(sink, tap)).map(({ id }) => id);
}

export function carriesTap(
  sink: SinkRecord,
  { id, organizationId }: Pick<TapRecord, 'id' | 'organizationId'>,
): boolean {
  return organizationId === sink.organizationId && (sink.taps === 'all' || sink.taps.includes(id));
}

/** What a sink carries of a piece of a log. */
export interface TopicPage {
  readonly items: readonly NamedItem[];
  /** Where the next page begins. */
  readonly next: number;
  /** Events that the log has deleted since it was asked for its bounds. */
  readonly missed: number;
}

export interface NamedItem {
  /** Of the event: the same whenever it is read. */
  readonly key: string;
  readonly item: MessageItem;
}

/** Reads a sink's logs, a page at a time: events that it does not carry are passed over. */
export class TopicReader {
  readonly #sink: SinkRecord;
  readonly #storage: TopicStorage;
  readonly #query: Query | undefined;

  constructor(sink: SinkRecord, storage: TopicStorage) {
    this.#sink = sink;
    this.#storage = storage;
    this.#query =
      sink.query === null ? undefined : readSinkQuery(sink.query, storage.catalog.data, sink.organizationId).query;
  }

  /** From the topic's position on; `next` is beyond it wherever there is something. */
  async page(topic: Topic, partition: number): Promise<TopicPage> {
    if (topic.name === WATCHES) return this.#changes(topic, partition);
    if (topic.name === PROBLEMS) return this.#problems(topic, partition);
    return this.#matches(topic, partition);
  }

  async #matches({ name, tapId, position, floor, head }: Topic, partition: number): Promise<TopicPage> {
    const events = await this.#storage.eventLog.read(tapId, position, PAGE);
    const { data } = this.#storage.catalog;
    const items = events.flatMap((event) => {
      const item = itemOfMatch(tapId, event, data);
      return isAskedFor(this.#query, item.payload as Match)
        ? { key: `${name}:${partition}-${event.offset}`, item }
        : [];
    });
    const last = events.at(-1);
    const from = Math.max(position, floor);
    // All that there was may have been deleted meanwhile.
    const next = last === undefined ? Math.max(from, head) : last.offset + 1;
    return { items, next, missed: (events[0]?.offset ?? next) - from };
  }

  async #changes({ position, head }: Topic, partition: number): Promise<TopicPage> {
    const { organizationId } = this.#sink;
    const asked = { organizationId, after: position, atMost: CHANGES_A_PAGE };
    const changes = await this.#storage.watches.watchChanges(asked);
    const items: NamedItem[] = [];
    for (const { cursor, watchId, url, watchTitle, watchTags, title, check } of changes) {
      if (!this.#isWatched(watchTags ?? [])) continue;
      const watch = { id: watchId, url, ...labelsOf({ title: watchTitle, tags: watchTags }) };
      const said = title === undefined ? {} : { title };
      const news: WatchNewsItem = { cursor, watch, ...said, check: await detailOf(check) };
      items.push({ key: `${WATCHES}:${partition}-${cursor}`, item: itemOfChange(news) });
    }
    const last = changes.at(-1);
    const isLast = changes.length < CHANGES_A_PAGE;
    // Numbers of other organizations' changes, and of watches that were removed, are passed over at once.
    return { items, next: isLast ? Math.max(head, last?.cursor ?? 0) : (last?.cursor ?? head), missed: 0 };
  }

  async #problems({ position, head }: Topic, partition: number): Promise<TopicPage> {
    const events = await this.#storage.deliveries.problemEvents(position, PAGE.events);
    const items = events
      .filter((event) => this.#isProblem(event))
      .map((event) => ({ key: `${PROBLEMS}:${partition}-${event.n}`, item: itemOfProblem(event) }));
    return { items, next: events.at(-1)?.n ?? head, missed: 0 };
  }

  #isWatched(tags: readonly string[]): boolean {
    const { watches } = this.#sink;
    if (typeof watches === 'string') return watches === 'all';
    return watches.tags.some((tag) => tags.includes(tag));
  }

  /** A watch that it carries no changes of is none of its business; nor is its own death, which it cannot tell. */
  #isProblem({ after, problem }: ProblemEvent): boolean {
    if (after !== 0 && after !== this.#sink.problems?.after) return false;
    const { kind, id, organization_id: owner, tags = [] } = JSON.parse(problem) as ProblemFacts;
    if (owner !== undefined && owner !== this.#sink.organizationId) return false;
    if (kind === 'watch' && typeof this.#sink.watches === 'object') return this.#isWatched(tags);
    return kind !== 'sink' || id !== this.#sink.id;
  }
}

/** Of a log that is read at a time. */
const PAGE = { events: SINK_MESSAGES_AHEAD, bytes: 256 * 1_024 } as const;
/** Their diffs may be some megabytes each. */
const CHANGES_A_PAGE = 8;
