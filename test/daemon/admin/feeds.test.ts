import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAdminServer } from '../../../src/daemon/admin/server.ts';
import type { FeedCreated, FeedReport } from '../../../src/shared/api/feed.ts';
import { ORGANIZATION_HEADER } from '../../../src/shared/daemon-notice.ts';
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
  readonly body: unknown;
}

async function call(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await server.inject({ method, url, headers, ...(body && { payload: body }) });
  return { status: answer.statusCode, body: answer.body === '' ? undefined : JSON.parse(answer.body) };
}

const dataOf = ({ body }: Answer): readonly FeedReport[] => (body as { data: FeedReport[] }).data;

describe('/admin/feeds', () => {
  test('makes a feed whose addresses work, lists it without them, and removes it', async () => {
    const { id } = await house.taps.create(house.organizationId, 'news');
    const made = await call('POST', '/admin/feeds', { kind: 'tap', of: 'news', name: 'phone' });
    const { data, addresses } = made.body as FeedCreated;
    expect([made.status, data]).toMatchObject([201, { name: 'phone', kind: 'tap', of: id, of_name: 'news' }]);
    const { atom, json } = addresses;
    expect(atom).toMatch(/^http:\/\/127\.0\.0\.1:7878\/feeds\/svcf_\w{40}\.atom$/);
    expect(json).toBe(atom.replace('.atom', '.json'));
    expect((await server.inject({ url: new URL(atom).pathname })).statusCode).toBe(200);
    const list = await call('GET', '/admin/feeds');
    expect(dataOf(list)).toEqual([data]);
    expect(JSON.stringify(list.body)).not.toContain(atom.slice(-20, -5));
    expect(await call('DELETE', '/admin/feeds/phone')).toEqual({ status: 204, body: undefined });
    expect((await server.inject({ url: new URL(atom).pathname })).statusCode).toBe(404);
    expect((await call('DELETE', '/admin/feeds/phone')).status).toBe(404);
  });

  test.each([
    [{}, { kind: ['The kind field is required.'], of: ['The of field is required.'] }],
    [{ kind: 'page', of: 'x' }, { kind: ['The kind field must be tap or watch or tag.'] }],
    [{ kind: 'tag', of: '' }, { of: [expect.stringContaining('The of field must')] }],
    [{ kind: 'tag', of: 'a', name: 'a\nb' }, { name: [expect.any(String)] }],
  ])('refuses %j', async (creation, errors) => {
    expect(await call('POST', '/admin/feeds', creation)).toMatchObject({ status: 422, body: { errors } });
  });

  test('is of the organization that is named', async () => {
    await addNeighbour(house.catalog);
    const named = { [ORGANIZATION_HEADER]: 'neighbour' };
    expect((await call('POST', '/admin/feeds', { kind: 'tag', of: 'shop' }, named)).status).toBe(201);
    expect(dataOf(await call('GET', '/admin/feeds', undefined, named))).toHaveLength(1);
    expect(dataOf(await call('GET', '/admin/feeds', undefined, { [ORGANIZATION_HEADER]: 'home' }))).toEqual([]);
    expect((await call('GET', '/admin/feeds')).status).toBe(422);
  });
});
