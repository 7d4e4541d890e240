import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ValidationResult } from '../../src/shared/api/diagnostic.ts';
import { type ChangedPage, valuesOf } from '../../src/shared/match/document.ts';
import { matchesValues } from '../../src/shared/match/evaluate.ts';
import { RuleIndex } from '../../src/shared/match/rule-index.ts';
import { validate } from '../../src/shared/query/validate.ts';
import type { Api } from '../daemon/http/api.ts';
import { HOOK_MS, onEachStore } from './stores.ts';
import { changedPage, del, ins, NOW } from '../shared/match/changed-page.ts';
import { withRecent } from '../shared/query/with-recent.ts';

/**
 * What `POST /v1/validate` says of a query, and what the daemon makes of it: saved as a rule over the API, registered, and
 * asked of pages by the index of rules. The verdict is held against the compiled query that the answer shows, which is
 * read and evaluated anew, without the index.
 */

const pages: Record<string, ChangedPage> = {
  ferry: changedPage({ title: 'The ferry', chunks: [ins('The ferry to the island opens at nine.')] }),
  'ferry, gone': changedPage({ title: 'The ferry', chunks: [del('The ferry to the island opens at nine.')] }),
  'ferry, old': changedPage({ title: 'Ferries', chunks: [ins('A ferry opens at nine.')], age: 8 * 86_400 }),
  'ferry, no date': changedPage({ chunks: [ins('A ferry opens at nine.')], age: null }),
  'ferry, list': changedPage({ chunks: [ins('A ferry opens.')], url: 'https://example.com/tag/ferries' }),
  'ferry, query': changedPage({ chunks: [ins('A ferry opens.')], url: 'https://example.com/a?page=2' }),
  'ferry, adult': changedPage({ chunks: [ins('A ferry opens at nine.')], category: '/Adult' }),
  travel: changedPage({
    title: 'Trams',
    chunks: [ins('The tram was late by 25 minutes.')],
    category: '/Travel_and_Transportation',
  }),
  blog: changedPage({ chunks: [ins('A tram.')], url: 'https://blog.example.org/blog/tram', domains: ['example.org'] }),
  other: changedPage({ title: 'Bread', chunks: [ins('Bread is baked at five.')] }),
};

/** Each is told apart by some page. */
const VALID = [
  'ferry',
  'ferry AND NOT island',
  'title:ferry',
  '"ferry to the island"',
  '"ferry island"~3',
  'fery~1',
  'removed:ferry',
  'added:(ferry OR tram) AND recent:2h',
  'url:*\\/blog\\/*',
  'url:/.*tag.*/ OR bread',
  'domain:example.org OR title:bread',
  'page_category:"/Travel_and_Transportation"',
  'page_category:"/Adult" OR tram',
  'publish_time:[2026-02-13 TO *]',
  'language:xx OR ferry',
];
const INVALID = ['*:*', 'NOT ferry', 'titel:ferry', 'language:xx', 'title:"ferry', 'title:ferr*', 'age:[0 TO 5]'];
const SWITCHES = [true, false].flatMap((quality) => [true, false].map((nsfw) => ({ quality, nsfw })));

let api: Api;
let token: string;

onEachStore((open) => {
  beforeAll(async () => {
    api = await open();
    ({ token } = await api.newTap());
  }, HOOK_MS);
  // A tap may ask so often a minute.
  beforeEach(() => void (api.house.clock.ms += 60_000));
  afterAll(() => api.close(), HOOK_MS);

  describe('a query that is valid', () => {
    test.each(VALID)('is accepted as a rule, and matches the pages that its compiled form says: %s', async (query) => {
      const told: number[] = [];
      for (const switches of SWITCHES) {
        const answer = await api.call<ValidationResult>('POST', '/v1/validate', token, { query, ...switches });
        expect(answer.body).toMatchObject({ valid: true });
        const saved = await api.call<{ data: { id: string } }>('POST', '/v1/rules', token, {
          value: query,
          ...switches,
        });
        expect(saved.status).toBe(201);
        const rule = api.house.index.registered.get(saved.body.data.id);
        if (rule === undefined) throw new Error('the rule is not registered');
        const index = new RuleIndex();
        index.register(rule);

        const compiled = validate(withRecent(answer.body.compiled?.effective_lucene ?? ''), { nsfw: true }).query;
        if (compiled === undefined) throw new Error('the compiled query is refused');
        const said = Object.keys(pages).filter((name) => matchesValues(compiled, valuesOf(pages[name]!, NOW)));
        const matched = Object.keys(pages).filter((name) => index.match(pages[name]!, NOW).matches.length > 0);
        expect({ ...switches, matched }).toEqual({ ...switches, matched: said });
        told.push(said.length);
        await api.call('DELETE', `/v1/rules/${rule.id}`, token);
      }
      // Without switches it tells some pages from others.
      expect(Math.max(...told)).toBeGreaterThan(0);
      expect(Math.max(...told)).toBeLessThan(Object.keys(pages).length);
    });

    test.each(INVALID)('and one that is not is refused as a rule: %j', async (query) => {
      const answer = await api.call<ValidationResult>('POST', '/v1/validate', token, { query });
      expect(answer).toMatchObject({ status: 200, body: { valid: false, compiled: null } });
      expect((await api.call('POST', '/v1/rules', token, { value: query })).status).toBe(422);
    });
  });
});
