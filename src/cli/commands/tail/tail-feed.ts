import { parseEventId } from '../../../shared/api/stream.ts';
import { Lane, type LaneEvent, type LaneFacts } from '../../client/lane.ts';
import { merge } from '../../client/merge.ts';
import type { StreamEvent } from '../../client/stream-event.ts';
import { HeadWatch } from '../../client/head-watch.ts';
import type { Cursor } from './tail-cursor.ts';
import { Notices } from './tail-notices.ts';
import { InOrder } from './tail-order.ts';

export interface FeedFacts extends LaneFacts {
  /** Where to keep how far it was read; undefined: nowhere. */
  readonly cursor?: Cursor | undefined;
}

export interface FeedSettings {
  readonly once: boolean;
  readonly title: string;
  /** Says one line on stderr. */
  readonly say: (line: string) => void;
  /** A cursor cannot be kept: everything ends. */
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
    this.head = new HeadWatch(settings.once, () => this.lane.following.close());
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
 * and is reported; the first refusal is thrown once there is nothing else to read.
 */
export async function* followed(
  feeds: readonly Feed[],
  limit: number,
  say: (line: string) => void,
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
  if (failures.length > 0) throw failures[0];
}
