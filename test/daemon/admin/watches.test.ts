import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAdminServer } from '../../../src/daemon/admin/server.ts';
import { ORGANIZATION_HEADER } from '../../../src/shared/daemon-notice.ts';
import type { WatchBatchReport, WatchNews, WatchReport } from '../../../src/shared/api/watch.ts';
import { NO_OPTIONS } from '../../../src/shared/api/watch-values.ts';
import { baselineCheckOf, changedCheckOf, checkOf, failedCheckOf } from '../../fixtures/watches.ts';
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

interface Answer<Data> {
  readonly status: number;
  readonly data: Data;
  readonly message: string;
  readonly errors: unknown;
}

async function call<Data = unknown>(
  method: string,
  path: string,
  payload?: object,
  headers: Record<string, string> = {},
): Promise<Answer<Data>> {
  const answer = await server.inject({ method: method as 'GET', url: path, headers, ...(payload && { payload }) });
  const body = (answer.body === '' ? {} : JSON.parse(answer.body)) as Answer<Data>;
  return { ...body, status: answer.statusCode };
}

const url = 'https://example.org/pricing';
const at = (minute: number): number => Date.UTC(2026, 1, 27, 10, minute);

async function add(different: object = {}): Promise<WatchReport> {
  return (await call<WatchReport>('POST', '/admin/watches', { url, frequency_minutes: 60, ...different })).data;
}

/** A baseline, a change, a failure and a change back. */
async function history(id: string): Promise<void> {
  const { watches } = house.storage;
  await watches.commitCheck(baselineCheckOf(id, ['Starter: 9'], { at: at(1) }));
  await watches.commitCheck(changedCheckOf(id, ['Starter: 9'], ['Starter: 12'], { at: at(2), title: 'Plans' }));
  await watches.commitCheck(failedCheckOf(id, { at: at(3) }));
  await watches.commitCheck(changedCheckOf(id, ['Starter: 12'], ['Starter: 9'], { at: at(4) }));
}

const hunk = (del: string, ins: string) => ({ before: 1, after: 1, blocks: [{ del: [del], ins: [ins] }] });

