import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAdminServer } from '../../../src/daemon/admin/server.ts';
import type { Sources } from '../../../src/daemon/crawl/sources.ts';
import { Problem } from '../../../src/daemon/problem.ts';
import { DomainRatings } from '../../../src/daemon/ratings/domain-ratings.ts';
import type { Key, KeyCreated } from '../../../src/shared/api/organization.ts';
import type { DomainRating, RatingImport, RatingStatus } from '../../../src/shared/api/rating.ts';
import type {
  Source,
  SourceBatch,
  SourceBatchReport,
  SourceChange,
  SourceCreation,
} from '../../../src/shared/api/crawl.ts';
import type { TapCreated } from '../../../src/shared/api/tap.ts';
import { uncalledServices } from './uncalled-services.ts';
import { uncalled } from '../../fixtures/uncalled.ts';
import { idleStatus as status } from '../../fixtures/status.ts';
import { type Answer, RecordingLog } from '../http/api.ts';
import { type House, openHouse } from '../taps/house.ts';

/** Sources as a list; it refuses what the crawl would refuse. */
class SourceList implements Partial<Sources> {
  readonly added: SourceCreation[] = [];

  async list(): Promise<Source[]> {
    return this.added.map((creation, index) => toSource(creation, index));
  }

  async add(creation: SourceCreation): Promise<Source> {
    if (creation.url.startsWith('http://10.')) {
      throw new Problem('private_address', { url: creation.url, detail: '10.0.0.1 is a private address.' });
    }
    if (this.added.some((other) => other.url === creation.url)) {
      throw new Problem('source_exists', { url: creation.url });
    }
    return toSource(creation, this.added.push(creation) - 1);
  }

  async show(id: string): Promise<Source> {
    const found = this.added[Number(id)];
    if (found === undefined) throw new Problem('not_found', { resource: 'source' });
    return toSource(found, Number(id));
  }

  async addAll(creations: SourceBatch['sources']): Promise<SourceBatchReport> {
    return { added: creations.map(toSource), known: [], refused: [] };
  }

  async edit(id: string, change: SourceChange): Promise<Source> {
    const { request: _request, render: _render, ...terms } = change;
    return { ...(await this.show(id)), ...terms };
  }

  async remove(id: string): Promise<void> {
    if (this.added[Number(id)] === undefined) throw new Problem('not_found', { resource: 'source' });
    this.added.splice(Number(id), 1);
  }
}

function toSource({ url, scope = 'page' }: SourceCreation, index: number): Source {
  const rest = { created_at: status.started_at, pages: 1, visits: 0, last_visit: null, next_visit_at: null };
  const terms = { depth: null, every_seconds: 600, max_pages: 1, baseline: false, paused: false };
  return { id: String(index), url, scope, ...terms, ...rest };
}

let house: House;
let sources: SourceList;
let server: FastifyInstance;
let directory: string;
let socketPath: string;

beforeEach(async () => {
  house = await openHouse();
  sources = new SourceList();
  const { storage, clock: outside } = house;
  const ratings = new DomainRatings({ ratings: storage.ratings, outside, onError: () => undefined });
  server = createAdminServer({
    ...house,
    ...uncalledServices,
    log: new RecordingLog(),
    sources: uncalled<Sources>('sources', sources),
    ratings,
    status: async () => status,
  });
  directory = await mkdtemp(join(tmpdir(), 'hydrant-'));
  socketPath = join(directory, 'admin.sock');
  await server.listen({ path: socketPath });
});
afterEach(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

function call<Body = { message: string; errors?: unknown }>(
  method: string,
  path: string,
  body?: object,
  key?: string,
): Promise<Pick<Answer<Body>, 'status' | 'body'>> {
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, method, path, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: (text === '' ? undefined : JSON.parse(text)) as Body }),
      );
    });
    asked.on('error', reject);
    asked.end(body && JSON.stringify(body));
  });
}

describe('the operator’s socket', () => {
  test('answers the public routes, and a request without a key is the operator’s', async () => {
    const { status, body } = await call<TapCreated>('POST', '/v1/taps', { name: 'news' });
    expect(status).toBe(201);
    expect(house.taps.list(house.organizationId).map((tap) => tap.id)).toEqual([body.data.id]);
    expect((await call('GET', '/v1/taps')).status).toBe(200);
  });

  test('still wants the token where a tap acts, and judges a key that is given', async () => {
    const { token } = await house.taps.create(house.organizationId, 'news');
    expect((await call('GET', '/v1/rules')).status).toBe(401);
    expect((await call('GET', '/v1/rules', undefined, token)).status).toBe(200);
    expect((await call('GET', '/v1/taps', undefined, token)).status).toBe(401);
    expect((await call('GET', '/v1/taps', undefined, house.key)).status).toBe(200);
  });

  test('tells the status', async () => {
    expect(await call('GET', '/admin/status')).toEqual({ status: 200, body: { data: status } });
  });

  test('answers what it does not know as the public API does', async () => {
    const { status, body } = await call('GET', '/admin/nothing');
    expect({ status, body }).toEqual({ status: 404, body: { message: 'There is no such route: GET /admin/nothing.' } });
  });
});

