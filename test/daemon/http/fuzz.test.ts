import { type IncomingMessage, request } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Api } from './api.ts';

let api: Api;
beforeAll(async () => {
  api = await Api.open();
});
afterAll(() => api.close());

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | string | undefined;
}

/** Without fetch, which would tidy up what is sent. */
function send({ method, path, headers, body }: Sent): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: api.port, method, path, headers, agent: false });
    asked.on('error', reject);
    asked.on('response', (answer: IncomingMessage) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on('error', reject);
    });
    asked.end(body);
  });
}

const field = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('bitcoin', 'title:x', '(((', '*', 'active', 'paused', '\uD800', '🦩'.repeat(256)),
  fc.jsonValue({ maxDepth: 3 }),
);
const fields = fc.dictionary(
  fc.constantFrom('name', 'status', 'value', 'tag', 'nsfw', 'quality', '__proto__', 'id', ''),
  field,
  { maxKeys: 5, noNullPrototype: true },
);
const body = fc.oneof(
  { weight: 4, arbitrary: fields.map((sent) => JSON.stringify(sent)) },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);
const segment = fc.oneof(
  fc.constantFrom('v1', 'taps', 'rules', 'TAP', 'RULE', '..', '%00', '%E0%A4', '*', '__proto__'),
  fc.string({ maxLength: 12 }).map((text) => encodeURIComponent(text)),
);
const path = fc.oneof(
  fc.constantFrom('/v1/taps', '/v1/taps/TAP', '/v1/rules', '/v1/rules/RULE', '/v1/taps/%F0%9F%A6%A9'),
  fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`),
);

describe('whatever a client sends', () => {
  test('is answered below 500, and refused with a message', async () => {
    const { token } = await api.newTap();
    const keys = fc.constantFrom(api.house.key, token, 'svc_unknown', undefined);
    const sent = fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'QUERY'),
      path,
      query: fc.oneof(fc.constant(''), fc.webQueryParameters()),
      key: keys,
      type: fc.option(fc.constantFrom('application/json', 'text/plain', 'x', 'a/b; c', ''), { nil: undefined }),
      body,
    });
    const property = fc.asyncProperty(sent, async ({ method, path, query, key, type, body }) => {
      const tap = api.house.taps.list(api.house.organizationId)[0]?.id ?? 'none';
      const rule = api.house.catalog.data.rules[0]?.id ?? 'none';
      const { status, text } = await send({
        method,
        path: `${path.replace('TAP', tap).replace('RULE', rule)}${query && `?${query}`}`,
        headers: {
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(type !== undefined && { 'content-type': type }),
          // Node's client would send the body of a GET without saying how long it is: that is two broken requests.
          ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
        },
        body,
      });
      expect(status).toBeLessThan(500);
      if (status < 400) return;
      const answer = JSON.parse(text) as { message: unknown; errors?: unknown };
      expect(answer.message).toEqual(expect.stringMatching(/\S/));
      expect(answer.errors !== undefined).toBe(status === 422);
    });
    await fc.assert(property, { numRuns: 400 });
    expect(api.log.lines).toEqual([]);
  });
});
