import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Intervals } from '../../../src/daemon/accounts/metering.ts';

const run = fc.tuple(fc.nat(30), fc.nat(5)).map(([first, length]) => [first, first + length] as const);

test('are the set of what was put in', () => {
  fc.assert(
    fc.property(fc.array(run, { maxLength: 12 }), (runs) => {
      const intervals = new Intervals(100);
      const set = new Set<number>();
      for (const [first, next] of runs) {
        intervals.add(first, next);
        for (let one = first; one < next; one += 1) set.add(one);
      }
      for (let from = 0; from < 40; from += 1) {
        let reach = from;
        while (set.has(reach)) reach += 1;
        expect(intervals.reach(from)).toBe(reach);
      }
      const out = [];
      for (let part = intervals.shift(3); part; part = intervals.shift(3)) {
        expect(part.next - part.first).toBeLessThanOrEqual(3);
        for (let one = part.first; one < part.next; one += 1) out.push(one);
      }
      expect(out).toEqual([...set].sort((a, b) => a - b));
    }),
  );
});

test('forget the lowest run when they are too many', () => {
  const intervals = new Intervals(2);
  for (const first of [10, 20, 30]) intervals.add(first, first + 1);
  expect([10, 20, 30].map((one) => intervals.reach(one))).toEqual([10, 21, 31]);
});