describe('/admin/keys', () => {
  test('creates a key that works and is shown once, lists keys without it, and revokes it', async () => {
    const created = await call<KeyCreated>('POST', '/admin/keys', { name: 'ci' });
    expect(created.status).toBe(201);
    const { data, key } = created.body;
    expect(data).toEqual({
      id: data.id,
      name: 'ci',
      member: 'admin',
      prefix: key.slice(0, 9),
      created_at: '2026-02-27T10:00:00+00:00',
    });
    expect(house.keys.authenticate(key)).toEqual(house.operator);

    const list = await call<{ data: Key[] }>('GET', '/admin/keys');
    expect(list.body.data.map((found) => found.name)).toEqual(['first key', 'ci']);
    expect(JSON.stringify(list.body)).not.toContain(key);
    expect(Object.keys(list.body.data[0] ?? {}).sort()).toEqual(['created_at', 'id', 'member', 'name', 'prefix']);

    expect(await call('DELETE', `/admin/keys/${data.id}`)).toEqual({ status: 204, body: undefined });
    expect(house.keys.authenticate(key)).toBeUndefined();
    expect((await call('DELETE', `/admin/keys/${data.id}`)).status).toBe(404);
  });

  test('revokes by name, however long and odd, and the last key too', async () => {
    const name = '🦩/'.repeat(127);
    expect((await call('POST', '/admin/keys', { name })).status).toBe(201);
    expect((await call('DELETE', `/admin/keys/${encodeURIComponent(name)}`)).status).toBe(204);
    expect((await call('DELETE', '/admin/keys/first%20key')).status).toBe(204);
    expect((await call<{ data: Key[] }>('GET', '/admin/keys')).body.data).toEqual([]);
    expect((await call('POST', '/admin/keys', { name: 'anew' })).status).toBe(201);
  });

  test('refuses a name two keys have, a missing name, and the 101st key', async () => {
    for (let made = 1; made < 100; made += 1) await house.keys.create('twin', house.operator.memberId);
    expect(await call('DELETE', '/admin/keys/twin')).toMatchObject({ status: 422 });
    const errors = { name: ['The name field is required.'] };
    expect(await call('POST', '/admin/keys', {})).toMatchObject({ status: 422, body: { errors } });
    const message =
      'Key limit reached. An organization may have up to 100 management keys. Revoke one that nobody uses: hydrant key revoke <name>';
    expect(await call('POST', '/admin/keys', { name: 'x' })).toMatchObject({ status: 422, body: { message } });
  });
});

describe('/admin/sources', () => {
  test('adds, lists and removes', async () => {
    const url = 'http://news.example/';
    const added = await call<{ data: Source }>('POST', '/admin/sources', { url, scope: 'host', every_seconds: 60 });
    expect(added.status).toBe(201);
    expect(added.body.data).toMatchObject({ url, scope: 'host' });
    expect(sources.added).toEqual([{ url, scope: 'host', every_seconds: 60 }]);
    expect((await call<{ data: Source[] }>('GET', '/admin/sources')).body.data).toHaveLength(1);
    const path = `/admin/sources/${added.body.data.id}`;
    expect((await call<{ data: Source }>('GET', path)).body.data).toEqual(added.body.data);
    const edited = await call<{ data: Source }>('PATCH', path, { paused: true, every_seconds: null, depth: 3 });
    expect(edited.body.data).toEqual({ ...added.body.data, paused: true, every_seconds: null, depth: 3 });
    expect((await call('DELETE', `/admin/sources/${added.body.data.id}`)).status).toBe(204);
    expect((await call('DELETE', `/admin/sources/${added.body.data.id}`)).status).toBe(404);
  });

  test.each([
    [{}, { url: ['The url field is required.'] }],
    [
      { url: 'http://a.example/', scope: 'web' },
      { scope: ['The scope field must be page or prefix or host or domain or any.'] },
    ],
    [
      { url: 'http://a.example/', every_seconds: 0 },
      { every_seconds: ['The every_seconds field must be at least 1.'] },
    ],
    [
      { url: 'http://a.example/', max_pages: 10_000_001 },
      { max_pages: ['The max_pages field must not be greater than 10000000.'] },
    ],
    [
      { url: 'http://a.example/', every_seconds: 1.5 },
      { every_seconds: ['The every_seconds field must be a whole number.'] },
    ],
    [{ url: 'http://10.0.0.1/' }, { url: ['10.0.0.1 is a private address.'] }],
  ])('refuses %j with 422', async (creation, errors) => {
    expect(await call('POST', '/admin/sources', creation)).toMatchObject({ status: 422, body: { errors } });
  });

  test('takes a list as long as ten thousand of the longest URLs, and no longer one', async () => {
    const longest = Array.from({ length: 10_000 }, (_, index) => ({
      url: `http://a.example/${String(index).padEnd(2_031, 'x')}`,
      scope: 'domain',
      every_seconds: 86_400,
    }));
    const { status, body } = await call<{ data: SourceBatchReport }>('POST', '/admin/sources/batch', {
      sources: longest,
    });
    expect(status).toBe(200);
    expect(body.data.added).toHaveLength(10_000);
    const longer = { sources: [...longest, { url: 'http://b.example/' }] };
    expect(await call('POST', '/admin/sources/batch', longer)).toMatchObject({ status: 422 });
    const huge = { sources: [{ url: 'x'.repeat(25 * 1_024 * 1_024) }] };
    expect(await call('POST', '/admin/sources/batch', huge)).toEqual({
      status: 413,
      body: { message: 'The body is too large. It may have up to 25165824 bytes.' },
    });
  });

  test('refuses a source there is already', async () => {
    await call('POST', '/admin/sources', { url: 'http://a.example/' });
    const { status, body } = await call('POST', '/admin/sources', { url: 'http://a.example/' });
    expect(status).toBe(422);
    expect(body.message).toBe('There is already a source for http://a.example/ with this scope.');
  });
});

