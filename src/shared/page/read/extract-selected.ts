import { decode } from './decode.ts';
import { asHtml, extractionOf, type Extraction } from './extract.ts';
import { readSelected } from './html.ts';
import { mediaTypeOf, type MediaType } from './media-type.ts';
import type { Body } from '../page.ts';
import type { Found, Selection } from '../select/selection.ts';
import { selectIn } from '../select/selectors.ts';

/**
 * The part of an HTML page that a selection asks for: its text is all of `main`, and it may be none at all; the title
 * stays. Never throws; where nothing is selected, the reason is `selector`.
 */
export function extractSelected(body: Body, selection: Selection): Extraction {
  const type = mediaTypeOf(body.contentType, body.bytes, body.url);
  if (type !== 'html' && type !== 'xhtml') {
    return { ok: false, reason: 'selector', detail: `Selectors need an HTML page, and this is ${NAMES[type]}.` };
  }
  let found: readonly Found[] = [];
  const extraction = extractionOf(
    body,
    () => {
      const html = decode(body.bytes, { contentType: body.contentType, xml: type === 'xhtml' });
      const read = readSelected(type === 'xhtml' ? asHtml(html) : html, body.url, (document) =>
        selectIn(document, selection),
      );
      ({ found } = read);
      return read.page;
    },
    true,
  );
  return extraction.ok ? { ...extraction, found } : extraction;
}

const NAMES: Readonly<Record<Exclude<MediaType, 'html' | 'xhtml'>, string>> = {
  text: 'plain text',
  markdown: 'Markdown',
  csv: 'CSV',
  tsv: 'tab-separated values',
  json: 'JSON',
  xml: 'XML or a feed',
  pdf: 'a PDF',
  other: 'of an unsupported type',
};
