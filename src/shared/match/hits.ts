import type { Chunk } from '../page/change.ts';
import { FIELD_NAMES } from '../query/fields.ts';
import type { OpenPage } from './open-page.ts';
import type { Percolator } from './percolator.ts';
import { TooMuchWork, WorkBudget } from './phrase.ts';
import { after, BOOLEAN, PHRASE, TERM } from './program.ts';
import { eachPlacementAt, run } from './run.ts';

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

/** What made the open page match these rules, all of which it matches. */
export function hitsOf(rules: readonly number[], percolator: Percolator, chunks: readonly Chunk[]): Hits {
  const { page } = percolator;
  const positions = FIELD_NAMES.map(() => new Set<number>());
  const onHit: OnHit = (term, position) => {
    const field = percolator.fieldOf(term);
    positions[field]?.add(position - page.fieldStart(field));
  };
  for (const rule of rules) {
    const { code, start } = percolator.program(rule);
    hitsOfRule(code, start, page, onHit);
  }
  const hits = new Map<number, Range[]>();
  for (const typ of ['ins', 'del'] as const) {
    const field = FIELD_OF_CHUNK[typ];
    const found = positions[FIELD_NAMES.indexOf(field)];
    if (!found || found.size === 0) continue;
    const chunkOfValue = chunks.flatMap((chunk, index) => (chunk.typ === typ ? [index] : []));
    for (const { value, start, end } of page.plain.places(field, found)) {
      const chunk = chunkOfValue[value];
      if (chunk === undefined) continue;
      const ranges = hits.get(chunk);
      if (ranges) ranges.push({ start, end });
      else hits.set(chunk, [{ start, end }]);
    }
  }
  return hits;
}

type OnHit = (term: number, position: number) => void;

/** Where the work is too much, hits are missing, and the event goes out with fewer places shown. */
function hitsOfRule(program: readonly number[], start: number, page: OpenPage, onHit: OnHit): void {
  try {
    collect(program, start, page, new WorkBudget(), onHit);
  } catch (failure) {
    if (!(failure instanceof TooMuchWork)) throw failure;
  }
}

/** Of an instruction that matches: nothing below NOT or beside a failed AND. */
function collect(program: readonly number[], at: number, page: OpenPage, budget: WorkBudget, onHit: OnHit): void {
  switch (program[at]) {
    case TERM: {
      const term = program[at + 1] ?? 0;
      for (const position of page.positions(term).slice(0, HITS_PER_CLAUSE)) onHit(term, position);
      return;
    }
    case PHRASE: {
      let count = 0;
      eachPlacementAt(program, at, page, budget, (positions) => {
        for (const position of positions) onHit(program[at + 3] ?? 0, position);
        count += positions.length;
        return count < HITS_PER_CLAUSE;
      });
      return;
    }
    case BOOLEAN:
      collectClauses(program, at, page, budget, onHit);
  }
}

function collectClauses(
  program: readonly number[],
  at: number,
  page: OpenPage,
  budget: WorkBudget,
  onHit: OnHit,
): void {
  const must = program[at + 2] ?? 0;
  const wanted = must + (program[at + 3] ?? 0);
  let clause = at + 5;
  for (let number = 0; number < wanted; number++) {
    if (number < must || run(program, clause, page, budget)) collect(program, clause, page, budget, onHit);
    clause = after(program, clause);
  }
}
