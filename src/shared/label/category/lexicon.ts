import { BASIC_CLASSES, WordClass } from '../../analysis/word-class.ts';

/**
 * Words that tell what a text is about. A lexicon is written one category a line, `/Sports: football! skier* world_cup`:
 * `!` marks a word that says it alone, `*` a beginning, `_` a space. A word of a deeper category speaks for those above
 * it too. In writing without spaces a word is found wherever it stands.
 */
export interface Lexicon {
  /** By `hashOfKey`; a beginning under its own hash. */
  readonly entries: ReadonlyMap<number, Entry>;
  /** Of the first words of phrases. */
  readonly heads: ReadonlySet<number>;
}

/** What one word speaks for. */
export interface Entry {
  readonly isBeginning: boolean;
  readonly senses: readonly Sense[];
}

export interface Sense {
  readonly category: string;
  /** 1 for a word that hints, 2 for one that says it alone; less where the word has several senses. */
  readonly weight: number;
}

const PRIME = 0x01000193;
const SEED = 0x811c9dc5 | 0;
const SPACE = 0x20;
/** Beginnings shorter than this would begin anything. */
const SHORTEST_BEGINNING = 2;
/** Words of a phrase, and characters of a word in writing without spaces. */
const LONGEST_PHRASE = 3;
const LONGEST_SPACELESS = 8;

const STRONG = 2;

/** FNV-1a over UTF-16 units; a phrase is its words with one space between. */
function hashOfKey(key: string): number {
  let hash = SEED;
  for (let at = 0; at < key.length; at++) hash = step(hash, key.charCodeAt(at));
  return hash;
}

function step(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, PRIME);
}

/** `factor` is what every weight is multiplied by. */
export function readLexicon(source: string, factor: number = 1): Lexicon {
  const said = sayings(source);
  const divided = new Map<readonly Sense[], readonly Sense[]>();
  const sensesOf = (key: string): readonly Sense[] => {
    const all = said.get(key) ?? [];
    const senses = divided.get(all) ?? divide(all, factor);
    divided.set(all, senses);
    return senses;
  };
  const entries = new Map<number, Entry>();
  const heads = new Set<number>();
  for (const key of said.keys()) {
    const isBeginning = key.endsWith('*');
    const plain = isBeginning ? key.slice(0, -1) : key;
    const space = plain.indexOf(' ');
    if (space !== -1) heads.add(hashOfKey(plain.slice(0, space)));
    const hash = hashOfKey(plain);
    const other = entries.get(hash)?.senses;
    const senses = other === undefined ? sensesOf(key) : [...other, ...sensesOf(key)];
    entries.set(hash, { isBeginning: isBeginning || other !== undefined, senses });
  }
  return { entries, heads };
}

/** By word, as it is written but for `!`: what it says. Words of one line share their senses, for most are in no other line. */
function sayings(source: string): Map<string, readonly Sense[]> {
  const said = new Map<string, readonly Sense[]>();
  for (const line of source.trim().split('\n')) {
    const end = line.indexOf(': ');
    const path = pathOf(line.slice(0, end));
    const weak = path.map((category) => ({ category, weight: 1 }));
    const strong = path.map((category) => ({ category, weight: STRONG }));
    for (const written of line.slice(end + 2).split(' ')) {
      const isStrong = written.endsWith('!');
      const key = keyOf(isStrong ? written.slice(0, -1) : written);
      if (key === '') continue;
      const senses = isStrong ? strong : weak;
      const other = said.get(key);
      said.set(key, other === undefined ? senses : joined(other, senses));
    }
  }
  return said;
}

/** The category, and those above it. */
function pathOf(category: string): string[] {
  const path: string[] = [];
  for (let one = category; one !== ''; one = one.slice(0, one.lastIndexOf('/'))) path.push(one);
  return path;
}

/** A phrase is its words with one space between. Most words are plain: they are spared the search for what parts words. */
function keyOf(written: string): string {
  if (ONE_WORD.test(written)) return written;
  const isBeginning = written.endsWith('*');
  const plain = written.replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, ' ').trim();
  return isBeginning && plain !== '' ? `${plain}*` : plain;
}

const ONE_WORD = /^[a-z]+\*?$/;

/** Of a category that both have, the larger weight. */
function joined(senses: readonly Sense[], more: readonly Sense[]): Sense[] {
  const weights = new Map(senses.map(({ category, weight }) => [category, weight]));
  for (const { category, weight } of more) weights.set(category, Math.max(weights.get(category) ?? 0, weight));
  return [...weights].map(([category, weight]) => ({ category, weight }));
}

/** A word with senses under several tops says less about each. */
function divide(senses: readonly Sense[], factor: number): readonly Sense[] {
  const tops = senses.filter(({ category }) => category.lastIndexOf('/') === 0).length;
  return senses.map(({ category, weight }) => ({ category, weight: (weight * factor) / Math.sqrt(tops) }));
}

/** `start` and `end` in UTF-16 units of the text. */
export type Found = (entry: Entry, start: number, end: number) => void;