describe('/admin/watches', () => {
  test('makes a watch with options, for the first admin: 201 and all that is known of it', async () => {
    const options = { select: ['main'], ignore: ['/^Visitors: /'], only: 'added', confirm: true };
    const { status, data } = await call('POST', '/admin/watches', { url, frequency_minutes: 60, options });
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.any(String) as string,
      url,
      frequency_minutes: 60,
      status: 'active',
      change_count: 0,
      last_checked_at: null,
      created_at: '2026-02-27T10:00:00+00:00',
      member: 'admin',
      options: { ...NO_OPTIONS, ...options },
      effective_minutes: 60,
      next_check_at: '2026-02-27T10:00:00+00:00',
      held: null,
      checks: 0,
      last_success_at: null,
      last_change: null,
      unseen: 0,
      problem: null,
    });
  });

  test('lists the watches of all members, newest first, and shows one', async () => {
    const own = await add();
    const anna = await house.accounts.members.add(house.organizationId, 'anna', 'admin');
    const hers = await house.watches.create(
      { ...house.operator, memberId: anna.id },
      { url: `${url}/2`, frequency_minutes: 5 },
    );
    const { data } = await call<WatchReport[]>('GET', '/admin/watches');
    expect(data.map(({ id, member }) => [id, member])).toEqual([
      [hers.id, 'anna'],
      [own.id, 'admin'],
    ]);
    expect((await call('GET', `/admin/watches/${own.id}`)).data).toEqual(own);
  });

  test('tells of changes, of what is unseen, and of a failure that lasts', async () => {
    const { id } = await add();
    await history(id);
    await house.storage.watches.commitCheck(failedCheckOf(id, { at: at(5), nextDue: at(65) }));
    expect((await call('GET', `/admin/watches/${id}`)).data).toMatchObject({
      checks: 5,
      change_count: 2,
      unseen: 2,
      last_change: { n: 4, at: '2026-02-27T10:04:00+00:00' },
      last_checked_at: '2026-02-27T10:05:00+00:00',
      last_success_at: '2026-02-27T10:04:00+00:00',
      next_check_at: '2026-02-27T11:05:00+00:00',
      problem: { reason: 'dns', detail: 'no such name', since: '2026-02-27T10:05:00+00:00', failures: 1 },
    });
  });

  test('says when the plan makes checks rarer, and when none is left', async () => {
    const { id } = await add({ frequency_minutes: 5 });
    await house.accounts.organizations.change(house.organizationId, { plan: 'Free' });
    expect((await call('GET', `/admin/watches/${id}`)).data).toMatchObject({
      frequency_minutes: 5,
      effective_minutes: 180,
      held: null,
    });
    await house.accounts.organizations.change(house.organizationId, { plan: 'API only' });
    expect((await call('GET', `/admin/watches/${id}`)).data).toMatchObject({
      status: 'active',
      held: 'quota',
      next_check_at: null,
    });
  });

  test('keeps a title and tags, changes each by itself, and takes them away', async () => {
    const made = await add({ title: ' Prices ', tags: ['shop', 'eu ', 'shop'] });
    expect(made).toMatchObject({ title: 'Prices', tags: ['shop', 'eu'] });
    const change = async (edit: object): Promise<WatchReport> =>
      (await call<WatchReport>('PATCH', `/admin/watches/${made.id}`, edit)).data;
    expect(await change({ tags: ['de'] })).toEqual({ ...made, tags: ['de'] });
    expect(await change({ title: 'Costs' })).toEqual({ ...made, title: 'Costs', tags: ['de'] });
    expect(await change({ title: null, tags: [] })).not.toHaveProperty('title');
    expect(await change({})).not.toHaveProperty('tags');
    expect(await change({ title: '' })).not.toHaveProperty('title');
  });

  test('a change is told with the title and the tags of its watch, and the public API has neither', async () => {
    const { id } = await add({ title: 'Mine', tags: ['shop'] });
    await history(id);
    const { changes } = (await call<WatchNews>('GET', '/admin/watch-changes')).data;
    expect(changes[0]).toMatchObject({ watch: { id, url, title: 'Mine', tags: ['shop'] }, title: 'Plans' });
    const { data } = await house.watches.show(house.operator, id);
    expect(Object.keys(data)).toEqual([
      'id',
      'url',
      'frequency_minutes',
      'status',
      'change_count',
      'last_checked_at',
      'created_at',
    ]);
  });

  test.each([
    [{ title: 'x'.repeat(256) }, 'The title field must have 1 to 255 characters.'],
    [{ title: 'a\nb' }, 'The title field must have no line breaks, control characters or changes of direction.'],
    [{ tags: ['a', ''] }, 'The tags field has the entry "", which must have 1 to 255 characters.'],
    [{ tags: ['a,b'] }, 'The tags field has the entry "a,b", which must not have a comma: tags are given one by one.'],
    [{ tags: Array.from({ length: 21 }, (_, n) => `t${n}`) }, 'The tags field must have at most 20 entries.'],
  ])('refuses %o', async (labels, message) => {
    const order = { url, frequency_minutes: 60, ...labels };
    expect(await call('POST', '/admin/watches', order)).toMatchObject({ status: 422, message });
    const { id } = await add();
    expect(await call('PATCH', `/admin/watches/${id}`, labels)).toMatchObject({ status: 422, message });
    const watches = [
      { ...order, url: `${url}/bad` },
      { ...order, title: 'ok', tags: [], url: `${url}/good` },
    ];
    const batch = await call<WatchBatchReport>('POST', '/admin/watches/batch', { watches });
    expect(batch.data).toMatchObject({
      added: [{ url: `${url}/good`, title: 'ok' }],
      refused: [{ index: 0, message }],
    });
  });

  test('changes options one by one, the cadence and the status', async () => {
    const { id } = await add({ options: { select: ['main'], confirm: true } });
    const edit = { frequency_minutes: 30, status: 'paused', options: { only: 'removed', select: [] } };
    const { status, data } = await call('PATCH', `/admin/watches/${id}`, edit);
    expect([status, data]).toMatchObject([
      200,
      {
        frequency_minutes: 30,
        status: 'paused',
        next_check_at: null,
        options: { ...NO_OPTIONS, only: 'removed', confirm: true },
      },
    ]);
  });

  test.each([
    [{ options: { select: ['div['] } }, /^The select field, entry 1, "div\["/],
    [{ options: { select: [''] } }, /^The options field, select entry 1, must not be empty\.$/],
    [{ options: { trigger: 'titel:x' } }, /titel/],
    [{ options: { only: 'both' } }, /^The options field, only, must be added or removed\.$/],
    [{ frequency_minutes: 7 }, /^The frequency_minutes field must be one of 5, /],
  ])('refuses %j, and keeps what it was', async (edit, sentence) => {
    const before = await add();
    const { status, message } = await call('PATCH', `/admin/watches/${before.id}`, edit);
    expect([status, message]).toEqual([422, expect.stringMatching(sentence)]);
    expect((await call('GET', `/admin/watches/${before.id}`)).data).toEqual(before);
  });

  test('removes a watch', async () => {
    const { id } = await add();
    expect(await call('DELETE', `/admin/watches/${id}`)).toEqual({ status: 204 });
    expect((await call('DELETE', `/admin/watches/${id}`)).status).toBe(404);
  });

  test('takes a batch: what cannot be taken is told with its place, and keeps none of the others out', async () => {
    await add();
    const watches = [
      { url: `${url}/1`, frequency_minutes: 60 },
      { url, frequency_minutes: 60 },
      { url: 'ftp://example.org/', frequency_minutes: 60 },
      { url: `${url}/2`, frequency_minutes: 7 },
      { url: `${url}/1#twice`, frequency_minutes: 60 },
      { url: `${url}/3`, frequency_minutes: 5, options: { ignore: ['.ad'] } },
      { url: `${url}/4`, frequency_minutes: 5, options: { ignore: ['.ad['] } },
    ];
    const { data } = await call<WatchBatchReport>('POST', '/admin/watches/batch', { watches });
    expect(data.added.map((one) => one.url)).toEqual([`${url}/1`, `${url}/3`]);
    expect(data.known).toEqual([
      { index: 1, url, message: 'You are already watching this URL.' },
      { index: 4, url: `${url}/1#twice`, message: 'You are already watching this URL.' },
    ]);
    expect(data.refused.map(({ index }) => index)).toEqual([2, 3, 6]);
    expect(data.refused[1]?.message).toContain('must be one of 5, ');
  });

  test('takes a thousand watches at once, and no more than the plan has places for', async () => {
    await add();
    const watches = Array.from({ length: 1_000 }, (_, index) => ({ url: `${url}/${index}`, frequency_minutes: 60 }));
    const { data } = await call<WatchBatchReport>('POST', '/admin/watches/batch', { watches });
    expect(data.added.length).toBe(999);
    expect(data.refused).toMatchObject([
      { index: 999, message: expect.stringContaining('Watch limit reached') as string },
    ]);
    expect((await call('POST', '/admin/watches/batch', { watches: [...watches, watches[0]] })).status).toBe(422);
  });

  test('asks for a check now, but not of a paused watch, nor when none is left', async () => {
    const { id } = await add();
    await house.storage.watches.commitCheck(checkOf(id, { at: at(0), nextDue: at(60) }));
    house.clock.ms = at(7);
    expect(await call('POST', `/admin/watches/${id}/check`, {})).toEqual({
      status: 200,
      data: { due_at: '2026-02-27T10:07:00+00:00', checks: 1, under_way: false },
    });
    const { storage } = house;
    await storage.watches.takeWatches({ now: at(7), atMost: 1, leaseMs: 60_000, except: [] });
    expect((await call('POST', `/admin/watches/${id}/check`, {})).data).toMatchObject({ checks: 1, under_way: true });
    expect((await house.storage.watches.watch(id))?.due).toBe(at(7));
    await house.accounts.organizations.change(house.organizationId, { limits: { checksAMonth: 0 } });
    expect((await call('POST', `/admin/watches/${id}/check`, {})).message).toContain('Check quota used up.');
    await call('PATCH', `/admin/watches/${id}`, { status: 'paused' });
    expect(await call('POST', `/admin/watches/${id}/check`, {})).toMatchObject({
      status: 422,
      message: `The watch of ${url} is paused. Resume it to have it checked at once.`,
    });
  });
});

