import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Api } from './api.ts';
import type { Tap, TapCreated } from '../../../src/shared/api/tap.ts';
import { addNeighbour } from '../taps/house.ts';

let api: Api;
let key: string;
beforeAll(async () => {
  api = await Api.open();
  key = api.house.key;
});
afterAll(() => api.close());

const uuid = '11111111-2222-4333-8444-555555555555';

describe('POST /v1/taps', () => {
  test('creates a tap: 201, its own envelope, the token beside data', async () => {
    const { status, headers, body } = await api.call<TapCreated>('POST', '/v1/taps', key, { name: 'news' });
    expect(status).toBe(201);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(body).sort()).toEqual(['data', 'token']);
    expect(Object.keys(body.data).sort()).toEqual(['created_at', 'id', 'name', 'token_prefix']);
    expect(body.token).toMatch(/^svc_[A-Za-z0-9]{40}$/);
    expect(body.data.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    expect(body.data.token_prefix).toBe(body.token.slice(0, 8));
  });

  test.each([
    [{}, { name: ['The name field is required.'] }],
    [{ name: '' }, { name: ['The name field must not be empty.'] }],
    [{ name: 5 }, { name: ['The name field must be a string.'] }],
    [{ name: null }, { name: ['The name field must be a string.'] }],
    [{ name: 'x'.repeat(256) }, { name: ['The name field must not be longer than 255 characters.'] }],
    [[], { body: ['The body must be a JSON object.'] }],
    ['"news"', { body: ['The body must be a JSON object.'] }],
    ['null', { body: ['The body must be a JSON object.'] }],
    ['', { name: ['The name field is required.'] }],
  ])('refuses %j with 422 and a sentence for the field', async (sent, errors) => {
    const { status, body } = await api.call('POST', '/v1/taps', key, sent);
    expect(status).toBe(422);
    expect(body).toEqual({ message: Object.values(errors).flat().join(' '), errors });
  });

  test('counts characters, not bytes or UTF-16 units, and ignores fields it does not know', async () => {
    const name = '🦩'.repeat(255);
    const { status, body } = await api.call<TapCreated>('POST', '/v1/taps', key, { name, color: 'pink' });
    expect(status).toBe(201);
    expect(body.data.name).toBe(name);
    expect((await api.call('POST', '/v1/taps', key, { name: `${name}x` })).status).toBe(422);
  });

  test('over the plan’s limit is a 422 with the sentence of the plan', async () => {
    const { organizationId, memberId } = await addNeighbour(api.house.catalog, 'Free');
    const { key: freeKey } = await api.house.keys.create('free', memberId);
    const first = await api.call<TapCreated>('POST', '/v1/taps', freeKey, { name: 'first' });
    expect(first.status).toBe(201);
    const message =
      'Tap limit reached. The Free plan allows up to 1 tap. The operator can raise this limit with: hydrant org plan neighbour --taps <count>';
    const over = await api.call('POST', '/v1/taps', freeKey, { name: 'second' });
    expect(over).toMatchObject({ status: 422, body: { message, errors: { taps: [message] } } });

    const path = `/v1/taps/${first.body.data.id}`;
    expect((await api.call('PUT', path, freeKey, { status: 'paused' })).status).toBe(200);
    await api.house.taps.create(organizationId, 'in its place');
    expect(await api.call('PUT', path, freeKey, { status: 'active' })).toMatchObject({
      status: 422,
      body: { message },
    });
    expect(api.house.taps.get(organizationId, first.body.data.id).status).toBe('paused');
  });
});

describe('GET /v1/taps', () => {
  test('lists whole taps, token included, and a tap alone is the same under data', async () => {
    const { id, token } = await api.newTap('listed');
    const { status, body } = await api.call<{ data: Tap[] }>('GET', '/v1/taps', key);
    expect(status).toBe(200);
    const tap = body.data.find((found) => found.id === id);
    expect(tap).toEqual({
      id,
      name: 'listed',
      status: 'active',
      token,
      token_prefix: token.slice(0, 8),
      rules_count: 0,
      last_used_at: null,
      created_at: '2026-02-27T10:00:00+00:00',
    });
    expect(await api.call('GET', `/v1/taps/${id}`, key)).toMatchObject({ status: 200, body: { data: tap } });
  });

  test('answers HEAD with the status and no body', async () => {
    const { status, body } = await api.call('HEAD', '/v1/taps', key);
    expect(status).toBe(200);
    expect(body).toBeUndefined();
  });
});

describe('PUT /v1/taps/:id', () => {
  test('changes the name or the status alone, or nothing, and answers the tap', async () => {
    const { id } = await api.newTap();
    const put = (change: object | string) => api.call<{ data: Tap }>('PUT', `/v1/taps/${id}`, key, change);
    expect((await put({ name: 'renamed' })).body.data).toMatchObject({ name: 'renamed', status: 'active' });
    const paused = await put({ status: 'paused' });
    expect(paused).toMatchObject({ status: 200, body: { data: { id, name: 'renamed', status: 'paused' } } });
    expect((await put('')).body.data).toEqual(paused.body.data);
    expect((await put({ status: 'active' })).body.data.status).toBe('active');
  });

  test.each([
    [{ status: 'stopped' }, { status: ['The status field must be active or paused.'] }],
    [{ status: 1 }, { status: ['The status field must be active or paused.'] }],
    [
      { status: null, name: 'x'.repeat(300) },
      {
        name: ['The name field must not be longer than 255 characters.'],
        status: ['The status field must be active or paused.'],
      },
    ],
  ])('refuses %j', async (change, errors) => {
    const { id } = await api.newTap();
    const { status, body } = await api.call('PUT', `/v1/taps/${id}`, key, change);
    expect(status).toBe(422);
    expect(body.errors).toEqual(errors);
    for (const sentence of Object.values(errors).flat()) expect(body.message).toContain(sentence);
  });
});

