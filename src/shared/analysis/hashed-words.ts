/**
 * The words of a text as numbers: most words of a page are in no rule, so no string is made of them. A word becomes
 * the hash of its lower-cased UTF-16 units, and whoever keeps terms by the same hash compares the word itself only
 * when one is found.
 */
import { LOWER_UNITS, lowerCase, STOP_WORDS } from './analyze.ts';
import { BASIC_CLASSES, WordClass } from './word-class.ts';
import { LONGEST, Scanner } from './words.ts';

const BATCH = 512;
/** One more than the longest word, to see that there is more. */
const WINDOW = LONGEST + 1;

/**
 * Words of a text whose bits are set, side by side. They are gathered before they are looked up, so that the loop that
 * finds them stays small enough to keep its numbers in registers.
 */
export class WordBatch {
  /** Each is that of `hashOf` for the lower-cased word. */
  readonly hashes = new Int32Array(BATCH);
  /** UTF-16 units of the text. */
  readonly starts = new Int32Array(BATCH);
  readonly ends = new Int32Array(BATCH);
  /** Counts all words of the text, from 0. */
  readonly indexes = new Int32Array(BATCH);
}

export interface WordSink {
  readonly batch: WordBatch;
  /** The batch's first `count` words are new. */
  found(count: number): void;
  /** After the last word: how many there were, and where in the batch the last one still is; -1 when there was none. */
  ended(words: number, last: number): void;
}

/** FNV-1a over UTF-16 units: one multiplication a character, in 32 bits. */
const PRIME = 0x01000193;

const SEED = 0x811c9dc5 | 0;

export function hashOf(term: string): number {
  let hash = SEED;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), PRIME);
  return hash;
}

/** Sets the bit of a hash; `bits` has a power of two of integers. */
export function setBit(bits: Int32Array, hash: number): void {
  const at = (hash >>> 5) & (bits.length - 1);
  bits[at] = (bits[at] ?? 0) | (1 << (hash & 31));
}

/** 1 when the hash has its bit, 0 when not. */
function bitOf(bits: Int32Array, hash: number): number {
  return ((bits[(hash >>> 5) & (bits.length - 1)] ?? 0) >>> (hash & 31)) & 1;
}

/** For letters and digits that simply join, the lower-cased unit; for all others PLAIN or ASK. */
const JOINING = new Uint16Array(BASIC_CLASSES.length);
/** What a unit that is no joining one does to a word that ends before it. */
const ENDING = new Uint8Array(BASIC_CLASSES.length);
/** Ends it. */
const PLAIN = 0;
/** In JOINING: what it does is in ENDING. */
const ASK = 1;
/** Ends it unless it stands between two of a kind: `a.b`. */
const MIDDLE = 1;
/** Only the scanner knows: marks, connectors, surrogates and all writing that does not part words by spaces. */
const SPECIAL = 2;
/** A middle unit that stands so. */
const JOINED = 3;
const SPACE = 0x20;

/**
 * Finds the same words as `eachWord` and calls the sink for those whose hash has its bit (`setBit`). The inner loop
 * knows of words only that they are runs of joining units; all else goes to the scanner. Half of a page's time at a
 * thousand rules is spent here, and half of that on the processor's wrong guesses where words end: so a space is known
 * without a table, and words without their bit are passed over without a branch (together a tenth of it).
 */
export function eachHashedWord(text: string, bits: Int32Array, sink: WordSink): void {
  const { length } = text;
  // Loaded once a text, not once a character (6 %).
  const joining = JOINING;
  const { hashes, starts, ends, indexes } = sink.batch;
  let count = 0;
  let words = 0;
  let last = -1;
  for (let start = 0; start < length;) {
    // So a text of one endless word is read once, not anew from each of its parts on.
    const stop = Math.min(length, start + WINDOW);
    let hash = SEED;
    let ending = PLAIN;
    let at = start;
    for (; at < stop; at++) {
      const unit = text.charCodeAt(at);
      if (unit === SPACE) break;
      let lower = joining[unit] ?? PLAIN;
      if (lower <= ASK) {
        if (lower === PLAIN) break;
        ending = endingAt(text, start, at, unit);
        if (ending !== JOINED) break;
        lower = unit;
      }
      hash = Math.imul(hash ^ lower, PRIME);
    }
    let end = at;
    let next = at + 1;
    if (ending === SPECIAL || at - start === WINDOW) {
      end = new Scanner(text).wordEnd(start);
      next = nextOf(text, start, end);
      hash = hashOfWord(text, start, end);
    }
    if (end > start) {
      last = count;
      hashes[last] = hash;
      starts[last] = start;
      ends[last] = end;
      indexes[last] = words++;
      // The next word takes its place unless its bit is set.
      count += bitOf(bits, hash);
      if (count === BATCH) {
        sink.found(count);
        count = 0;
      }
    }
    start = next;
  }
  sink.found(count);
  sink.ended(words, last);
}

