import type { FuzzyQuery, NumberQuery, RangeQuery, RegexQuery, WildcardQuery } from '../query/ast.ts';
import { FIELD_NAMES, type FieldName, FIELDS } from '../query/fields.ts';
import { TermTable } from './term-table.ts';
import { compileFuzzy } from '../automaton/fuzzy.ts';
import type { Matcher } from '../automaton/matcher.ts';
import { compileRegex } from '../automaton/regex.ts';
import { compileWildcard } from '../automaton/wildcard.ts';
import { compareCodePoints } from '../query/syntax/code-point-order.ts';
import type { FieldValues } from './document.ts';

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
