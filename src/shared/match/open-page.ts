import { eachHashedWord, isStopWordAt, stopWordsAtEnd, WordBatch, type WordSink } from '../analysis/hashed-words.ts';
import { FIELD_NAMES, FIELDS } from '../query/fields.ts';
import {
  anyMatches,
  COUNT,
  LAST,
  LEAF_SIZE,
  type Leaves,
  numberMatches,
  READINGS,
  TRIED,
  type TermTable,
} from './leaves.ts';
import { type FieldValues, GAP, PageTerms, type Place } from './document.ts';

const LAST_PAGE = 0x7fff_ffff;
const NO_VALUES: FieldValues = { texts: {}, numbers: {} };

/**
 * The page that is being matched, as numbers: which leaves it has, and where. One reading of its texts; what
 * it had is cleared word by word when it is closed, so that a small page costs little whatever the number of rules.
 */
export class OpenPage implements WordSink {
  readonly batch = new WordBatch();
  readonly #leaves: Leaves;
  #number = 0;
  #values = NO_VALUES;
  #plain: PageTerms | undefined;
  /** A bit for each leaf: the terms of rules that the page has. Small enough to stay in the nearest cache. */
  #bits = new Int32Array(64);
  /** The same, each once. */
  #present = new Int32Array(1_024);
  #presentCount = 0;
  /** By position: the term there, 0 when no rule asks for it. All 0 between pages. */
  #termAt = new Int32Array(USUAL_POSITIONS);
  /** Where a term is: the position where it stood before, or -1. */
  #before = new Int32Array(USUAL_POSITIONS);
  readonly #places = new WordPlaces();
  /** Positions of all fields stand one after the other: where each field begins, and where the next token stands. */
  readonly #fieldStarts = FIELD_NAMES.map(() => 0);
  #at = 0;
  #table: TermTable;
  #text = '';
  #endsInStopWord = false;
  /** Its labels have not been read yet. */
  #owesLabels = false;

  constructor(leaves: Leaves, table: TermTable) {
    this.#leaves = leaves;
    this.#table = table;
  }

  get number(): number {
    return this.#number;
  }

  get present(): Int32Array {
    return this.#present;
  }

  get presentCount(): number {
    return this.#presentCount;
  }

