import { STREAM_LIMIT_EVENTS, STREAM_SINCE_SECONDS, STREAM_TIMEOUT_SECONDS } from '../../shared/limits.ts';
import { type EventId, parseEventId } from '../../shared/api/stream.ts';
import { Problem } from '../problem.ts';
import type { StreamPosition } from './start.ts';
import type { Wire } from './wire.ts';

/** The query as the URL's parser leaves it: a parameter that is given twice is an array. */
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
  readonly wire: Wire;
  /** Without rules nothing can ever match: the client is told so, and the stream closes. */
  readonly hasRules: boolean;
}

/**
 * Reads the query and the `Last-Event-ID` header (spec, Stream). Every value is checked, also one that another
 * overrules: a typing error must not hide behind precedence. Without the header, the parameter `lastEventId` stands for
 * it: polyfills of EventSource resume that way, as a browser would ask for permission to send the header.
 * @throws Problem `invalid_field`, which names the parameter.
 */
export function readParameters(query: StreamQuery, header: string | undefined): StreamParameters {
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
      sinceMs: since(query),
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

function since(query: StreamQuery): number | undefined {
  const text = one(query, 'since');
  if (text === undefined) return undefined;
  const [, count = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const seconds = Number(count) * (SECONDS_OF[unit] ?? 0);
  if (seconds >= 1 && seconds <= STREAM_SINCE_SECONDS) return seconds * 1_000;
  const message = 'since must be a number followed by s, m or h, such as 5m, from 1s to 24h.';
  throw new Problem('invalid_field', { field: 'since', message });
}

/** An empty one is what a client sends that keeps an empty string for "no id yet": it asks for nothing. */
function eventId(field: 'Last-Event-ID' | 'lastEventId', text: string | undefined): EventId | undefined {
  if (text === undefined || text === '') return undefined;
  const id = parseEventId(text);
  if (id) return id;
  const message = `${field} must be the id of an update event, such as 0-1842.`;
  throw new Problem('invalid_field', { field, message });
}

/** A parameter given twice has no one value; taking either would be a guess. */
function one(query: StreamQuery, field: string): string | undefined {
  const value = query[field];
  if (value === undefined || typeof value === 'string') return value;
  throw new Problem('invalid_field', { field, message: `${field} may be given once only.` });
}