function nextOf(text: string, start: number, end: number): number {
  return end > start ? end : new Scanner(text).skip(start);
}

function endingAt(text: string, start: number, at: number, unit: number): number {
  const ending = ENDING[unit] ?? PLAIN;
  return ending === MIDDLE && at > start ? middle(text, at, unit) : ending;
}

/** What a middle unit after a joining one does: `a.b`, `3,14`, `it's`. */
function middle(text: string, at: number, unit: number): number {
  if (at + 1 >= text.length) return PLAIN;
  const next = text.charCodeAt(at + 1);
  if ((JOINING[next] ?? PLAIN) <= ASK) return ENDING[next] === SPECIAL ? SPECIAL : PLAIN;
  const kind = BASIC_CLASSES[next];
  if (kind !== BASIC_CLASSES[text.charCodeAt(at - 1)]) return PLAIN;
  const found = BASIC_CLASSES[unit];
  if (found === WordClass.midBoth || found === WordClass.singleQuote) return JOINED;
  return found === (kind === WordClass.letter ? WordClass.midLetter : WordClass.midNumber) ? JOINED : PLAIN;
}

function hashOfWord(text: string, start: number, end: number): number {
  let hash = SEED;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    // Capitals beyond the first plane are pairs.
    if (isSurrogate(unit)) return hashOf(lowerCase(text.slice(start, end)));
    hash = Math.imul(hash ^ (LOWER_UNITS[unit] ?? unit), PRIME);
  }
  return hash;
}

/** Whether the word between `start` and `end`, lower-cased, is `term`. */
export function isWord(term: string, text: string, start: number, end: number): boolean {
  if (term.length !== end - start) return false;
  for (let at = 0; at < term.length; at++) {
    const unit = text.charCodeAt(start + at);
    if (LOWER_UNITS[unit] === term.charCodeAt(at)) continue;
    return isSurrogate(unit) && lowerCase(text.slice(start, end)) === term;
  }
  return true;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function readClasses(): void {
  for (const [unit, found] of BASIC_CLASSES.entries()) {
    if (found === WordClass.letter || found === WordClass.digit) {
      JOINING[unit] = LOWER_UNITS[unit] ?? 0;
      continue;
    }
    const ending = isKeycap(unit) || isSurrogate(unit) ? SPECIAL : endingOf(found);
    ENDING[unit] = ending;
    JOINING[unit] = ending === PLAIN ? PLAIN : ASK;
  }
}

function endingOf(found: number): number {
  if (found === WordClass.other) return PLAIN;
  return found >= WordClass.midLetter && found <= WordClass.doubleQuote ? MIDDLE : SPECIAL;
}

/** `#` and `*` begin an emoji when a keycap follows. */
function isKeycap(unit: number): boolean {
  return unit === 0x23 || unit === 0x2a;
}

readClasses();

const HASHES: ReadonlyMap<number, string> = new Map(Array.from(STOP_WORDS, (word) => [hashOf(word), word]));
/** UTF-16 units of a text's end that are read first. */
const SHORT_END = 24;
/** Every bit set: no word is passed over. */
const ALL = new Int32Array(1).fill(-1);

/** Whether the word between `start` and `end`, of that hash, is a stop word. */
export function isStopWordAt(hash: number, text: string, start: number, end: number): boolean {
  const word = HASHES.get(hash);
  return word !== undefined && isWord(word, text, start, end);
}

/** How many words at the end of the text are stop words. Reads no more of it than it must. */
export function stopWordsAtEnd(text: string): number {
  for (let length = SHORT_END; ; length *= 4) {
    // White space parts words whatever stands around it, so an end that begins after some has the same words.
    const from = length < text.length ? text.lastIndexOf(' ', text.length - length) + 1 : 0;
    counter.read(from === 0 ? text : text.slice(from));
    if (counter.words > counter.atEnd || from === 0) return counter.atEnd;
  }
}

class Counter implements WordSink {
  readonly batch = new WordBatch();
  atEnd = 0;
  /** Of all kinds. */
  words = 0;
  #text = '';

  read(text: string): void {
    this.atEnd = 0;
    this.words = 0;
    this.#text = text;
    eachHashedWord(text, ALL, this);
    this.#text = '';
  }

  found(count: number): void {
    const { hashes, starts, ends } = this.batch;
    for (let word = 0; word < count; word++) {
      const isStopWord = isStopWordAt(hashes[word] ?? 0, this.#text, starts[word] ?? 0, ends[word] ?? 0);
      this.atEnd = isStopWord ? this.atEnd + 1 : 0;
    }
  }

  ended(words: number): void {
    this.words = words;
  }
}

const counter = new Counter();
