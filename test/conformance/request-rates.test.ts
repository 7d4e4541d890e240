import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Api } from '../daemon/http/api.ts';
import { HOOK_MS, onEachStore } from './stores.ts';
import { RULES_REQUESTS_A_MINUTE, STREAM_OPENINGS_A_MINUTE } from '../../src/shared/limits.ts';

/** Of requests that are made at once, whichever daemon each of them meets. */
onEachStore((open) => {
  let api: Api;
  beforeEach(async () => {
    api = await open({ publicValidateRate: 40 });
  }, HOOK_MS);
  afterEach(() => api.close(), HOOK_MS);

  async function statuses(count: number, ask: () => Promise<{ readonly status: number }>): Promise<object> {
    const answers = await Promise.all(Array.from({ length: count }, ask));
    return Object.fromEntries(
      [...Map.groupBy(answers, ({ status }) => status)].map(([status, its]) => [status, its.length] as const),
    );
  }

  test('a tap is answered as often a minute as the limit says, and not once more', async () => {
    const { token } = await api.newTap();
    const list = () => api.call('GET', '/v1/rules', token);
    expect(await statuses(RULES_REQUESTS_A_MINUTE + 9, list)).toEqual({ 200: RULES_REQUESTS_A_MINUTE, 429: 9 });
    const head = () => api.call('HEAD', '/v1/stream', token);
    expect(await statuses(STREAM_OPENINGS_A_MINUTE + 9, head)).toEqual({ 200: STREAM_OPENINGS_A_MINUTE, 429: 9 });
    api.house.clock.ms += 60_000;
    expect(await statuses(9, list)).toEqual({ 200: 9 });
  });

  test('and so is an address without a key', async () => {
    const validate = () => api.call('POST', '/v1/validate/public', undefined, { query: 'ferry' });
    expect(await statuses(45, validate)).toEqual({ 200: 40, 429: 5 });
  });
});
