import { setTimeout as pause } from 'node:timers/promises';
import type { EventSourceMessage } from 'eventsource-client';
import { type EventId, formatEventId, parseEventId } from '../../shared/api/stream.ts';
import { STREAM_SINCE_SECONDS } from '../../shared/limits.ts';
import { isPassing, StreamConnection, StreamLost } from './stream-connection.ts';
import {
  parseError,
  parseStreamStart,
  parseUpdate,
  type StreamEvent,
  type StreamStart,
  type Wanted,
} from './stream-event.ts';
import type { Target } from './transport.ts';

/**
 * A tap's events for as long as they are wanted, over as many connections as that takes. In: where the daemon is, the
 * tap's token, where to begin. Out: one sequence of events in the order of the log, each offset once, with what
 * becomes of the connection between them. A reader that is slow makes the daemon wait; what was received is handed
 * out even after `close()`. Where to resume is the event after the last one handed out, never one merely received.
 * The daemon's word to go away (401, 402, 403, 404, 422) is thrown; everything passing is waited for and reported.
 * Decided against: the package's own reconnecting (every 2 s, without an end, whatever the answer) and a callback interface,
 * which cannot make anyone wait.
 */
export interface FollowOptions {
  readonly target: Target;
  /** The tap's, `svc_…`. */
  readonly token: string;
  /** Where to begin; the first that is given, in this order. None: what comes from now on. */
  readonly lastEventId?: string | undefined;
  readonly offset?: number | undefined;
  /**
   * Seconds; Infinity is all that is kept. What lies further back than the `since` of the public API goes is found by reading
   * the log from its beginning.
   */
  readonly since?: number | undefined;
  /** Events after which it ends. */
  readonly limit?: number | undefined;
  /** Seconds after which the daemon ends it; undefined: never. */
  readonly timeout?: number | undefined;
  /** False: the first connection is the only one; `agreed`: it goes on where the daemon ended one in time, and no other. */
  readonly reconnect?: boolean | 'agreed' | undefined;
  readonly now: () => number;
  readonly random: () => number;
  /** Milliseconds without a byte: three of the daemon's heartbeats. */
  readonly stallMs?: number;
  /** Events received ahead of the reader. */
  readonly highWater?: number;
}

const STALL_MS = 45_000;
const HIGH_WATER = 256;
/** A connection that lived this long was a good one, even without an event. */
const PROVEN_MS = 5_000;

/** @throws {Refused | NotHydrant} at once; {Unreachable} only for the first connection; {StreamLost} if not reconnecting */
export function follow(options: FollowOptions): Following {
  return new Following(options);
}