describe('the history of a watch', () => {
  test('lists checks newest first, by pages, or its changes alone', async () => {
    const { id } = await add();
    await history(id);
    const path = `/admin/watches/${id}/checks`;
    const all = [
      { n: 4, at: '2026-02-27T10:04:00+00:00', outcome: 'changed', recovered: 1, lines: { inserted: 1, deleted: 1 } },
      { n: 3, at: '2026-02-27T10:03:00+00:00', outcome: 'failed', reason: 'dns', detail: 'no such name' },
      { n: 2, at: '2026-02-27T10:02:00+00:00', outcome: 'changed', lines: { inserted: 1, deleted: 1 } },
      { n: 1, at: '2026-02-27T10:01:00+00:00', outcome: 'baseline' },
    ];
    expect((await call('GET', path)).data).toEqual(all);
    expect((await call('GET', `${path}?before=4&limit=2`)).data).toEqual(all.slice(1, 3));
    expect((await call('GET', `${path}?changes=true`)).data).toEqual([all[0], all[2]]);
    expect((await call('GET', `${path}?limit=1001`)).errors).toEqual({
      limit: ['limit must be a whole number from 1 to 1000.'],
    });
  });

  test('shows one check with its hunks and their places', async () => {
    const { id } = await add();
    await history(id);
    expect((await call('GET', `/admin/watches/${id}/checks/2`)).data).toEqual({
      n: 2,
      at: '2026-02-27T10:02:00+00:00',
      outcome: 'changed',
      lines: { inserted: 1, deleted: 1 },
      hunks: [hunk('Starter: 9', 'Starter: 12')],
    });
    for (const n of ['5', '0', '-1', 'x']) {
      expect((await call('GET', `/admin/watches/${id}/checks/${n}`)).message).toBe('There is no such check.');
    }
  });

  test('shows any version, as the check left it, and compares two', async () => {
    const { id } = await add();
    await history(id);
    const second = { n: 2, at: '2026-02-27T10:02:00+00:00', lines: ['Starter: 12'] };
    expect((await call('GET', `/admin/watches/${id}/versions/2`)).data).toEqual(second);
    expect((await call('GET', `/admin/watches/${id}/versions/3`)).data).toEqual(second);
    expect((await call('GET', `/admin/watches/${id}/comparison?from=1&to=3`)).data).toEqual({
      from: { n: 1, at: '2026-02-27T10:01:00+00:00', lines: ['Starter: 9'] },
      to: second,
      hunks: [hunk('Starter: 9', 'Starter: 12')],
    });
    expect((await call('GET', `/admin/watches/${id}/versions/x`)).message).toBe('There is no such version.');
    expect((await call('GET', `/admin/watches/${id}/comparison?from=1`)).errors).toEqual({
      to: ['The to parameter is required.'],
    });
  });

  test('explains the newest check that has read the page', async () => {
    const { id } = await add();
    expect((await call('GET', `/admin/watches/${id}/explanation`)).status).toBe(404);
    const told = { request: { conditional: false }, answer: { status: 200, url, content_type: 'text/html', bytes: 9 } };
    const { watches } = house.storage;
    await watches.commitCheck(baselineCheckOf(id, ['Plans'], { at: at(1), explanation: JSON.stringify(told) }));
    await watches.commitCheck(checkOf(id, { at: at(2), note: 'not_modified' }));
    expect((await call('GET', `/admin/watches/${id}/explanation`)).data).toEqual({
      check: { n: 1, at: '2026-02-27T10:01:00+00:00', outcome: 'baseline' },
      ...told,
    });
  });

  test('is seen up to a check', async () => {
    const { id } = await add();
    await history(id);
    expect(await call('POST', `/admin/watches/${id}/seen`, { n: 2 })).toEqual({ status: 204 });
    expect((await call('GET', `/admin/watches/${id}`)).data).toMatchObject({ unseen: 1 });
    expect((await call('POST', `/admin/watches/${id}/seen`, { n: -1 })).status).toBe(422);
  });

  test('of another organization is not there, on any route', async () => {
    const { id } = await add();
    await history(id);
    await addNeighbour(house.catalog, 'Business');
    const named = { [ORGANIZATION_HEADER]: 'neighbour' };
    const asked = [
      ['GET', ''],
      ['PATCH', '', { status: 'paused' }],
      ['DELETE', ''],
      ['POST', '/check', {}],
      ['GET', '/checks'],
      ['GET', '/checks/2'],
      ['GET', '/versions/2'],
      ['GET', '/comparison?from=1&to=2'],
      ['GET', '/explanation'],
      ['POST', '/seen', { n: 2 }],
    ] as const;
    for (const [method, path, body] of asked) {
      const { status, message } = await call(method, `/admin/watches/${id}${path}`, body, named);
      expect([method, path, status, message]).toEqual([method, path, 404, 'There is no such watch.']);
    }
    expect((await call('GET', '/admin/watches', undefined, named)).data).toEqual([]);
    expect((await call('GET', '/admin/watches')).errors).toMatchObject({ organization: [expect.anything()] });
  });
});

