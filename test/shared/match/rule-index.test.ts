import { describe, expect, it } from 'vitest';
import { WITHHELD_A_PAGE } from '../../../src/shared/limits.ts';
import { RegexProblem } from '../../../src/shared/automaton/regex-problem.ts';
import { RuleIndex } from '../../../src/shared/match/rule-index.ts';
import type { Query } from '../../../src/shared/query/ast.ts';
import { changedPage, del, ins, NOW, queryOf } from './changed-page.ts';

function indexOf(rules: Readonly<Record<string, string>>, tapId = 'tap'): RuleIndex {
  const index = new RuleIndex();
  for (const [id, text] of Object.entries(rules)) {
    index.register({ id, tapId, query: queryOf(text), quality: false, nsfw: false });
  }
  return index;
}

describe('the rule index', () => {
  it('names every matching rule of every tap, in the order of their ids', () => {
    const index = indexOf({ z: 'ferry', a: 'url:*news', m: 'tram' }, 'tap-2');
    index.register({ id: 'q', tapId: 'tap-1', query: queryOf('ferry'), quality: false, nsfw: false });
    const { matches } = index.match(changedPage({ chunks: [ins('A ferry.')] }), NOW);
    expect(matches.map(({ tapId, ruleIds }) => [tapId, ruleIds])).toEqual([
      ['tap-1', ['q']],
      ['tap-2', ['a', 'z']],
    ]);
  });

  it.each([
    ['removed:ferry', true],
    ['removed:tram', false],
    ['title:"the harbour"', true],
    ['url:"https://example.com/news"', true],
    ['url:"https://example.com"', false],
    ['domain:example.com', true],
    ['domain:Example.com', false],
    ['tram NOT ferry', true],
    ['tram AND removed:ferry AND domain:*.com', true],
  ])('%s matches: %s', (query, expected) => {
    const page = changedPage({ chunks: [del('The ferry.'), ins('The tram.')], title: 'At the Harbour' });
    expect(indexOf({ rule: query }).match(page, NOW).matches.length > 0).toBe(expected);
  });

  it('a rule that is registered again replaces itself, one that is unregistered is gone', () => {
    const index = indexOf({ a: 'ferry', b: 'url:*news' });
    index.register({ id: 'a', tapId: 'tap', query: queryOf('tram'), quality: false, nsfw: false });
    expect(index.size).toBe(2);
    index.unregister('b');
    index.unregister('never registered');
    expect(index.size).toBe(1);
    expect(index.match(changedPage({ chunks: [ins('ferry')] }), NOW).matches).toEqual([]);
    expect(index.match(changedPage({ chunks: [ins('tram')] }), NOW).matches).toMatchObject([{ ruleIds: ['a'] }]);
  });

  it('with quality on, an old page does not match', () => {
    const index = new RuleIndex();
    index.register({ id: 'good', tapId: 'tap', query: queryOf('ferry'), quality: true, nsfw: false });
    index.register({ id: 'any', tapId: 'tap', query: queryOf('ferry'), quality: false, nsfw: false });
    const idsAt = (age: number): unknown =>
      index.match(changedPage({ chunks: [ins('ferry')], age }), NOW).matches.map((match) => match.ruleIds);
    expect(idsAt(60)).toEqual([['any', 'good']]);
    expect(idsAt(30 * 86_400)).toEqual([['any']]);
  });

  it('says which rules would have had the page but for their switches, and why', () => {
    const index = new RuleIndex();
    const switches = { good: [true, false], any: [false, true], safe: [false, false], adult: [true, true] } as const;
    for (const [id, [quality, nsfw]] of Object.entries(switches)) {
      index.register({ id, tapId: 'tap', query: queryOf('ferry'), quality, nsfw });
      index.register({ id: `${id} tram`, tapId: 'tap', query: queryOf('tram'), quality, nsfw });
    }
    const withheld = (page: Parameters<typeof changedPage>[0]): Record<string, string> => {
      const found = index.match(changedPage({ chunks: [ins('ferry')], ...page }), NOW);
      const ids = found.matches.flatMap(({ ruleIds }) => ruleIds);
      expect([...ids, ...found.withheld.map(({ ruleId }) => ruleId)].sort()).toEqual(Object.keys(switches).sort());
      return Object.fromEntries(found.withheld.map(({ ruleId, reason }) => [ruleId, reason]));
    };
    expect(withheld({ age: 60 })).toEqual({});
    expect(withheld({ age: null })).toEqual({ good: 'no_date', adult: 'no_date' });
    expect(withheld({ age: 30 * 86_400 })).toEqual({ good: 'too_old', adult: 'too_old' });
    expect(withheld({ age: -2 * 86_400 })).toEqual({ good: 'future_date', adult: 'future_date' });
    expect(withheld({ age: 60, url: 'https://example.com/tag/x' })).toEqual({ good: 'url', adult: 'url' });
    expect(withheld({ age: 60, category: '/Adult' })).toEqual({ good: 'adult', safe: 'adult' });
    expect(withheld({ age: null, category: '/Adult' })).toEqual({ good: 'no_date', adult: 'no_date', safe: 'adult' });
  });

  it('tells of no more withheld rules than are counted of a page', () => {
    const index = new RuleIndex();
    for (let made = 0; made <= WITHHELD_A_PAGE; made++) {
      index.register({ id: `r${made}`, tapId: 'tap', query: queryOf('ferry'), quality: true, nsfw: false });
    }
    const { matches, withheld } = index.match(changedPage({ chunks: [ins('ferry')], age: null }), NOW);
    expect([matches, withheld.length]).toEqual([[], WITHHELD_A_PAGE]);
  });

  it('a page labelled as adult matches only rules that say nsfw', () => {
    const index = new RuleIndex();
    index.register({ id: 'safe', tapId: 'tap', query: queryOf('ferry'), quality: false, nsfw: false });
    index.register({ id: 'any', tapId: 'tap', query: queryOf('ferry'), quality: false, nsfw: true });
    const labelled = (label: string): string[] =>
      index.matchValues({ texts: { added: ['ferry'], page_category: [label] }, numbers: {} }).sort();
    expect(labelled('/Adult')).toEqual(['any']);
    expect(labelled('/News')).toEqual(['any', 'safe']);
  });

  it('a rule whose pattern cannot be compiled is refused, and the one it was to replace stays', () => {
    const index = indexOf({ a: 'ferry' });
    const query = { kind: 'regex', field: 'url', pattern: '(' } as const;
    const clauses = [
      { occur: 'must', query: queryOf('tram') },
      { occur: 'must', query },
    ] as const;
    const rule = { id: 'a', tapId: 'tap', query: { kind: 'boolean', clauses }, quality: false, nsfw: false } as const;
    expect(() => index.register(rule)).toThrow(RegexProblem);
    expect(index.size).toBe(1);
    expect(index.match(changedPage({ chunks: [ins('ferry')] }), NOW).matches).toMatchObject([{ ruleIds: ['a'] }]);
  });

  it('a test that throws fails the rules that ask it, and no other', () => {
    const broken = { kind: 'range', field: 'url', low: { inclusive: true } } as unknown as Query;
    const index = indexOf({ good: 'ferry AND url:*news*' });
    const queries: Record<string, Query> = {
      alone: broken,
      guarded: { kind: 'boolean', clauses: [queryOf('ferry'), broken].map((query) => ({ occur: 'must', query })) },
      unasked: { kind: 'boolean', clauses: [queryOf('tram'), broken].map((query) => ({ occur: 'must', query })) },
    };
    for (const [id, query] of Object.entries(queries)) {
      index.register({ id, tapId: 'tap', query, quality: false, nsfw: false });
    }
    const { matches, failures } = index.match(changedPage({ chunks: [ins('A ferry.')] }), NOW);
    expect(matches).toMatchObject([{ ruleIds: ['good'] }]);
    expect(Array.from(failures.keys()).sort()).toEqual(['alone', 'guarded']);
  });

  it('a rule that fails is named and silences no other', () => {
    const words = Array.from({ length: 5_000 }, () => 'x').join(' ');
    const index = indexOf({ hostile: `"${words}"`, good: 'ferry' });
    const page = changedPage({ chunks: [ins(`ferry ${`${'x '.repeat(999)}y `.repeat(100)}`)] });
    const { matches, failures } = index.match(page, NOW);
    expect(matches).toMatchObject([{ ruleIds: ['good'] }]);
    expect(Array.from(failures.keys())).toEqual(['hostile']);
  });
});
