import { readCsv, readTsv } from './csv.ts';
import { decode } from './decode.ts';
import { withHeaders } from '../structure/facts.ts';
import { readHtml } from './html.ts';
import { readJson } from './json.ts';
import { Malformed } from './malformed.ts';
import { type MediaType, mediaTypeOf } from './media-type.ts';
import { type Body, NO_FACTS, type Page, type Segment } from '../page.ts';
import { type Found, NothingSelected } from '../select/selection.ts';
import { TreeTooLarge } from './tree.ts';
import { readXml } from './xml.ts';
import { LINE_BREAK, segmentsOf } from './segments.ts';

export type Extraction =
  | {
      readonly ok: true;
      readonly page: Page;
      /** What the selectors of a selection have found; absent without one. */
      readonly found?: readonly Found[];
    }
  | {
      readonly ok: false;
      readonly reason: 'content_type' | 'empty' | 'malformed' | 'selector' | 'too_large';
      /** A sentence for the operator. */
      readonly detail: string;
    };

/**
 * The page that a body holds: HTML, XHTML, plain text, CSV, JSON, XML or a feed. Never throws, whatever the bytes.
 * Equal bytes, URL and Content-Type give an equal page, as long as `EXTRACTOR` is the same. Markdown has a reader that is
 * loaded first, and a PDF takes time: `extractLoading` knows the one too, `read` both.
 */
export function extract(body: Body, type = typeOf(body)): Extraction {
  if (type === 'other' || type === 'pdf' || type === 'markdown') {
    return { ok: false, reason: 'content_type', detail: unreadable(body.contentType) };
  }
  return extractWith(READERS[type], body, type === 'xhtml' || type === 'xml');
}

/** As `extract`; the renderer of Markdown, a tenth of what a command loads to read a page, is loaded for the first of it. */
export async function extractLoading(body: Body, type = typeOf(body)): Promise<Extraction> {
  if (type !== 'markdown') return extract(body, type);
  const { readMarkdown } = await import('./markdown.ts');
  return extractWith(readMarkdown, body);
}

/** What the readers take it for. */
export function typeOf({ contentType, bytes, url }: Body): MediaType {
  return mediaTypeOf(contentType, bytes, url);
}

type Reader = (text: string, url: string) => Page;

/** With a reader that is loaded already. */
export function extractWith(reader: Reader, body: Body, xml = false): Extraction {
  return extractionOf(body, () => reader(decode(body.bytes, { contentType: body.contentType, xml }), body.url));
}

/** What a reader found, as all readers' pages are kept. What it throws on purpose is a refusal. */
export function extractionOf(body: Body, read: () => Page, mayBeEmpty = false): Extraction {
  let page: Page;
  try {
    page = read();
  } catch (failure) {
    if (failure instanceof TreeTooLarge) return { ok: false, reason: 'too_large', detail: failure.message };
    if (failure instanceof NothingSelected) return { ok: false, reason: 'selector', detail: failure.message };
    if (failure instanceof Malformed) return { ok: false, reason: 'malformed', detail: failure.message };
    throw failure;
  }
  if (!mayBeEmpty && page.segments.length === 0 && page.title === undefined) {
    return {
      ok: false,
      reason: 'empty',
      detail: `The page has neither text nor a title (${body.bytes.length} bytes).`,
    };
  }
  return { ok: true, page: detached({ ...page, facts: withHeaders(page.facts, body.headers) }) };
}

const READERS: Readonly<Record<Exclude<MediaType, 'other' | 'pdf' | 'markdown'>, Reader>> = {
  html: readHtml,
  xhtml: (text, url) => readHtml(asHtml(text), url),
  text: readPlainText,
  csv: readCsv,
  tsv: readTsv,
  json: readJson,
  xml: readXml,
};

/**
 * In XHTML `<script src="…"/>` is closed; read as HTML it would swallow the rest of the page. Elements that are empty
 * in HTML too are left alone.
 */
export function asHtml(xhtml: string): string {
  return xhtml.replace(SELF_CLOSED, '<$1$2></$1>');
}

const SELF_CLOSED =
  /<(?!(?:area|base|br|col|embed|frame|hr|img|input|link|meta|param|source|track|wbr)[\s/])([a-z][^\s<>/]*)(?=[\s/])([^<>]*)\/>/gi;

function unreadable(contentType: string): string {
  return contentType === ''
    ? 'The first bytes of the body are not of a supported type, and there is no Content-Type.'
    : `The body is not of a supported type (Content-Type: ${contentType.slice(0, 100)}).`;
}

/**
 * A slice of the decoded page keeps all of it alive in V8: one title kept is one page kept. Written out as JSON and read
 * back, no string shares memory with the page any more; what there is hundreds of is copied in a tenth of that time.
 */
function detached({ segments, anchors, links, facts, ...head }: Page): Page {
  return {
    ...rewritten(head),
    segments: segments.map(({ text, kind, zone }) => ({ text: copied(text), kind, zone })),
    anchors: anchors.map(({ href, text, zone }) => ({ href: copied(href), text: copied(text), zone })),
    links: links.map(copied),
    facts: rewritten(facts),
  };
}

function rewritten<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** What `+` makes of two strings is a new one as soon as something is cut off it. */
function copied(text: string): string {
  return ` ${text}`.slice(1);
}

/** Plain text as a page: each line is a paragraph. Its markup, if it has any, is text. */
function readPlainText(text: string, url: string): Page {
  return { url, ...segmentsOf(lines(text.replaceAll(LINE_BREAK, ''))), anchors: [], links: [], facts: NO_FACTS };
}

/** One after another: a text may have millions, and most of them empty. */
function* lines(text: string): Generator<Segment> {
  for (const [line] of text.matchAll(/[^\n\f\r]+/g)) yield { text: line, kind: 'sentence', zone: 'main' };
}
