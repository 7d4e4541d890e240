import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Api } from './api.ts';
import type { ValidationResult } from '../../../src/shared/api/diagnostic.ts';
import { QUERY_LENGTH } from '../../../src/shared/limits.ts';
import { CORE_VERSION } from '../../../src/shared/query/validate.ts';
import { run } from '../../cli/harness.ts';
import { addNeighbour } from '../taps/house.ts';

let api: Api;
let token: string;
const bodies: Record<string, string> = { ferries: 'title:ferry OR title:boat' };
beforeAll(async () => {
  api = await Api.open({
    publicValidateRate: 1_000,
    filters: {
      lookup: (organizationId) => {
        const own = organizationId === api.house.organizationId ? bodies : {};
        return { filters: (name) => own[name], filterNames: Object.keys(own) };
      },
    },
  });
});
beforeEach(async () => {
  ({ token } = await api.newTap());
});
afterAll(() => api.close());

const ask = (body: object | string) => api.call<ValidationResult>('POST', '/v1/validate', token, body);
const askPublic = (body: object | string) => api.call<ValidationResult>('POST', '/v1/validate/public', undefined, body);

const QUERIES = [
  'ferry',
  'title:"annual report" AND language:en AND recent:7d',
  'language:xx',
  'language:xx OR ferry',
  'page_category:"/Adult"',
  'ferry AND recent:30d',
  'titel:ferry',
  '*:*',
  'NOT ferry',
  '',
  'title:"ferry',
  'url:*\\/blog\\/* AND dr:[10 TO *]',
  'title:渡し船 "\u2028"',
];

describe('the answer to a query', () => {
  test.each(QUERIES)('is the very object of hydrant validate --json: %j', async (query) => {
    const offline = JSON.parse((await run(['validate', '--json', query])).stdout) as unknown;
    const answer = await ask({ query });
    expect(answer).toMatchObject({ status: 200, body: offline });
    expect(answer.body).toEqual(offline);
    expect((await askPublic({ query })).body).toEqual(offline);
  });

  test('has the spec’s keys, and null where there is nothing compiled', async () => {
    const { body } = await ask({ query: 'language:xx' });
    expect(Object.keys(body).sort()).toEqual(['compiled', 'core_version', 'diagnostics', 'info', 'valid']);
    expect(body).toMatchObject({ core_version: CORE_VERSION, valid: false, compiled: null });
    expect(body.diagnostics).toContainEqual(expect.objectContaining({ severity: 'error', code: 'unmatchable_query' }));
  });

  test('is valid with a warning where a value is unknown beside a clause that can match', async () => {
    const { body } = await ask({ query: 'language:xx OR ferry' });
    expect(body.valid).toBe(true);
    expect(body.diagnostics).toEqual([expect.objectContaining({ severity: 'warning', code: 'unknown_enum_value' })]);
  });

  test('shows the age and URL constraints of quality, or leaves them out', async () => {
    const plain = await ask({ query: 'ferry' });
    expect(plain.body.compiled?.effective_lucene).toContain('age:[0 TO 604800]');
    expect(plain.body.compiled?.effective_lucene).toContain('-url:');
    const without = await ask({ query: 'ferry', quality: false, nsfw: true });
    expect(without.body.compiled?.effective_lucene).not.toMatch(/age:|url:/);
    expect(without.body.compiled?.effective_lucene.length).toBeLessThan(
      (await ask({ query: 'ferry', quality: false })).body.compiled?.effective_lucene.length ?? 0,
    );
  });

  test.each(QUERIES)('is that of a rule, which is accepted or refused with the same findings: %j', async (query) => {
    const { body } = await ask({ query });
    const rule = await api.call('POST', '/v1/rules', token, { value: query });
    expect(rule.status).toBe(body.valid ? 201 : 422);
    expect(rule.body.diagnostics ?? []).toEqual(body.diagnostics);
  });

  test('to one that is too long says so', async () => {
    const { status, body } = await ask({ query: 'x'.repeat(QUERY_LENGTH + 1) });
    expect(status).toBe(200);
    expect(body.diagnostics).toEqual([expect.objectContaining({ code: 'query_too_long' })]);
  });
});

describe('a request without an answer', () => {
  test.each([
    [{}, { query: ['The query field is required.'] }],
    [{ value: 'ferry' }, { query: ['The query field is required.'] }],
    [{ query: null }, { query: ['The query field must be a string.'] }],
    ['', { query: ['The query field is required.'] }],
    ['[]', { body: ['The body must be a JSON object.'] }],
  ])('is a 422 that says what is missing: %j', async (sent, errors) => {
    const message = Object.values(errors).flat().join(' ');
    expect(await ask(sent)).toMatchObject({ status: 422, body: { message, errors } });
    expect(await askPublic(sent)).toMatchObject({ status: 422, body: { message, errors } });
  });

  test('quality and nsfw have to be true or false', async () => {
    const { status, body } = await ask({ query: 'ferry', quality: 'no', nsfw: 1 });
    expect(status).toBe(422);
    expect(body).toHaveProperty('errors.quality');
    expect(body).toHaveProperty('errors.nsfw');
  });
});

describe('saved filters', () => {
  test('are written out before anything else, and places count in the expanded query', async () => {
    const { body } = await ask({ query: '$ferries AND language:xx' });
    const span = body.diagnostics[0]?.span;
    expect('(title:ferry OR title:boat) AND language:xx'.slice(span?.start, span?.end)).toContain('xx');
    expect((await ask({ query: '$ferries' })).body).toEqual((await ask({ query: `(${bodies['ferries']})` })).body);
  });

  test('that are unknown are a 422 that names them', async () => {
    const { status, body } = await ask({ query: 'ferry AND $trams' });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { query: [expect.stringContaining('no saved filter named trams')] } });
    expect(body.diagnostics).toEqual([
      expect.objectContaining({ code: 'unknown_filter', span: { start: 10, end: 16 } }),
    ]);
  });

  test('that are written into one another are read as a rule reads them', async () => {
    // The second one begins no word, so that it is none.
    const { body } = await ask({ query: '$ferries$ferries' });
    expect(body).toMatchObject({ valid: true, compiled: { lucene: '(title:ferry title:boat) added:ferries' } });
  });

  test('are those of the tap’s organization', async () => {
    const theirs = await api.house.taps.create((await addNeighbour(api.house.catalog)).organizationId, 'theirs');
    expect((await api.call('POST', '/v1/validate', theirs.token, { query: '$ferries' })).status).toBe(422);
  });

  test('are a 422 in public, also those that exist, and an escaped dollar sign is not', async () => {
    for (const query of ['$ferries', 'ferry AND ($trams OR boat)', '$100']) {
      const { status, body } = await askPublic({ query });
      expect(status).toBe(422);
      expect(body).toMatchObject({ errors: { query: [expect.stringContaining('Saved filters')] } });
      expect(body.diagnostics).toEqual([expect.objectContaining({ code: 'filter_not_allowed' })]);
    }
    expect((await askPublic({ query: '\\$100' })).status).toBe(200);
    expect((await askPublic({ query: '"$ferries"' })).status).toBe(200);
  });

  test('that nobody has are unknown to a daemon without any', async () => {
    const bare = await Api.open();
    const tap = await bare.newTap();
    const answer = await bare.call('POST', '/v1/validate', tap.token, { query: 'ferry $no-junk' });
    expect(answer.status).toBe(422);
    expect(answer.body.message).toContain('named no-junk');
    expect((await bare.call('POST', '/v1/validate', tap.token, { query: 'ferry \\$no' })).status).toBe(200);
    await bare.close();
  });
});
