import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Credit, CreditEntry, Member, Organization, Usage } from '../../../../src/shared/api/organization.ts';
import { FakeDaemon, type Ran, run, type RunOptions } from '../../harness.ts';

const AT = '2026-02-27T00:00:00+00:00';
const allowed = { active_taps: 1, watched_urls: 5, checks_a_month: 1_000, fastest_minutes: 180, rules: 7 };
const PRESS: Organization = {
  id: '11110000-0000-4000-8000-000000000001',
  name: 'press',
  plan: 'Free',
  allowed,
  own: ['rules'],
  members: 2,
  taps: 3,
  active_taps: 1,
  rules: 4,
  checks: 12,
  created_at: AT,
};
const HOME: Organization = {
  ...PRESS,
  id: '22220000-0000-4000-8000-000000000002',
  name: 'home',
  plan: 'API only',
  own: [],
};
const ANNA: Member = {
  id: '33330000-0000-4000-8000-000000000003',
  name: 'anna',
  role: 'admin',
  keys: 2,
  created_at: AT,
};
const UNLIMITED: Credit = {
  unlimited: true,
  balance: 0,
  grants: 0,
  expires_next: null,
  match_price: 0.005,
  matches_left: null,
};
const BALANCE: Credit = {
  ...UNLIMITED,
  unlimited: false,
  balance: 12.345,
  grants: 2,
  expires_next: AT,
  matches_left: 2_469,
};

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
  daemon
    .on('GET /admin/organizations', 200, { data: [HOME, PRESS] })
    .on('GET /admin/members', 200, { data: [ANNA] })
    .on('GET /admin/credit', 200, { data: BALANCE })
    .on('PUT /admin/credit', 200, { data: BALANCE })
    .on('POST /admin/credit/grants', 201, { data: BALANCE });
});
afterEach(async () => daemon.stop());

async function hydrant(words: string, options: RunOptions = {}): Promise<Ran> {
  return run([...words.split(' '), '--data-dir', daemon.directory], options);
}

describe('hydrant org', () => {
  test('list has a line for each', async () => {
    const { stdout } = await hydrant('org list');
    expect(stdout).toBe(`${HOME.id}\thome\tAPI only\t2\t3\t4\t${AT}\n${PRESS.id}\tpress\tFree\t2\t3\t4\t${AT}\n`);
    expect(JSON.parse((await hydrant('orgs ls --json')).stdout)).toEqual([HOME, PRESS]);
  });

  test('show tells what it has and may have, and what is not of its plan', async () => {
    const { stdout } = await hydrant('org show press');
    expect(stdout).toContain('active taps\t1 of 1\n');
    expect(stdout).toContain('rules\t4 of 7 (set for this organization; not of the plan Free)\n');
    expect(stdout).toContain('checks\t12 of 1,000 this month\n');
    expect((await hydrant('org show --org press')).stdout).toBe(stdout);
    expect(await hydrant('org show')).toMatchObject({ code: 2, stderr: expect.stringContaining('specify one') });
    expect(await hydrant('org show radio')).toMatchObject({
      stderr: expect.stringContaining('no organization `radio`'),
    });
  });

  test('add makes one with its admin', async () => {
    daemon.on('POST /admin/organizations', 201, { data: PRESS });
    const { stdout, stderr } = await hydrant('org add press --plan Free --admin anna');
    expect(daemon.sent('POST /admin/organizations')[0]?.body).toEqual({ name: 'press', plan: 'Free', admin: 'anna' });
    expect(stdout).toBe(`${PRESS.id}\n`);
    expect(stderr).toContain('hydrant key create laptop --org press');
  });

  test('plan changes the plan, or limits apart from it', async () => {
    const route = `PATCH /admin/organizations/${PRESS.id}`;
    daemon.on(route, 200, { data: PRESS });
    expect((await hydrant('org plan press Business')).stderr).toMatch(
      /, \S+ watched URLs \(every \d+ minutes at the fastest\), /,
    );
    await hydrant('org plan press --rules 100 --taps none --cadence 10');
    await hydrant('org plan press --reset');
    await hydrant('org rename press news');
    expect(daemon.sent(route).map(({ body }) => body)).toEqual([
      { plan: 'Business' },
      { limits: { rules: 100, active_taps: null, fastest_minutes: 10 } },
      { reset_limits: true },
      { name: 'news' },
    ]);
    expect(await hydrant('org plan press')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nothing to change'),
    });
    expect((await hydrant('org plan press --rules many')).code).toBe(2);
  });
});

describe('--org', () => {
  test('names the organization in each request, whatever its letters', async () => {
    let heard: unknown;
    daemon.reply('GET /v1/taps', (request, response) => {
      heard = request.headers['hydrant-organization'];
      response.end(JSON.stringify({ data: [] }));
    });
    await run(['tap', 'list', '--org', 'präss & co', '--data-dir', daemon.directory]);
    expect(heard).toBe('pr%C3%A4ss%20%26%20co');
    await hydrant('tap list', { env: { HYDRANT_ORG: 'press' } });
    expect(heard).toBe('press');
    await hydrant('tap list');
    expect(heard).toBeUndefined();
  });

  test('makes no sense with a key, which has its organization', async () => {
    const env = { HYDRANT_KEY: `svcm_${'k'.repeat(40)}` };
    const { code, stderr } = await run(['tap', 'list', '--org', 'press', '--url', 'http://127.0.0.1:1'], { env });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a key belongs to one organization'),
    });
  });
});

