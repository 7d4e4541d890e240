import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAdminServer } from '../../../src/daemon/admin/server.ts';
import type {
  Credit,
  CreditEntry,
  Key,
  KeyCreated,
  Member,
  Organization,
  Usage,
} from '../../../src/shared/api/organization.ts';
import { ORGANIZATION_HEADER } from '../../../src/shared/daemon-notice.ts';
import type { TapCreated } from '../../../src/shared/api/tap.ts';
import { append } from '../../fixtures/visits.ts';
import { RecordingLog } from '../http/api.ts';
import { type House, openHouse } from '../taps/house.ts';
import { uncalledServices } from './uncalled-services.ts';

let house: House;
let server: FastifyInstance;
beforeEach(async () => {
  house = await openHouse();
  server = createAdminServer({ ...house, ...uncalledServices, log: new RecordingLog() });
});
afterEach(() => server.close());

interface Answer<Data> {
  readonly status: number;
  readonly data: Data;
  readonly message: string;
}

async function call<Data>(method: string, url: string, body?: object, organization?: string): Promise<Answer<Data>> {
  const answer = await server.inject({
    method: method as 'GET',
    url,
    ...(body && { payload: body }),
    ...(organization !== undefined && { headers: { [ORGANIZATION_HEADER]: encodeURIComponent(organization) } }),
  });
  const read = (answer.body === '' ? {} : JSON.parse(answer.body)) as { data: Data; message: string };
  return { status: answer.statusCode, data: read.data, message: read.message };
}

describe('/admin/organizations', () => {
  const allowed = { active_taps: 1, watched_urls: 5, checks_a_month: 1_000, fastest_minutes: 180, rules: 25 };

  test('adds, lists, shows and changes', async () => {
    const made = await call<Organization>('POST', '/admin/organizations', { name: 'präss & co', plan: 'Free' });
    expect(made.status).toBe(201);
    const fresh = { name: 'präss & co', plan: 'Free', allowed, own: [], members: 1, taps: 0, active_taps: 0 };
    expect(made.data).toMatchObject({ ...fresh, rules: 0, checks: 0, created_at: '2026-02-27T10:00:00+00:00' });
    const { data: all } = await call<Organization[]>('GET', '/admin/organizations');
    expect(all.map(({ name }) => name)).toEqual(['home', 'präss & co']);
    const path = `/admin/organizations/${made.data.id}`;
    const changed = await call<Organization>('PATCH', path, { limits: { rules: 7, active_taps: null } });
    expect(changed.data).toMatchObject({ allowed: { ...allowed, rules: 7, active_taps: null } });
    expect(changed.data.own).toEqual(['active_taps', 'rules']);
    const more = await call<Organization>('PATCH', path, { limits: { rules: 8 } });
    expect(more.data).toMatchObject({ allowed: { ...allowed, rules: 8, active_taps: null } });
    const reset = await call<Organization>('PATCH', path, { plan: 'Starter', reset_limits: true });
    expect(reset.data).toMatchObject({ plan: 'Starter', own: [] });
    expect((await call<Organization>('GET', path)).data).toEqual(reset.data);
  });

  test.each([
    [{ limits: { fastest_minutes: null } }, 'fastestMinutes: null is not a whole number from 5 to 10080.'],
    [{ limits: { taps: 3 } }, 'The limits field must NOT have additional properties.'],
    [{ plan: 'Gold' }, 'There is no plan "Gold"; plans are Free, Starter, Advanced, Business, API only.'],
  ])('refuses %j', async (change, message) => {
    const answer = await call('PATCH', '/admin/organizations/home', change);
    expect(answer.status).toBe(422);
    expect(answer.message).toContain(message);
  });

  test('the limit of a plan holds for making and resuming taps', async () => {
    await call('PATCH', '/admin/organizations/home', { plan: 'Free' });
    await call('POST', '/v1/taps', { name: 'one' });
    const refused = await call('POST', '/v1/taps', { name: 'two' });
    const message =
      'Tap limit reached. The Free plan allows up to 1 tap. The operator can raise this limit with: hydrant org plan home --taps <count>';
    expect(refused).toMatchObject({ status: 422, message });
    await call('PATCH', '/admin/organizations/home', { limits: { active_taps: 2 } });
    const { data } = await call<TapCreated['data']>('POST', '/v1/taps', { name: 'two' });
    await call('PUT', `/v1/taps/${data.id}`, { status: 'paused' });
    await call('PATCH', '/admin/organizations/home', { reset_limits: true });
    expect(await call('PUT', `/v1/taps/${data.id}`, { status: 'active' })).toMatchObject({ status: 422, message });
  });

  test('the rule limit is the plan’s, or the organization’s own', async () => {
    await call('PATCH', '/admin/organizations/home', { limits: { rules: 1 } });
    const tap = await house.taps.create(house.organizationId, 'news');
    const holder = { kind: 'tap', tapId: tap.id, organizationId: house.organizationId } as const;
    await house.rules.create(holder, { value: 'one' });
    const message = { code: 'rule_limit_reached', facts: { limit: 1 } };
    await expect(house.rules.create(holder, { value: 'two' })).rejects.toMatchObject(message);
    await call('PATCH', '/admin/organizations/home', { limits: { rules: null } });
    for (let made = 1; made < 40; made += 1) await house.rules.create(holder, { value: 'more' });
    expect((await call<Organization>('GET', '/admin/organizations/home')).data.rules).toBe(40);
  });
});

