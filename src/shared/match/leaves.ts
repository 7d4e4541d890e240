import type { FuzzyQuery, NumberQuery, RangeQuery, RegexQuery, WildcardQuery } from '../query/ast.ts';
import { FIELD_NAMES, type FieldName, FIELDS } from '../query/fields.ts';
import { compileFuzzy } from '../automaton/fuzzy.ts';
import type { Matcher } from '../automaton/matcher.ts';
import { compileRegex } from '../automaton/regex.ts';
import { compileWildcard } from '../automaton/wildcard.ts';
import { compareCodePoints } from '../query/syntax/code-point-order.ts';
import type { FieldValues } from './document.ts';
import { hashOf, isWord, setBit } from '../analysis/hashed-words.ts';

/** What a rule asks of a page that is no term: a pattern on the terms of a field, or a number's range. */
export type LeafTest = NumberQuery | (PatternQuery & { readonly test: TermTest });

/** Numbers kept for each leaf, side by side so that one read of memory brings them all. */
export const LEAF_SIZE = 4;
/** Of a test: the page that last passed it; negative when it last failed. */
export const TRIED = 0;
/** Of a term: its last position in the page that was last found to have it, and how often it stands there. */
export const LAST = 1;
export const COUNT = 2;
/** The first rule that is filed under it (percolator.ts). */
export const FILED = 3;

const FEWEST = 64;

/**
 * All that rules ask of pages, each thing once and as a number: the terms of each field, and tests. Rules that share
 * a term or a test share its number, and a page answers it once for all of them. Numbers count from 1 and are given
 * again when no rule uses them any more.
 */
export class Leaves {
  /** By id: the term; '' for tests. */
  readonly texts: string[] = [''];
  /** By id: the number of its field; only terms'. */
  readonly fields: number[] = [0];
  readonly tests = new Map<number, LeafTest>();
  /** By the field's place in FIELD_NAMES. */
  readonly tables: readonly TermTable[] = FIELD_NAMES.map(() => new TermTable(this.texts));
  state = new Int32Array(LEAF_SIZE * FEWEST);
  readonly #uses: number[] = [0];
  readonly #testIds = new Map<string, number>();
  readonly #free: number[] = [];

  term(field: FieldName, term: string): number {
    const number = FIELD_NAMES.indexOf(field);
    const table = this.tables[number];
    if (!table) throw new Error(`no field ${field}`);
    const known = table.find(term);
    if (known !== 0) return this.#use(known);
    const id = this.#take();
    // A copy of its own: a term that is cut out of a query would keep the whole query's text alive.
    this.texts[id] = JSON.parse(JSON.stringify(term)) as string;
    this.fields[id] = number;
    table.add(term, id);
    return id;
  }

  /** Throws what the pattern's compilation throws. */
  test(query: PatternQuery | NumberQuery): number {
    const key = JSON.stringify(query);
    const known = this.#testIds.get(key);
    if (known !== undefined) return this.#use(known);
    const test = query.kind === 'number' ? query : { ...query, test: termTest(query) };
    const id = this.#take();
    this.tests.set(id, test);
    this.#testIds.set(key, id);
    return id;
  }

  release(id: number): void {
    const uses = (this.#uses[id] ?? 0) - 1;
    this.#uses[id] = uses;
    if (uses > 0) return;
    const test = this.tests.get(id);
    if (test) {
      this.tests.delete(id);
      this.#testIds.delete(keyOf(test));
    } else {
      this.tables[this.fields[id] ?? 0]?.remove(this.texts[id] ?? '', id);
      this.texts[id] = '';
    }
    this.#free.push(id);
  }

  /** Whether it is a term that pages have by their labels. */
  isLabel(id: number): boolean {
    return READINGS[this.fields[id] ?? 0]?.isLabel === true;
  }

  /** After two thousand million pages: no test may remember a page whose number comes again. */
  forgetTrials(): void {
    for (let at = TRIED; at < this.state.length; at += LEAF_SIZE) this.state[at] = 0;
  }

  #use(id: number): number {
    this.#uses[id] = (this.#uses[id] ?? 0) + 1;
    return id;
  }