describe('hydrant member', () => {
  test('lists, adds and changes', async () => {
    expect((await hydrant('member list')).stdout).toBe(`${ANNA.id}\tanna\tadmin\t2\t${AT}\n`);
    daemon.on('POST /admin/members', 201, { data: ANNA }).on(`PATCH /admin/members/${ANNA.id}`, 200, { data: ANNA });
    await hydrant('member add anna');
    await hydrant('member add anna --role admin');
    expect(daemon.sent('POST /admin/members').map(({ body }) => body)).toEqual([
      { name: 'anna', role: 'member' },
      { name: 'anna', role: 'admin' },
    ]);
    expect((await hydrant('member role anna admin')).code).toBe(0);
    expect((await hydrant('member role anna chief')).code).toBe(2);
  });

  test('asks before keys are lost', async () => {
    daemon.on(`DELETE /admin/members/${ANNA.id}`, 204).on(`PATCH /admin/members/${ANNA.id}`, 200, { data: ANNA });
    for (const words of ['member remove anna', 'member role anna member']) {
      expect(await hydrant(words)).toMatchObject({ code: 2, stderr: expect.stringContaining('revokes 2 keys') });
      expect((await hydrant(`${words} -y`)).code).toBe(0);
    }
    const { stderr } = await hydrant('member remove anna');
    expect(stderr).toContain('deletes the watches of anna with their history; taps and their streams stay');
  });
});

describe('hydrant credit', () => {
  test('show tells what is left, and what it is enough for', async () => {
    expect((await hydrant('credit show')).stdout).toBe(
      `balance  12.345 of 2 grants\na match  0.005\nenough   for 2,469 matches\nexpires  the first grant ${AT}\n`,
    );
    expect((await hydrant('credit show -q')).stdout).toBe('12.345\n');
    expect(JSON.parse((await hydrant('credit show --json')).stdout)).toEqual(BALANCE);
  });

  test('show says that it is unlimited', async () => {
    const other = await FakeDaemon.onSocket();
    other.on('GET /admin/credit', 200, { data: UNLIMITED });
    const { stdout } = await run(['credit', 'show', '--data-dir', other.directory]);
    expect(stdout).toBe('credit   unlimited\na match  0.005\n');
    await other.stop();
  });

  test('grant and set send credits, and when they expire', async () => {
    await hydrant('credit grant 0.005 --expires 90d');
    await hydrant('credit grant 100');
    expect(daemon.sent('POST /admin/credit/grants').map(({ body }) => body)).toEqual([
      { amount: 0.005, expires_in_seconds: 90 * 86_400 },
      { amount: 100 },
    ]);
    expect(await hydrant('credit set 5')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('It is 12.345 now'),
    });
    await hydrant('credit set 5 -y');
    await hydrant('credit set 50');
    await hydrant('credit unlimited');
    expect(daemon.sent('PUT /admin/credit').map(({ body }) => body)).toEqual([
      { balance: 5 },
      { balance: 50 },
      { balance: null },
    ]);
    for (const words of ['grant 0.0005', 'grant -5', 'grant many', 'grant 1 --expires 11y']) {
      expect((await hydrant(`credit ${words}`)).code).toBe(2);
    }
  });

  test('history lists what was granted, and what was lost', async () => {
    const entry: CreditEntry = {
      at: AT,
      kind: 'grant',
      amount: 5,
      left: 2,
      withdrawn: 0,
      expires_at: AT,
      expired: true,
    };
    const unlimited: CreditEntry = {
      ...entry,
      kind: 'unlimited',
      amount: 0,
      left: 0,
      expires_at: null,
      expired: false,
    };
    daemon.on('GET /admin/credit/history', 200, { data: [unlimited, entry] });
    expect((await hydrant('credit history')).stdout).toBe(
      `${AT}\tunlimited\t0\t0\t0\t\n${AT}\tgrant\t5\t2\t0\t${AT}\n`,
    );
    expect((await hydrant('credit history', { columns: 100 })).stdout).toContain('2 lost');
  });
});

describe('hydrant usage', () => {
  const row: Usage = {
    id: '44440000-0000-4000-8000-000000000004',
    tap: null,
    name: 'news',
    matches: 1_234,
    spent: 6.17,
  };

  test('sums up by tap for a week, or as it is told', async () => {
    daemon
      .on('GET /admin/usage?by=tap&since_seconds=604800', 200, { data: [row] })
      .on('GET /admin/usage?by=rule&since_seconds=86400', 200, { data: [{ ...row, tap: 't-1', name: null }] })
      .on('GET /admin/usage?by=day&since_seconds=604800', 200, { data: [{ ...row, id: '2026-02-27', name: null }] });
    expect((await hydrant('usage')).stdout).toBe(`${row.id}\tnews\t1234\t6.17\n`);
    expect((await hydrant('usage --by rule --since 1d')).stdout).toBe(`${row.id}\tt-1\t\t1234\t6.17\n`);
    expect((await hydrant('usage --by day')).stdout).toBe('2026-02-27\t1234\t6.17\n');
    expect((await hydrant('usage --by rule --since 1d', { columns: 100 })).stdout).toContain('(gone)');
    expect(JSON.parse((await hydrant('usage --json')).stdout)).toEqual([row]);
    expect((await hydrant('usage --by week')).code).toBe(2);
  });
});

test.each(['org list', 'member list', 'credit show', 'usage'])(
  '%s is refused elsewhere by its own name',
  async (words) => {
    const env = { HYDRANT_URL: 'https://water.example', HYDRANT_KEY: `svcm_${'k'.repeat(40)}` };
    const { code, stderr } = await run(words.split(' '), { env });
    expect(code).toBe(2);
    expect(stderr).toContain(`\`hydrant ${words.split(' ')[0]}\` works on the daemon's own machine only`);
  },
);
