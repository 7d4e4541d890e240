import { afterEach, beforeEach, expect, it } from 'vitest';
import { inProduction } from '../../../src/cli/screens/production.ts';

const name = 'NODE_ENV';
let before: string | undefined;

beforeEach(() => {
  before = process.env[name];
});

afterEach(() => {
  process.env[name] = before ?? '';
});

it.each(['development', undefined])(
  'what draws is loaded for production where NODE_ENV is %s, nothing else',
  async (given) => {
    if (given === undefined) delete process.env[name];
    else process.env[name] = given;
    expect(await inProduction(async () => process.env[name])).toBe('production');
    expect(process.env[name]).toBe(given);
    await expect(inProduction(async () => Promise.reject(new Error('no such module')))).rejects.toThrow(
      'no such module',
    );
    expect(process.env[name]).toBe(given);
  },
);
