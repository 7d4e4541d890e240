import type { Chunk } from '../page/change.ts';
import { FIELD_NAMES } from '../query/fields.ts';
import type { OpenPage } from './open-page.ts';
import type { Percolator } from './percolator.ts';
import { TooMuchWork, WorkBudget } from './phrase.ts';
import { after, BOOLEAN, eachPlacementAt, PHRASE, run, TERM, TEST } from './program.ts';

/** UTF-16 units of a chunk's text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** For each chunk that a text clause hit, by its index, the words that were hit, in the order of the text. */
export type Hits = ReadonlyMap<number, readonly Range[]>;

/** Occurrences of one clause that are marked in the delivered diff: more than its 16 KiB can show. */
const HITS_PER_CLAUSE = 1_000;
const FIELD_OF_CHUNK = { ins: 'added', del: 'removed' } as const;

/**
 * For each group of rules, all of which the open page matches, what made it match. All groups at once, because the
 * text is read again to find the places, and a thousand taps may match one page.
 */
export function hitsOf(
  groups: readonly (readonly number[])[],
  percolator: Percolator,
  chunks: readonly Chunk[],
): Hits[] {
  const positions = groups.map((rules) => positionsOf(rules, percolator));
  const hits = groups.map(() => new Map<number, Range[]>());
  for (const typ of ['ins', 'del'] as const) {
    const field = FIELD_NAMES.indexOf(FIELD_OF_CHUNK[typ]);
    const wanted = new Set(positions.flatMap((found) => [...(found[field] ?? [])]));
    if (wanted.size === 0) continue;
    const chunkOfValue = chunks.flatMap((chunk, index) => (chunk.typ === typ ? [index] : []));
    const { page } = percolator;
    const places = page.places(field, wanted) ?? page.plain.places(FIELD_OF_CHUNK[typ], wanted);
    for (const [position, { value, start, end }] of places) {
      const chunk = chunkOfValue[value];
      if (chunk === undefined) continue;
      for (const [group, found] of positions.entries())
        if (found[field]?.has(position)) note(hits[group], chunk, { start, end });
    }
  }
  return hits;
}

/** By field. */
function positionsOf(rules: readonly number[], percolator: Percolator): readonly Set<number>[] {
  const positions = FIELD_NAMES.map(() => new Set<number>());
  for (const rule of rules) {
    const { code, start } = percolator.program(rule);
    new Collector(percolator, code, positions).collectAt(start);
  }
  return positions;
}

function note(hits: Map<number, Range[]> | undefined, chunk: number, range: Range): void {
  const ranges = hits?.get(chunk);
  if (ranges) ranges.push(range);
  else hits?.set(chunk, [range]);
}

class Collector {
  readonly #percolator: Percolator;
  readonly #page: OpenPage;
  readonly #program: readonly number[];
  /** By field. */
  readonly #positions: readonly Set<number>[];
  readonly #budget = new WorkBudget();

  constructor(percolator: Percolator, program: readonly number[], positions: readonly Set<number>[]) {
    this.#percolator = percolator;
    this.#page = percolator.page;
    this.#program = program;
    this.#positions = positions;
  }

  /** Where the work is too much, hits are missing, and the event goes out with fewer places shown. */
  collectAt(at: number): void {
    try {
      this.#collect(at);
    } catch (failure) {
      if (!(failure instanceof TooMuchWork)) throw failure;
    }
  }

  /** Of an instruction that matches: nothing below NOT or beside a failed AND. */
  #collect(at: number): void {
    const operand = this.#program[at + 1] ?? 0;
    const operation = this.#program[at];
    if (operation === TERM) this.#add(operand, this.#page.positions(operand).slice(0, HITS_PER_CLAUSE));
    else if (operation === TEST) this.#collectTest(operand);
    else if (operation === PHRASE) this.#collectPhrase(at);
    else if (operation === BOOLEAN) this.#collectClauses(at);
  }

  #add(term: number, positions: readonly number[]): void {
    const field = this.#percolator.fieldOf(term);
    const start = this.#page.fieldStart(field);
    for (const position of positions) this.#positions[field]?.add(position - start);
  }

  #collectTest(id: number): void {
    const leaf = this.#percolator.testOf(id);
    if (!leaf || leaf.kind === 'number') return;
    const field = FIELD_NAMES.indexOf(leaf.field);
    for (const [term, positions] of this.#page.plain.terms(leaf.field)) {
      if (!leaf.test.matches(term)) continue;
      for (const position of positions.slice(0, HITS_PER_CLAUSE)) this.#positions[field]?.add(position);
    }
  }

  #collectPhrase(at: number): void {
    let count = 0;
    eachPlacementAt(this.#program, at, this.#page, this.#budget, (positions) => {
      this.#add(this.#program[at + 3] ?? 0, positions);
      count += positions.length;
      return count < HITS_PER_CLAUSE;
    });
  }

  #collectClauses(at: number): void {
    const must = this.#program[at + 2] ?? 0;
    const wanted = must + (this.#program[at + 3] ?? 0);
    let clause = at + 5;
    for (let number = 0; number < wanted; number++) {
      if (number < must || run(this.#program, clause, this.#page, this.#budget)) this.#collect(clause);
      clause = after(this.#program, clause);
    }
  }
}
