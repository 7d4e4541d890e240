import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Api } from './api.ts';
import type { CrawlEntry, Watch } from '../../../src/shared/api/watch.ts';
import { baselineCheckOf, changedCheckOf, checkOf, failedCheckOf } from '../../fixtures/watches.ts';
import { zstdCompressSync } from 'node:zlib';

let api: Api;
let key: string;
beforeAll(async () => {
  api = await Api.open();
  key = api.house.key;
});
afterAll(() => api.close());
beforeEach(async () => {
  await api.house.storage.watches.removeWatchesOf({ organizationId: api.house.organizationId });
});

const url = 'https://example.org/pricing';
type One = { readonly data: Watch; readonly diffs: readonly CrawlEntry[] };

async function create(different: object = {}): Promise<Watch> {
  const { body } = await api.call<One>('POST', '/v1/url-watch', key, { url, frequency_minutes: 60, ...different });
  return body.data;
}

describe('POST /v1/url-watch', () => {
  test('creates a watch: 201 and all its fields, active, never checked', async () => {
    const { status, headers, body } = await api.call<One>('POST', '/v1/url-watch', key, { url, frequency_minutes: 60 });
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string,
        url,
        frequency_minutes: 60,
        status: 'active',
        change_count: 0,
        last_checked_at: null,
        created_at: '2026-02-27T10:00:00+00:00',
      },
    });
  });

  test.each([
    [{}, { url: ['The url field is required.'], frequency_minutes: ['The frequency_minutes field is required.'] }],
    [{ url, frequency_minutes: '60' }, { frequency_minutes: ['The frequency_minutes field must be a whole number.'] }],
    [{ url, frequency_minutes: 1.5 }, { frequency_minutes: ['The frequency_minutes field must be a whole number.'] }],
    [{ url: '', frequency_minutes: 60 }, { url: ['The url field must not be empty.'] }],
    [
      { url: `https://example.org/${'a'.repeat(2_029)}`, frequency_minutes: 60 },
      { url: ['The url field must not be longer than 2048 characters.'] },
    ],
    [
      { url, frequency_minutes: 7 },
      {
        frequency_minutes: [
          'The frequency_minutes field must be one of 5, 10, 30, 60, 180, 360, 720, 1440, 2880, 7200, 10080.',
        ],
      },
    ],
  ])('refuses %j with 422 and a sentence for the field', async (sent, errors) => {
    const { status, body } = await api.call('POST', '/v1/url-watch', key, sent);
    expect(status).toBe(422);
    expect(body).toEqual({ message: Object.values(errors).flat().join(' '), errors });
  });

  test('takes a URL of 2048 characters', async () => {
    const long = `https://example.org/${'a'.repeat(2_028)}`;
    expect((await create({ url: long })).url).toBe(long);
  });

  test('says so when the URL is watched already', async () => {
    await create();
    const { status, body } = await api.call('POST', '/v1/url-watch', key, { url: `${url}#x`, frequency_minutes: 5 });
    const message = 'You are already watching this URL.';
    expect([status, body]).toEqual([422, { message, errors: { url: [message] } }]);
  });
});

describe('GET /v1/url-watch', () => {
  test('lists the watches, newest first, with a limit or without', async () => {
    for (const one of [1, 2, 3]) await create({ url: `${url}/${one}` });
    const urls = async (query: string): Promise<string[]> =>
      (await api.call<{ data: Watch[] }>('GET', `/v1/url-watch${query}`, key)).body.data.map((one) =>
        one.url.slice(-1),
      );
    expect(await urls('')).toEqual(['3', '2', '1']);
    expect(await urls('?limit=2')).toEqual(['3', '2']);
    expect(await urls('?limit=1000')).toEqual(['3', '2', '1']);
  });

  test.each(['0', '1001', 'x', '-1', '1.5', ''])('refuses limit=%s by name', async (limit) => {
    const { status, body } = await api.call('GET', `/v1/url-watch?limit=${limit}`, key);
    const message = 'limit must be a whole number from 1 to 1000.';
    expect([status, body]).toEqual([422, { message, errors: { limit: [message] } }]);
  });

  test('refuses a limit that is given twice', async () => {
    const { status, body } = await api.call('GET', '/v1/url-watch?limit=1&limit=2', key);
    expect([status, body.message]).toEqual([422, 'limit may be given once only.']);
  });
});

