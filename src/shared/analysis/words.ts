import { emojiEnd, JOINER } from './emoji.ts';
import { wordClass, WordClass as Class } from './word-class.ts';

/** UTF-16 units of the longest word; what is longer goes on as the next word (StandardTokenizer's default). */
export const LONGEST = 255;

/**
 * Calls `found` with the place of each word of the text, as Lucene's StandardTokenizer cuts it (UAX #29): the longest
 * word from each place on; what begins none is skipped. One pass, each character looked at a fixed number of times.
 */
export function eachWord(text: string, found: (start: number, end: number) => void): void {
  const scanner = new Scanner(text);
  let at = 0;
  while (at < text.length) {
    const end = scanner.wordEnd(at);
    if (end > at) {
      found(at, end);
      at = end;
    } else {
      at = scanner.skip(at);
    }
  }
}

/** The words of one text, asked for place by place. */
export class Scanner {
  readonly #text: string;
  /** The end of the window: nothing is read past it, so a word never is longer. */
  #limit = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the word that begins at `start` ends; `start` itself when none does. */
  wordEnd(start: number): number {
    this.#limit = this.#windowEnd(start);
    switch (this.#classAt(start)) {
      case Class.letter:
      case Class.hebrew:
      case Class.digit:
      case Class.katakana:
      case Class.connector:
        return this.#joined(start);
      case Class.southEastAsian:
        return this.#run(start, Class.southEastAsian);
      case Class.han:
      case Class.hiragana:
        return this.#next(start);
      case Class.pictograph:
        return this.#emoji(start);
      default:
        return this.#isKeycap(start) || this.#isJoiner(start) ? this.#emoji(start) : start;
    }
  }

  /** Where the next word can begin when none begins at `start`. */
  skip(start: number): number {
    const next = start + unitsAt(this.#text, start);
    this.#limit = this.#text.length;
    if (this.#isJoiner(start)) return this.#skipJoiners(start, next);
    if (this.#classAt(start) !== Class.connector) return next;
    // A long run of `_`: trying each of them anew would read up to 255 characters for each.
    let end = next;
    while (this.#classAt(end) === Class.connector || this.#classAt(end) === Class.extend) end = this.#next(end);
    const following = this.#classAt(end);
    // Joiners in front of a pictograph are its own.
    if (following === Class.pictograph) while (end > next && this.#isJoiner(end - 1)) end--;
    if (!canFollow(Class.connector, following)) return end;
    return Math.max(next, end + unitsAt(this.#text, end) - LONGEST);
  }

  /** A long run of joiners, for the same reason; they lead a word where a pictograph follows. */
  #skipJoiners(start: number, next: number): number {
    let end = start;
    while (this.#isJoiner(end)) end++;
    if (this.#classAt(end) !== Class.pictograph) return end;
    return Math.max(next, end + unitsAt(this.#text, end) - LONGEST);
  }

  #windowEnd(start: number): number {
    const end = Math.min(start + LONGEST, this.#text.length);
    const splitsPair = end < this.#text.length && unitsAt(this.#text, end - 1) === 2;
    return splitsPair ? end - 1 : end;
  }

  #classAt(at: number): number {
    if (at >= this.#limit) return Class.other;
    const unit = this.#text.charCodeAt(at);
    // Lone surrogates have no class; pairs are read whole.
    return wordClass(unit >= 0xd800 && unit <= 0xdfff ? (this.#text.codePointAt(at) ?? unit) : unit);
  }

  /** After the character at `at` and the marks that belong to it. */
  #next(at: number): number {
    let end = at + unitsAt(this.#text, at);
    while (this.#classAt(end) === Class.extend) end += unitsAt(this.#text, end);
    return Math.min(end, this.#limit);
  }

  #run(start: number, wanted: number): number {
    let end = start;
    while (this.#classAt(end) === wanted) end = this.#next(end);
    return end;
  }

  #isJoiner(start: number): boolean {
    return this.#text.charCodeAt(start) === JOINER;
  }

  #isKeycap(start: number): boolean {
    const unit = this.#text.charCodeAt(start);
    return (unit === 0x23 || unit === 0x2a) && this.#classAt(start + 1) === Class.extend;
  }

  #emoji(start: number): number {
    return emojiEnd(this.#text, start, this.#limit);
  }

  /** Letters, digits and Katakana, joined by connectors and by single characters between two of a kind. */
  #joined(start: number): number {
    let last = this.#classAt(start);
    let at = this.#next(this.#lastOfLatin(start));
    // A connector alone is no word: the end moves only once something stands beside it.
    let end = last === Class.connector ? start : at;
    while (at < this.#limit) {
      const current = this.#classAt(at);
      const next = this.#next(at);
      if (canFollow(last, current)) {
        last = current;
        if (current !== Class.connector || end > start) end = next;
      } else if (canBridge(last, current, this.#classAt(next))) {
        end = next;
      } else {
        const quoted = last === Class.hebrew ? this.#afterHebrewQuote(current, next) : undefined;
        if (quoted === undefined) break;
        end = quoted;
        // Words go on after it, but nothing bridges from it.
        last = Class.other;
      }
      at = Math.max(next, end);
    }
    return end;
  }

  /** The last of the A to Z from `start` on: most of most texts, read without the tables. */
  #lastOfLatin(start: number): number {
    let at = start;
    while (at < this.#limit && isLatin(this.#text.charCodeAt(at))) at++;
    return Math.max(start, at - 1);
  }

  /** A geresh may end a Hebrew word; gershayim stand between two Hebrew letters. `next` is after the quote. */
  #afterHebrewQuote(quote: number, next: number): number | undefined {
    if (quote === Class.singleQuote) return next;
    if (quote === Class.doubleQuote && this.#classAt(next) === Class.hebrew) return this.#next(next);
    return undefined;
  }
}

/** Whether one character between two joins them: `don't`, `3.14`. */
function canBridge(last: number, current: number, following: number): boolean {
  if (isLetter(last) && isLetter(following)) {
    return current === Class.midLetter || current === Class.midBoth || current === Class.singleQuote;
  }
  if (last === Class.digit && following === Class.digit) {
    return current === Class.midNumber || current === Class.midBoth || current === Class.singleQuote;
  }
  return false;
}

function isLatin(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isLetter(value: number): boolean {
  return value === Class.letter || value === Class.hebrew;
}

/** Whether a word goes on from one class to the next with nothing between. Katakana joins only its own kind. */
function canFollow(last: number, next: number): boolean {
  if (next === Class.connector) return true;
  if (next === Class.katakana) return last === Class.katakana || last === Class.connector;
  if (!isLetter(next) && next !== Class.digit) return false;
  return last !== Class.katakana;
}

function unitsAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0xd800 || unit > 0xdbff) return 1;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc00 && low <= 0xdfff ? 2 : 1;
}
