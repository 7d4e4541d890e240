import { decode } from './decode.ts';
import { asHtml, extractionOf, type Extraction, typeOf } from './extract.ts';
import { readSelectedJson } from './json.ts';
import { readSelectedXml } from './xml.ts';
import { readSelected } from './html.ts';
import type { MediaType } from './media-type.ts';
import type { Body } from '../page.ts';
import { isJsonPath, selectInJson } from '../select/json-path.ts';
import type { Found, Selection } from '../select/selection.ts';
import { selectIn } from '../select/selectors.ts';

/**
 * The part of an HTML page that a selection asks for: its text is all of `main`, and it may be none at all; the title
 * stays. Never throws; where nothing is selected, the reason is `selector`.
 */
export function extractSelected(body: Body, selection: Selection): Extraction {
  const type = typeOf(body);
  const wrong = refusalOf(type, selection);
  if (wrong !== undefined) return { ok: false, reason: 'selector', detail: wrong };
  let found: readonly Found[] = [];
  const extraction = extractionOf(
    body,
    () => {
      const text = decode(body.bytes, { contentType: body.contentType, xml: type === 'xhtml' || type === 'xml' });
      const read = readPart(type, text, body.url, selection);
      ({ found } = read);
      return read.page;
    },
    true,
  );
  return extraction.ok ? { ...extraction, found } : extraction;
}

function readPart(type: MediaType, text: string, url: string, selection: Selection): ReturnType<typeof readSelected> {
  if (type === 'json') return readSelectedJson(text, url, (root) => selectInJson(root, selection.select));
  if (type === 'xml') return readSelectedXml(text, url, (document) => selectIn(document, selection));
  return readSelected(type === 'xhtml' ? asHtml(text) : text, url, (document) => selectIn(document, selection));
}

/** Why these selectors are none for a document of this type, as a sentence. */
function refusalOf(type: MediaType, { select, ignore }: Selection): string | undefined {
  const paths = select.filter(isJsonPath);
  if (type === 'json') {
    if (paths.length === select.length && ignore.length === 0) return undefined;
    return 'Selectors of CSS need an HTML page or XML, and this is JSON: select in it with JSONPath, such as "$.items[*].price".';
  }
  if (paths.length > 0) {
    const name = type === 'html' || type === 'xhtml' ? 'an HTML page' : NAMES[type];
    return `JSONPath ("${paths[0] ?? ''}") needs JSON, and this is ${name}.`;
  }
  if (type === 'html' || type === 'xhtml' || type === 'xml') return undefined;
  return `Selectors need an HTML page or XML, and this is ${NAMES[type]}.`;
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
