import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesValues } from '../../../src/shared/match/evaluate.ts';
import { PageTerms, type FieldValues } from '../../../src/shared/match/document.ts';
import { Percolator } from '../../../src/shared/match/percolator.ts';
import { RuleIndex } from '../../../src/shared/match/rule-index.ts';
import type { Query } from '../../../src/shared/query/ast.ts';
import { FIELD_NAMES, FIELDS } from '../../../src/shared/query/fields.ts';
import { anyQuery, anyValues } from './arbitrary.ts';

/** The reference implementation of the index: every rule in turn, straight over its tree. */
class DullIndex {
  readonly #rules = new Map<string, Query>();

  register(id: string, query: Query): void {
    this.#rules.set(id, query);
  }

  unregister(id: string): void {
    this.#rules.delete(id);
  }

  matchValues(values: FieldValues): string[] {
    return [...this.#rules].filter(([, query]) => matchesValues(query, values)).map(([id]) => id);
  }
}

function register(index: RuleIndex, id: string, query: Query): void {
  index.register({ id, tapId: 'tap', query, quality: false, nsfw: false });
}

function indexOf(queries: readonly Query[]): { clever: RuleIndex; dull: DullIndex } {
  const clever = new RuleIndex();
  const dull = new DullIndex();
  for (const [id, query] of queries.entries()) {
    register(clever, `${id}`, query);
    dull.register(`${id}`, query);
  }
  return { clever, dull };
}

describe('the rule index and its reference implementation', { timeout: 60_000 }, () => {
  it('agree on every kind of query and page', () => {
    let matched = 0;
    fc.assert(
      fc.property(fc.array(anyQuery, { maxLength: 12 }), fc.array(anyValues, { maxLength: 3 }), (queries, pages) => {
        const { clever, dull } = indexOf(queries);
        for (const page of pages) {
          const found = clever.matchValues(page).sort();
          matched += found.length;
          expect(found).toEqual(dull.matchValues(page).sort());
        }
      }),
      { numRuns: 1_000 },
    );
    expect(matched).toBeGreaterThan(500);
  });

  it('agree while rules come, change and go', () => {
    const change = fc.record({ id: fc.nat(9).map(String), query: fc.option(anyQuery, { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(fc.tuple(change, anyValues), { maxLength: 40 }), (steps) => {
        const { clever, dull } = indexOf([]);
        for (const [{ id, query }, page] of steps) {
          if (query) {
            register(clever, id, query);
            dull.register(id, query);
          } else {
            clever.unregister(id);
            dull.unregister(id);
          }
          expect(clever.matchValues(page).sort()).toEqual(dull.matchValues(page).sort());
        }
      }),
      { numRuns: 500 },
    );
  });

  it('agree after thousands of rules have gone', () => {
    const queries = fc.sample(anyQuery, { numRuns: 3_000, seed: 5 });
    const pages = fc.sample(anyValues, { numRuns: 60, seed: 6 });
    const { clever, dull } = indexOf(queries);
    for (const id of queries.keys()) {
      if (id % 100 === 7) continue;
      clever.unregister(`${id}`);
      dull.unregister(`${id}`);
    }
    expect(clever.size).toBe(30);
    for (const page of pages) expect(clever.matchValues(page).sort()).toEqual(dull.matchValues(page).sort());
  });
});

describe('the open page and its plain twin', () => {
  it('know the same places of words', () => {
    let found = 0;
    fc.assert(
      fc.property(fc.array(anyQuery, { maxLength: 12 }), fc.array(anyValues, { maxLength: 3 }), (queries, pages) => {
        const percolator = new Percolator();
        for (const [rule, query] of queries.entries()) percolator.add(rule, query);
        for (const values of pages) found += comparePlaces(percolator, values);
      }),
      { numRuns: 500 },
    );
    expect(found).toBeGreaterThan(500);
  });
});

/** Answers how many places were compared. */
function comparePlaces(percolator: Percolator, values: FieldValues): number {
  const nothing = (): void => undefined;
  percolator.percolate(values, nothing, nothing);
  const { page } = percolator;
  const terms = [...page.present.subarray(0, page.presentCount)];
  const counts = FIELD_NAMES.filter((name) => FIELDS[name].kind === 'text').map((name) => {
    const field = FIELD_NAMES.indexOf(name);
    const positions = terms
      .filter((term) => percolator.fieldOf(term) === field)
      .flatMap((term) => page.positions(term));
    const wanted = new Set(positions.map((position) => position - page.fieldStart(field)));
    expect([...(page.places(field, wanted) ?? [])]).toEqual([...new PageTerms(values).places(name, wanted)]);
    return wanted.size;
  });
  page.close();
  return counts.reduce((sum, count) => sum + count, 0);
}
