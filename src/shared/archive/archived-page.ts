import { mediaTypeOf } from '../page/read/media-type.ts';
import { ARCHIVE_HEAD_BYTES, URL_LENGTH } from '../limits.ts';
import { headerIn, isShort, readResponseHead, type ResponseHead } from './http-response.ts';
import { typeOf, type WarcHead } from './warc-head.ts';

/**
 * A record that holds a page: the answer of a server to the question for a URL, at a time (`response`); or the document alone,
 * as it was had from there (`resource`), which is read as an answer 200 with the type that the record names.
 */
export interface ArchivedPage {
  /** As the record has it. */
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly head: ResponseHead;
  /** As it came: packed, in chunks. */
  readonly body: Uint8Array;
}

/**
 * Why a response record is no page that can be read. `type`: what it answers is no text. `malformed`: no URL of the web,
 * no date, or no HTTP. `truncated`: the archive holds a part of it, which would read as a mass deletion: the archive says so,
 * or it is shorter than the server said. `digest`: its bytes are not those that the archive was made of.
 */
export type Leaving = 'type' | 'status' | 'malformed' | 'truncated' | 'too_large' | 'digest';

/** Whether a record's block is looked at. */
export function mayHoldPage(head: WarcHead): boolean {
  return ['response', 'resource'].includes(typeOf(head));
}

/** The page in such a record, or why there is none. Its body is not looked into. */
export function readArchivedPage(head: WarcHead, block: Uint8Array): ArchivedPage | Leaving {
  const named = nameOf(head);
  if (named === undefined) return 'malformed';
  // A segment is one part of a record that is in several.
  if (head.fields.has('warc-truncated') || head.fields.has('warc-segment-number')) return 'truncated';
  const answer = typeOf(head) === 'resource' ? asAnswer(head) : readResponseHead(block);
  if (answer === undefined || answer.size > ARCHIVE_HEAD_BYTES) return 'malformed';
  // A part (206) is a mass deletion, too; 204 and 205 have nothing to read.
  if (answer.status < 200 || answer.status >= 300 || [204, 205, 206].includes(answer.status)) return 'status';
  if (!isRead(answer)) return 'type';
  const body = block.subarray(answer.size);
  return isShort(answer, body) ? 'truncated' : { ...named, head: answer, body };
}

/** Of a document alone, which has no head of HTTP. */
function asAnswer({ fields }: WarcHead): ResponseHead {
  const type = fields.get('content-type') ?? '';
  return { status: 200, headers: type === '' ? {} : { 'content-type': type }, size: 0 };
}

/** What a record calls its page; undefined where that is no URL of the web, or has no date. */
function nameOf({ fields }: WarcHead): { url: string; at: number } | undefined {
  // Some writers put it between brackets, as their reading of the standard's grammar.
  const url = (fields.get('warc-target-uri') ?? '').replace(/^<(.*)>$/, '$1');
  if (url.length > URL_LENGTH || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const at = dateOf(fields.get('warc-date') ?? '');
  return at === undefined ? undefined : { url, at };
}

/** W3C's profile of ISO 8601, down to the second or finer; and the 14 digits of old archives. */
function dateOf(text: string): number | undefined {
  const iso = text.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z');
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/.test(iso)) return undefined;
  const at = Date.parse(iso);
  return Number.isNaN(at) || at < 0 ? undefined : at;
}

/** By the header alone: what the first bytes say is for whoever reads them. */
function isRead(head: ResponseHead): boolean {
  const type = headerIn(head, 'content-type').split(',').at(-1) ?? '';
  return /^\s*(?:;|$)|application\/(?:x-)?pdf/i.test(type) || mediaTypeOf(type, new Uint8Array()) !== 'other';
}
