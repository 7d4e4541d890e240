import { isStopWord } from '../analysis/analyze.ts';
import type { BooleanQuery, Occur, PhraseQuery, Query } from '../query/ast.ts';
import { type FieldName, FIELDS } from '../query/fields.ts';
import type { Leaves } from './leaves.ts';
import type { OpenPage } from './open-page.ts';
import { eachPlacement, type OnPlacement, type Slot, type WorkBudget } from './phrase.ts';

/** Gives the numbers of leaves, and counts them as in use. */
type LeafSource = Pick<Leaves, 'term' | 'test'>;

/** A query whose terms and tests are numbers. */
export type Resolved =
  | { readonly op: typeof TERM; readonly id: number; readonly field: FieldName; readonly term: string }
  | { readonly op: typeof TEST; readonly id: number }
  | { readonly op: typeof PHRASE; readonly slop: number; readonly words: readonly ResolvedWord[] }
  | ResolvedBoolean
  | { readonly op: typeof NEVER };

export interface ResolvedWord {
  readonly id: number;
  readonly field: FieldName;
  readonly term: string;
  readonly position: number;
}

export interface ResolvedBoolean {
  readonly op: typeof BOOLEAN;
  readonly must: readonly Resolved[];
  readonly should: readonly Resolved[];
  readonly mustNot: readonly Resolved[];
}

/**
 * A rule as it is kept and run: one short array of small integers, a tenth of the query's tree in memory. Each
 * instruction stands before its operands, and what is dear to answer comes last among its sisters:
 *
 *     NEVER
 *     TERM id
 *     TEST id
 *     PHRASE slop, number of words, then an id and a position for each
 *     BOOLEAN length of it all, number of must, should and must-not clauses, then these
 */
export const NEVER = 0;
export const TERM = 1;
export const TEST = 2;
export const PHRASE = 3;
export const BOOLEAN = 4;

/** Takes every leaf into use, once for each time it stands in the query. Throws what a pattern's compilation throws. */
export function resolve(query: Query, leaves: LeafSource): Resolved {
  switch (query.kind) {
    case 'term': {
      const { field, term } = query;
      return isNeverMet(field, term) ? { op: NEVER } : { op: TERM, id: leaves.term(field, term), field, term };
    }
    case 'phrase':
      return resolvePhrase(query, leaves);
    case 'wildcard':
    case 'fuzzy':
    case 'regex':
    case 'range':
    case 'number':
      return { op: TEST, id: leaves.test(query) };
    case 'boolean':
      return resolveBoolean(query, leaves);
  }
}

function resolvePhrase({ field, slop, terms }: PhraseQuery, leaves: LeafSource): Resolved {
  if (terms.length === 0 || terms.some(({ term }) => isNeverMet(field, term))) return { op: NEVER };
  const words = terms.map(({ term, position }) => ({ id: leaves.term(field, term), field, term, position }));
  return { op: PHRASE, slop, words };
}

function resolveBoolean({ clauses }: BooleanQuery, leaves: LeafSource): ResolvedBoolean {
  const resolved = (occur: Occur): Resolved[] =>
    clauses
      .filter((clause) => clause.occur === occur)
      .map((clause) => resolve(clause.query, leaves))
      .sort((left, right) => left.op - right.op);
  return { op: BOOLEAN, must: resolved('must'), should: resolved('should'), mustNot: resolved('must_not') };
}

/** Stop words are no terms of a page, though its reading here may meet them. */
function isNeverMet(field: FieldName, term: string): boolean {
  return FIELDS[field].kind === 'text' && !FIELDS[field].keepsStopWords && isStopWord(term);
}

export function emit(node: Resolved): number[] {
  switch (node.op) {
    case NEVER:
      return [NEVER];
    case TERM:
    case TEST:
      return [node.op, node.id];
    case PHRASE:
      return [PHRASE, node.slop, node.words.length, ...node.words.flatMap((word) => [word.id, word.position])];
    case BOOLEAN: {
      const { must, should, mustNot } = node;
      const clauses = [...must, ...should, ...mustNot].flatMap(emit);
      return [BOOLEAN, clauses.length + 5, must.length, should.length, mustNot.length, ...clauses];
    }
  }
}

