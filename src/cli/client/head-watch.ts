import { type EventId, formatEventId, parseEventId } from '../../shared/api/stream.ts';
import { StreamLost } from './stream-connection.ts';
import type { StreamEvent } from './stream-event.ts';

/** Milliseconds without an event after which a replay has reached the head, where the daemon does not say where that is. */
const SILENCE_MS = 2_000;
/** Milliseconds without an event after which a replay that has not reached the head has failed. */
const PATIENCE_MS = 30_000;

interface HeadWatcher {
  readonly reached: () => void;
  readonly failed: (error: StreamLost) => void;
}

/**
 * Notices the head of the log, where `--once` ends: the event before `X-Stream-Head`, or an `error`, after which nothing
 * comes. A link may pause in the middle of a replay, so no silence passes for the head, but for that of a daemon that does not
 * send the header: there it is two seconds on an open connection, or an event matched after it was opened (by the
 * daemon's own clock: ours may be wrong). Time spent on writing, of this stream's matches or another's, is no silence.
 */
export class HeadWatch {
  readonly #wanted: boolean;
  readonly #watcher: HeadWatcher;
  #timer: NodeJS.Timeout | undefined;
  /** Of the first connection: what comes later has come since. */
  #head: EventId | undefined;
  #openedAt: number | undefined;
  #open = false;
  #isReached = false;

  constructor(wanted: boolean, watcher: HeadWatcher) {
    this.#wanted = wanted;
    this.#watcher = watcher;
  }

  /** Whether the daemon has said where the head is. */
  get isKnown(): boolean {
    return this.#head !== undefined;
  }

  /** How many events before the head it is: 1 of the last; 0 where that is not known. */
  distanceOf(id: string): number {
    const at = parseEventId(id);
    return at?.partition === this.#head?.partition ? (this.#head?.offset ?? 0) - (at?.offset ?? 0) : 0;
  }

  pause(): void {
    clearTimeout(this.#timer);
  }

  /** Goes on; `event` is what has come meanwhile, of this stream. */
  resume(event?: StreamEvent): void {
    this.pause();
    if (!this.#wanted || this.#isReached) return;
    if (event !== undefined) this.#open = ['connected', 'update', 'older'].includes(event.type);
    if (event !== undefined && this.#isHead(event)) this.#arrive();
    else if (this.#open) this.#wait();
  }

  #isHead(event: StreamEvent): boolean {
    if (event.type === 'connected') return this.#opened(event);
    if (event.type === 'older') return this.#isLast(event.id);
    if (event.type === 'update') return this.#head === undefined ? this.#isNewer(event) : this.#isLast(event.id);
    return event.type === 'error';
  }

  #opened({ start, openedAt }: Extract<StreamEvent, { type: 'connected' }>): boolean {
    this.#openedAt ??= openedAt;
    // Another partition is another life of the log, with another head.
    if (this.#head?.partition !== start?.head?.partition) this.#head = start?.head;
    return this.#head !== undefined && start !== undefined && start.at.offset >= this.#head.offset;
  }

  #isLast(id: string): boolean {
    const at = parseEventId(id);
    return at !== undefined && this.#head !== undefined && at.offset + 1 >= this.#head.offset;
  }

  #isNewer({ match }: Extract<StreamEvent, { type: 'update' }>): boolean {
    return Date.parse(match.matched_at) >= (this.#openedAt ?? Infinity) + 1_000;
  }

  #wait(): void {
    const head = this.#head;
    this.#timer = head
      ? setTimeout(() => this.#watcher.failed(unfinished(head)), PATIENCE_MS)
      : setTimeout(() => this.#arrive(), SILENCE_MS);
  }

  #arrive(): void {
    this.#isReached = true;
    this.#watcher.reached();
  }
}

function unfinished(head: EventId): StreamLost {
  const last = formatEventId({ ...head, offset: head.offset - 1 });
  return new StreamLost(`the stream stopped before match ${last}: nothing was received for ${PATIENCE_MS / 1_000} s`);
}
