import { NO_FACTS, type Page, type Segment } from '../page.ts';
import { LINE_BREAK, segmentsOf } from './segments.ts';

/** Plain text as a page: each line is a paragraph. Its markup, if it has any, is text. */
export function readPlainText(text: string, url: string): Page {
  const segments = segmentsOf(lines(text.replaceAll(LINE_BREAK, '')));
  return { url, segments, anchors: [], links: [], facts: NO_FACTS };
}

/** One after another: a text may have millions, and most of them empty. */
function* lines(text: string): Generator<Segment> {
  for (const [line] of text.matchAll(/[^\n\f\r]+/g)) yield { text: line, kind: 'sentence', zone: 'main' };
}