export class Following implements AsyncIterable<StreamEvent> {
  readonly #options: FollowOptions;
  readonly #closing = new AbortController();
  readonly #deadline: number;
  #connection: StreamConnection | undefined;
  /** The event to ask for next; undefined until one connection has told or sent something. */
  #next: EventId | undefined;
  #handled: string | undefined;
  #delivered = 0;
  #opened = false;
  /** Milliseconds since 1970: what matched before is passed over. */
  #notBefore: number | undefined;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#deadline = options.now() + (options.timeout ?? Number.POSITIVE_INFINITY) * 1_000;
  }

  /** The id of the last event that was handled: whoever took it has asked for the next. */
  get lastEventId(): string | undefined {
    return this.#handled;
  }

  /** Ends it, after what was already received. */
  close(): void {
    this.#closing.abort();
    this.#connection?.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamEvent, void> {
    let failures = 0;
    while (!this.#closing.signal.aborted) {
      const life: Life = { since: this.#options.now(), updates: 0, ended: false, said: undefined };
      const lost = yield* this.#oneConnection(life);
      if (this.#finished(life.ended)) return;
      const proven = life.updates > 0 || this.#options.now() - life.since >= PROVEN_MS;
      failures = proven ? 1 : failures + 1;
      if (lost === undefined && proven) {
        // The agreed end of a connection is no failure: back at once, only not all clients in the same instant.
        await this.#pause(this.#options.random() * 500);
        continue;
      }
      if (lost !== undefined && this.#reconnects !== true) throw lost;
      const delayMs = this.#delay(failures, lost);
      yield { type: 'waiting', delayMs, reason: lost?.message ?? 'the daemon ended the stream' };
      await this.#pause(delayMs);
    }
  }

  /** Answers with what ended the connection, where it was not the daemon's `end`. */
  async *#oneConnection(life: Life): AsyncGenerator<StreamEvent, Error | undefined> {
    const connection = new StreamConnection(this.#request());
    this.#connection = connection;
    try {
      for (;;) {
        const message = await connection.next();
        if (message === undefined) return undefined;
        this.#opened = true;
        const event = this.#read(message, connection.headers);
        if (event === undefined) continue;
        yield event;
        if (this.#taken(event, life)) return undefined;
      }
    } catch (error) {
      return this.#loss(error, life);
    } finally {
      connection.close();
    }
  }

  /** The reader has come back from this event. Answers whether the connection has nothing more to give. */
  #taken(event: StreamEvent, life: Life): boolean {
    if (event.type === 'error') life.said = event.message;
    if (event.type === 'end') life.ended = true;
    if (event.type === 'older') life.updates += 1;
    if (event.type !== 'update') return life.ended;
    life.updates += 1;
    this.#handled = event.id;
    return this.#enough();
  }

  /** @throws what no other try can set right */
  #loss(error: unknown, life: Life): Error {
    if (!isPassing(error) || !(this.#opened || error instanceof StreamLost)) throw error;
    // The daemon says why, then closes: what it said is the reason, not that it closed.
    return life.said !== undefined && error instanceof StreamLost ? new StreamLost(life.said) : error;
  }

  #read(message: EventSourceMessage, headers: Readonly<Record<string, string>>): StreamEvent | undefined {
    switch (message.event ?? 'message') {
      case 'connected': {
        const openedAt = Date.parse(headers['date'] ?? '');
        const start = this.#started(parseStreamStart(headers, this.#wanted()), openedAt);
        // Even before the first event it is known where to resume, so that a connection lost early loses nothing.
        if (start) this.#next = start.at;
        return { type: 'connected', start, openedAt: Number.isNaN(openedAt) ? undefined : openedAt };
      }
      case 'update':
        return this.#readUpdate(message);
      case 'error':
        return { type: 'error', message: parseError(message.data) };
      case 'end':
        return { type: 'end' };
      default:
        return undefined;
    }
  }

  /** Where the log is read from its beginning, what of it is wanted; by the daemon's clock, as ours may be wrong. */
  #started(start: StreamStart | undefined, openedAt: number): StreamStart | undefined {
    const { since } = this.#options;
    if (since === undefined || !this.#isFromBeginning || this.#next) return start;
    this.#notBefore = (Number.isNaN(openedAt) ? this.#options.now() : openedAt) - since * 1_000;
    if (start?.reason !== 'clamped') return start;
    const isShort = Date.parse(start.keptFrom ?? '') > this.#notBefore && since !== Infinity;
    return { ...start, gone: undefined, reason: isShort ? 'clamped' : 'since' };
  }

  /** Whether more is wanted than the server's `since` can say: the operator's own goes as far as the log. */
  get #isFromBeginning(): boolean {
    const { since, lastEventId, offset, target } = this.#options;
    if (since === undefined || lastEventId !== undefined || offset !== undefined) return false;
    return since === Infinity || (since > STREAM_SINCE_SECONDS && target.kind === 'url');
  }

  get #reconnects(): boolean | 'agreed' {
    return this.#options.reconnect ?? true;
  }

  /** Undefined for an offset that was already handed out. */
  #readUpdate({ id = '', data }: EventSourceMessage): StreamEvent | undefined {
    const at = parseEventId(id);
    const next = this.#next;
    if (at && next && at.partition === next.partition && at.offset < next.offset) return undefined;
    if (at) this.#next = { partition: at.partition, offset: at.offset + 1 };
    const update = parseUpdate(id, data);
    if (!update)
      return { type: 'error', message: `event ${id} has a format that this version does not know, and was skipped` };
    if (this.#notBefore !== undefined) {
      if (Date.parse(update.match.matched_at) < this.#notBefore) return { type: 'older', id };
      // Times never decrease along the log.
      this.#notBefore = undefined;
    }
    this.#delivered += 1;
    return update;
  }

  #request(): ConstructorParameters<typeof StreamConnection>[0] {
    const { target, token, timeout, stallMs = STALL_MS, highWater = HIGH_WATER } = this.#options;
    const { query, lastEventId } = this.#position();
    if (timeout !== undefined) {
      query.set('timeout', String(Math.max(1, Math.ceil((this.#deadline - this.#options.now()) / 1_000))));
    }
    const headers = {
      authorization: `Bearer ${token}`,
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    };
    const search = query.size > 0 ? `?${query.toString()}` : '';
    return { target, path: `/v1/stream${search}`, headers, stallMs, highWater };
  }

  /** What was asked for, until it is known which event comes next; then that event, by the id before it. */
  #position(): { query: URLSearchParams; lastEventId: string | undefined } {
    const next = this.#next;
    if (next) {
      // Offset 0 has no event before it.
      if (next.offset === 0) return { query: new URLSearchParams({ offset: '0' }), lastEventId: undefined };
      return { query: new URLSearchParams(), lastEventId: formatEventId({ ...next, offset: next.offset - 1 }) };
    }
    const { lastEventId, offset, since, limit } = this.#options;
    const query = new URLSearchParams();
    if (offset !== undefined) query.set('offset', String(offset));
    if (this.#isFromBeginning) query.set('offset', '0');
    else if (since !== undefined) query.set('since', `${since}s`);
    // What is passed over would count.
    if (this.#isFromBeginning && since !== Infinity) return { query, lastEventId };
    if (limit !== undefined) query.set('limit', String(limit));
    return { query, lastEventId };
  }

  #wanted(): Wanted | undefined {
    if (this.#next) return this.#next;
    const { lastEventId = '', offset } = this.#options;
    const last = parseEventId(lastEventId);
    if (last) return { partition: last.partition, offset: last.offset + 1 };
    return offset === undefined ? undefined : { offset };
  }

  #enough(): boolean {
    return this.#options.limit !== undefined && this.#delivered >= this.#options.limit;
  }

  #finished(ended: boolean): boolean {
    const { timeout } = this.#options;
    if (this.#closing.signal.aborted || this.#enough()) return true;
    if (ended && (timeout !== undefined || this.#reconnects === false)) return true;
    return this.#options.now() >= this.#deadline;
  }

  #delay(failures: number, lost: Error | undefined): number {
    return retryDelay({
      failures,
      resumable: this.#next !== undefined,
      retryAfter: lost instanceof StreamLost ? lost.retryAfter : undefined,
      now: this.#options.now(),
      random: this.#options.random(),
    });
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#closing.signal }).catch(() => {});
  }
}

interface Life {
  readonly since: number;
  updates: number;
  ended: boolean;
  /** The daemon's last `error`. */
  said: string | undefined;
}

/** Milliseconds a server may ask us to wait: longer, and it is a mistake or a way to switch the client off. */
const LONGEST_ASKED_MS = 10 * 60_000;
const LEAST_MS = 2_000;
const MOST_MS = 60_000;

interface RetryFacts {
  /** Tries in a row that gave nothing, the last one included. */
  readonly failures: number;
  /** We know which event comes next, so a quick return loses nothing. */
  readonly resumable: boolean;
  /** The `Retry-After` of the answer: seconds, or an HTTP date. */
  readonly retryAfter?: string | undefined;
  readonly now: number;
  /** 0 ≤ random < 1 */
  readonly random: number;
}

/**
 * Milliseconds before the next try. `Retry-After` when the server named one, stretched by up to a quarter so that clients sent away together do not
 * come back together. A connection lost for the first time: 0.5–2 s. Else full jitter over a doubling window, 2 s to
 * 60 s: the least is above 60 s ÷ 30, the stream connections a tap may open in a minute (spec, Limits).
 */
export function retryDelay(facts: RetryFacts): number {
  const asked = askedFor(facts);
  if (asked !== undefined) return Math.round(asked * (1 + facts.random / 4));
  if (facts.resumable && facts.failures <= 1) return Math.round(500 + 1_500 * facts.random);
  const window = Math.min(MOST_MS, LEAST_MS * 2 ** Math.min(facts.failures, 10));
  return Math.round(Math.max(LEAST_MS, window * facts.random));
}

function askedFor({ retryAfter, now }: RetryFacts): number | undefined {
  if (retryAfter === undefined || retryAfter.trim() === '') return undefined;
  const seconds = Number(retryAfter);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(retryAfter) - now;
  return ms >= 0 ? Math.min(ms, LONGEST_ASKED_MS) : undefined;
}