describe('GET /v1/url-watch/:id', () => {
  const at = (minute: number): number => Date.UTC(2026, 1, 27, 10, minute);

  test('shows the watch and its crawls, newest first: baseline, failed, unchanged and changed', async () => {
    const { id } = await create();
    const { watches } = api.house.storage;
    await watches.commitCheck(baselineCheckOf(id, ['Starter: 9'], { at: at(0) }));
    await watches.commitCheck(failedCheckOf(id, { at: at(1) }));
    await watches.commitCheck(checkOf(id, { at: at(2) }));
    await watches.commitCheck(changedCheckOf(id, ['Starter: 9'], ['Starter: 12'], { at: at(3) }));
    const { body } = await api.call<One>('GET', `/v1/url-watch/${id}`, key);
    expect(Object.keys(body)).toEqual(['data', 'diffs']);
    expect(body.data).toMatchObject({ id, change_count: 1, last_checked_at: '2026-02-27T10:03:00+00:00' });
    expect(body.diffs).toEqual([
      {
        diff: { hunks: [[{ del: ['Starter: 9'], ins: ['Starter: 12'] }]] },
        has_changes: true,
        created_at: '2026-02-27T10:03:00+00:00',
      },
      { diff: null, has_changes: false, created_at: '2026-02-27T10:02:00+00:00' },
      { diff: null, has_changes: false, created_at: '2026-02-27T10:01:00+00:00' },
      { diff: null, has_changes: false, created_at: '2026-02-27T10:00:00+00:00' },
    ]);
  });

  test('shows entries of the older format as they were stored', async () => {
    const { id } = await create();
    const chunks = [
      { typ: 'del', text: 'Starter: 9' },
      { typ: 'ins', text: 'Starter: 12' },
    ];
    const packed = new Uint8Array(zstdCompressSync(JSON.stringify({ chunks })));
    const diff = { packed, inserted: 1, deleted: 1 };
    await api.house.storage.watches.commitCheck(changedCheckOf(id, [], [], { at: at(0), diff }));
    const { body } = await api.call<One>('GET', `/v1/url-watch/${id}`, key);
    expect(body.diffs).toMatchObject([{ diff: { chunks }, has_changes: true }]);
  });

  test('shows 50 crawls, or from 1 to 100 of them', async () => {
    const { id } = await create();
    for (let n = 0; n < 120; n += 1) await api.house.storage.watches.commitCheck(checkOf(id, { at: at(n) }));
    const count = async (query: string): Promise<number> =>
      (await api.call<One>('GET', `/v1/url-watch/${id}${query}`, key)).body.diffs.length;
    expect(await count('')).toBe(50);
    expect(await count('?limit=1')).toBe(1);
    expect(await count('?limit=100')).toBe(100);
    for (const limit of ['0', '101', 'all']) {
      const { status, body } = await api.call('GET', `/v1/url-watch/${id}?limit=${limit}`, key);
      expect([status, body.errors]).toEqual([422, { limit: ['limit must be a whole number from 1 to 100.'] }]);
    }
  });

  test('says nothing of why a crawl failed, nor of what the operator has set', async () => {
    const { id } = await create();
    const failure = { reason: 'dns', detail: 'no such name', status: 599 };
    await api.house.storage.watches.commitCheck(failedCheckOf(id, { at: at(0), failure }));
    const { body } = await api.call<One>('GET', `/v1/url-watch/${id}`, key);
    expect(JSON.stringify(body)).not.toMatch(/dns|no such name|599|options|select|member|organization/);
    expect(Object.keys(body.data)).toHaveLength(7);
  });
});

describe('PUT /v1/url-watch/:id', () => {
  test('changes the frequency or the status alone, or nothing, and answers the watch', async () => {
    const { id } = await create();
    const put = async (sent: object) => {
      const { status, body } = await api.call<One>('PUT', `/v1/url-watch/${id}`, key, sent);
      return [status, body.data.frequency_minutes, body.data.status];
    };
    expect(await put({ frequency_minutes: 30 })).toEqual([200, 30, 'active']);
    expect(await put({ status: 'paused' })).toEqual([200, 30, 'paused']);
    expect(await put({})).toEqual([200, 30, 'paused']);
    expect(await put({ frequency_minutes: 60, status: 'active' })).toEqual([200, 60, 'active']);
  });

  test.each([
    [{ status: 'stopped' }, { status: ['The status field must be active or paused.'] }],
    [{ frequency_minutes: null }, { frequency_minutes: ['The frequency_minutes field must be a whole number.'] }],
  ])('refuses %j and changes nothing', async (sent, errors) => {
    const before = await create();
    const { status, body } = await api.call('PUT', `/v1/url-watch/${before.id}`, key, {
      frequency_minutes: 5,
      ...sent,
    });
    expect([status, body.errors]).toEqual([422, errors]);
    expect((await api.call<One>('GET', `/v1/url-watch/${before.id}`, key)).body.data).toEqual(before);
  });

  test('takes back what GET has given, and changes nothing', async () => {
    const before = await create();
    const { body } = await api.call<One>('PUT', `/v1/url-watch/${before.id}`, key, before);
    expect(body.data).toEqual(before);
  });
});

test('DELETE /v1/url-watch/:id: 204 without a body, and it is gone', async () => {
  const { id } = await create();
  const { status, body } = await api.call('DELETE', `/v1/url-watch/${id}`, key);
  expect([status, body]).toEqual([204, undefined]);
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const answer = await api.call(method, `/v1/url-watch/${id}`, key);
    expect([answer.status, answer.body.message]).toEqual([404, 'There is no such watch.']);
  }
  expect((await create()).url).toBe(url);
});
