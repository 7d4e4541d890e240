/**
 * The event log: what every tap's stream is read from. Offsets are per tap, dense, from 0, and never given twice
 * within a partition. Events are appended only by the commit of a visit (`pages.ts`), in the same transaction as
 * the page's new version; what is read here is always durable.
 */
export interface LoggedEvent {
  readonly offset: number;
  /**
   * Milliseconds since 1970; never decreases along the log of its tap, whatever the clock does. What it does wrong, `repairTimes`
   * puts right. Of two taps nothing is said: several processes, each with a clock of its own, may write.
   */
  readonly at: number;
  /** The ids of the matching rules, and the matched document: JSON, ready to be spliced into a payload. */
  readonly queryIds: string;
  readonly document: string;
}

export interface NewEvent {
  readonly tapId: string;
  readonly queryIds: string;
  readonly document: string;
}

export interface AppendedEvent extends LoggedEvent {
  readonly tapId: string;
}

export interface LogBounds {
  /** The log's generation: 0 at first, raised when the log is re-created, restored or repaired with loss. */
  readonly partition: number;
  /** The oldest offset that is kept; equal to `head` when none is. */
  readonly floor: number;
  /** The offset the next event will get. */
  readonly head: number;
}

export interface TapBounds extends Omit<LogBounds, 'partition'> {
  readonly tapId: string;
}

/** How much the log holds, over all taps. */
export interface LogExtent {
  /** As `bytesOf` counts them, those of dropped taps that are not swept yet included. */
  readonly bytes: number;
  /** The newest event that a trim has dropped, in milliseconds since 1970: what is later is all there. 0 before the first. */
  readonly droppedUpTo: number;
}

/** What an event takes beside its payload, about: its row, and its place in the index (measured). */
export const EVENT_OVERHEAD_BYTES = 64;

/** What the log counts an event as. */
export function bytesOf({ queryIds, document }: Pick<LoggedEvent, 'queryIds' | 'document'>): number {
  return Buffer.byteLength(queryIds) + Buffer.byteLength(document) + EVENT_OVERHEAD_BYTES;
}

export interface EventLog {
  /** A tap that has no events yet has floor and head 0. */
  bounds(tapId: string): Promise<LogBounds>;
  /** Of all taps that have a log. */
  allBounds(): Promise<{ readonly partition: number; readonly taps: readonly TapBounds[] }>;
  /**
   * Events from `from` on, in order, at most `events` of them and about `bytes` of payload, but at least one if
   * there is one. `from` below the floor starts at the floor; at or above the head, nothing.
   */
  read(tapId: string, from: number, atMost: { events: number; bytes: number }): Promise<LoggedEvent[]>;
  /** The first offset whose event is at `at` or later; the head when there is none. */
  firstAt(tapId: string, at: number): Promise<number>;
  /**
   * Drops events older than `before`, and the oldest ones while the log has more than `mostBytes` (default: no limit), of each
   * tap from its beginning on, in short transactions. How many went. Offsets are not given again.
   */
  trim(before: number, mostBytes?: number): Promise<number>;
  /**
   * Puts right what a clock that was ahead has written: events of a later time than `now`, by more than `CLOCK_SLACK_MS`,
   * have this one, so each is kept for as long from now on as any is, and what comes next bears its own time again. In short
   * transactions. How many there were.
   */
  repairTimes(now: number): Promise<number>;
  /**
   * Forgets a revoked tap's events and offsets, for good: what the visits under way have for it is not written, nor what comes
   * for it later. No other tap has its id again.
   */
  drop(tapId: string): Promise<void>;
  /** Forgets those of all other taps: what a crash, or a full disk, has left of revoked ones. How many taps there were. */
  retain(tapIds: readonly string[]): Promise<number>;
  /** Events kept, over all taps. */
  count(): Promise<number>;
  extent(): Promise<LogExtent>;
}
