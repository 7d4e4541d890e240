import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAdminServer } from '../../../src/daemon/admin/server.ts';
import { ORGANIZATION_HEADER } from '../../../src/shared/daemon-notice.ts';
import { append } from '../../fixtures/visits.ts';
import { RecordingLog } from '../http/api.ts';
import { addNeighbour, type House, openHouse } from '../taps/house.ts';
import { uncalledServices } from './uncalled-services.ts';

let house: House;
let server: FastifyInstance;
beforeEach(async () => {
  house = await openHouse();
  server = createAdminServer({ ...house, ...uncalledServices, log: new RecordingLog() });
});
afterEach(() => server.close());

interface Answer {
  readonly status: number;
  readonly body: { readonly data: { readonly id: string }; readonly message?: string; readonly errors?: unknown };
}

async function call(method: string, url: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await server.inject({ method: method as 'GET', url, headers, ...(body && { payload: body }) });
  return { status: answer.statusCode, body: (answer.body === '' ? {} : JSON.parse(answer.body)) as Answer['body'] };
}

describe('/admin/filters', () => {
  test('adds, lists, shows, changes, tells the uses and removes', async () => {
    const { status, body } = await call('POST', '/admin/filters', { name: 'boats', value: 'ferry and tram' });
    expect([status, body]).toMatchObject([201, { data: { name: 'boats' }, diagnostics: [{ severity: 'warning' }] }]);
    expect(await call('GET', '/admin/filters')).toMatchObject({ status: 200, body: { data: [{ name: 'boats' }] } });
    const path = '/admin/filters/boats';
    expect((await call('GET', path)).body.data).toEqual(body.data);
    expect(await call('PATCH', path, { value: 'canoe' })).toMatchObject({ body: { data: { value: 'canoe' } } });
    const { token, id } = await house.taps.create(house.organizationId, 'news');
    const authorization = `Bearer ${token}`;
    const rule = await call('POST', '/v1/rules', { value: '$boats', tag: 'b' }, { authorization });
    expect((await call('POST', '/v1/validate', { query: '$boats' }, { authorization })).body).toMatchObject({
      compiled: { lucene: 'added:canoe' },
    });
    expect(await call('GET', `${path}/uses`)).toMatchObject({
      body: { data: [{ rule_id: rule.body.data.id, tap_id: id, tag: 'b', value: '$boats' }] },
    });
    const message = 'The filter boats is in use by 1 rule: b.';
    expect(await call('DELETE', path)).toMatchObject({ status: 422, body: { message, errors: { filter: [message] } } });
    await call('DELETE', `/v1/rules/${rule.body.data.id}`, undefined, { authorization });
    expect(await call('DELETE', path)).toEqual({ status: 204, body: {} });
    expect((await call('GET', path)).status).toBe(404);
  });

  test.each([
    [{}, { name: ['The name field is required.'], value: ['The value field is required.'] }],
    [{ name: 7, value: 'x' }, { name: ['The name field must be a string.'] }],
  ])('refuses %j', async (creation, errors) => {
    expect(await call('POST', '/admin/filters', creation)).toMatchObject({ status: 422, body: { errors } });
  });

  test('is of the organization that is named', async () => {
    await call('POST', '/admin/filters', { name: 'boats', value: 'ferry' });
    await addNeighbour(house.catalog);
    const named = { [ORGANIZATION_HEADER]: 'neighbour' };
    expect((await call('GET', '/admin/filters', undefined, named)).body.data).toEqual([]);
    expect((await call('GET', '/admin/filters')).status).toBe(422);
  });
});

describe('/admin/rules', () => {
  test('tells what became of each rule', async () => {
    const { id, organizationId } = { ...(await house.taps.create(house.organizationId, 'news')), ...house };
    const { rule } = await house.rules.create({ kind: 'tap', tapId: id, organizationId }, { value: 'ferry' });
    house.tally.withheld([{ ruleId: rule.id, reason: 'too_old' }]);
    expect(await call('GET', '/admin/rules')).toMatchObject({
      status: 200,
      body: { data: [{ rule_id: rule.id, matches: 0, last_match_at: null, withheld: { too_old: 1, url: 0 } }] },
    });
  });
});

