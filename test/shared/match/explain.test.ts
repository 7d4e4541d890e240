import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { howLongAgo } from '../../../src/shared/match/quality.ts';
import { matchesValues } from '../../../src/shared/match/evaluate.ts';
import { explain, explainRule, type Explanation, placesOf } from '../../../src/shared/match/explain.ts';
import { hitsOf } from '../../../src/shared/match/hits.ts';
import { Percolator } from '../../../src/shared/match/percolator.ts';
import type { FieldValues } from '../../../src/shared/match/document.ts';
import { anyQuery, anyValues } from './arbitrary.ts';
import { del, ins, queryOf } from './changed-page.ts';

const PAGE: FieldValues = {
  texts: {
    added: ['The old ferry sails.', 'A tram and a ferry, a ferry line.'],
    url: ['https://example.com/tag/boats'],
    domain: ['www.example.com', 'example.com'],
    language: ['en'],
  },
  numbers: { age: 3 * 86_400 + 60, dr: 14 },
};

function reasonFor(query: string): string | undefined {
  return explain(queryOf(query), PAGE).reason;
}

function wordsHit(query: string): string[] {
  return placesOf(explain(queryOf(query), PAGE)).map(({ field, value, start, end }) => {
    return `${field} ${value}: ${PAGE.texts[field]![value]!.slice(start, end)}`;
  });
}

function leavesOf(explanation: Explanation): Explanation[] {
  return explanation.query.kind === 'boolean' ? explanation.clauses.flatMap(leavesOf) : [explanation];
}

describe('an explanation', () => {
  it.each([
    ['tunnel', 'no "tunnel" in added'],
    ['title:ferry', 'the page has no title'],
    ['"ferry tunnel"', 'no "tunnel" in added'],
    ['"tram ferry"', 'the words are in added, but never in a row'],
    ['"sails line"~3', 'the words are in added, but never as close together as ~3 allows'],
    ['tunnel~1', 'no word in added is within 1 edit of "tunnel"'],
    ['language:de', 'language is "en"'],
    ['domain:*.org', 'domain is "www.example.com", "example.com"'],
    ['url:/.*news.*/', 'url is "https://example.com/tag/boats"'],
    ['publish_time:[2026 TO *]', 'the page has no publish_time'],
    ['recent:24h', 'published 3 days ago'],
    ['dr:[50 TO *]', 'dr is 14'],
    ['ferry AND tunnel', 'a required clause does not match'],
    ['ferry NOT tram', 'an excluded clause matches'],
    ['tunnel OR bridge', 'none of the clauses matches'],
    ['ferry', undefined],
  ])('of %s says: %s', (query, reason) => {
    expect(reasonFor(query)).toBe(reason);
  });

  it('names the words that made the page match, and no others', () => {
    expect(wordsHit('"ferry line" OR (tram AND tunnel)')).toEqual(['added 1: ferry', 'added 1: line']);
    expect(wordsHit('ferri~1 AND domain:example.* NOT tunnel')).toEqual([
      'added 0: ferry',
      'added 1: ferry',
      'added 1: ferry',
      'domain 1: example.com',
    ]);
    expect(wordsHit('ferry AND tunnel')).toEqual([]);
  });

  it("says what the rule's switches have against the page", () => {
    const switches = { quality: true, nsfw: false };
    const query = queryOf('ferry');
    expect(explainRule(query, PAGE, switches).refusals).toEqual(['quality: the URL is a tag page']);
    expect(explainRule(query, { ...PAGE, numbers: {} }, switches).refusals).toEqual(['quality: no publish date']);
    const ahead = { ...PAGE, numbers: {}, ahead: 30 * 86_400 };
    expect(explainRule(query, ahead, switches).refusals).toEqual(['quality: published 30 days from now']);
    const adult = { ...PAGE, texts: { ...PAGE.texts, url: ['https://example.com/'], page_category: ['/Adult'] } };
    expect(explainRule(query, adult, switches)).toMatchObject({
      matches: false,
      query: { matches: true },
      refusals: ['nsfw: the page is labelled /Adult'],
    });
    expect(explainRule(query, adult, { quality: false, nsfw: true })).toMatchObject({ matches: true, refusals: [] });
  });

  it.each([
    [0, 'published 0 seconds ago'],
    [1, 'published 1 second ago'],
    [119, 'published 119 seconds ago'],
    [7_200, 'published 2 hours ago'],
    [172_799, 'published 47 hours ago'],
    [-180, 'published 3 minutes from now'],
  ])('an age of %s seconds reads: %s', (age, text) => {
    expect(howLongAgo(age)).toBe(text);
  });

  it('agrees with the evaluation: a reason exactly where a clause does not match, a place where a word does', () => {
    fc.assert(
      fc.property(anyQuery, anyValues, (query, values) => {
        const explanation = explain(query, values);
        expect(explanation.matches).toBe(matchesValues(query, values));
        for (const leaf of leavesOf(explanation)) {
          expect(leaf.reason === undefined).toBe(leaf.matches);
          expect(leaf.places.length > 0).toBe(leaf.matches && leaf.query.kind !== 'number');
        }
      }),
      { numRuns: 500 },
    );
  });

  it('names the same places that the excerpt is cut around', () => {
    let hit = 0;
    fc.assert(
      fc.property(anyQuery, anyValues, (query, values) => {
        const percolator = new Percolator();
        percolator.add(0, query);
        const { added = [], removed = [] } = values.texts;
        const chunks = [...added.map(ins), ...removed.map(del)];
        const matched: number[] = [];
        const failures: unknown[] = [];
        percolator.percolate(
          values,
          (rule) => matched.push(rule),
          (_rule, failure) => failures.push(failure),
        );
        expect(failures).toEqual([]);
        const hits = [...(hitsOf([matched], percolator, chunks)[0]?.words ?? [])].flatMap(([chunk, ranges]) =>
          ranges.map((range) => `${chunk} ${range.start} ${range.end}`),
        );
        const places = placesOf(explain(query, values)).flatMap(({ field, value, start, end }) => {
          if (field !== 'added' && field !== 'removed') return [];
          return [`${field === 'added' ? value : added.length + value} ${start} ${end}`];
        });
        expect(hits.sort()).toEqual(places.sort());
        hit += hits.length;
      }),
      { numRuns: 1_000 },
    );
    expect(hit).toBeGreaterThan(20);
  });
});
