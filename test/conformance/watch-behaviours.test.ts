import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HELD, NOT_DONE, ON_TOP } from './watch-behaviours.ts';

describe('the behaviours of watches', () => {
  test('are thirty, each held or left out for a reason', () => {
    const numbers = [...HELD, ...NOT_DONE].map(([number]) => number);
    expect(numbers.sort((one, other) => one - other)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  });

  test('are held by tests that there are', () => {
    const named = [...HELD.map(([, ...held]) => held), ...ON_TOP].flatMap(([, ...tests]) => tests);
    expect(named.filter((one) => !isThere(one))).toEqual([]);
  });
});

function isThere(named: string): boolean {
  const end = named.indexOf(': ');
  const file = join(import.meta.dirname, '..', named.slice(0, end));
  return existsSync(file) && readFileSync(file, 'utf8').includes(named.slice(end + 2));
}
