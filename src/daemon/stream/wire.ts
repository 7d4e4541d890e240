import { formatEventId } from '../../shared/api/stream.ts';
import type { LoggedEvent } from '../storage/event-log.ts';
import { errorData, payloadOf, type StreamErrorCode } from './frames.ts';

/** A form that a stream is written in: each thing it can say, in bytes that end where the next may begin. */
export interface Wire {
  readonly name: string;
  /** As an Accept header names it. */
  readonly mediaType: string;
  /** The whole value of the header. */
  readonly contentType: string;
  /** First of all; `retryMs` tells the client how long to wait before it reconnects. */
  connected(retryMs: number): Buffer;
  readonly end: Buffer;
  /** Says nothing, so that no proxy takes the connection for dead. */
  readonly heartbeat: Buffer;
  error(code: StreamErrorCode): Buffer;
  /** `legacy`: with the fields that older clients read. */
  update(tapId: string, partition: number, event: LoggedEvent, legacy?: boolean): Buffer;
}

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

/**
 * Server-Sent Events (spec, Events; HTML standard, "Server-sent events"): LF, one space after the colon, data on one
 * line. Only `update` carries an id: an id on any other frame would move the client's cursor.
 *
 * The standard fixes the encoding; clients that go by the header alone (Python's `requests`) would read Latin-1 without
 * the charset, and take the byte 0x85 inside `Å` for the end of a line. Every blank line ends an event that has data:
 * `@microsoft/fetch-event-source` hands on an empty one for each blank line, Go's `donovanhide/eventsource` for a `retry`
 * that stands alone. So `retry` is part of `connected`, and a heartbeat is a comment without a blank line.
 */
export const SSE: Wire = {
  name: 'sse',
  mediaType: 'text/event-stream',
  contentType: 'text/event-stream; charset=utf-8',
  connected: (retryMs) => bytes(`retry: ${retryMs}\nevent: connected\ndata: {}\n\n`),
  end: bytes('event: end\ndata: {}\n\n'),
  heartbeat: bytes(':\n'),
  error: (code) => bytes(`event: error\ndata: ${errorData(code)}\n\n`),
  update: (tapId, partition, event, legacy) => {
    const id = formatEventId({ partition, offset: event.offset });
    return bytes(`id: ${id}\nevent: update\ndata: ${payloadOf(tapId, event, legacy)}\n\n`);
  },
};

/**
 * The same as lines of JSON, `{event, id, data}` each, for what reads lines (`curl | jq`). There is no word for when to
 * come back, and an empty line is the heartbeat.
 */
export const JSON_LINES: Wire = {
  name: 'json-lines',
  mediaType: 'application/x-ndjson',
  contentType: 'application/x-ndjson',
  connected: () => bytes('{"event":"connected","data":{}}\n'),
  end: bytes('{"event":"end","data":{}}\n'),
  heartbeat: bytes('\n'),
  error: (code) => bytes(`{"event":"error","data":${errorData(code)}}\n`),
  update: (tapId, partition, event, legacy) => {
    const id = formatEventId({ partition, offset: event.offset });
    return bytes(`{"event":"update","id":"${id}","data":${payloadOf(tapId, event, legacy)}}\n`);
  },
};

export const WIRES = [SSE, JSON_LINES] as const;

/**
 * The form that an Accept header asks for. Lines only where they are named, and not below SSE; whatever else it says
 * gets SSE, which is what the route speaks (RFC 9110, 12.5.1, lets a server disregard the header).
 */
export function wireFor(accept: string | undefined): Wire {
  const lines = weightOf(accept, JSON_LINES.mediaType);
  const events = weightOf(accept, SSE.mediaType);
  return lines > 0 && lines >= events ? JSON_LINES : SSE;
}

/** The `q` under which a media type is named; 0 where it is not. */
function weightOf(accept = '', type: string): number {
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0;
  }
  return 0;
}
