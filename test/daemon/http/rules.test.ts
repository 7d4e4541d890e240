import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Api } from './api.ts';
import type { Diagnostic } from '../../../src/shared/api/diagnostic.ts';
import type { Rule } from '../../../src/shared/api/rule.ts';
import { addNeighbour } from '../taps/house.ts';

let api: Api;
let tap: { id: string; token: string };
beforeAll(async () => {
  api = await Api.open();
});
beforeEach(async () => {
  tap = await api.newTap();
});
afterAll(() => api.close());

interface One {
  readonly data: Rule;
  readonly warnings?: readonly Diagnostic[];
  readonly diagnostics?: readonly Diagnostic[];
}
const post = (body: object | string) => api.call<One>('POST', '/v1/rules', tap.token, body);

describe('POST /v1/rules', () => {
  test('creates a rule: 201 and all its fields, but no tag where there is none', async () => {
    const { status, body } = await post({ value: 'bitcoin' });
    expect(status).toBe(201);
    expect(body).toEqual({ data: { id: body.data.id, value: 'bitcoin', nsfw: false, quality: true } });
    const tagged = await post({ value: 'ether', tag: '🦩'.repeat(255), nsfw: true, quality: false });
    expect(tagged.body.data).toMatchObject({ tag: '🦩'.repeat(255), nsfw: true, quality: false });
    expect([...api.house.index.registered.keys()]).toContain(body.data.id);
  });

  test('takes tag: null for no tag', async () => {
    const { status, body } = await post({ value: 'bitcoin', tag: null });
    expect(status).toBe(201);
    expect(body.data).not.toHaveProperty('tag');
  });

  test('answers the warnings of an accepted query beside the rule', async () => {
    const { status, body } = await post({ value: 'bread and butter' });
    expect(status).toBe(201);
    expect(body.diagnostics).toMatchObject([{ severity: 'warning' }]);
    expect(body.warnings).toEqual(body.diagnostics);
  });

  test('warns of settings with which the rule can never match, when it is made and when they are changed', async () => {
    const { status, body } = await post({ value: 'page_category:"/Adult"' });
    expect(status).toBe(201);
    expect(body.warnings).toMatchObject([{ severity: 'warning', code: 'filtered_out', field: 'page_category' }]);
    const change = (sent: object) => api.call<One>('PUT', `/v1/rules/${body.data.id}`, tap.token, sent);
    expect((await change({ nsfw: true })).body).not.toHaveProperty('warnings');
    expect((await change({ value: 'url:*\\/tag\\/*' })).body.warnings).toMatchObject([
      { code: 'filtered_out', field: 'url' },
    ]);
    expect((await change({ tag: 'x' })).body).not.toHaveProperty('warnings');
    expect((await change({ quality: false })).body).not.toHaveProperty('warnings');
    expect((await change({ quality: true, value: 'ferry AND recent:30d' })).body.warnings).toMatchObject([
      { code: 'recent_shortened', field: 'recent' },
    ]);
  });

  test.each([
    [{}, { value: ['The value field is required.'] }],
    [{ value: 5 }, { value: ['The value field must be a string.'] }],
    [{ value: ['bitcoin'] }, { value: ['The value field must be a string.'] }],
    [{ value: 'a', tag: 'x'.repeat(256) }, { tag: ['The tag field must not be longer than 255 characters.'] }],
    [{ value: 'a', tag: 5 }, { tag: ['The tag field must be a string.'] }],
    [{ value: 'a', nsfw: 'yes' }, { nsfw: ['The nsfw field must be true or false.'] }],
    [
      { value: 'a', nsfw: 1, quality: null },
      {
        nsfw: ['The nsfw field must be true or false.'],
        quality: ['The quality field must be true or false.'],
      },
    ],
  ])('refuses %j with 422', async (sent, errors) => {
    const { status, body } = await api.call('POST', '/v1/rules', tap.token, sent);
    expect(status).toBe(422);
    expect(body.errors).toEqual(errors);
    expect(body).not.toHaveProperty('diagnostics');
  });

  test.each(['', '   ', 'titel:x', '(a OR b', '*:*', 'NOT a'])(
    'refuses the query %j with 422, its sentence and its diagnostics',
    async (value) => {
      const { status, body } = await api.call('POST', '/v1/rules', tap.token, { value });
      expect(status).toBe(422);
      expect(body.diagnostics?.some((found) => found.severity === 'error')).toBe(true);
      expect(body.errors).toEqual({ value: [body.message] });
      expect(body.message).toContain(body.diagnostics?.[0]?.message);
      expect(api.house.rules.count(tap.id)).toBe(0);
    },
  );

  test('names the clause and the field that was meant', async () => {
    const { body } = await api.call('POST', '/v1/rules', tap.token, { value: 'bitcoin AND titel:x' });
    expect(body.message).toContain('titel');
    expect(body.message).toContain('title');
    expect(body.diagnostics?.[0]).toMatchObject({ field: 'titel', span: { start: 12, end: 17 } });
  });

  test('is a 422 from the 26th rule of the organization on', async () => {
    const { organizationId } = await addNeighbour(api.house.catalog);
    const { id, token } = await api.house.taps.create(organizationId, 'full');
    for (let made = 0; made < 25; made += 1) {
      await api.house.rules.create({ kind: 'tap', tapId: id, organizationId }, { value: `word${made}` });
    }
    const message =
      'Rule limit reached. An organization may have up to 25 rules. The operator can raise this limit with: hydrant org plan neighbour --rules <count>';
    const over = await api.call('POST', '/v1/rules', token, { value: 'one more' });
    expect(over).toMatchObject({ status: 422, body: { message, errors: { rules: [message] } } });
  });
});

