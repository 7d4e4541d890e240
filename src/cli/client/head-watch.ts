import type { StreamEvent } from './stream-event.ts';

/** Milliseconds without an event after which a replay has reached the head: the daemon replays without a pause. */
const SILENCE_MS = 2_000;

/**
 * Notices the head of the log, where `--once` ends: two seconds of silence on an open connection, an event matched
 * after the connection was opened (by the daemon's own clock: ours may be wrong), or an `error`, after which nothing
 * comes. Time spent on writing, of this stream's matches or another's, does not count as silence.
 */
export class HeadWatch {
  readonly #wanted: boolean;
  readonly #reached: () => void;
  #timer: NodeJS.Timeout | undefined;
  #openedAt: number | undefined;
  #open = false;
  #isReached = false;

  constructor(wanted: boolean, reached: () => void) {
    this.#wanted = wanted;
    this.#reached = reached;
  }

  pause(): void {
    clearTimeout(this.#timer);
  }

  /** Goes on; `event` is what has come meanwhile, of this stream. */
  resume(event?: StreamEvent): void {
    this.pause();
    if (!this.#wanted || this.#isReached) return;
    if (event === undefined) this.#wait();
    else this.#hear(event);
  }

  #hear(event: StreamEvent): void {
    if (event.type === 'connected') this.#openedAt ??= event.openedAt;
    this.#open = event.type === 'connected' || event.type === 'update';
    const isNewer =
      event.type === 'update' && Date.parse(event.match.matched_at) >= (this.#openedAt ?? Infinity) + 1_000;
    if (event.type === 'error' || isNewer) this.#arrive();
    else this.#wait();
  }

  #wait(): void {
    if (this.#open) this.#timer = setTimeout(() => this.#arrive(), SILENCE_MS);
  }

  #arrive(): void {
    this.#isReached = true;
    this.#reached();
  }
}