describe('DELETE /v1/taps/:id', () => {
  test('revokes: 204 without a body, the token is a 401 from then on, and again is a 404', async () => {
    const { id, token } = await api.newTap();
    expect((await api.call('GET', '/v1/rules', token)).status).toBe(200);
    const { status, body } = await api.call('DELETE', `/v1/taps/${id}`, key);
    expect(status).toBe(204);
    expect(body).toBeUndefined();
    expect((await api.call('GET', '/v1/rules', token)).status).toBe(401);
    expect((await api.call('DELETE', `/v1/taps/${id}`, key)).status).toBe(404);
  });

  test('ends the tap’s open streams at once', async () => {
    const { id, token } = await api.newTap();
    await api.call('POST', '/v1/rules', token, { value: 'bitcoin' });
    const stream = await fetch(`${api.url}/v1/stream`, { headers: { authorization: `Bearer ${token}` } });
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const frames = stream.text();
    await api.call('DELETE', `/v1/taps/${id}`, key);
    expect(await frames).toContain('event: error');
  });
});

describe('a tap that is not there', () => {
  test.each([`/v1/taps/${uuid}`, '/v1/taps/no-uuid', '/v1/taps/%00', `/v1/taps/${'x'.repeat(3_000)}`])(
    '%s is a 404 for every method',
    async (path) => {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const { status, body } = await api.call(method, path, key, method === 'PUT' ? { name: 'x' } : undefined);
        expect({ method, status, body }).toEqual({ method, status: 404, body: { message: 'There is no such tap.' } });
      }
    },
  );

  test('that belongs to another organization is a 403', async () => {
    const { organizationId } = await addNeighbour(api.house.catalog);
    const tap = await api.house.taps.create(organizationId, 'theirs');
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, body } = await api.call(method, `/v1/taps/${tap.id}`, key, method === 'PUT' ? {} : undefined);
      expect({ status, body }).toEqual({ status: 403, body: { message: 'This tap belongs to another organization.' } });
    }
  });
});

describe('authentication of tap management', () => {
  const routes = [
    ['GET', '/v1/taps'],
    ['POST', '/v1/taps'],
    ['GET', `/v1/taps/${uuid}`],
    ['PUT', `/v1/taps/${uuid}`],
    ['DELETE', `/v1/taps/${uuid}`],
  ] as const;

  test.each(routes)('%s %s without a key, with a wrong one or with a tap token is a 401', async (method, path) => {
    const { token } = await api.newTap();
    // Not even whether its JSON is valid is told to a stranger.
    const body = method === 'POST' || method === 'PUT' ? 'no json' : undefined;
    const sentences = {
      '': /^A management key is needed here\. Send it as "Authorization: Bearer svcm_…"\.$/,
      [`svcm_${'x'.repeat(40)}`]: /^This key is unknown or was revoked\./,
      [token]: /^This is a tap token; a management key is needed here\./,
    };
    for (const [given, sentence] of Object.entries(sentences)) {
      const answer = await api.call(method, path, given === '' ? undefined : given, body);
      expect(answer.status).toBe(401);
      expect(answer.body.message).toMatch(sentence);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="hydrant"');
    }
  });

  test('takes any case of the scheme’s name, and no other scheme', async () => {
    const withHeader = async (authorization: string): Promise<number> =>
      (await api.call('GET', '/v1/taps', undefined, undefined, { authorization })).status;
    expect(await withHeader(`bearer ${key}`)).toBe(200);
    expect(await withHeader(`BEARER  ${key} `)).toBe(200);
    for (const wrong of [key, `Basic ${key}`, `Bearer ${key} more`, 'Bearer', 'Bearer ']) {
      expect(await withHeader(wrong)).toBe(401);
    }
  });

  test('ends with the key: a revoked one is a 401', async () => {
    const { record, key: another } = await api.house.keys.create('short-lived', api.house.operator.memberId);
    expect((await api.call('GET', '/v1/taps', another)).status).toBe(200);
    await api.house.keys.revoke(api.house.organizationId, record.id);
    expect((await api.call('GET', '/v1/taps', another)).status).toBe(401);
  });
});

describe('with compat-legacy-match-payload', () => {
  test('taps have no status, and one that was changed no token; the document says so', async () => {
    const legacy = await Api.open({ compatLegacyMatchPayload: 'on' });
    const { key } = legacy.house;
    const { id } = await legacy.newTap('old');
    const fields = ['created_at', 'id', 'last_used_at', 'name', 'rules_count', 'token', 'token_prefix'];
    const list = await legacy.call<{ data: object[] }>('GET', '/v1/taps', key);
    const one = await legacy.call<{ data: object }>('GET', `/v1/taps/${id}`, key);
    const changed = await legacy.call<{ data: object }>('PUT', `/v1/taps/${id}`, key, { status: 'paused' });
    const { body } = await legacy.call<{
      components: { schemas: { Tap: { required: string[]; properties: object } } };
    }>('GET', '/openapi.json');
    await legacy.close();
    expect(list.body.data.map((tap) => Object.keys(tap).toSorted())).toEqual([fields]);
    expect(Object.keys(one.body.data).toSorted()).toEqual(fields);
    expect(Object.keys(changed.body.data).toSorted()).toEqual(fields.filter((name) => name !== 'token'));
    const { required, properties } = body.components.schemas.Tap;
    expect(Object.keys(properties).toSorted()).toEqual(fields);
    expect(required.toSorted()).toEqual(fields.filter((name) => name !== 'token'));
  });
});
