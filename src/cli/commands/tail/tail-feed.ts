import { parseEventId } from '../../../shared/api/stream.ts';
import { Lane, type LaneEvent, type LaneFacts, merge } from '../../client/lane.ts';
import { HeadWatch } from '../../client/head-watch.ts';
import type { Cursor } from '../../runtime/read-cursor.ts';
import { gapOf, type StreamEvent, type StreamStart } from '../../client/stream-event.ts';
import { duration } from '../../text/time.ts';

export interface FeedFacts extends LaneFacts {
  /** Where to keep how far it was read; undefined: nowhere. */
  readonly cursor?: Cursor | undefined;
}

interface FeedSettings {
  readonly once: boolean;
  readonly title: string;
  /** Says one line on stderr. */
  readonly say: (line: string) => void;
  /** A cursor cannot be kept, or the head of the log is not reached: everything ends. */
  readonly onFault: (error: unknown) => void;
}

/** One tap of `hydrant tail`: its stream, what is said of it, and how far it was read. */
export class Feed {
  readonly lane: Lane;
  readonly cursor: Cursor | undefined;
  readonly head: HeadWatch;
  readonly notices: Notices;
  /** Ids of events under way. */
  readonly order: InOrder<string>;
  readonly #onFault: (error: unknown) => void;

  constructor(facts: FeedFacts, settings: FeedSettings) {
    this.lane = new Lane(facts);
    this.cursor = facts.cursor;
    this.head = new HeadWatch(settings.once, {
      reached: () => this.lane.following.close(),
      failed: settings.onFault,
    });
    this.notices = new Notices(settings.say, settings.title);
    this.order = new InOrder((id) => this.#reached(id));
    this.#onFault = settings.onFault;
  }

  /** A place to resume is known even before the first match: a run that saw none must not lose the next run's. */
  opened(event: StreamEvent): void {
    if (event.type !== 'connected' || event.start === undefined || this.cursor?.next !== undefined) return;
    this.#move(event.start.at);
  }

  #reached(id: string): void {
    const at = parseEventId(id);
    if (at) this.#move({ partition: at.partition, offset: at.offset + 1 });
  }

  #move(next: { readonly partition: number; readonly offset: number }): void {
    try {
      this.cursor?.moveTo(next);
    } catch (error) {
      this.#onFault(error);
    }
  }
}

export interface FeedEvent extends LaneEvent {
  readonly feed: Feed;
}

/**
 * What all taps tell, until all have ended or `limit` matches were handled. A tap whose stream is refused ends alone
 * and is reported; the first refusal is thrown once there is nothing else to read, but not where `stopped` ended the others.
 */
export async function* followed(
  feeds: readonly Feed[],
  limit: number,
  { say, stopped }: { readonly say: (line: string) => void; readonly stopped: AbortSignal },
): AsyncGenerator<FeedEvent, void> {
  const byLane = new Map(feeds.map((feed) => [feed.lane, feed]));
  const failures: unknown[] = [];
  let left = limit;
  for await (const item of merge<Lane, StreamEvent>(feeds.map(({ lane }) => lane))) {
    const lane = item.from;
    const feed = byLane.get(lane);
    if ('failure' in item) {
      failures.push(item.failure);
      if (feeds.length > 1) say(`${lane.tap}: ${item.failure instanceof Error ? item.failure.message : 'it failed'}`);
    } else if (feed) {
      yield { feed, lane, event: item.value };
      if (item.value.type === 'update') left -= 1;
      if (left <= 0) return;
    }
  }
  if (failures.length > 0 && !stopped.aborted) throw failures[0];
}

/**
 * What is under way, in the order in which it was begun. Jobs end in any order; how far a tap was read moves only past
 * what has succeeded together with all before it, and never past a failure.
 */
export class InOrder<Item> {
  readonly #reached: (item: Item) => void;
  #waiting: { readonly item: Item; isDone: boolean }[] = [];
  #isStuck = false;

  /** @param reached the last of those that are done together with all before them */
  constructor(reached: (item: Item) => void) {
    this.#reached = reached;
  }

  /** Begun and not yet passed. */
  get size(): number {
    return this.#waiting.length;
  }

  /** The answer says how it ended, once. */
  begin(item: Item): (succeeded: boolean) => void {
    if (this.#isStuck) return () => {};
    const one = { item, isDone: false };
    this.#waiting.push(one);
    return (succeeded) => {
      if (succeeded) this.#done(one);
      else this.#failed(one);
    };
  }

  #done(one: { isDone: boolean }): void {
    one.isDone = true;
    const count = this.#waiting.findIndex(({ isDone }) => !isDone);
    const passed = this.#waiting.splice(0, count === -1 ? this.#waiting.length : count);
    const last = passed.at(-1);
    if (last) this.#reached(last.item);
  }

  /** Those before it may still succeed; those behind it will come again. */
  #failed(one: { readonly item: Item; isDone: boolean }): void {
    const at = this.#waiting.indexOf(one);
    if (at === -1) return;
    this.#isStuck = true;
    this.#waiting = this.#waiting.slice(0, at);
  }
}

/**
 * What is said on stderr beside the matches: each thing once, and again only after it had passed. An outage is one
 * line when it begins and one when it is over, however many tries lie between.
 */
export class Notices {
  readonly #say: (line: string) => void;
  readonly #name: string;
  #opened = false;
  /** Why the connection is away, as it was told. */
  #outage: string | undefined;
  /** What the daemon said since the last match. */
  readonly #told = new Set<string>();

  /** @param name what the first line says after `connected` */
  constructor(say: (line: string) => void, name: string) {
    this.#say = say;
    this.#name = name;
  }

  hear(event: StreamEvent): void {
    switch (event.type) {
      case 'connected':
        return this.#connected(event.start);
      case 'waiting':
        return this.#waiting(event.reason, event.delayMs);
      case 'error':
        return this.#error(event.message);
      case 'update':
        return this.#told.clear();
      case 'older':
      case 'end':
        return undefined;
    }
  }

  #connected(start: StreamStart | undefined): void {
    if (!this.#opened) this.#say(`connected · ${this.#name}`);
    else if (this.#outage !== undefined) this.#say('connected again');
    this.#opened = true;
    this.#outage = undefined;
    const gap = start && gapOf(start);
    if (gap !== undefined) this.#say(gap);
  }

  #waiting(reason: string, delayMs: number): void {
    if (this.#told.has(reason) || this.#outage === reason) return;
    this.#outage = reason;
    this.#say(`reconnecting in ${seconds(delayMs)}: ${reason}`);
  }

  /** The daemon repeats itself with every connection: a tap without rules has none a minute later either. */
  #error(message: string): void {
    if (this.#told.has(message)) return;
    if (this.#told.size >= DISTINCT) this.#told.clear();
    this.#told.add(message);
    this.#say(message);
  }
}

/** Different sentences remembered between two matches; the daemon has three. */
const DISTINCT = 16;

function seconds(ms: number): string {
  return ms < 1_000 ? '1 s' : duration(Math.round(ms / 1_000) * 1_000);
}
