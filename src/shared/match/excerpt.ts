import type { DiffChunk } from '../api/match.ts';
import { DIFF_BYTES, DIFF_CONTEXT_CHARS, DIFF_UNHIT_CHARS } from '../limits.ts';
import type { Chunk } from '../page/change.ts';
import type { Segment } from '../page/page.ts';
import type { Hits, Range } from './hits.ts';

/** A chunk up to this length is delivered whole, unless it is all that its page says. */
const WHOLE = 2 * DIFF_CONTEXT_CHARS;
/** Bytes of `{"chunks":[]}` around the chunks. */
const ENVELOPE = 13;
/** Cut to less than this, a chunk says nothing. */
const LEAST = 40;

/**
 * What a match delivers of a change: the chunks that were hit, each with up to 200
 * characters around its hits when it is long, and the chunk before and after each; without a hit, the first chunks up
 * to 2,000 characters. At most 16 KiB of JSON in all; where that is not enough, what each rule hit first goes first. Of a short
 * page that is seen for the first time, fewer of its lines (see `fewerLines`): never the whole page.
 */
export function excerpt(chunks: readonly Chunk[], hits: Hits, segments: readonly Segment[]): DiffChunk[] {
  return hits.words.size > 0 ? around(chunks, hits, segments) : beginning(chunks);
}

/**
 * The change is all of the page's content, which has not been seen before, and so is what is to be shown. Two windows that
 * leave nothing but a line break out between them show all of a text, too.
 */
function isPage(shown: string, [chunk, ...others]: readonly Chunk[], segments: readonly Segment[]): boolean {
  if (chunk?.typ !== 'ins' || others.length > 0 || shown.length < chunk.text.length) return false;
  const letters = (of: string): string => of.replaceAll(/[\s…]+/g, '');
  if (letters(shown) !== letters(chunk.text)) return false;
  const content = segments.filter(({ zone }) => zone !== 'chrome').map(({ text }) => text);
  return content.length > 0 && chunk.text.length >= content.join('\n').length;
}

/**
 * The lines that were hit and those beside them; where these are all, the lines that were hit alone; where these are, the
 * first line of each word that was hit. A page of one line, or one that has to be there whole to carry the match, is.
 */
function fewerLines(text: string, ranges: readonly Range[]): string {
  const lines = rangesOfLines(text);
  const hit = lines.map((line) => ranges.filter(({ start }) => start >= line.start && start < line.end));
  const isHit = (index: number): boolean => (hit[index]?.length ?? 0) > 0;
  const seen = new Set<string>();
  const first = hit.map((found) => {
    const words = found.map(({ start, end }) => text.slice(start, end).toLowerCase());
    const isNew = words.some((word) => !seen.has(word));
    for (const word of words) seen.add(word);
    return isNew;
  });
  const ways = [
    (index: number) => isHit(index - 1) || isHit(index) || isHit(index + 1),
    isHit,
    (index: number) => first[index] === true,
  ];
  const way = ways.find((isKept) => !lines.every((_, index) => isKept(index)));
  return way === undefined ? text : linesOf(text, (_, index) => way(index));
}

function around(chunks: readonly Chunk[], hits: Hits, segments: readonly Segment[]): DiffChunk[] {
  const cut: Cut = (index, ranges, context) => cutAround(chunks, index, ranges, context, segments);
  const budget = new ByteBudget();
  const hit = Array.from(hits.words.keys()).sort((left, right) => left - right);
  const whole = new Map(hit.map((index) => [index, cut(index, hits.words.get(index) ?? [], DIFF_CONTEXT_CHARS)]));
  const kept = budget.fitAll(whole.values()) ? new Map(whole) : asMuchAsFits(whole, hits, cut, budget);
  for (const neighbour of hit.flatMap((index) => [index - 1, index + 1])) {
    const chunk = chunks[neighbour];
    if (!chunk || whole.has(neighbour) || kept.has(neighbour)) continue;
    const shown = budget.fit({ typ: chunk.typ, text: head(chunk.text, WHOLE) });
    if (shown) kept.set(neighbour, shown);
  }
  return Array.from(kept.keys())
    .sort((left, right) => left - right)
    .flatMap((index) => kept.get(index) ?? []);
}

/**
 * Of chunks that are too much together: what each rule hit first, then the rest in the order of the page. A rule that hits
 * everywhere leaves room for one that hit once.
 */
function asMuchAsFits(
  whole: ReadonlyMap<number, DiffChunk>,
  { words, first }: Hits,
  cut: Cut,
  budget: ByteBudget,
): Map<number, DiffChunk> {
  const kept = new Map<number, DiffChunk>();
  const firstHits = firstOfEach(first, cut);
  for (const [index, { chunk }] of firstHits) {
    const shown = budget.fit(chunk);
    if (shown) kept.set(index, shown);
  }
  for (const [index, chunk] of whole) {
    const ranges = words.get(index) ?? [];
    const own = firstHits.get(index)?.ranges ?? [];
    const withMore = (count: number): DiffChunk =>
      cut(index, inOrder([...own, ...ranges.slice(0, count)]), DIFF_CONTEXT_CHARS);
    const known = kept.get(index);
    const shown = known ? budget.grow(known, ranges.length, withMore) : budget.fit(chunk);
    if (shown) kept.set(index, shown);
  }
  return kept;
}

/** A chunk by its index, cut to what stands around some of its words. */
type Cut = (index: number, ranges: readonly Range[], context: number) => DiffChunk;

