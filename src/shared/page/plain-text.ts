import { NO_FACTS, type Page } from './page.ts';
import { LINE_BREAK, segmentsOf } from './segments.ts';

/** Plain text as a page: each line is a paragraph. Its markup, if it has any, is text. */
export function readPlainText(text: string, url: string): Page {
  const lines = text.replaceAll(LINE_BREAK, '').split(/\r\n?|\n|\f/);
  const segments = segmentsOf(lines.map((text) => ({ text, kind: 'sentence', zone: 'main' })));
  return { url, segments, anchors: [], links: [], facts: NO_FACTS };
}
