import { decode } from './decode.ts';
import { withHeaders } from './facts.ts';
import { readHtml } from './html.ts';
import { mediaTypeOf, type MediaType } from './media-type.ts';
import { NO_FACTS, type Body, type Page } from './page.ts';
import { LINE_BREAK, segmentsOf } from './segments.ts';
import { TreeTooLarge } from './tree.ts';

export type Extraction =
  | { readonly ok: true; readonly page: Page }
  | {
      readonly ok: false;
      readonly reason: 'content_type' | 'empty' | 'too_large';
      /** A sentence for the operator. */
      readonly detail: string;
    };

/**
 * The page that a body holds: HTML, XHTML or plain text. Never throws, whatever the bytes. Equal bytes, URL and
 * Content-Type give an equal page, as long as `EXTRACTOR` is the same.
 */
export function extract(body: Body): Extraction {
  const type = mediaTypeOf(body.contentType, body.bytes);
  if (type === 'other') return { ok: false, reason: 'content_type', detail: unreadable(body.contentType) };
  const page = readAs(type, body);
  if (page instanceof TreeTooLarge) return { ok: false, reason: 'too_large', detail: page.message };
  if (page.segments.length === 0 && page.title === undefined) {
    return {
      ok: false,
      reason: 'empty',
      detail: `The page has neither text nor a title (${body.bytes.length} bytes).`,
    };
  }
  return { ok: true, page: detached({ ...page, facts: withHeaders(page.facts, body.headers) }) };
}

function readAs(type: Exclude<MediaType, 'other'>, { url, contentType, bytes }: Body): Page | TreeTooLarge {
  try {
    return READERS[type](decode(bytes, { contentType, xml: type === 'xhtml' }), url);
  } catch (failure) {
    if (failure instanceof TreeTooLarge) return failure;
    throw failure;
  }
}

const READERS: Readonly<Record<Exclude<MediaType, 'other'>, (text: string, url: string) => Page>> = {
  html: readHtml,
  xhtml: (text, url) => readHtml(text.replace(SELF_CLOSED, '<$1$2></$1>'), url),
  text: readPlainText,
};

/**
 * In XHTML `<script src="…"/>` is closed; read as HTML it would swallow the rest of the page. Elements that are empty
 * in HTML too are left alone.
 */
const SELF_CLOSED =
  /<(?!(?:area|base|br|col|embed|frame|hr|img|input|link|meta|param|source|track|wbr)[\s/])([a-z][^\s<>/]*)(?=[\s/])([^<>]*)\/>/gi;

function readPlainText(text: string, url: string): Page {
  const lines = text.replaceAll(LINE_BREAK, '').split(/\r\n?|\n|\f/);
  const segments = segmentsOf(lines.map((text) => ({ text, kind: 'sentence', zone: 'main' })));
  return { url, segments, anchors: [], links: [], facts: NO_FACTS };
}

function unreadable(contentType: string): string {
  return contentType === ''
    ? 'The body is neither HTML nor text by its first bytes, and no Content-Type says otherwise.'
    : `The body is not HTML or plain text (Content-Type: ${contentType.slice(0, 100)}).`;
}

/**
 * A slice of the decoded page keeps all of it alive in V8: one title kept is one page kept. Written out and read back,
 * no string shares memory with the page any more (and a page is JSON in storage anyway).
 */
function detached(page: Page): Page {
  return JSON.parse(JSON.stringify(page)) as Page;
}
