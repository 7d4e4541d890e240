import { DIFF_BYTES } from '../../limits.ts';
import type { Change, Chunk, LinkChange } from '../change.ts';

/** `Read more -> https://example.org/a`: a link as a line of a diff. */
export function linkLines(links: readonly LinkChange[], side: 'before' | 'after'): string[] {
  return links.map((link) => `${link.text} -> ${link[side]}`);
}

/**
 * What is delivered of a change in which no text differs: its links with their targets, as far as the diff of an event
 * reaches. Where text differs, the text is what is delivered.
 */
export function linkChunks({ chunks, links = [] }: Pick<Change, 'chunks' | 'links'>): Chunk[] {
  if (chunks.length > 0) return [];
  let left = DELIVERED_UNITS;
  const end = links.findIndex(({ text, before, after }) => {
    left -= 2 * text.length + before.length + after.length + AROUND_LINK;
    return left < 0;
  });
  const shown = end === -1 ? links : links.slice(0, end);
  if (shown.length === 0) return [];
  return [
    { typ: 'del', text: linkLines(shown, 'before').join('\n') },
    { typ: 'ins', text: linkLines(shown, 'after').join('\n') },
  ];
}

/** UTF-16 units, each of up to three bytes of JSON. */
const DELIVERED_UNITS = DIFF_BYTES / 3 - 100;
/** Of two links: their arrows, and the line feeds as JSON escapes them. */
const AROUND_LINK = 12;
