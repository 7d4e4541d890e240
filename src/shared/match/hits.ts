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

const FIELD_OF_CHUNK = { ins: 'added', del: 'removed' } as const;

/** What made the page match these rules, all of which it matches. */
export function hitsOf(evaluators: readonly Evaluator[], chunks: readonly Chunk[], page: PageTerms): Hits {
  const positions = { added: new Set<number>(), removed: new Set<number>() };
  for (const evaluator of evaluators) {
    evaluator.hits(page, (field, position) => {
      if (field === 'added' || field === 'removed') positions[field].add(position);
    });
  }
  const hits = new Map<number, Range[]>();
  for (const typ of ['ins', 'del'] as const) {
    const field = FIELD_OF_CHUNK[typ];
    if (positions[field].size === 0) continue;
    const chunkOfValue = chunks.flatMap((chunk, index) => (chunk.typ === typ ? [index] : []));
    for (const { value, start, end } of page.places(field, positions[field])) {
      const chunk = chunkOfValue[value];
      if (chunk === undefined) continue;
      const ranges = hits.get(chunk);
      if (ranges) ranges.push({ start, end });
      else hits.set(chunk, [{ start, end }]);
    }
  }
  return hits;
}
