import type { MessageType, SinkFailure } from '../../shared/api/notify.ts';

/**
 * What of sinks is durable: how far each has come in every log (its cursors), the messages that were made and not delivered yet,
 * those that were refused, its attempts, its counts. And the log of problems, which no other port has.
 *
 * A message is made by one `compose`: it is kept, and the cursors go past the events that are in it, all or nothing. So no event is
 * in two messages and none is in no message; a message keeps its id and its words through every attempt and every crash.
 * `recordAttempt` takes it out once it is delivered: a crash between the two sends it once more, with the same id.
 */
export interface Deliveries {
  /** Begins a sink with these cursors. One that is known stays as it is. */
  openSink(sinkId: string, cursors: readonly TopicCursor[]): Promise<void>;
  /** With everything of it. */
  removeSink(sinkId: string): Promise<void>;
  /** Removes all other sinks: what a crash has left of removed ones. How many there were. */
  retainSinks(sinkIds: readonly string[]): Promise<number>;
  /** Undefined: there is no such sink. */
  sinkState(sinkId: string): Promise<SinkState | undefined>;
  /** A topic that has none was never read: it is read from its beginning. */
  cursors(sinkId: string): Promise<TopicCursor[]>;
  /** Puts cursors where they are said to be, and forgets those of `gone`. Messages that were made stay. */
  moveCursors(sinkId: string, cursors: readonly TopicCursor[], gone?: readonly string[]): Promise<void>;
  /**
   * Keeps messages and moves the cursors past what is in them. False, and nothing happened: a cursor was not where it was said to
   * be, or the sink is gone.
   */
  compose(sinkId: string, composition: Composition): Promise<boolean>;
  /** The oldest message that is neither delivered nor parked. */
  nextMessage(sinkId: string): Promise<PendingMessage | undefined>;
  /** What came of an attempt, in the log, the counts, and the message itself. */
  recordAttempt(sinkId: string, attempt: Attempt): Promise<void>;
  /** The log alone: of a message that is none of the sink's (a test). */
  noteAttempt(sinkId: string, attempt: LoggedAttempt): Promise<void>;
  /** Ends what keeps it from sending: the wait after a failure, and being disabled. */
  reviveSink(sinkId: string): Promise<void>;
  /** Newest first, with `n` below `before`. */
  attempts(sinkId: string, question: { readonly before?: number; readonly atMost: number }): Promise<AttemptRecord[]>;
  /** Newest first, with `n` below `before`. */
  parkedMessages(sinkId: string, question: { readonly before?: number; readonly atMost: number }): Promise<Parked[]>;
  /** Parked messages are tried again, oldest first, before all others. How many. */
  unparkMessages(sinkId: string): Promise<number>;

  /** Problems that began and are not over, in the order of their keys. */
  openProblems(): Promise<StandingProblem[]>;
  /**
   * Problems that have begun (one that is open already is left out), and those that are over (one that is not open is left out),
   * each with its event in the log. How many events.
   */
  recordProblems(at: number, begun: readonly StandingProblem[], over: readonly EndedProblem[]): Promise<number>;
  /** Events with a number above `after`, oldest first. */
  problemEvents(after: number, atMost: number): Promise<ProblemEvent[]>;
  /** `floor`: the number of the oldest event that is kept, less one; equal to `head` when none is. `head`: of the newest there has been. */
  problemBounds(): Promise<{ readonly floor: number; readonly head: number }>;
  /** The cursor before the first event that is not older than `at`. */
  problemCursorAt(at: number): Promise<number>;
}

/** What a sink reads: `tap:<id>`, `watches` or `problems`. */
export interface TopicCursor {
  readonly topic: string;
  /** Of a tap, the next offset that is read; of the others, the number of the last event that was read. */
  readonly position: number;
}

export interface SinkState {
  readonly sent: number;
  readonly parked: number;
  readonly pending: number;
  readonly dropped: number;
  /** Milliseconds since 1970, here and below. The first of the failures in a row; undefined: the last attempt was none. */
  readonly failingSince: number | undefined;
  /** No message is tried before. */
  readonly waitUntil: number | undefined;
  /** Its receiver wants no more messages. */
  readonly disabledAt: number | undefined;
  /** When the last digest was due. */
  readonly digestedAt: number | undefined;
  readonly deliveredAt: number | undefined;
  readonly lastError: StoredError | undefined;
  /** When the newest messages were delivered, oldest first; as many as `Attempt.keepTimes` said. */
  readonly sentTimes: readonly number[];
}

/** Of one that has done nothing yet. */
export const NEW_SINK: SinkState = {
  sent: 0,
  parked: 0,
  pending: 0,
  dropped: 0,
  failingSince: undefined,
  waitUntil: undefined,
  disabledAt: undefined,
  digestedAt: undefined,
  deliveredAt: undefined,
  lastError: undefined,
  sentTimes: [],
};

export interface StoredError {
  readonly at: number;
  readonly outcome: SinkFailure;
  readonly status?: number;
  readonly detail: string;
}

export interface Composition {
  /** Oldest first. One with the id of a message that is kept takes its place in the queue: it is tried again. */
  readonly messages: readonly NewMessage[];
  readonly moves: readonly { readonly topic: string; readonly from: number; readonly to: number }[];
  /** Events that were deleted before they were read, counted in one of the messages. */
  readonly dropped: number;
  readonly at: number;
  readonly digestedAt?: number;
}

export interface NewMessage {
  readonly id: string;
  readonly type: MessageType;
  readonly title: string;
  readonly url?: string;
  /** JSON. */
  readonly message: string;
}

export interface PendingMessage extends NewMessage {
  readonly n: number;
  /** So far, all of them failures; those of them that were refusals. */
  readonly attempts: number;
  readonly refusals: number;
}

/** How the attempt ends for the message: it is delivered, kept for another attempt, or put aside. */
export type Fate = 'delivered' | 'retry' | 'parked';

export interface Attempt extends LoggedAttempt {
  /** Of the message. */
  readonly n: number;
  readonly fate: Fate;
  /** With `retry`: not before. */
  readonly waitUntil?: number;
  /** The receiver is gone. */
  readonly isDisabled?: boolean;
  /** Times of deliveries that are kept. */
  readonly keepTimes: number;
}

export interface LoggedAttempt {
  readonly messageId: string;
  readonly type: MessageType;
  readonly title: string;
  readonly at: number;
  readonly ms: number;
  /** From 1. */
  readonly attempt: number;
  readonly outcome: 'delivered' | SinkFailure;
  readonly status?: number;
  readonly detail?: string;
}

export interface AttemptRecord extends LoggedAttempt {
  readonly n: number;
}

export interface Parked extends Pick<NewMessage, 'id' | 'type' | 'title' | 'url'> {
  readonly n: number;
  readonly parkedAt: number;
  readonly error: StoredError;
}

export interface StandingProblem {
  /** `watch 9f…`, `source 2c…`, `disk`, …: what it is of. With `after` it names one problem. */
  readonly key: string;
  /** Failures in a row that make it one; 0 where that is no question. */
  readonly after: number;
  readonly since: number;
  /** JSON, as the event has it. */
  readonly problem: string;
}

export interface EndedProblem extends Pick<StandingProblem, 'key' | 'after'> {
  /** JSON of its event; null: it is closed without one. */
  readonly problem: string | null;
}

export interface ProblemEvent {
  readonly n: number;
  readonly at: number;
  readonly kind: 'begun' | 'over';
  readonly after: number;
  readonly problem: string;
}
