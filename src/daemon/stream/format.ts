import { formatEventId } from '../../shared/api/stream.ts';
import type { LoggedEvent } from '../storage/event-log.ts';

/** A format of the stream: each kind of frame as bytes. */
export interface StreamFormat {
  readonly name: string;
  /** As an Accept header names it. */
  readonly mediaType: string;
  /** The whole value of the header. */
  readonly contentType: string;
  /** The first frame; `retryMs` tells the client how long to wait before it reconnects. */
  connected(retryMs: number): Buffer;
  readonly end: Buffer;
  /** Carries no event; keeps proxies from closing an idle connection. */
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
export const SSE: StreamFormat = {
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
 * The same events as JSON lines, `{event, id, data}` each, for programs that read lines (`curl | jq`). There is no `retry`, and
 * the heartbeat is an empty line.
 */
export const JSON_LINES: StreamFormat = {
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

/**
 * The format that an Accept header requests. JSON lines only if the header names them, with a weight no lower than that of SSE;
 * everything else gets SSE, the default of the route (RFC 9110, 12.5.1, lets a server disregard the header).
 */
export function formatFor(accept: string | undefined): StreamFormat {
  const lines = weightOf(accept, JSON_LINES.mediaType);
  const events = weightOf(accept, SSE.mediaType);
  return lines > 0 && lines >= events ? JSON_LINES : SSE;
}

/** The `q` of a media type that is named; 0 otherwise. */
function weightOf(accept = '', type: string): number {
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0;
  }
  return 0;
}

/**
 * The payload of an `update` (shared/api/match.ts), spliced from the JSON the log keeps: nothing is parsed or
 * serialised again, and it stands on one line. `legacy` adds `query_id`, which older clients read.
 */
function payloadOf(tapId: string, event: LoggedEvent, legacy = false): string {
  const at = new Date(event.at).toISOString();
  const ids = oneLine(event.queryIds);
  const first = legacy ? `"query_id":${firstOf(ids)},` : '';
  return `{"tap_id":${JSON.stringify(tapId)},${first}"query_ids":${ids},"matched_at":"${at}","document":${oneLine(event.document)}}`;
}

function firstOf(ids: string): string {
  const [first] = JSON.parse(ids) as string[];
  return JSON.stringify(first ?? '');
}

/**
 * JSON may hold U+0085, U+2028 and U+2029 as they are, and clients that split lines as Unicode does (Python's
 * splitlines) would cut the frame there. CR and LF can only stand between JSON's tokens; a page must not be able to
 * forge a frame even if they ever do.
 */
function oneLine(json: string): string {
  return json.replace(/[\r\n\u0085\u2028\u2029]/g, (found) =>
    found < ' ' ? ' ' : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Why a stream ends with `error`; the code is stable, the message is for people. */
export const STREAM_ERRORS = {
  no_rules: 'This tap has no rules. Create rules via POST /v1/rules.',
  tap_revoked: 'This tap was revoked. Its token is no longer valid.',
  out_of_credit:
    'The prepaid balance of the organization is exhausted. Reconnect with Last-Event-ID once there is credit again. ' +
    'The operator can add credit with: hydrant credit grant <amount>',
  disk_full:
    'The disk of the daemon is full: no delivery can be charged. Reconnect with Last-Event-ID once there is room again.',
  log_unavailable: 'The event log could not be read. Reconnect with Last-Event-ID to continue where you were.',
} as const;

export type StreamErrorCode = keyof typeof STREAM_ERRORS;

function errorData(code: StreamErrorCode): string {
  return JSON.stringify({ message: STREAM_ERRORS[code], code });
}
