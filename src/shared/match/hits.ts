import type { Chunk } from '../page/change.ts';
import type { Evaluator } from './evaluate.ts';
import type { PageTerms } from './page-terms.ts';

/** UTF-16 units of a chunk's text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** For each chunk that a text clause hit, by its index, the words that were hit, in the order of the text. */
export type Hits = ReadonlyMap<number, readonly Range[]>;

/** By the chunks whose text a position is in. */
type ByType<Value> = Readonly<Record<Chunk['typ'], Value>>;

const FIELD_OF_CHUNK = { ins: 'added', del: 'removed' } as const;

/**
 * For each group of rules, all of which the page matches, what made it match. All groups at once, because the text is
 * read again to find the places, and a thousand taps may match one page.
 */
export function hitsOf(
  groups: readonly (readonly Evaluator[])[],
  chunks: readonly Chunk[],
  page: PageTerms,
): readonly Hits[] {
  const positions = groups.map((evaluators) => positionsOf(evaluators, page));
  const placesOf = (typ: Chunk['typ']): ReadonlyMap<number, ChunkRange> =>
    chunkRanges(new Set(positions.flatMap((found) => [...found[typ]])), typ, chunks, page);
  const places = { ins: placesOf('ins'), del: placesOf('del') };
  return positions.map((found) => hitsAt(found, places));
}

function positionsOf(evaluators: readonly Evaluator[], page: PageTerms): ByType<Set<number>> {
  const positions = { ins: new Set<number>(), del: new Set<number>() };
  for (const evaluator of evaluators) {
    evaluator.hits(page, (field, position) => {
      if (field === 'added') positions.ins.add(position);
      else if (field === 'removed') positions.del.add(position);
    });
  }
  return positions;
}

interface ChunkRange extends Range {
  readonly chunk: number;
}

function chunkRanges(
  positions: ReadonlySet<number>,
  typ: Chunk['typ'],
  chunks: readonly Chunk[],
  page: PageTerms,
): ReadonlyMap<number, ChunkRange> {
  const ranges = new Map<number, ChunkRange>();
  if (positions.size === 0) return ranges;
  const chunkOfValue = chunks.flatMap((chunk, index) => (chunk.typ === typ ? [index] : []));
  for (const [position, { value, start, end }] of page.places(FIELD_OF_CHUNK[typ], positions)) {
    const chunk = chunkOfValue[value];
    if (chunk !== undefined) ranges.set(position, { chunk, start, end });
  }
  return ranges;
}

function hitsAt(positions: ByType<ReadonlySet<number>>, places: ByType<ReadonlyMap<number, ChunkRange>>): Hits {
  const hits = new Map<number, Range[]>();
  for (const typ of ['ins', 'del'] as const) {
    for (const position of Array.from(positions[typ]).sort((left, right) => left - right)) {
      const range = places[typ].get(position);
      const ranges = range && hits.get(range.chunk);
      if (ranges) ranges.push(range);
      else if (range) hits.set(range.chunk, [range]);
    }
  }
  return hits;
}
