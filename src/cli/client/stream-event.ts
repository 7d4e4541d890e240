import type { DiffChunk, Match, MatchDocument } from '../../shared/api/match.ts';
import { type EventId, formatEventId, parseEventId } from '../../shared/api/stream.ts';
import { isObject } from '../../shared/page/json-value.ts';
import { utcMinute } from '../../shared/text/universal-time.ts';

/** What following a tap tells, in order: the stream's own events, and what becomes of the connection. */
export type StreamEvent =
  | Connected
  | Update
  /** A match from before the time that was asked for, which is passed over. Only where the server cannot begin there. */
  | { readonly type: 'older'; readonly id: string }
  /** The daemon's word (no rules, out of credit), or a frame that is not what the contract says. */
  | { readonly type: 'error'; readonly message: string }
  /** The connection closed as agreed: `timeout` or `limit`. */
  | { readonly type: 'end' }
  /** Not connected: the next try follows in `delayMs`, and why. */
  | { readonly type: 'waiting'; readonly delayMs: number; readonly reason: string };

/** A stream is open. */
interface Connected {
  readonly type: 'connected';
  /** Undefined where the server sent no `X-Stream-Start`. */
  readonly start: StreamStart | undefined;
  /** The daemon's clock when it opened, in whole seconds as milliseconds since 1970 (its `Date` header). */
  readonly openedAt: number | undefined;
}

export interface Update {
  readonly type: 'update';
  /** `<partition>-<offset>`. */
  readonly id: string;
  /** The payload as it came, unknown keys and all. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The fields that screens and documents use, each checked. Other labels, rating and markdown are in `payload` only. */
  readonly match: Match;
}

/** `X-Stream-Start: 0-1842; clamped`: the first event this connection gives, and why there. */
export interface StreamStart {
  readonly at: EventId;
  /** `resumed`, `live`, `ahead`; `clamped`: what was asked for is no longer kept. */
  readonly reason: string;
  /** `X-Stream-Head`: the event that was to come next when it opened; undefined where the server does not say. */
  readonly head: EventId | undefined;
  /** Events between what was asked for and `at`; undefined where that cannot be told. */
  readonly gone: number | undefined;
  /** `X-Stream-Kept-From`, ISO-8601: where a time was asked for, and the log is complete from this later one on only. */
  readonly keptFrom?: string | undefined;
}

/** The event a request asked for first. A bare `--offset` names no partition: it is that of the log as it is now. */
export interface Wanted {
  readonly partition?: number;
  readonly offset: number;
}

/** Undefined where `X-Stream-Start` is missing or says something else. */
export function parseStreamStart(
  headers: Readonly<Record<string, string>>,
  wanted: Wanted | undefined,
): StreamStart | undefined {
  const [id = '', reason = ''] = (headers['x-stream-start'] ?? '').split(';').map((part) => part.trim());
  const at = parseEventId(id);
  if (!at) return undefined;
  const sameLog = wanted !== undefined && (wanted.partition ?? at.partition) === at.partition;
  const head = parseEventId(headers['x-stream-head'] ?? '');
  const gone = sameLog && at.offset > wanted.offset ? at.offset - wanted.offset : undefined;
  return { at, reason, head, gone, ...keptFromIn(headers) };
}

function keptFromIn(headers: Readonly<Record<string, string>>): Pick<StreamStart, 'keptFrom'> {
  const time = headers['x-stream-kept-from'] ?? '';
  return Number.isNaN(Date.parse(time)) ? {} : { keptFrom: time };
}

/** An `update` frame; undefined when its data is no match. Screens and lines can rely on every part of it. */
export function parseUpdate(id: string, data: string): Update | undefined {
  const payload = parseJson(data);
  if (!isObject(payload) || !isObject(payload['document'])) return undefined;
  const document = readDocument(payload['document']);
  if (!document) return undefined;
  const match = {
    tap_id: text(payload['tap_id']) ?? '',
    query_ids: queryIds(payload),
    matched_at: text(payload['matched_at']) ?? '',
    document,
  };
  return { type: 'update', id, payload, match };
}

/** The sentence of an `error` frame. */
export function parseError(data: string): string {
  const body = parseJson(data);
  return (isObject(body) ? text(body['message']) : undefined) ?? 'the daemon reported an error without a message';
}

/** An older variant of the payload carries one `query_id` (spec: Match). */
function queryIds(payload: Readonly<Record<string, unknown>>): string[] {
  const ids = strings(payload['query_ids']);
  const single = text(payload['query_id']);
  return ids.length === 0 && single !== undefined ? [single] : ids;
}

function readDocument(raw: Readonly<Record<string, unknown>>): MatchDocument | undefined {
  const url = text(raw['url']);
  if (url === undefined) return undefined;
  const title = text(raw['title']);
  const language = text(raw['language']);
  const published = text(raw['publish_time']);
  const categories = strings(raw['page_category']);
  const diff = isObject(raw['diff']) ? raw['diff']['chunks'] : undefined;
  return {
    url,
    ...(title !== undefined && { title }),
    ...(language !== undefined && { language }),
    ...(published !== undefined && { publish_time: published }),
    ...(categories.length > 0 && { page_category: categories }),
    ...(Array.isArray(diff) && { diff: { chunks: diff.filter(isChunk) } }),
  };
}

function isChunk(value: unknown): value is DiffChunk {
  return isObject(value) && (value['typ'] === 'ins' || value['typ'] === 'del') && typeof value['text'] === 'string';
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** What is lost between what was asked for and what there is; undefined when nothing is. */
export function gapOf(start: StreamStart): string | undefined {
  const at = formatEventId(start.at);
  if (start.reason === 'ahead') return `there are no events yet; the next one will be ${at}`;
  if (start.reason !== 'clamped') return undefined;
  if (start.gone === undefined && start.keptFrom !== undefined)
    return `the log has all matches since ${utcMinute(start.keptFrom)} only: earlier ones are no longer kept`;
  if (start.gone === undefined)
    return `the log now begins at ${at}, in another partition: earlier events are no longer kept`;
  return `the log now begins at ${at}: ${start.gone} ${start.gone === 1 ? 'event is' : 'events are'} no longer kept`;
}
