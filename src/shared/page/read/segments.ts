import { PAGE_SEGMENTS, SEGMENT_LENGTH } from '../../limits.ts';
import { cut, fold } from './fold.ts';
import type { Segment } from '../page.ts';
import { sentences } from './sentences.ts';

/** A line that ends whatever comes next: `<br>`, or the end of a line of `<pre>`. NUL never comes out of parse5. */
export const LINE_BREAK = '\0';

/**
 * Blocks to segments: headings, captions and rows are one each; running text is one a line and sentence, also inside
 * a list item (an edited sentence must not carry its unchanged neighbours along). Beyond the limits the rest is left
 * out, the same way at each visit.
 */
export function segmentsOf(blocks: Iterable<Segment>): Segment[] {
  const segments: Segment[] = [];
  for (const { text, kind, zone } of blocks) {
    for (const piece of kind === 'sentence' || kind === 'item' ? running(text) : whole(text)) {
      if (segments.length === PAGE_SEGMENTS) return segments;
      segments.push({ text: piece, kind, zone });
    }
  }
  return segments;
}

/** One after another, so that nobody splits the millions that a hostile page has beyond the limit. */
function* running(text: string): Generator<string> {
  for (const line of text.split(LINE_BREAK)) {
    for (const piece of sentences(fold(line))) yield limited(piece);
  }
}

function whole(text: string): string[] {
  const folded = limited(fold(text.replaceAll(LINE_BREAK, ' ')));
  return folded === '' ? [] : [folded];
}

function limited(text: string): string {
  return cut(text, SEGMENT_LENGTH).trimEnd();
}
