import { mediaTypeOf } from '../page/media-type.ts';
import { ARCHIVE_HEAD_BYTES, URL_LENGTH } from '../limits.ts';
import { headerIn, readResponseHead, type ResponseHead } from './http-response.ts';
import { typeOf, type WarcHead } from './warc-head.ts';

/** A record that holds a page: the answer of a server to the question for a URL, at a time. */
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
 * no date, or no HTTP. `truncated`: the archive holds a part of it, which would read as a mass deletion.
 */
export type Leaving = 'type' | 'status' | 'malformed' | 'truncated' | 'too_large';

/** Whether a record's block is looked at. */
export function mayHoldPage(head: WarcHead): boolean {
  return typeOf(head) === 'response';
}

/** The page in a response record, or why there is none. Its body is not looked into. */
export function readArchivedPage(head: WarcHead, block: Uint8Array): ArchivedPage | Leaving {
  const named = nameOf(head);
  if (named === undefined) return 'malformed';
  if (head.fields.has('warc-truncated')) return 'truncated';
  const answer = readResponseHead(block);
  if (answer === undefined || answer.size > ARCHIVE_HEAD_BYTES) return 'malformed';
  // A part (206) is a mass deletion, too; 204 and 205 have nothing to read.
  if (answer.status < 200 || answer.status >= 300 || [204, 205, 206].includes(answer.status)) return 'status';
  if (!isRead(answer)) return 'type';
  return { ...named, head: answer, body: block.subarray(answer.size) };
}

/** What a response record calls its page; undefined where that is no URL of the web, or has no date. */
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
