import { STOP_WORDS } from './analyze.ts';
import { eachHashedWord, hashOf, isWord, WordBatch, type WordSink } from './hashed-words.ts';

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
