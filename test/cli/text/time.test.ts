import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clockTime, duration, every, localTime, parseSeconds, relative } from '../../../src/cli/text/time.ts';

describe('spans of time', () => {
  test.each([
    [0, '0 s'],
    [999, '0 s'],
    [-5_000, '0 s'],
    [45_000, '45 s'],
    [12 * 60_000 + 30_000, '12 m'],
    [3_600_000, '1 h'],
    [3_600_000 + 120_000, '1 h 2 m'],
    [(3 * 24 + 4) * 3_600_000, '3 d 4 h'],
  ])('%i ms are "%s"', (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });

  test.each([
    ['90', 90],
    ['30s', 30],
    ['10m', 600],
    ['6h', 21_600],
    ['1d', 86_400],
    ['x', undefined],
    ['-1s', undefined],
    ['1.5h', undefined],
    ['', undefined],
    ['10 m', undefined],
  ])('"%s" typed is %s seconds', (text, seconds) => {
    expect(parseSeconds(text)).toBe(seconds);
  });

  test.each([
    [600, '10 m'],
    [90, '90 s'],
    [86_400, '1 d'],
    [5_400, '90 m'],
  ])('every %i seconds is "%s"', (seconds, text) => {
    expect(every(seconds)).toBe(text);
  });

  test('are told from now, in both directions', () => {
    const now = Date.parse('2026-02-27T12:00:00Z');
    expect(relative('2026-02-27T11:57:00+00:00', now)).toBe('3 m ago');
    expect(relative('2026-02-27T12:10:00Z', now)).toBe('in 10 m');
    expect(relative('2026-02-27T12:00:00.500Z', now)).toBe('now');
    expect(relative('yesterday', now)).toBe('yesterday');
  });
});

describe('instants', () => {
  test('on the clock of the reader keep their instant: the zone is said', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }), (at) => {
        const [day, time, zone] = (localTime(at.toISOString()) ?? '').split(' ');
        expect(Date.parse(`${day}T${time}${zone}`)).toBe(Math.floor(at.getTime() / 1_000) * 1_000);
        expect(time).toBe(at.toTimeString().slice(0, 8));
      }),
    );
  });

  test('today have no day, others do; no instant is one', () => {
    const [now, noon] = [new Date(2026, 1, 27, 18).getTime(), new Date(2026, 1, 27, 12, 5, 9).toISOString()];
    expect(clockTime(noon, now)).toBe('12:05:09');
    expect(clockTime(noon, now + 86_400_000)).toBe('02-27 12:05');
    expect([clockTime('soon', now), localTime('soon')]).toEqual(['--:--:--', undefined]);
  });
});