  #take(): number {
    const id = this.#free.pop() ?? this.texts.length;
    this.texts[id] = '';
    this.fields[id] = 0;
    this.#uses[id] = 1;
    if (LEAF_SIZE * (id + 1) > this.state.length) {
      const state = new Int32Array(2 * this.state.length);
      state.set(this.state);
      this.state = state;
    }
    this.state.fill(0, LEAF_SIZE * id, LEAF_SIZE * (id + 1));
    return id;
  }
}

function keyOf(test: LeafTest): string {
  if (test.kind === 'number') return JSON.stringify(test);
  const { test: _, ...query } = test;
  return JSON.stringify(query);
}

/** A clause that is tested against each term of a field: no table can look it up. */
export type PatternQuery = WildcardQuery | FuzzyQuery | RegexQuery | RangeQuery;

interface TermTest {
  matches(term: string): boolean;
  /** Pieces that every matching term contains, longest first; empty when none is known. */
  readonly required: readonly string[];
}

export function termTest(query: PatternQuery): TermTest {
  switch (query.kind) {
    case 'wildcard':
      return withPieces(compileWildcard(query.pattern));
    case 'fuzzy':
      return compileFuzzy(query.term, query.edits);
    case 'regex':
      return withPieces(compileRegex(query.pattern));
    case 'range':
      return { matches: (term) => isInRange(query, term), required: [] };
  }
}

export function anyMatches(test: TermTest, terms: Iterable<string>): boolean {
  for (const term of terms) if (test.matches(term)) return true;
  return false;
}

/** Searching a piece is many times faster than running a pattern, and nearly always settles it. */
function withPieces(matcher: Matcher): TermTest {
  const { required } = matcher;
  const [longest] = required;
  if (longest === undefined) return matcher;
  return { matches: (term) => term.includes(longest) && matcher.matches(term), required };
}

function isInRange({ low, high }: RangeQuery, term: string): boolean {
  if (low) {
    const order = compareCodePoints(term, low.text);
    if (order < 0 || (order === 0 && !low.inclusive)) return false;
  }
  if (high) {
    const order = compareCodePoints(term, high.text);
    if (order > 0 || (order === 0 && !high.inclusive)) return false;
  }
  return true;
}

export function numberMatches({ field, low = -Infinity, high = Infinity }: NumberQuery, values: FieldValues): boolean {
  const number = values.numbers[field];
  return number !== undefined && number >= low && number <= high;
}

/**
 * How each field is read, by its place in FIELD_NAMES. Of one shape, which the fields' own descriptions are not: asking
 * them on every page shows.
 */
export const READINGS = FIELD_NAMES.map((field) => {
  const { kind, keepsStopWords, vocabulary } = FIELDS[field];
  return { field, isKeyword: kind === 'keyword', keepsStopWords, isLabel: vocabulary !== undefined };
});

const FEWEST_SLOTS = 16;
const BITS_PER_SLOT = 8;
/** Beyond these the nearest cache is full; and where rules name that many terms, most words of a page are in some. */
const MOST_BITS = 1 << 17;
/** A slot holds an id in its lower bits and the top of the term's hash above; 0 is an empty slot. */
const ID_BITS = 22;
const ID_MASK = (1 << ID_BITS) - 1;

/**
 * The terms that rules name in one field: an open-addressing table in which a page looks up the hash of each of its
 * words. One integer a slot, so that the table of a thousand rules stays in the processor's nearest cache; most words
 * are in no rule and meet an empty slot or another hash.
 *
 * The hash has no seed, so terms of one hash can be made: it takes their maker minutes. Each word of a page that has
 * the hash too is then compared with all of them, some ten nanoseconds each: 8,000 such terms and a page of 9,000 such
 * words take 0.6 s. It needs the rules and the page, and the number of terms is limited by the plan's rules.
 */