/** Where the instruction after the one at `at` begins. */
export function after(program: readonly number[], at: number): number {
  switch (program[at]) {
    case NEVER:
      return at + 1;
    case PHRASE:
      return at + 3 + 2 * (program[at + 2] ?? 0);
    case BOOLEAN:
      return at + (program[at + 1] ?? 1);
    default:
      return at + 2;
  }
}

/** Whether the page matches the program's instruction at `at`. Throws when a phrase would take too long. */
export function run(program: readonly number[], at: number, page: OpenPage, budget: WorkBudget): boolean {
  switch (program[at]) {
    case NEVER:
      return false;
    case TERM:
      return page.has(program[at + 1] ?? 0);
    case PHRASE:
      return program[at + 1] === 0 ? runExact(program, at, page, budget) : runSloppy(program, at, page, budget);
    case BOOLEAN:
      return runBoolean(program, at, page, budget);
    default:
      return page.passes(program[at + 1] ?? 0);
  }
}

function runBoolean(program: readonly number[], at: number, page: OpenPage, budget: WorkBudget): boolean {
  const must = program[at + 2] ?? 0;
  const should = program[at + 3] ?? 0;
  let clause = at + 5;
  for (let left = must; left > 0; left--) {
    if (!run(program, clause, page, budget)) return false;
    clause = after(program, clause);
  }
  let found = must > 0;
  for (let left = should; left > 0; left--) {
    found ||= run(program, clause, page, budget);
    clause = after(program, clause);
  }
  if (!found) return false;
  for (let left = program[at + 4] ?? 0; left > 0; left--) {
    if (run(program, clause, page, budget)) return false;
    clause = after(program, clause);
  }
  return true;
}

/** From each place of its rarest word, looks whether the others stand where they should. */
function runExact(program: readonly number[], at: number, page: OpenPage, budget: WorkBudget): boolean {
  const rarest = rarestWord(program, at, page);
  if (rarest === 0) return false;
  const end = after(program, at);
  const offset = program[rarest + 1] ?? 0;
  for (let place = page.lastPosition(program[rarest] ?? 0); place >= 0; place = page.positionBefore(place)) {
    let word = at + 3;
    while (word < end && page.stands(program[word] ?? 0, place + (program[word + 1] ?? 0) - offset)) word += 2;
    if (word >= end) return true;
    budget.spend((word - at) >> 1);
  }
  return false;
}

/** Where the word of the phrase at `at` stands that the page has least often; 0 when it lacks one. */
function rarestWord(program: readonly number[], at: number, page: OpenPage): number {
  const end = after(program, at);
  let rarest = 0;
  let fewest = Infinity;
  for (let word = at + 3; word < end; word += 2) {
    const count = page.count(program[word] ?? 0);
    if (count === 0) return 0;
    if (count >= fewest) continue;
    fewest = count;
    rarest = word;
  }
  return rarest;
}

function runSloppy(program: readonly number[], at: number, page: OpenPage, budget: WorkBudget): boolean {
  let found = false;
  eachPlacementAt(program, at, page, budget, () => {
    found = true;
    return false;
  });
  return found;
}

/** Each place where the phrase at `at` matches. */
export function eachPlacementAt(
  program: readonly number[],
  at: number,
  page: OpenPage,
  budget: WorkBudget,
  found: OnPlacement,
): void {
  const slots: Slot[] = [];
  for (let word = at + 3; word < after(program, at); word += 2) {
    const term = program[word] ?? 0;
    const positions = page.positions(term);
    if (positions.length === 0) return;
    slots.push({ term, offset: program[word + 1] ?? 0, positions });
  }
  eachPlacement(slots, program[at + 1] ?? 0, budget, found);
}
