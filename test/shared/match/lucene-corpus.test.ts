import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Evaluator } from '../../../src/shared/match/evaluate.ts';
import { PageTerms, type FieldValues } from '../../../src/shared/match/document.ts';
import { RuleIndex } from '../../../src/shared/match/rule-index.ts';
import type { Query } from '../../../src/shared/query/ast.ts';
import { validate } from '../../../src/shared/query/validate.ts';
import { corpusPages, corpusRules, expectedMatches, matchCorpusIsHere } from '../../fixtures/match-corpus.ts';

const PAGES = 2_000;
const RULES = 100_000;

/** Queries by their number in the corpus; those we refuse, and Lucene takes, are left out. */
const queries = new Map<number, Query>();
const refused = new Map<number, readonly string[]>();
let pages: readonly FieldValues[] = [];

function indexOf(count: number): RuleIndex {
  const index = new RuleIndex();
  for (const [number, query] of queries) {
    if (number < count) index.register({ id: `${number}`, tapId: 'tap', query, quality: false, nsfw: true });
  }
  return index;
}

function matched(index: RuleIndex, page: FieldValues): number[] {
  return index
    .matchValues(page)
    .map(Number)
    .sort((left, right) => left - right);
}

if (!matchCorpusIsHere) process.stdout.write('the rules and pages that Lucene matched are not at hand: skipped\n');

describe.skipIf(!matchCorpusIsHere)('on the rules and pages of the corpus', { timeout: 120_000 }, () => {
  // The process goes on with other tests, which have no room for all of this.
  afterAll(() => {
    pages = [];
    queries.clear();
    refused.clear();
  });

  beforeAll(() => {
    pages = corpusPages(PAGES);
    for (const [number, { query: text }] of corpusRules(RULES).entries()) {
      const { query, diagnostics } = validate(text);
      if (query) queries.set(number, query);
      else
        refused.set(
          number,
          diagnostics.map((found) => found.code),
        );
    }
  }, 120_000);

  it.each([
    { rules: 1_000, name: '1k', count: PAGES },
    { rules: 10_000, name: '10k', count: PAGES },
    { rules: 100_000, name: '100k', count: 200 },
  ] as const)('$rules rules match the same $count pages as in Lucene', ({ rules, name, count }) => {
    const index = indexOf(rules);
    const expected = expectedMatches(name, count);
    expect(expected.length).toBe(count);
    for (const [number, wanted] of expected.entries()) {
      const found = matched(index, pages[number]!);
      expect(found, `page ${number}`).toEqual(wanted);
    }
  });

  it('what is refused here matches nothing there: queries of stop words only', () => {
    const expected = new Set(expectedMatches('100k', PAGES).flat());
    expect(refused.size).toBeLessThan(10);
    for (const [number, codes] of refused) {
      expect(codes).toEqual(['unmatchable_query']);
      expect(expected.has(number)).toBe(false);
    }
  });

  it('the reference implementation matches the same', () => {
    const few = [...queries]
      .filter(([rule]) => rule < 1_000)
      .map(([rule, query]) => ({ rule, twin: new Evaluator(query) }));
    for (const [number, wanted] of expectedMatches('1k', 100).entries()) {
      const page = new PageTerms(pages[number]!);
      const found = few.filter(({ twin }) => twin.matches(page)).map(({ rule }) => rule);
      expect(found, `page ${number}`).toEqual(wanted);
    }
  });

  it('rules that go are gone, and rules that come back match as before', () => {
    const index = indexOf(10_000);
    const expected = expectedMatches('10k', 100);
    const leaves = (rule: number): boolean => rule % 3 > 0;
    for (const rule of queries.keys()) if (leaves(rule)) index.unregister(`${rule}`);
    for (const [number, wanted] of expected.entries()) {
      expect(matched(index, pages[number]!)).toEqual(wanted.filter((rule) => !leaves(rule)));
    }
    for (const [rule, query] of queries) {
      if (leaves(rule) && rule < 10_000)
        index.register({ id: `${rule}`, tapId: 'tap', query, quality: false, nsfw: true });
    }
    for (const [number, wanted] of expected.entries()) expect(matched(index, pages[number]!)).toEqual(wanted);
  });
});