export class TermTable {
  readonly #texts: readonly string[];
  #slots = new Int32Array(FEWEST_SLOTS);
  #mask = FEWEST_SLOTS - 1;
  #size = 0;
  /** A bit for each hash, eight times as many as slots: what most words of a page are turned away by. */
  #bits = new Int32Array((BITS_PER_SLOT * FEWEST_SLOTS) / 32);
  /** Terms that are gone and left their bit. */
  #stale = 0;

  /** The texts by id, kept by whoever gives the ids. */
  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  get size(): number {
    return this.#size;
  }

  /** For `eachHashedWord`: a bit for the hash of each term, and for few others. */
  get bits(): Int32Array {
    return this.#bits;
  }

  /** The id of the word between `start` and `end` of the text, lower-cased, whose hash is given; 0 when unknown. */
  findWord(hash: number, text: string, start: number, end: number): number {
    const slots = this.#slots;
    let slot = slotOf(hash) & this.#mask;
    let held = slots[slot] ?? 0;
    while (held !== 0) {
      if (((held ^ hash) & ~ID_MASK) === 0) {
        const id = held & ID_MASK;
        if (isWord(this.#texts[id] ?? '', text, start, end)) return id;
      }
      slot = (slot + 1) & this.#mask;
      held = slots[slot] ?? 0;
    }
    return 0;
  }

  find(term: string): number {
    const hash = hashOf(term);
    for (let slot = slotOf(hash) & this.#mask; this.#slots[slot] !== 0; slot = (slot + 1) & this.#mask) {
      const id = this.#idAt(slot);
      if (this.#texts[id] === term) return id;
    }
    return 0;
  }

  /** A term that is not in it yet. */
  add(term: string, id: number): void {
    if (id > ID_MASK) throw new RangeError(`rules can name ${ID_MASK} different terms at most`);
    if (3 * (this.#size + 1) > this.#mask) this.#resize(2 * (this.#mask + 1));
    this.#size++;
    this.#put(term, id);
  }

  remove(term: string, id: number): void {
    let slot = slotOf(hashOf(term)) & this.#mask;
    while (this.#idAt(slot) !== id) slot = (slot + 1) & this.#mask;
    this.#size--;
    this.#close(slot);
    this.#stale++;
    if (this.#mask >= FEWEST_SLOTS && 12 * this.#size < this.#mask) this.#resize((this.#mask + 1) / 2);
    else if (this.#stale > this.#mask) this.#resize(this.#mask + 1);
  }

  #idAt(slot: number): number {
    return (this.#slots[slot] ?? 0) & ID_MASK;
  }

  #put(term: string, id: number): void {
    const hash = hashOf(term);
    setBit(this.#bits, hash);
    let slot = slotOf(hash) & this.#mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = (hash & ~ID_MASK) | id;
  }

  /** Moves back what lies behind the hole and may stand in it, so that no search ends too early. */
  #close(hole: number): void {
    let empty = hole;
    for (let slot = (hole + 1) & this.#mask; this.#slots[slot] !== 0; slot = (slot + 1) & this.#mask) {
      const home = slotOf(hashOf(this.#texts[this.#idAt(slot)] ?? '')) & this.#mask;
      if (((slot - home) & this.#mask) < ((slot - empty) & this.#mask)) continue;
      this.#slots[empty] = this.#slots[slot] ?? 0;
      empty = slot;
    }
    this.#slots[empty] = 0;
  }

  #resize(slots: number): void {
    const before = this.#slots;
    this.#slots = new Int32Array(slots);
    this.#mask = slots - 1;
    this.#bits = new Int32Array(Math.min(BITS_PER_SLOT * slots, MOST_BITS) / 32);
    this.#stale = 0;
    for (const held of before) if (held !== 0) this.#put(this.#texts[held & ID_MASK] ?? '', held & ID_MASK);
  }
}

/** Multiplication carries differences upwards only, and the slot is taken from below. */
function slotOf(hash: number): number {
  return hash ^ (hash >>> 15);
}