describe('GET /v1/rules', () => {
  test('lists the tap’s rules and counts them', async () => {
    const empty = await api.call('GET', '/v1/rules', tap.token);
    expect(empty).toMatchObject({ status: 200, body: { data: [], meta: { count: 0 } } });
    const one = (await post({ value: 'bitcoin' })).body.data;
    const other = (await post({ value: 'ether', tag: 'coins' })).body.data;
    const { body } = await api.call('GET', '/v1/rules', tap.token);
    expect(body).toEqual({ data: [one, other], meta: { count: 2 } });
    const alone = await api.call('GET', `/v1/rules/${other.id}`, tap.token);
    expect(alone).toMatchObject({ status: 200, body: { data: other } });
  });
});

describe('PUT /v1/rules/:id', () => {
  test('changes what it names and leaves the rest', async () => {
    const { id } = (await post({ value: 'bitcoin', tag: 'coins' })).body.data;
    const put = (change: object) => api.call<One>('PUT', `/v1/rules/${id}`, tap.token, change);
    const changed = await put({ value: 'ether', nsfw: true });
    const data = { id, value: 'ether', tag: 'coins', nsfw: true, quality: true };
    expect(changed).toMatchObject({ status: 200, body: { data } });
    expect((await put({})).body.data).toEqual(data);
    expect((await put({ tag: null })).body.data).not.toHaveProperty('tag');
  });

  test('refuses a bad query and keeps the old one', async () => {
    const rule = (await post({ value: 'bitcoin' })).body.data;
    const { status, body } = await api.call('PUT', `/v1/rules/${rule.id}`, tap.token, { value: 'titel:x' });
    expect(status).toBe(422);
    expect(body.diagnostics).toHaveLength(1);
    const kept = await api.call('GET', `/v1/rules/${rule.id}`, tap.token);
    expect(kept.body).toEqual({ data: rule });
  });
});

describe('DELETE /v1/rules/:id', () => {
  test('answers 204 without a body, also to a client that claims to send JSON and sends none', async () => {
    const { id } = (await post({ value: 'bitcoin' })).body.data;
    const claims = { 'content-type': 'application/json' };
    const { status, body } = await api.call('DELETE', `/v1/rules/${id}`, tap.token, undefined, claims);
    expect(status).toBe(204);
    expect(body).toBeUndefined();
    expect(api.house.index.registered.has(id)).toBe(false);
    expect((await api.call('DELETE', `/v1/rules/${id}`, tap.token)).status).toBe(404);
  });
});