describe('a request of the operator’s', () => {
  test('acts for the organization it names, and must name one where there are several', async () => {
    await call('POST', '/v1/taps', { name: 'ours' });
    await call('POST', '/admin/organizations', { name: 'präss', admin: 'anna' });
    const unnamed = await call('GET', '/v1/taps');
    const message = 'There are 2 organizations; say which one with --org: home, präss.';
    expect(unnamed).toMatchObject({ status: 422, message });
    expect(await call('GET', '/admin/credit')).toMatchObject({ status: 422, message });
    expect((await call<unknown[]>('GET', '/v1/taps', undefined, 'home')).data).toHaveLength(1);
    expect((await call<unknown[]>('GET', '/v1/taps', undefined, 'präss')).data).toEqual([]);
    expect(await call('GET', '/v1/taps', undefined, '%')).toMatchObject({ status: 404 });
    const made = await server.inject({
      method: 'POST',
      url: '/admin/keys',
      payload: { name: 'ci' },
      headers: { [ORGANIZATION_HEADER]: encodeURIComponent('präss') },
    });
    const { key, data } = JSON.parse(made.body) as KeyCreated;
    expect(data).toMatchObject({ name: 'ci', member: 'anna' });
    // The key says whose it is; what else is named makes no difference.
    const headers = { authorization: `Bearer ${key}`, [ORGANIZATION_HEADER]: 'home' };
    const taps = await server.inject({ method: 'GET', url: '/v1/taps', headers });
    expect(JSON.parse(taps.body)).toEqual({ data: [] });
  });
});

describe('/admin/members', () => {
  test('adds, lists, changes and removes; keys go with their admin', async () => {
    const made = await call<Member>('POST', '/admin/members', { name: 'anna' });
    expect(made).toMatchObject({ status: 201, data: { name: 'anna', role: 'member', keys: 0 } });
    expect(await call('POST', '/admin/keys', { name: 'ci', member: 'anna' })).toMatchObject({
      status: 422,
      message: 'Only an admin can have management keys, and anna is a member.',
    });
    await call('PATCH', '/admin/members/anna', { role: 'admin' });
    await call('POST', '/admin/keys', { name: 'ci', member: 'anna' });
    const { data: keys } = await call<Key[]>('GET', '/admin/keys');
    expect(keys.map(({ name, member }) => [name, member])).toEqual([
      ['first key', 'admin'],
      ['ci', 'anna'],
    ]);
    const { data: members } = await call<Member[]>('GET', '/admin/members');
    expect(members.map(({ name, role, keys: own }) => [name, role, own])).toEqual([
      ['admin', 'admin', 1],
      ['anna', 'admin', 1],
    ]);
    expect((await call('DELETE', '/admin/members/anna')).status).toBe(204);
    expect((await call<Key[]>('GET', '/admin/keys')).data).toHaveLength(1);
    expect((await call('DELETE', '/admin/members/admin')).message).toBe(
      'admin is the only admin. An organization needs one.',
    );
    expect((await call('DELETE', '/admin/members/anna')).status).toBe(404);
  });
});

