import { formatEventId } from '../../shared/api/stream.ts';
import type { LoggedEvent } from '../storage/event-log.ts';

/**
 * What a stream says, in bytes (spec, Events; HTML standard, "Server-sent events"): LF, one space after the colon,
 * data on one line. Only `update` carries an id: an id on any other frame would move the client's cursor.
 */
const frame = (text: string): Buffer => Buffer.from(text, 'utf8');

export const CONNECTED = frame('event: connected\ndata: {}\n\n');
export const END = frame('event: end\ndata: {}\n\n');
export const HEARTBEAT = frame(':\n\n');

/** Why a stream ends other than by `end`; the code is stable, the sentence is for people. */
export const STREAM_ERRORS = {
  no_rules: 'This tap has no rules. Create rules via POST /v1/rules.',
  tap_revoked: 'This tap was revoked. Its token is no longer valid.',
  log_unavailable: 'The event log could not be read. Reconnect with Last-Event-ID to continue where you were.',
} as const;

export type StreamErrorCode = keyof typeof STREAM_ERRORS;

export function errorFrame(code: StreamErrorCode): Buffer {
  return frame(`event: error\ndata: ${JSON.stringify({ message: STREAM_ERRORS[code], code })}\n\n`);
}

/** How long the client waits before it reconnects, in milliseconds. */
export function retryFrame(ms: number): Buffer {
  return frame(`retry: ${ms}\n\n`);
}

/** One match (shared/api/match.ts), spliced from the JSON the log keeps: nothing is parsed or serialised again. */
export function updateFrame(tapId: string, partition: number, event: LoggedEvent): Buffer {
  const id = formatEventId({ partition, offset: event.offset });
  const at = new Date(event.at).toISOString();
  const ids = oneLine(event.queryIds);
  const document = oneLine(event.document);
  const data = `{"tap_id":${JSON.stringify(tapId)},"query_ids":${ids},"matched_at":"${at}","document":${document}}`;
  return frame(`id: ${id}\nevent: update\ndata: ${data}\n\n`);
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
