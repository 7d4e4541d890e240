import { isStopWord } from '../analysis/analyze.ts';
import { eachHashedWord, type WordSink } from '../analysis/hashed-words.ts';
import { lowerCase } from '../analysis/lower-case.ts';
import { Scanner } from '../analysis/words.ts';
import { FIELD_NAMES, FIELDS } from '../query/fields.ts';
import { COUNT, LAST, LEAF_SIZE, type Leaves, TRIED } from './leaves.ts';
import { anyMatches, numberMatches } from './leaf-test.ts';
import { PageTerms } from './page-terms.ts';
import { HASH_SEED, type TermTable } from './term-table.ts';
import { type FieldValues, GAP } from './values.ts';

/** Positions kept ready between pages; what a larger page needed is given back. */
const USUAL_POSITIONS = 1 << 16;
const LAST_PAGE = 0x7fff_ffff;
const NO_VALUES: FieldValues = { texts: {}, numbers: {} };

/**
 * The page that is being matched, as numbers: which leaves it has, and where. One reading of its texts; nothing is
 * cleared between pages, because what a page says carries its number.
 */
export class OpenPage implements WordSink {
  readonly #leaves: Leaves;
  #number = 0;
  #values = NO_VALUES;
  #plain: PageTerms | undefined;
  /** A bit for each leaf: the terms of rules that the page has. Small enough to stay in the nearest cache. */
  #bits = new Int32Array(64);
  /** The same, each once. */
  #present = new Int32Array(1_024);
  #presentCount = 0;
  /**
   * By position: the term there, 0 when no rule asks for it; and where the same term stood before, or -1. Where no
   * term is, it is where the word begins in the text: see `#endWithoutStopWords`.
   */
  #termAt = new Int32Array(USUAL_POSITIONS);
  #before = new Int32Array(USUAL_POSITIONS);
  /** Positions of all fields stand one after the other: where each field begins, and where the next token stands. */
  readonly #fieldStarts = FIELD_NAMES.map(() => 0);
  #at = 0;
  #end = 0;
  #table: TermTable;
  #text = '';

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

  open(values: FieldValues): void {
    if (this.#number === LAST_PAGE) this.#startOver();
    this.#number++;
    this.#values = values;
    this.#forgetTerms();
    this.#end = 0;
    for (const [number, field] of FIELD_NAMES.entries()) {
      const table = this.#leaves.tables[number];
      const texts = values.texts[field];
      this.#fieldStarts[number] = this.#end;
      this.#at = this.#end;
      if (!table || table.size === 0 || !texts) continue;
      this.#table = table;
      if (FIELDS[field].kind === 'keyword') this.#readKeywords(texts);
      else this.#readTexts(texts, FIELDS[field].keepsStopWords);
    }
  }

  #forgetTerms(): void {
    const words = (this.#leaves.texts.length >>> 5) + 1;
    if (words > this.#bits.length) this.#bits = new Int32Array(2 * words);
    else for (let at = 0; at < this.#presentCount; at++) this.#bits[(this.#present[at] ?? 0) >>> 5] = 0;
    this.#presentCount = 0;
  }

  /** Lets go of the page's texts. */
  close(): void {
    this.#values = NO_VALUES;
    this.#plain = undefined;
    this.#text = '';
    if (this.#termAt.length <= USUAL_POSITIONS) return;
    this.#termAt = new Int32Array(USUAL_POSITIONS);
    this.#before = new Int32Array(USUAL_POSITIONS);
  }

  /** Whether the page has this term. */
  has(term: number): boolean {
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
    return position < this.#end && this.#termAt[position] === term;
  }

  fieldStart(field: number): number {
    return this.#fieldStarts[field] ?? 0;
  }

  word(hash: number, start: number, end: number): void {
    this.#put(this.#table.findWord(hash, this.#text, start, end), start);
  }

  #readKeywords(values: readonly string[]): void {
    for (const value of values) {
      this.#put(this.#table.find(value), 0);
      this.#gap(this.#at);
    }
  }

  #readTexts(texts: readonly string[], keepsStopWords: boolean): void {
    for (const text of texts) {
      const start = this.#at;
      this.#text = text;
      eachHashedWord(text, HASH_SEED, this);
      this.#gap(keepsStopWords ? this.#at : this.#endWithoutStopWords(start));
    }
  }

  /** Stop words at the end of a value take no positions before the next one (MemoryIndex). */
  #endWithoutStopWords(start: number): number {
    let end = this.#at;
    while (end > start && this.#isStopWordAt(end - 1)) end--;
    return end;
  }

  #isStopWordAt(position: number): boolean {
    if (this.#termAt[position] !== 0) return false;
    const start = this.#before[position] ?? 0;
    const end = new Scanner(this.#text).wordEnd(start);
    return isStopWord(lowerCase(this.#text.slice(start, end)));
  }

  /** The next value of the field begins a gap after `end`. */
  #gap(end: number): void {
    const next = end + GAP;
    while (next > this.#termAt.length) this.#grow();
    this.#termAt.fill(0, this.#at, next);
    this.#at = next;
    this.#end = Math.max(this.#end, next);
  }

  #put(term: number, start: number): void {
    const position = this.#at++;
    if (position >= this.#termAt.length) this.#grow();
    this.#termAt[position] = term;
    this.#before[position] = start;
    if (term !== 0) this.#meet(term, position);
  }

  #meet(term: number, position: number): void {
    const { state } = this.#leaves;
    const at = LEAF_SIZE * term;
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

  #grow(): void {
    this.#termAt = doubled(this.#termAt);
    this.#before = doubled(this.#before);
  }

  /** After two thousand million pages: no test may remember a page whose number comes again. */
  #startOver(): void {
    this.#number = 0;
    for (let at = TRIED; at < this.#leaves.state.length; at += LEAF_SIZE) this.#leaves.state[at] = 0;
  }
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}