function cutAround(
  chunks: readonly Chunk[],
  index: number,
  ranges: readonly Range[],
  context: number,
  segments: readonly Segment[],
): DiffChunk {
  const { typ, text } = chunks[index] ?? { typ: 'ins', text: '' };
  const shown = text.length <= 2 * context ? text : windows(text, ranges, context);
  return { typ, text: isPage(shown, chunks, segments) ? fewerLines(text, ranges) : shown };
}

/** Characters around what a rule hit first: fewer where many rules of a tap match, so that none goes unseen. */
const CONTEXTS_OF_CLAUSES = [DIFF_CONTEXT_CHARS, DIFF_CONTEXT_CHARS / 2];
const CONTEXTS_OF_RULES = [...CONTEXTS_OF_CLAUSES, DIFF_CONTEXT_CHARS / 4, DIFF_CONTEXT_CHARS / 10];

/** What each clause of each rule hit first, by chunk; where that is too much, what each rule did. */
function firstOfEach(rules: Hits['first'], cut: Cut): ReadonlyMap<number, FirstHits> {
  const ofClauses = rules.flat(2);
  const ofRules = rules.flatMap(([clause = []]) => clause);
  let found = new Map<number, FirstHits>();
  for (const [places, contexts] of [
    [ofClauses, CONTEXTS_OF_CLAUSES],
    [ofRules, CONTEXTS_OF_RULES],
  ] as const) {
    const byChunk = Map.groupBy(places, ({ chunk }) => chunk);
    for (const context of contexts) {
      found = new Map();
      for (const [index, within] of byChunk) {
        const ranges = inOrder(within);
        found.set(index, { chunk: cut(index, ranges, context), ranges });
      }
      if (new ByteBudget().fitAll(Array.from(found.values(), ({ chunk }) => chunk))) return found;
    }
  }
  return found;
}

interface FirstHits {
  readonly chunk: DiffChunk;
  readonly ranges: readonly Range[];
}

function inOrder(ranges: readonly Range[]): Range[] {
  return ranges.toSorted((one, other) => one.start - other.start);
}

function beginning(chunks: readonly Chunk[]): DiffChunk[] {
  const budget = new ByteBudget();
  const kept: DiffChunk[] = [];
  let left = DIFF_UNHIT_CHARS;
  for (const { typ, text } of chunks) {
    if (left < Math.min(LEAST, text.length)) break;
    const chunk = budget.fit({ typ, text: head(text, left) });
    if (!chunk) break;
    kept.push(chunk);
    left -= chunk.text.length;
  }
  return kept;
}

/** The bytes of one event's diff as it is sent: JSON in UTF-8, escapes included. */
class ByteBudget {
  #left = DIFF_BYTES - ENVELOPE;

  /** Takes all of the chunks, or none. */
  fitAll(chunks: Iterable<DiffChunk>): boolean {
    let left = this.#left;
    for (const chunk of chunks) {
      left -= bytesOf(chunk);
      if (left < 0) return false;
    }
    this.#left = left;
    return true;
  }

  /** The chunk, cut where it is too much for what is left; undefined when nothing useful fits. */
  fit(chunk: DiffChunk): DiffChunk | undefined {
    const whole = bytesOf(chunk);
    if (whole <= this.#left) return this.#take(chunk, whole);
    if (this.#left < LEAST) return undefined;
    let fits = 0;
    let tooMuch = Math.min(chunk.text.length, this.#left);
    while (tooMuch - fits > 1) {
      const middle = (fits + tooMuch) >>> 1;
      if (bytesOf({ ...chunk, text: head(chunk.text, middle) }) <= this.#left) fits = middle;
      else tooMuch = middle;
    }
    if (fits < LEAST) return undefined;
    const cut = { ...chunk, text: head(chunk.text, fits) };
    return this.#take(cut, bytesOf(cut));
  }

  /** In the place of one that was taken, the largest that fits of those that `grown` makes of 1 to `most` hits. */
  grow(taken: DiffChunk, most: number, grown: (count: number) => DiffChunk): DiffChunk {
    this.#left += bytesOf(taken);
    let best = { chunk: taken, bytes: bytesOf(taken) };
    for (let fits = 0, tooMuch = most + 1, count = most; tooMuch - fits > 1; count = (fits + tooMuch) >>> 1) {
      const chunk = grown(count);
      const bytes = bytesOf(chunk);
      if (bytes > this.#left) tooMuch = count;
      else [fits, best] = [count, { chunk, bytes }];
    }
    return this.#take(best.chunk, best.bytes);
  }

  #take(chunk: DiffChunk, bytes: number): DiffChunk {
    this.#left -= bytes;
    return chunk;
  }
}

const encoder = new TextEncoder();

/** With the comma that parts it from the next. */
function bytesOf(chunk: DiffChunk): number {
  return encoder.encode(JSON.stringify(chunk)).length + 1;
}

/** Cutting texts for people: at a space where one is near, never through a surrogate pair, with an ellipsis. */

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
function windows(text: string, ranges: readonly Range[], context: number): string {
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
function linesOf(text: string, isKept: (line: Range, index: number) => boolean): string {
  const kept: { start: number; end: number }[] = [];
  for (const [index, line] of rangesOfLines(text).entries()) {
    if (!isKept(line, index)) continue;
    const last = kept.at(-1);
    if (last?.end === line.start - 1) last.end = line.end;
    else kept.push({ ...line });
  }
  return pieces(text, kept);
}

function rangesOfLines(text: string): Range[] {
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
