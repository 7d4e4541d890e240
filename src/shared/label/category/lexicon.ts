import { BASIC_CLASSES, WordClass } from '../../analysis/word-class.ts';

/** What one word speaks for; one object a word. */
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

/**
 * Words that tell what a text is about. A lexicon is written one category a line, `/Sports: football! skier* world_cup`:
 * `!` marks a word that says it alone, `*` a beginning, `_` a space. A word of a deeper category speaks for those above
 * it too. In writing without spaces a word is found wherever it stands.
 *
 * Every command that reads a page reads the lexicon of its language first, and finds a hundred of thousands of words in it:
 * so a word is no more than numbers until it is found.
 */
export class Lexicon {
  /** By slot of a hash table by open addressing: the hash, and the word's last mention; 0 is none. */
  readonly #hashes: Int32Array;
  readonly #last: Uint32Array;
  /** By mention, from 1 on: the line, how the word is written there, and its mention before; 0 is none. */
  readonly #lines: Uint16Array;
  readonly #marks: Uint8Array;
  readonly #before: Uint32Array;
  #mentions = 0;
  /** By line: the category, and those above it. */
  readonly #paths: (readonly string[])[] = [];
  /** Hashes of the first words of phrases. */
  readonly #heads = new Set<number>();
  readonly #factor: number;
  /** By slot, of the words that were found. */
  readonly #entries = new Map<number, Entry>();

  /** @param factor what every weight is multiplied by */
  constructor(source: string, factor: number = 1) {
    // A word has a character at least, and one behind it: so the table is never full.
    const most = (source.length >> 1) + 1;
    this.#hashes = new Int32Array(2 ** Math.ceil(Math.log2(most + 1)));
    this.#last = new Uint32Array(this.#hashes.length);
    this.#lines = new Uint16Array(most + 1);
    this.#marks = new Uint8Array(most + 1);
    this.#before = new Uint32Array(most + 1);
    this.#factor = factor;
    for (const line of source.trim().split('\n')) this.#read(line);
  }

  /** What a word says, by `hashOfKey`; a beginning has its own hash. */
  entryOf(hash: number): Entry | undefined {
    const slot = this.#slotOf(hash);
    const last = this.#last[slot] ?? 0;
    if (last === 0) return undefined;
    const known = this.#entries.get(slot);
    if (known !== undefined) return known;
    const entry = this.#entryFrom(last);
    this.#entries.set(slot, entry);
    return entry;
  }

  /** Whether a phrase begins with a word, by its hash. */
  isHead(hash: number): boolean {
    return this.#heads.has(hash);
  }

  #slotOf(hash: number): number {
    const mask = this.#hashes.length - 1;
    let slot = hash & mask;
    while (this.#last[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  #read(line: string): void {
    const end = line.indexOf(': ');
    this.#paths.push(pathOf(line.slice(0, end)));
    for (let start = end + 2; start < line.length;) {
      const space = line.indexOf(' ', start);
      const stop = space === -1 ? line.length : space;
      this.#mention(line, start, stop);
      start = stop + 1;
    }
  }

  /** A word of the last line. Most are plain: they are spared the search for what parts words. */
  #mention(line: string, start: number, stop: number): void {
    let [end, marks] = [stop, 0];
    if (line[end - 1] === '!') [end, marks] = [end - 1, STRONG_MARK];
    if (line[end - 1] === '*') [end, marks] = [end - 1, marks | BEGINNING_MARK];
    let hash = SEED;
    let at = start;
    for (; at < end; at++) {
      const unit = line.charCodeAt(at);
      if (unit < A || unit > Z) break;
      hash = step(hash, unit);
    }
    if (at < end) {
      const words = line.slice(start, end).replaceAll(BETWEEN_WORDS, ' ').trim();
      if (words === '') return;
      hash = hashOfKey(words);
      const space = words.indexOf(' ');
      if (space !== -1) this.#heads.add(hashOfKey(words.slice(0, space)));
    } else if (start === end) return;
    const slot = this.#slotOf(hash);
    const mention = ++this.#mentions;
    this.#lines[mention] = this.#paths.length - 1;
    this.#marks[mention] = marks;
    this.#before[mention] = this.#last[slot] ?? 0;
    this.#hashes[slot] = hash;
    this.#last[slot] = mention;
  }

  /** The word and the beginning of one writing are two words: each has its senses. */
  #entryFrom(last: number): Entry {
    const mentions: number[] = [];
    for (let mention = last; mention !== 0; mention = this.#before[mention] ?? 0) mentions.unshift(mention);
    const said = new Map<number, readonly Sense[]>();
    for (const mention of mentions) {
      const marks = this.#marks[mention] ?? 0;
      const weight = marks & STRONG_MARK ? STRONG : 1;
      const senses = (this.#paths[this.#lines[mention] ?? 0] ?? []).map((category) => ({ category, weight }));
      const other = said.get(marks & BEGINNING_MARK);
      said.set(marks & BEGINNING_MARK, other === undefined ? senses : joined(other, senses));
    }
    return {
      isBeginning: said.has(BEGINNING_MARK),
      senses: [...said.values()].flatMap((senses) => divide(senses, this.#factor)),
    };
  }
}

const STRONG_MARK = 1;
const BEGINNING_MARK = 2;
const A = 0x61;
const Z = 0x7a;
/** A phrase is its words with one space between. */
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/gu;

/** The category, and those above it. */
function pathOf(category: string): string[] {
  const path: string[] = [];
  for (let one = category; one !== ''; one = one.slice(0, one.lastIndexOf('/'))) path.push(one);
  return path;
}

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
    const phrase = lexicon.isHead(hash) ? phraseEnd(text, start, end, lexicon, found) : 0;
    if (phrase > 0) return phrase;
    const entry = lexicon.entryOf(hash) ?? beginningOf(text, start, end, SEED, lexicon);
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
    const entry = lexicon.entryOf(hash) ?? beginningOf(text, next, end, before, lexicon);
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
    const entry = lexicon.entryOf(hash);
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
      const entry = lexicon.entryOf(hash);
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
      const entry = at - start + 1 >= SHORTEST_JOINED ? lexicon.entryOf(hash) : undefined;
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
