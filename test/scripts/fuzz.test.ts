import { describe, expect, test } from 'vitest';
import { minimise } from '../../scripts/fuzz-minimise.ts';
import { type Target, TARGETS } from '../../scripts/fuzz-targets.ts';

async function targetNamed(name: string): Promise<Target> {
  const load = TARGETS[name];
  if (!load) throw new Error(name);
  return load();
}

describe('the fuzzer', () => {
  test.each(Object.keys(TARGETS))(
    'gives the same input for the same number, and others for others: %s',
    async (name) => {
      const { inputOf } = await targetNamed(name);
      const inputs = Array.from({ length: 500 }, (_, number) => inputOf(1, number));
      expect(Array.from({ length: 500 }, (_, number) => inputOf(1, number))).toEqual(inputs);
      expect(new Set(inputs).size).toBeGreaterThan(450);
      expect(inputOf(2, 0)).not.toBe(inputs[0]);
    },
  );

  test('leaves out what a failure does not need', () => {
    const fails = (text: string): boolean => text.includes('a') && /b.*c/s.test(text);
    expect(minimise('xx b yyyyyyyyyyyyyyyyyy a zzzz c ww', fails, () => true)).toBe('bac');
    expect(minimise('abc', fails, () => false)).toBe('abc');
  });

  test.each([
    ['query', 3_000],
    ['page', 300],
  ])('finds nothing among its first inputs: %s', { timeout: 60_000 }, async (name, length) => {
    const { inputOf, check } = await targetNamed(name);
    const broken = Array.from({ length }, (_, number) => ({ number, ...check(inputOf(1, number)) }));
    // How long something takes is for a quiet machine to say.
    expect(broken.filter((one) => one.check !== undefined && one.check !== 'slow')).toEqual([]);
  });
});