describe('/admin/ratings', () => {
  async function begin(name = 'list.csv'): Promise<string> {
    const { status, body } = await call<{ data: RatingImport }>('POST', '/admin/ratings/imports', { name });
    expect(status).toBe(201);
    return `/admin/ratings/imports/${body.data.id}`;
  }
  const rating = async (domain: string): Promise<number | null> =>
    (await call<{ data: DomainRating }>('GET', `/admin/ratings/domains/${domain}`)).body.data.rating;

  test('has an import in parts, which holds once it is published', async () => {
    expect(await call('GET', '/admin/ratings')).toEqual({ status: 200, body: { data: { imported: null, own: null } } });
    const path = await begin('list.csv');
    const parts = [
      [['a.example', 70]],
      [
        ['www.b.example', 7],
        ['a.example', 3],
      ],
    ];
    const counts = [];
    for (const domains of parts) counts.push(await call('POST', `${path}/domains`, { domains }));
    expect(counts).toMatchObject([{ body: { data: { domains: 1 } } }, { body: { data: { domains: 2 } } }]);
    expect(await rating('a.example')).toBeNull();
    const imported = { name: 'list.csv', domains: 2, at: '2026-02-27T10:00:00+00:00' };
    expect(await call('POST', `${path}/publish`)).toMatchObject({ status: 200, body: { data: { imported } } });
    expect([await rating('a.example'), await rating('news.b.example')]).toEqual([70, 7]);
  });

  test('keeps the former list when an import is given up, and forgets it when it is cleared', async () => {
    const first = await begin();
    await call('POST', `${first}/domains`, { domains: [['a.example', 70]] });
    await call('POST', `${first}/publish`);
    const second = await begin();
    await call('POST', `${second}/domains`, { domains: [['a.example', 7]] });
    expect((await call('DELETE', second)).status).toBe(204);
    expect((await call('POST', `${second}/publish`)).status).toBe(404);
    expect(await rating('a.example')).toBe(70);
    expect((await call('DELETE', '/admin/ratings')).status).toBe(204);
    expect(await rating('a.example')).toBeNull();
    expect((await call<{ data: RatingStatus }>('GET', '/admin/ratings')).body.data.imported).toBeNull();
  });

  test('tells an import that another one has taken its place', async () => {
    const first = await begin();
    await begin();
    const message = 'There is no such import, or another one has taken its place.';
    const answer = { status: 404, body: { message } };
    expect(await call('POST', `${first}/domains`, { domains: [['a.example', 7]] })).toEqual(answer);
    expect(await call('POST', '/admin/ratings/imports/x/publish')).toEqual(answer);
  });

  test.each([
    [{ domains: [['a.example', 101]] }, 'The domains field, entry 1, entry 2, must not be greater than 100.'],
    [{ domains: [['a.example']] }, 'The domains field, entry 1, must NOT have fewer than 2 items.'],
    [{ domains: [['a.example', 1.5]] }, 'The domains field, entry 1, entry 2, must be a whole number.'],
    [{ domains: [['no domain', 5]] }, '"no domain" is not a domain.'],
    [
      { domains: Array.from({ length: 2_001 }, () => ['a', 1]) },
      'The domains field must NOT have more than 2000 items.',
    ],
    [{}, 'The domains field is required.'],
  ])('refuses a part that is wrong: %j', async (part, message) => {
    const path = await begin();
    expect(await call('POST', `${path}/domains`, part)).toMatchObject({ status: 422, body: { message } });
  });

  test('refuses to show what is not a domain', async () => {
    expect(await call('GET', '/admin/ratings/domains/no%20domain')).toMatchObject({
      status: 422,
      body: { errors: { domain: ['"no domain" is not a domain.'] } },
    });
  });
});