describe('/admin/credit', () => {
  test('is unlimited, becomes a balance, and goes back', async () => {
    const unlimited = { unlimited: true, balance: 0, grants: 0, expires_next: null, match_price: 0.005 };
    expect((await call<Credit>('GET', '/admin/credit')).data).toEqual({ ...unlimited, matches_left: null });
    const set = await call<Credit>('PUT', '/admin/credit', { balance: 12.345 });
    expect(set.data).toMatchObject({ unlimited: false, balance: 12.345, matches_left: 2_469 });
    const granted = await call<Credit>('POST', '/admin/credit/grants', { amount: 0.655, expires_in_seconds: 60 });
    expect(granted.status).toBe(201);
    expect(granted.data).toMatchObject({ balance: 13, grants: 2, expires_next: '2026-02-27T10:01:00+00:00' });
    house.clock.ms += 60_000;
    expect((await call<Credit>('GET', '/admin/credit')).data).toMatchObject({ balance: 12.345 });
    expect((await call<Credit>('PUT', '/admin/credit', { balance: null })).data.unlimited).toBe(true);
    const { data: history } = await call<CreditEntry[]>('GET', '/admin/credit/history');
    expect(history.map(({ kind, amount, left, expired }) => [kind, amount, left, expired])).toEqual([
      ['unlimited', 0, 0, false],
      ['grant', 0.655, 0.655, true],
      ['set', 12.345, 12.345, false],
    ]);
  });

  test.each([
    ['POST', '/admin/credit/grants', { amount: 0 }],
    ['POST', '/admin/credit/grants', { amount: 0.0005 }],
    ['POST', '/admin/credit/grants', { amount: 1.0001 }],
    ['POST', '/admin/credit/grants', { amount: '5' }],
    ['POST', '/admin/credit/grants', { amount: 2_000_000_000 }],
    ['POST', '/admin/credit/grants', { amount: 1, expires_in_seconds: 0 }],
    ['PUT', '/admin/credit', { balance: -1 }],
    ['PUT', '/admin/credit', {}],
  ])('%s %s refuses %j', async (method, url, body) => {
    expect((await call(method, url, body)).status).toBe(422);
    expect((await call<Credit>('GET', '/admin/credit')).data.unlimited).toBe(true);
  });
});

describe('/admin/usage', () => {
  test('tells what was delivered and spent, by tap, day and rule, with their names', async () => {
    const tap = await house.taps.create(house.organizationId, 'news');
    await append(house.storage, house.clock.ms, tap.id, tap.id, tap.id);
    await call('PUT', '/admin/credit', { balance: 1 });
    await house.accounts.metering.deliver(tap.id, 0, 3);
    const usage = async (query: string): Promise<Usage[]> => (await call<Usage[]>('GET', `/admin/usage${query}`)).data;
    expect(await usage('')).toEqual([{ id: tap.id, tap: null, name: 'news', matches: 3, spent: 0.015 }]);
    const row = { tap: null, name: null, matches: 3, spent: 0.015 };
    expect(await usage('?by=day')).toEqual([{ id: '2026-02-27', ...row }]);
    expect(await usage('?by=rule')).toEqual([{ id: 'r1', ...row, tap: tap.id }]);
    house.clock.ms += 8 * 86_400_000;
    expect(await usage('')).toEqual([]);
    expect(await usage('?since_seconds=864000')).toHaveLength(1);
    expect((await call('GET', '/admin/usage?by=week')).status).toBe(422);
    expect((await call('GET', '/admin/usage?since_seconds=week')).status).toBe(422);
  });
});
