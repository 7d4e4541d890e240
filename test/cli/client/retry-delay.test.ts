import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryDelay } from '../../../src/cli/client/follow.ts';

const facts = { failures: 1, resumable: false, now: 0, random: 0 };

describe('the wait before the next try', () => {
  it.each([
    ['a first loss with a known place is short', { ...facts, resumable: true }, 500],
    ['at most two seconds of it', { ...facts, resumable: true, random: 0.999_999 }, 2_000],
    ['without a place it is at least two seconds', facts, 2_000],
    ['the window doubles', { ...facts, failures: 3, random: 0.75 }, 12_000],
    ['up to a minute', { ...facts, failures: 40, random: 0.5 }, 30_000],
    ['Retry-After in seconds decides', { ...facts, retryAfter: '7' }, 7_000],
    ['stretched, so that all do not come at once', { ...facts, retryAfter: '8', random: 0.5 }, 9_000],
    ['Retry-After as a date decides', { ...facts, retryAfter: 'Thu, 01 Jan 1970 00:00:30 GMT' }, 30_000],
    ['never longer than ten minutes', { ...facts, retryAfter: '86400' }, 600_000],
    ['nonsense in Retry-After is passed over', { ...facts, retryAfter: 'soon' }, 2_000],
    ['and so is an empty one', { ...facts, retryAfter: '' }, 2_000],
    ['and a date gone by', { ...facts, now: 60_000, retryAfter: 'Thu, 01 Jan 1970 00:00:30 GMT' }, 2_000],
  ])('%s', (_, given, expected) => {
    expect(retryDelay(given)).toBe(expected);
  });

  it('keeps within 30 connections a minute from the second failure on', () => {
    const property = fc.property(
      fc.integer({ min: 2, max: 1_000 }),
      fc.boolean(),
      fc.double({ min: 0, max: 0.999_999, noNaN: true }),
      (failures, resumable, random) => {
        const delay = retryDelay({ failures, resumable, random, now: 0 });
        return delay >= 2_000 && delay <= 60_000;
      },
    );
    expect(() => fc.assert(property)).not.toThrow();
  });
});