  get plain(): PageTerms {
    return (this.#plain ??= new PageTerms(this.#values));
  }

  /** Without `withLabels` these are read when one of them is first asked for. */
  open(values: FieldValues, withLabels: boolean): void {
    if (this.#number === LAST_PAGE) this.#leaves.forgetTrials();
    this.#number = this.#number === LAST_PAGE ? 1 : this.#number + 1;
    // Only where an error kept it from being closed; what it had may have changed since.
    if (this.#presentCount > 0) this.#makeRoom();
    const words = (this.#leaves.texts.length >>> 5) + 1;
    if (words > this.#bits.length) this.#bits = new Int32Array(2 * words);
    this.#values = values;
    this.#at = 0;
    this.#readFields(false);
    this.#owesLabels = true;
    if (withLabels) this.#readLabels();
  }

  #readLabels(): void {
    this.#owesLabels = false;
    this.#readFields(true);
  }

  #readFields(areLabels: boolean): void {
    for (const [number, { field, isKeyword, keepsStopWords, isLabel }] of READINGS.entries()) {
      if (isLabel !== areLabels) continue;
      const table = this.#leaves.tables[number];
      this.#fieldStarts[number] = this.#at;
      // What no rule asks for is not even taken from the page.
      const texts = table && table.size > 0 ? this.#values.texts[field] : undefined;
      if (!table || !texts) continue;
      this.#table = table;
      if (isKeyword) this.#readKeywords(texts);
      else this.#readTexts(texts, keepsStopWords, number);
    }
  }

  /** Lets go of the page's texts, and clears what it had: before any rule changes. */
  close(): void {
    this.#values = NO_VALUES;
    this.#plain = undefined;
    this.#text = '';
    if (this.#termAt.length > USUAL_POSITIONS) {
      this.#makeRoom();
      return;
    }
    for (let at = 0; at < this.#presentCount; at++) {
      const term = this.#present[at] ?? 0;
      let place = this.#leaves.state[LEAF_SIZE * term + LAST] ?? -1;
      for (; place >= 0; place = this.positionBefore(place)) this.#termAt[place] = 0;
      this.#bits[term >>> 5] = 0;
    }
    this.#presentCount = 0;
  }

  #makeRoom(): void {
    this.#termAt = new Int32Array(USUAL_POSITIONS);
    this.#before = new Int32Array(USUAL_POSITIONS);
    this.#places.makeRoom();
    this.#bits = new Int32Array(this.#bits.length);
    this.#presentCount = 0;
  }

  /** Whether the page has this term. */
  has(term: number): boolean {
    if (this.#owesLabels && this.#leaves.isLabel(term)) this.#readLabels();
    return ((this.#bits[term >>> 5] ?? 0) & (1 << (term & 31))) !== 0;
  }

  /** Whether the page passes this test, tried at most once. */
  passes(test: number): boolean {
    const at = LEAF_SIZE * test + TRIED;
    const seen = this.#leaves.state[at];
    if (seen === this.#number) return true;
    if (seen === -this.#number) return false;
    const passes = this.#try(test);
    this.#leaves.state[at] = passes ? this.#number : -this.#number;
    return passes;
  }

  count(term: number): number {
    return this.has(term) ? (this.#leaves.state[LEAF_SIZE * term + COUNT] ?? 0) : 0;
  }

  /** -1 when there is none. The one before it is `positionBefore`. */
  lastPosition(term: number): number {
    return this.has(term) ? (this.#leaves.state[LEAF_SIZE * term + LAST] ?? -1) : -1;
  }

  positionBefore(position: number): number {
    return this.#before[position] ?? -1;
  }

  /** Ascending. */
  positions(term: number): number[] {
    const positions: number[] = [];
    for (let at = this.lastPosition(term); at >= 0; at = this.positionBefore(at)) positions.push(at);
    return positions.reverse();
  }

  stands(term: number, position: number): boolean {
    return this.#termAt[position] === term;
  }

  fieldStart(field: number): number {
    return this.#fieldStarts[field] ?? 0;
  }

  /**
   * Where in the values of a text field the words at these positions stand, in the order of the text. Undefined where one of
   * them is no term of a rule (a pattern met it): then the text has to be read again.
   */
  places(field: number, positions: ReadonlySet<number>): Map<number, Place> | undefined {
    const start = this.fieldStart(field);
    const ascending = [...positions].sort((left, right) => left - right);
    if (ascending.some((position) => !this.#termAt[start + position])) return undefined;
    return this.#places.find(field, start, ascending);
  }

  found(count: number): void {
    const { hashes, starts, ends, indexes } = this.batch;
    for (let word = 0; word < count; word++) {
      const term = this.#table.findWord(hashes[word] ?? 0, this.#text, starts[word] ?? 0, ends[word] ?? 0);
      if (term === 0) continue;
      const position = this.#at + (indexes[word] ?? 0);
      this.#meet(term, position);
      this.#places.note(position, starts[word] ?? 0, ends[word] ?? 0);
    }
  }

  ended(words: number, last: number): void {
    this.#at += words;
    const { hashes, starts, ends } = this.batch;
    this.#endsInStopWord = last >= 0 && isStopWordAt(hashes[last] ?? 0, this.#text, starts[last] ?? 0, ends[last] ?? 0);
  }

  #readKeywords(values: readonly string[]): void {
    for (const value of values) {
      const term = this.#table.find(value);
      if (term !== 0) this.#meet(term, this.#at);
      this.#at += 1 + GAP;
    }
  }

  #readTexts(texts: readonly string[], keepsStopWords: boolean, field: number): void {
    this.#places.beginField(field);
    for (const text of texts) {
      this.#places.beginValue(field, this.#at);
      this.#text = text;
      eachHashedWord(text, this.#table.bits, this);
      // Stop words at the end of a value take no positions before the next one (MemoryIndex).
      if (!keepsStopWords && this.#endsInStopWord) this.#at -= stopWordsAtEnd(text);
      this.#at += GAP;
    }
  }

  #meet(term: number, position: number): void {
    const { state } = this.#leaves;
    const at = LEAF_SIZE * term;
    while (position >= this.#termAt.length) {
      this.#termAt = doubled(this.#termAt);
      this.#before = doubled(this.#before);
    }
    this.#termAt[position] = term;
    if (this.has(term)) {
      this.#before[position] = state[at + LAST] ?? -1;
      state[at + COUNT] = (state[at + COUNT] ?? 0) + 1;
    } else {
      this.#bits[term >>> 5] = (this.#bits[term >>> 5] ?? 0) | (1 << (term & 31));
      state[at + COUNT] = 1;
      this.#before[position] = -1;
      if (this.#presentCount === this.#present.length) this.#present = doubled(this.#present);
      this.#present[this.#presentCount++] = term;
    }
    state[at + LAST] = position;
  }

  #try(id: number): boolean {
    const leaf = this.#leaves.tests.get(id);
    if (!leaf) return false;
    if (leaf.kind === 'number') return numberMatches(leaf, this.#values);
    const { field, test } = leaf;
    if (FIELDS[field].kind === 'text') return anyMatches(test, this.plain.terms(field).keys());
    return anyMatches(test, this.#values.texts[field] ?? []);
  }
}

/** Positions kept ready between pages; what a larger page needed is given back. */
const USUAL_POSITIONS = 1 << 14;

/**
 * Where the words stand in the texts that an open page was read from, by their positions there: kept as they are read, so
 * that no text has to be read again to show what a rule has hit.
 */
class WordPlaces {
  #starts = new Int32Array(USUAL_POSITIONS);
  #ends = new Int32Array(USUAL_POSITIONS);
  /** By field: the position at which each of its values begins. */
  readonly #values: number[][] = [];

  makeRoom(): void {
    this.#values.length = 0;
    if (this.#starts.length === USUAL_POSITIONS) return;
    this.#starts = new Int32Array(USUAL_POSITIONS);
    this.#ends = new Int32Array(USUAL_POSITIONS);
  }

  beginField(field: number): void {
    this.#values[field] = [];
  }

  beginValue(field: number, position: number): void {
    this.#values[field]?.push(position);
  }

  note(position: number, start: number, end: number): void {
    while (position >= this.#starts.length) {
      this.#starts = doubled(this.#starts);
      this.#ends = doubled(this.#ends);
    }
    this.#starts[position] = start;
    this.#ends[position] = end;
  }

  /** Of ascending positions that were noted, from `fieldStart` on. */
  find(field: number, fieldStart: number, positions: readonly number[]): Map<number, Place> {
    const places = new Map<number, Place>();
    const values = this.#values[field] ?? [];
    let value = -1;
    for (const position of positions) {
      const at = fieldStart + position;
      while ((values[value + 1] ?? Infinity) <= at) value++;
      places.set(position, { value, start: this.#starts[at] ?? 0, end: this.#ends[at] ?? 0 });
    }
    return places;
  }
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}
