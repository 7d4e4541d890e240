import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Api } from './api.ts';
import { checkHttp } from '../../../scripts/fuzz-http-checks.ts';
import { inputOf, type Known } from '../../../scripts/fuzz-http-inputs.ts';

let api: Api;
let known: Known;
beforeAll(async () => {
  api = await Api.open();
  const tap = await api.newTap();
  const holder = { kind: 'tap', tapId: tap.id, organizationId: api.house.organizationId } as const;
  const { rule } = await api.house.rules.create(holder, { value: 'ferry' });
  // Made at the first request, which takes longer than a client waits that has closed its side.
  for (const path of ['/openapi.json', '/docs']) await fetch(api.url + path);
  known = { key: api.house.key, token: tap.token, tap: tap.id, rule: rule.id };
});
afterAll(() => api.close());

describe('bytes that nobody thought of', () => {
  test('inputs are the same for the same number, and others for others', () => {
    const inputs = Array.from({ length: 300 }, (_, number) => inputOf(1, number, known));
    expect(Array.from({ length: 300 }, (_, number) => inputOf(1, number, known))).toEqual(inputs);
    expect(new Set(inputs).size).toBeGreaterThan(290);
  });

  test('a thousand requests, most of them malformed: no 5xx, no crash, one message a refusal', async () => {
    const broken: object[] = [];
    for (let number = 0; number < 1_000; number++) {
      // A minute each, so that the limits of rates are not all there is to see.
      api.house.clock.ms += 60_000;
      const input = inputOf(1, number, known);
      const found = await checkHttp(api.port, input);
      if (found) broken.push({ number, input: input.slice(0, 300), ...found });
    }
    expect(broken).toEqual([]);
    expect(api.log.lines).toEqual([]);
    expect((await api.call('GET', '/v1/taps', api.house.key)).status).toBe(200);
  });
});
