import { describe, expect, test } from 'vitest';
import { check } from '../../scripts/fuzz-checks.ts';
import { inputOf } from '../../scripts/fuzz-inputs.ts';
import { minimise } from '../../scripts/fuzz-minimise.ts';

describe('the fuzzer', () => {
  test('gives the same input for the same number, and others for others', () => {
    const inputs = Array.from({ length: 500 }, (_, number) => inputOf(1, number));
    expect(Array.from({ length: 500 }, (_, number) => inputOf(1, number))).toEqual(inputs);
    expect(new Set(inputs).size).toBeGreaterThan(450);
    expect(inputOf(2, 0)).not.toBe(inputs[0]);
  });

  test('leaves out what a failure does not need', () => {
    const fails = (text: string): boolean => text.includes('a') && /b.*c/s.test(text);
    expect(minimise('xx b yyyyyyyyyyyyyyyyyy a zzzz c ww', fails, () => true)).toBe('bac');
    expect(minimise('abc', fails, () => false)).toBe('abc');
  });

  test('finds nothing among its first inputs', () => {
    const broken = Array.from({ length: 3_000 }, (_, number) => ({ number, ...check(inputOf(1, number)) }));
    // How long something takes is for a quiet machine to say.
    expect(broken.filter((one) => one.check !== undefined && one.check !== 'slow')).toEqual([]);
  }, 60_000);
});
