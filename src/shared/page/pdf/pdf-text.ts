import type { Segment, SegmentKind } from '../page.ts';

export interface PdfLine {
  text: string;
  /** Of its letters, in points. */
  size: number;
  /** Of its baseline above the foot of the page, in points. */
  readonly y: number;
  readonly page: number;
}

/**
 * Lines to paragraphs: a paragraph ends where the page, the size of the letters or the distance of lines says so, and
 * where an item of a list begins. Larger letters than those of most of the text are a heading.
 */
export function blocksOf(all: readonly PdfLine[]): Segment[] {
  const lines = all.filter(({ text }) => text.replace(LEADERS, '').trim() !== '');
  const leading = usual(lines.flatMap((line, index) => distance(lines[index - 1], line) ?? [])) ?? 1.2;
  const bodySize = bodyOf(lines);
  const blocks: Segment[] = [];
  let text = '';
  let last: PdfLine | undefined;
  const end = (): void => {
    if (last) blocks.push({ text: text.replace(LEADERS, ' '), kind: kindOf(text, last.size, bodySize), zone: 'main' });
  };
  for (const line of lines) {
    if (last && goesOn(last, line, leading)) text = joined(text, line.text.trim());
    else {
      end();
      text = line.text.trim();
    }
    last = line;
  }
  end();
  return blocks;
}

function goesOn(last: PdfLine, line: PdfLine, leading: number): boolean {
  if (last.page !== line.page || Math.abs(last.size - line.size) > last.size / 10 || ITEM.test(line.text)) return false;
  if (LEADS.test(last.text)) return false;
  const down = distance(last, line);
  if (down !== undefined) return down <= leading * 1.25;
  // The next column, or text that the file has in another order than the eye: only the words can tell.
  return !/[.!?:…。！？]["'”’»)]?\s*$/.test(last.text) && /^\s*\p{Ll}/u.test(line.text);
}

/** From one line down to the next, in sizes of its letters; undefined where it does not go down, or to another page. */
function distance(last: PdfLine | undefined, line: PdfLine): number | undefined {
  if (!last || last.page !== line.page || line.size <= 0) return undefined;
  const down = (last.y - line.y) / line.size;
  return down >= 0 && down < 20 ? down : undefined;
}

/** The one in the middle. */
function usual(distances: readonly number[]): number | undefined {
  const positive = distances.filter((down) => down > 0.5).sort((a, b) => a - b);
  return positive[Math.floor((positive.length - 1) / 2)];
}

/** The size that most characters have, to half a point. */
function bodyOf(lines: readonly PdfLine[]): number {
  const characters = new Map<number, number>();
  for (const { text, size } of lines) {
    const rounded = Math.round(size * 2) / 2;
    characters.set(rounded, (characters.get(rounded) ?? 0) + text.length);
  }
  let [body, most] = [0, 0];
  for (const [size, count] of characters) if (count > most) [body, most] = [size, count];
  return body;
}

/** A word that a line parts is one word again; scripts without spaces need none between lines. */
function joined(text: string, line: string): string {
  if (/\p{Ll}[-\u00AD\u2010]$/u.test(text.slice(-3)) && /^\p{Ll}/u.test(line)) return text.slice(0, -1) + line;
  return UNSPACED.test(text.slice(-1)) && UNSPACED.test(line.charAt(0)) ? text + line : `${text} ${line}`;
}

function kindOf(text: string, size: number, bodySize: number): SegmentKind {
  if (ITEM.test(text)) return 'item';
  return size >= bodySize * HEADING_SIZE && text.length <= HEADING_LENGTH ? 'heading' : 'sentence';
}

const ITEM = /^\s*[•▪●◦‣∙·–*-]\s/;
/** The dots between a heading and its page in a table of contents. */
const LEADS = /(?:[.·] ?){5}/;
const LEADERS = / ?(?:[.·] ?){5,}/g;
const UNSPACED = /[\u3000-\u9fff\uf900-\ufaff\uff00-\uff9f]/;
const HEADING_SIZE = 1.15;
const HEADING_LENGTH = 200;
