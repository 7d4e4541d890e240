import { extract, type Extraction, extractWith } from '../../../src/shared/page/read/extract.ts';
import { readMarkdown } from '../../../src/shared/page/read/markdown.ts';
import { mediaTypeOf } from '../../../src/shared/page/read/media-type.ts';
import { contentOf } from '../../../src/shared/page/structure/content.ts';
import type { Page } from '../../../src/shared/page/page.ts';

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function extraction(
  content: string | Uint8Array,
  { contentType = 'text/html', url = 'https://example.com/notes/today' } = {},
): Extraction {
  const bytes = typeof content === 'string' ? bytesOf(content) : content;
  const body = { url, contentType, bytes };
  return mediaTypeOf(contentType, bytes, url) === 'markdown' ? extractWith(readMarkdown, body) : extract(body);
}

/** The page, where there must be one. */
export function pageOf(...given: Parameters<typeof extraction>): Page {
  const read = extraction(...given);
  if (!read.ok) throw new Error(`${read.reason}: ${read.detail}`);
  return read.page;
}

export function textsOf(...given: Parameters<typeof extraction>): string[] {
  return contentOf(pageOf(...given)).map(({ text }) => text);
}
