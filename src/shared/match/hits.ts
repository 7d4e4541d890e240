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

/** What made the rules of one tap match, as far as it is text that came or went. */
export interface Hits {
  /** For each chunk that a text clause hit, by its index, the words that were hit, in the order of the text. */
  readonly words: ReadonlyMap<number, readonly Range[]>;
  /** For each rule that hit a chunk, what it hit first. */
  readonly first: readonly RuleHits[];
}

export const NO_HITS: Hits = { words: new Map(), first: [] };

/** What each clause of a rule hit first, those first that stand first on the page: the words of a phrase are one. */
export type RuleHits = readonly (readonly Place[])[];

export interface Place extends Range {
  /** Index of the chunk. */
  readonly chunk: number;
}

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
  const words = groups.map(() => new Map<number, Range[]>());
  const placesOf: (ReadonlyMap<number, Place> | undefined)[] = [];
  for (const typ of ['ins', 'del'] as const) {
    const field = FIELD_NAMES.indexOf(FIELD_OF_CHUNK[typ]);
    const wanted = new Set(positions.flatMap(({ all }) => [...(all[field] ?? [])]));
    if (wanted.size === 0) continue;
    const chunkOfValue = chunks.flatMap((chunk, index) => (chunk.typ === typ ? [index] : []));
    const { page } = percolator;
    const found = page.places(field, wanted) ?? page.plain.places(FIELD_OF_CHUNK[typ], wanted);
    const places = new Map<number, Place>();
    for (const [position, { value, start, end }] of found) {
      const chunk = chunkOfValue[value];
      if (chunk === undefined) continue;
      places.set(position, { chunk, start, end });
      for (const [group, { all }] of positions.entries())
        if (all[field]?.has(position)) note(words[group], chunk, { start, end });
    }
    placesOf[field] = places;
  }
  return positions.map(({ first }, group) => ({
    words: words[group] ?? NO_HITS.words,
    first: first.map((clauses) => placed(clauses, placesOf)).filter(({ length }) => length > 0),
  }));
}

function placed(
  clauses: readonly ClausePositions[],
  placesOf: readonly (ReadonlyMap<number, Place> | undefined)[],
): RuleHits {
  return clauses
    .map(({ field, positions }) => positions.flatMap((position) => placesOf[field]?.get(position) ?? []))
    .filter(({ length }) => length > 0)
    .sort(([one], [other]) => (one && other ? one.chunk - other.chunk || one.start - other.start : 0));
}

interface Positions {
  /** By field. */
  readonly all: readonly Set<number>[];
  /** For each rule, of each of its clauses the first. */
  readonly first: readonly (readonly ClausePositions[])[];
}

interface ClausePositions {
  readonly field: number;
  readonly positions: readonly number[];
}

function positionsOf(rules: readonly number[], percolator: Percolator): Positions {
  const all = FIELD_NAMES.map(() => new Set<number>());
  const first = rules.map((rule) => {
    const { code, start } = percolator.program(rule);
    const collector = new Collector(percolator, code, all);
    collector.collectAt(start);
    return collector.first;
  });
  return { all, first };
}

function note(hits: Map<number, Range[]> | undefined, chunk: number, range: Range): void {
  const ranges = hits?.get(chunk);
  if (ranges) ranges.push(range);
  else hits?.set(chunk, [range]);
}

class Collector {
  readonly first: ClausePositions[] = [];
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
    if (operation === TERM) this.#collectTerm(operand);
    else if (operation === TEST) this.#collectTest(operand);
    else if (operation === PHRASE) this.#collectPhrase(at);
    else if (operation === BOOLEAN) this.#collectClauses(at);
  }

  #collectTerm(term: number): void {
    const positions = this.#page.positions(term);
    this.#add(term, positions.slice(0, 1), true);
    this.#add(term, positions.slice(1, HITS_PER_CLAUSE), false);
  }

  #add(term: number, positions: readonly number[], isFirst: boolean): void {
    const field = this.#percolator.fieldOf(term);
    const start = this.#page.fieldStart(field);
    this.#addIn(
      field,
      positions.map((position) => position - start),
      isFirst,
    );
  }

  #addIn(field: number, positions: readonly number[], isFirst: boolean): void {
    for (const position of positions) this.#positions[field]?.add(position);
    if (isFirst && positions.length > 0) this.first.push({ field, positions });
  }

  #collectTest(id: number): void {
    const leaf = this.#percolator.testOf(id);
    if (!leaf || leaf.kind === 'number') return;
    const field = FIELD_NAMES.indexOf(leaf.field);
    let least = Infinity;
    for (const [term, positions] of this.#page.plain.terms(leaf.field)) {
      if (!leaf.test.matches(term)) continue;
      this.#addIn(field, positions.slice(0, HITS_PER_CLAUSE), false);
      least = Math.min(least, positions[0] ?? Infinity);
    }
    if (least < Infinity) this.#addIn(field, [least], true);
  }

  #collectPhrase(at: number): void {
    let count = 0;
    eachPlacementAt(this.#program, at, this.#page, this.#budget, (positions) => {
      this.#add(this.#program[at + 3] ?? 0, positions, count === 0);
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
