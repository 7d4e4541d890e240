/** Cutting texts for people: at a space where one is near, never through a surrogate pair, with an ellipsis. */
import type { Range } from './hits.ts';

const ELLIPSIS = '…';
/** How far a cut may move to find a space; a longer word is cut through. */
const NEAR = 30;
const SPACE = /\s/;

/** The text up to `length` UTF-16 units at most, ellipsis included. */
export function head(text: string, length: number): string {
  if (text.length <= length) return text;
  if (length < 1) return '';
  return text.slice(0, cutBefore(text, length - 1, 0)).trimEnd() + ELLIPSIS;
}

/** The ranges with `context` units on each side, ellipses included; what lies further away is left out. */
export function windows(text: string, ranges: readonly Range[], context: number): string {
  const kept: { start: number; end: number }[] = [];
  for (const { start, end } of ranges) {
    const from = start <= context ? 0 : cutAfter(text, start - context + 1, start);
    const to = text.length - end <= context ? text.length : cutBefore(text, end + context - 1, end);
    const last = kept.at(-1);
    // Two windows that touch are one; so a word hit twice in a row shows once.
    if (last && from <= last.end) last.end = Math.max(last.end, to);
    else kept.push({ start: from, end: to });
  }
  return pieces(text, kept);
}

/** The lines of a text that are kept, as they stand; what lies between them is left out. */
export function linesOf(text: string, isKept: (line: Range, index: number) => boolean): string {
  const kept: { start: number; end: number }[] = [];
  for (const [index, line] of rangesOfLines(text).entries()) {
    if (!isKept(line, index)) continue;
    const last = kept.at(-1);
    if (last?.end === line.start - 1) last.end = line.end;
    else kept.push({ ...line });
  }
  return pieces(text, kept);
}

export function rangesOfLines(text: string): Range[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const range = { start, end: start + line.length };
    start = range.end + 1;
    return range;
  });
}

function pieces(text: string, kept: readonly Range[]): string {
  const parts = kept.map(({ start, end }) => text.slice(start, end).trim());
  const lead = (kept[0]?.start ?? 0) > 0 ? ELLIPSIS : '';
  const trail = (kept.at(-1)?.end ?? 0) < text.length ? ELLIPSIS : '';
  return lead + parts.join(` ${ELLIPSIS} `) + trail;
}

/** The best place to cut at or before `at`, not before `least`. */
function cutBefore(text: string, at: number, least: number): number {
  for (let place = at; place > Math.max(at - NEAR, least); place--) {
    if (SPACE.test(text.charAt(place))) return place;
  }
  return splitsPair(text, at) ? at - 1 : at;
}

/** The best place to begin at or after `at`, not after `most`. */
function cutAfter(text: string, at: number, most: number): number {
  for (let place = at; place < Math.min(at + NEAR, most); place++) {
    if (SPACE.test(text.charAt(place - 1))) return place;
  }
  return splitsPair(text, at) ? at + 1 : at;
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
