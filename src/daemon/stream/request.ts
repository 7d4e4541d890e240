import { STREAM_LIMIT_EVENTS, STREAM_SINCE_SECONDS, STREAM_TIMEOUT_SECONDS } from '../../shared/limits.ts';
import { type EventId, formatEventId, parseEventId } from '../../shared/api/stream.ts';
import { Problem } from '../problem.ts';
import type { StreamFormat } from './format.ts';
import type { LogBounds } from '../storage/event-log.ts';

/** The parsed query string: a parameter that is given twice is an array. */
export type StreamQuery = Readonly<Record<string, unknown>>;

/** What a client asks of `GET /v1/stream`. */
export interface StreamParameters {
  readonly position: StreamPosition;
  readonly timeoutMs: number;
  /** Events after which the stream ends; Infinity when the client set none. */
  readonly limit: number;
}

export interface StreamRequest extends StreamParameters {
  readonly tapId: string;
  readonly format: StreamFormat;
  /** Without rules nothing can match: the client receives an `error` event, and the stream closes. */
  readonly hasRules: boolean;
}

/**
 * Reads the query and the `Last-Event-ID` header (spec, Stream). Every value is checked, even one that another overrides:
 * a typo must not hide behind precedence. Without the header, the parameter `lastEventId` stands for it: polyfills of
 * EventSource resume that way, as a browser would ask for permission to send the header.
 * @param longestSince seconds that `since` may reach back
 * @throws Problem `invalid_field`, which names the parameter.
 */
export function readParameters(
  query: StreamQuery,
  header: string | undefined,
  longestSince = STREAM_SINCE_SECONDS,
): StreamParameters {
  const { least, most, default: seconds } = STREAM_TIMEOUT_SECONDS;
  const timeout = integer(query, 'timeout', least, most, `a whole number of seconds from ${least} to ${most}`);
  const events = STREAM_LIMIT_EVENTS;
  const inHeader = eventId('Last-Event-ID', header);
  const inQuery = eventId('lastEventId', one(query, 'lastEventId'));
  const limitIs = `a whole number of events from ${events.least} to ${events.most}`;
  return {
    position: {
      lastEventId: inHeader ?? inQuery,
      offset: integer(query, 'offset', 0, MOST_OFFSET, 'a whole number of 0 or more, at most 15 digits'),
      sinceMs: since(query, longestSince),
    },
    timeoutMs: (timeout ?? seconds) * 1_000,
    limit: integer(query, 'limit', events.least, events.most, limitIs) ?? Number.POSITIVE_INFINITY,
  };
}

/** As many digits as an event id may have (shared/api/stream.ts): a double still counts them exactly. */
const MOST_OFFSET = 999_999_999_999_999;

const SECONDS_OF: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };

function integer(query: StreamQuery, field: string, least: number, most: number, is: string) {
  const text = one(query, field);
  if (text === undefined) return undefined;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new Problem('invalid_field', { field, message: `${field} must be ${is}.` });
}

function since(query: StreamQuery, longest: number): number | undefined {
  const text = one(query, 'since');
  if (text === undefined) return undefined;
  const [, count = '', unit = ''] = /^(\d{1,7})([smh])$/.exec(text) ?? [];
  const seconds = Number(count) * (SECONDS_OF[unit] ?? 0);
  if (seconds >= 1 && seconds <= longest) return seconds * 1_000;
  const message = `since must be a number followed by s, m or h, such as 5m, from 1s to ${longest / 3_600}h.`;
  throw new Problem('invalid_field', { field: 'since', message });
}

/** An empty id counts as none: clients send it when they have not received an event yet. */
function eventId(field: 'Last-Event-ID' | 'lastEventId', text: string | undefined): EventId | undefined {
  if (text === undefined || text === '') return undefined;
  const id = parseEventId(text);
  if (id) return id;
  const message = `${field} must be the id of an update event, such as 0-1842.`;
  throw new Problem('invalid_field', { field, message });
}

/** A parameter given twice is refused: using either value would be a guess. */
function one(query: StreamQuery, field: string): string | undefined {
  const value = query[field];
  if (value === undefined || typeof value === 'string') return value;
  throw new Problem('invalid_field', { field, message: `${field} may be given once only.` });
}

/** Where a client asks its stream to start. The first that is given wins, in this order (spec, Stream). */
export interface StreamPosition {
  /** The last event the client has: it wants the one after it. */
  readonly lastEventId?: EventId | undefined;
  /** The first event the client wants. */
  readonly offset?: number | undefined;
  /** How far back the client wants to begin, in milliseconds. */
  readonly sinceMs?: number | undefined;
}

/**
 * Why a stream starts where it does. `resumed`: right after Last-Event-ID. `offset`, `since`: as asked. `clamped`:
 * some of what was asked for is gone (too old, or of another life of the log), so at the oldest event kept. `ahead`: beyond
 * the head, so at the next event to come. `live`: nothing was asked.
 */
type StartReason = 'resumed' | 'offset' | 'since' | 'clamped' | 'ahead' | 'live';

export interface StreamStart extends EventId {
  readonly why: StartReason;
  /** The offset of the next event to come, when the stream opened: a client that replays has all of the past before it. */
  readonly head: number;
  /** The time from which on the log is complete, in milliseconds since 1970, where that is later than what was asked for. */
  readonly keptFrom?: number | undefined;
}

/**
 * Resolves the position once; from then on the stream moves by offset alone. Time is no cursor: it loses ties and
 * jumps with the clock.
 */
export async function findStart(position: StreamPosition, bounds: LogBounds, log: LogTimes): Promise<StreamStart> {
  const { partition, floor, head } = bounds;
  const at = (offset: number, why: StartReason): StreamStart => ({ partition, offset, why, head });
  const oldest = async (): Promise<StreamStart> => {
    // Of a tap that has lost nothing no time can be told.
    return floor === 0 ? at(0, 'clamped') : { ...at(floor, 'clamped'), keptFrom: (await log.droppedUpTo()) + 1 };
  };
  const clamp = async (offset: number, why: StartReason): Promise<StreamStart> => {
    if (offset < floor) return oldest();
    return offset > head ? at(head, 'ahead') : at(offset, why);
  };

  const { lastEventId, offset, sinceMs } = position;
  if (lastEventId) {
    if (lastEventId.partition !== partition) return oldest();
    return clamp(lastEventId.offset + 1, 'resumed');
  }
  if (offset !== undefined) return clamp(offset, 'offset');
  if (sinceMs !== undefined) {
    // An event appended since the bounds were read is newer than the request: never skipped, whatever its time says.
    const from = log.now - sinceMs;
    const first = Math.min(await log.firstAt(from), head);
    if (first > floor || floor === 0) return at(Math.max(first, floor), 'since');
    const start = await oldest();
    return (start.keptFrom ?? 0) > from ? start : at(floor, 'since');
  }
  return at(head, 'live');
}

/** What `findStart` asks of the log about times, all in milliseconds since 1970. */
export interface LogTimes {
  readonly now: number;
  /** The first offset of the tap whose event is at `at` or later; the head where there is none. */
  firstAt(at: number): Promise<number>;
  /** When the newest event matched that was dropped for its age, or for want of space. */
  droppedUpTo(): Promise<number>;
}

/** The value of `X-Stream-Head`: the id that the next event to come will have (`0-1920`). */
export function formatHead({ partition, head }: StreamStart): string {
  return formatEventId({ partition, offset: head });
}

/** The value of `X-Stream-Start`: the id the first event will have, and why (`0-1842; resumed`). */
export function formatStart(start: StreamStart): string {
  return `${formatEventId(start)}; ${start.why}`;
}