describe('/admin/rules/:id', () => {
  test('pauses a rule, which its report says, and resumes it', async () => {
    const { id, organizationId } = { ...(await house.taps.create(house.organizationId, 'news')), ...house };
    const { rule } = await house.rules.create({ kind: 'tap', tapId: id, organizationId }, { value: 'ferry' });
    const path = `/admin/rules/${rule.id}`;
    expect(await call('PATCH', path, { paused: true })).toMatchObject({ status: 200, body: { data: rule } });
    expect((await call('GET', '/admin/rules')).body.data).toMatchObject([{ paused: true, rule_paused: true }]);
    expect(await call('PATCH', path, { paused: false })).toMatchObject({ status: 200 });
    const { data } = (await call('GET', '/admin/rules')).body;
    expect(data).toMatchObject([{ paused: false }]);
    expect(JSON.stringify(data)).not.toContain('rule_paused');
    expect(await call('PATCH', path, { paused: 'yes' })).toMatchObject({ status: 422 });
    expect(await call('PATCH', '/admin/rules/none', { paused: true })).toMatchObject({ status: 404 });
  });
});

describe('/admin/rules/try', () => {
  test('tells what a rule would have matched, with what is odd about it', async () => {
    expect(await call('POST', '/admin/rules/try', { value: 'ferry and tram', limit: 0 })).toMatchObject({
      status: 200,
      body: { data: { kept: true, complete: true, matches: 0, newest: [] }, diagnostics: [{ severity: 'warning' }] },
    });
    expect((await call('GET', '/admin/rules')).body.data).toEqual([]);
  });

  test.each([
    [{}, { value: ['The value field is required.'] }],
    [{ value: 'titel:x' }, { value: [expect.any(String)] }],
    [{ value: 'x', since_seconds: 86_401 }, { since_seconds: [expect.any(String)] }],
    [{ value: 'x', limit: 101 }, { limit: [expect.any(String)] }],
  ])('refuses %j', async (body, errors) => {
    expect(await call('POST', '/admin/rules/try', body)).toMatchObject({ status: 422, body: { errors } });
  });
});

describe('/admin/matches', () => {
  test('saves once, lists, searches, notes and removes', async () => {
    const { id } = await house.taps.create(house.organizationId, 'news');
    await append(house.storage, house.clock.ms, id);
    const creation = { tap: 'news', event: '0-0', note: 'why' };
    const { status, body } = await call('POST', '/admin/matches', creation);
    expect([status, body]).toMatchObject([201, { data: { note: 'why', saved_by: 'admin' } }]);
    expect(await call('POST', '/admin/matches', creation)).toEqual({ status: 200, body });
    const path = `/admin/matches/${body.data.id}`;
    expect((await call('GET', path)).body).toEqual(body);
    expect((await call('GET', '/admin/matches?q=why&limit=1')).body.data).toEqual([body.data]);
    expect((await call('GET', '/admin/matches?q=nothing')).body.data).toEqual([]);
    expect(await call('PATCH', path, { note: 'because' })).toMatchObject({ body: { data: { note: 'because' } } });
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('GET', path)).status).toBe(404);
  });

  test.each([
    ['POST', '', { tap: 'news' }, { event: ['The event field is required.'] }],
    ['POST', '', { tap: 'news', event: '0-0', note: 'x'.repeat(1_001) }, { note: [expect.any(String)] }],
    ['GET', '?limit=0', undefined, { limit: [expect.any(String)] }],
    ['GET', `?q=${'x'.repeat(1_001)}`, undefined, { q: [expect.any(String)] }],
  ])('refuses %s %s', async (method, query, body, errors) => {
    expect(await call(method, `/admin/matches${query}`, body)).toMatchObject({ status: 422, body: { errors } });
  });
});
