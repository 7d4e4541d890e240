import { expect, test, vi } from 'vitest';
import { Api } from './api.ts';

const fire = vi.hoisted(() => ({ burns: false }));
vi.mock(import('../../../src/shared/query/validate.ts'), async (original) => {
  const engine = await original();
  return {
    ...engine,
    validate: (...asked) => {
      if (fire.burns) throw new Error('the engine is on fire');
      return engine.validate(...asked);
    },
  };
});

test('an engine that fails is a 503 with Retry-After, and the log has the fault', async () => {
  const api = await Api.open();
  const { token } = await api.newTap();
  fire.burns = true;
  for (const [path, key] of [
    ['/v1/validate', token],
    ['/v1/validate/public', undefined],
  ] as const) {
    const { status, headers, body } = await api.call('POST', path, key, { query: 'ferry' });
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(body).toEqual({ message: 'The query engine is temporarily unavailable. Try again in a few seconds.' });
  }
  expect(api.log.lines.map(({ message }) => message)).toEqual(['the query engine failed', 'the query engine failed']);
  await api.close();
});