/**
 * Calls `found` for the words of a lower-cased text that the lexicons know, phrases before words and words before
 * beginnings; the first lexicon that knows a word decides. At most `limit` words are looked at; answers how many were.
 */
export function eachKnownWord(text: string, lexicons: readonly Lexicon[], limit: number, found: Found): number {
  let words = 0;
  for (let at = 0; at < text.length && words < limit;) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind === GAP) {
      at++;
      continue;
    }
    words++;
    at = kind === SPACELESS ? spaceless(text, at, lexicons, found) : spaced(text, at, lexicons, found);
  }
  return words;
}

function spaced(text: string, start: number, lexicons: readonly Lexicon[], found: Found): number {
  const end = wordEnd(text, start);
  for (const lexicon of lexicons) {
    const hash = hashBetween(text, start, end);
    const phrase = lexicon.heads.has(hash) ? phraseEnd(text, start, end, lexicon, found) : 0;
    if (phrase > 0) return phrase;
    const entry = lexicon.entries.get(hash) ?? beginningOf(text, start, end, SEED, lexicon);
    if (entry === undefined) continue;
    found(entry, start, end);
    return end;
  }
  return end;
}

/** Where the longest phrase from `start` on ends, having been told; 0 when there is none. */
function phraseEnd(text: string, start: number, firstEnd: number, lexicon: Lexicon, found: Found): number {
  let hash = hashBetween(text, start, firstEnd);
  let end = firstEnd;
  let best: Entry | undefined;
  let bestEnd = 0;
  for (let words = 2; words <= LONGEST_PHRASE; words++) {
    const next = end + 1;
    if (next >= text.length || kindOf(text.charCodeAt(next)) !== LETTER) break;
    const before = step(hash, SPACE);
    end = wordEnd(text, next);
    hash = hashBetween(text, next, end, before);
    const entry = lexicon.entries.get(hash) ?? beginningOf(text, next, end, before, lexicon);
    if (entry === undefined) continue;
    best = entry;
    bestEnd = end;
  }
  if (best !== undefined) found(best, start, bestEnd);
  return bestEnd;
}

/** The longest beginning of the word that the lexicon has. */
function beginningOf(text: string, start: number, end: number, seed: number, lexicon: Lexicon): Entry | undefined {
  let hash = seed;
  let longest: Entry | undefined;
  for (let at = start; at < end; at++) {
    hash = step(hash, text.charCodeAt(at));
    if (at - start + 1 < SHORTEST_BEGINNING) continue;
    const entry = lexicon.entries.get(hash);
    if (entry?.isBeginning === true) longest = entry;
  }
  return longest;
}

function spaceless(text: string, start: number, lexicons: readonly Lexicon[], found: Found): number {
  for (const lexicon of lexicons) {
    let hash = SEED;
    let longest: Entry | undefined;
    let end = start + 1;
    for (let at = start; at < text.length && at - start < LONGEST_SPACELESS; at++) {
      const unit = text.charCodeAt(at);
      if (kindOf(unit) !== SPACELESS) break;
      hash = step(hash, unit);
      const entry = lexicon.entries.get(hash);
      if (entry === undefined) continue;
      longest = entry;
      end = at + 1;
    }
    if (longest === undefined) continue;
    found(longest, start, end);
    return end;
  }
  return start + 1;
}

/** A shorter word inside a longer one is most often chance. */
const SHORTEST_JOINED = 4;

/**
 * The longest word that stands at `start` of a text whose words are written together; answers where to look next.
 */
export function joinedWord(text: string, start: number, lexicons: readonly Lexicon[], found: Found): number {
  for (const lexicon of lexicons) {
    let hash = SEED;
    let longest: Entry | undefined;
    let end = start;
    for (let at = start; at < text.length && kindOf(text.charCodeAt(at)) !== GAP; at++) {
      hash = step(hash, text.charCodeAt(at));
      const entry = at - start + 1 >= SHORTEST_JOINED ? lexicon.entries.get(hash) : undefined;
      if (entry === undefined) continue;
      longest = entry;
      end = at + 1;
    }
    if (longest === undefined) continue;
    found(longest, start, end);
    return end;
  }
  return start + 1;
}

const GAP = 0;
const LETTER = 1;
const SPACELESS = 2;

function kindOf(unit: number): number {
  switch (BASIC_CLASSES[unit]) {
    case WordClass.letter:
    case WordClass.digit:
    case WordClass.hebrew:
    case WordClass.extend:
      return LETTER;
    case WordClass.han:
    case WordClass.hiragana:
    case WordClass.katakana:
    case WordClass.southEastAsian:
      return SPACELESS;
    default:
      return GAP;
  }
}

function wordEnd(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && kindOf(text.charCodeAt(end)) === LETTER) end++;
  return end;
}

function hashBetween(text: string, start: number, end: number, seed: number = SEED): number {
  let hash = seed;
  for (let at = start; at < end; at++) hash = step(hash, text.charCodeAt(at));
  return hash;
}
