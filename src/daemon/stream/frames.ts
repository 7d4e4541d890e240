import type { LoggedEvent } from '../storage/event-log.ts';

/**
 * The payload of an `update` (shared/api/match.ts), spliced from the JSON the log keeps: nothing is parsed or
 * serialised again, and it stands on one line. `legacy` adds `query_id`, which older clients read.
 */
export function payloadOf(tapId: string, event: LoggedEvent, legacy = false): string {
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

/** Why a stream ends other than by `end`; the code is stable, the sentence is for people. */
export const STREAM_ERRORS = {
  no_rules: 'This tap has no rules. Create rules via POST /v1/rules.',
  tap_revoked: 'This tap was revoked. Its token is no longer valid.',
  out_of_credit:
    'The prepaid balance of the organization is exhausted. Reconnect with Last-Event-ID once there is credit again. ' +
    'The operator adds to it with: hydrant credit grant <amount>',
  disk_full:
    'The disk of the daemon is full: no delivery can be charged. Reconnect with Last-Event-ID once there is room again.',
  log_unavailable: 'The event log could not be read. Reconnect with Last-Event-ID to continue where you were.',
} as const;

export type StreamErrorCode = keyof typeof STREAM_ERRORS;

export function errorData(code: StreamErrorCode): string {
  return JSON.stringify({ message: STREAM_ERRORS[code], code });
}