describe('a rule of someone else', () => {
  test('is a 404 for another tap of the organization and a 403 for another organization', async () => {
    const { id } = (await post({ value: 'bitcoin' })).body.data;
    const sibling = await api.newTap('sibling');
    const stranger = await api.house.taps.create((await addNeighbour(api.house.catalog)).organizationId, 'theirs');
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { tag: 'mine' } : undefined;
      expect((await api.call(method, `/v1/rules/${id}`, sibling.token, body)).status).toBe(404);
      expect((await api.call(method, `/v1/rules/${id}`, stranger.token, body)).status).toBe(403);
      expect((await api.call(method, '/v1/rules/no-such-rule', tap.token, body)).status).toBe(404);
    }
  });
});

describe('authentication of rules', () => {
  test.each(['GET', 'POST', 'PUT', 'DELETE'])('%s wants a tap token and says so', async (method) => {
    const path = method === 'PUT' || method === 'DELETE' ? '/v1/rules/some-id' : '/v1/rules';
    const body = method === 'PUT' || method === 'POST' ? {} : undefined;
    const none = await api.call(method, path, undefined, body);
    expect(none.status).toBe(401);
    expect(none.body.message).toBe('A tap token is needed here. Send it as "Authorization: Bearer svc_…".');
    const other = await api.call(method, path, api.house.key, body);
    expect(other.status).toBe(401);
    expect(other.body.message).toMatch(/^This is a management key; a tap token is needed here\./);
  });

  test('of a paused tap still works, and what is created waits for it', async () => {
    await api.call('PUT', `/v1/taps/${tap.id}`, api.house.key, { status: 'paused' });
    const { status, body } = await post({ value: 'bitcoin' });
    expect(status).toBe(201);
    expect(api.house.index.registered.has(body.data.id)).toBe(false);
    await api.call('PUT', `/v1/taps/${tap.id}`, api.house.key, { status: 'active' });
    expect(api.house.index.registered.has(body.data.id)).toBe(true);
  });

  test('notes that the tap was used', async () => {
    await api.call('GET', '/v1/rules', tap.token);
    expect(api.house.taps.get(api.house.organizationId, tap.id).last_used_at).toBe('2026-02-27T10:00:00+00:00');
  });
});

describe('a query that is refused', () => {
  /** The first code of the table in docs/query-language.md that each is an example of. */
  const refused = [
    '',
    'titel:ferry',
    'title:ferr*',
    'title:/x/',
    '*:*',
    'url:*',
    'NOT ferry',
    'the',
    'language:zh',
    'ferry AND language:xx',
    'page_category:/News',
    'dr:[1 TO',
    'dr:50.5',
    'recent:0d',
    'recent:5w',
    'url:/\\d+/',
    'a AND',
    '(a',
    '"a',
    '$nothing',
    'ferry AND age:5',
    'x'.repeat(20_000),
  ];

  test.each(refused)('has diagnostics wherever it is sent: %j', async (value) => {
    const { body } = await post({ value: 'ferry' });
    const answers = [
      await api.call('POST', '/v1/rules', tap.token, { value }),
      await api.call('PUT', `/v1/rules/${body.data.id}`, tap.token, { value }),
    ];
    await api.call('DELETE', `/v1/rules/${body.data.id}`, tap.token);
    for (const { status, body: refusal } of answers) {
      expect(status).toBe(422);
      expect(refusal.message).toMatch(/\(at position \d+(?:: .+)?\)$/s);
      expect(refusal.errors).toEqual({ value: [refusal.message] });
      const errors = refusal.diagnostics?.filter(({ severity }) => severity === 'error') ?? [];
      expect(errors.length).toBeGreaterThan(0);
      expect(refusal.message).toContain(errors[0]?.message ?? 'a message');
    }
  });
});