describe('/admin/watch-changes', () => {
  const ask = async (query: string): Promise<WatchNews> =>
    (await call<WatchNews>('GET', `/admin/watch-changes${query}`)).data;

  test('gives changes of all watches after a cursor, oldest first, and the cursor to go on with', async () => {
    const [one, other] = [await add(), await add({ url: `${url}/2` })];
    await history(one.id);
    await house.storage.watches.commitCheck(changedCheckOf(other.id, ['a'], ['b'], { at: at(9) }));
    const first = await ask('?limit=2');
    expect(first.changes).toMatchObject([
      { watch: { id: one.id, url }, title: 'Plans', check: { n: 2, hunks: [hunk('Starter: 9', 'Starter: 12')] } },
      { watch: { id: one.id, url }, check: { n: 4 } },
    ]);
    const rest = await ask(`?after=${first.cursor}`);
    expect(rest.changes).toMatchObject([{ watch: { id: other.id }, check: { n: 1 } }]);
    expect(await ask(`?after=${rest.cursor}`)).toEqual({
      changes: [],
      cursor: rest.cursor,
      organization_id: house.organizationId,
    });
  });

  test('gives the newest first, and a cursor for what comes after them', async () => {
    expect(await ask('?newest=true')).toEqual({ changes: [], cursor: 0, organization_id: house.organizationId });
    const { id } = await add();
    await history(id);
    const { changes, cursor } = await ask('?newest=true&limit=1');
    expect(changes).toMatchObject([{ check: { n: 4 } }]);
    expect(await ask(`?after=${cursor}`)).toEqual({ changes: [], cursor, organization_id: house.organizationId });
  });

  test('gives those of one watch', async () => {
    const [one, other] = [await add(), await add({ url: `${url}/2` })];
    await history(one.id);
    expect((await ask(`?watch=${other.id}`)).changes).toEqual([]);
    expect((await ask(`?watch=${one.id}`)).changes.length).toBe(2);
    expect((await call('GET', '/admin/watch-changes?watch=none')).status).toBe(404);
  });

  test('waits for a change where there is none, and is answered with it', async () => {
    const { id } = await add();
    const waiting = ask('?after=0&wait=25');
    await until(() => house.watchNews.size === 1);
    await house.storage.watches.commitCheck(changedCheckOf(id, ['a'], ['b'], { at: at(1) }));
    house.watchNews.notify(house.organizationId);
    expect((await waiting).changes).toMatchObject([{ check: { n: 1 } }]);
    expect(house.watchNews.size).toBe(0);
  });

  test('does not wait where there is a change', async () => {
    const { id } = await add();
    await house.storage.watches.commitCheck(changedCheckOf(id, ['a'], ['b'], { at: at(1) }));
    expect((await ask('?after=0&wait=25')).changes.length).toBe(1);
    expect(house.watchNews.size).toBe(0);
  });

  test('answers whoever waits when the server closes', async () => {
    const waiting = ask('?after=0&wait=25');
    await until(() => house.watchNews.size === 1);
    await server.close();
    expect(await waiting).toEqual({ changes: [], cursor: 0, organization_id: house.organizationId });
  });

  test.each([
    ['wait=26', 'wait must be a whole number from 0 to 25.'],
    ['limit=0', 'limit must be a whole number from 1 to 100.'],
    ['after=-1', 'after must be a whole number of 0 or more.'],
    ['newest=true&wait=1', 'wait and newest cannot be combined.'],
  ])('refuses %s by name', async (query, sentence) => {
    expect(await call('GET', `/admin/watch-changes?${query}`)).toMatchObject({ status: 422, message: sentence });
  });
});

/** Turns of the event loop, until it is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
