import fc from 'fast-check';
import { expect, it } from 'vitest';
import { InOrder } from '../../../../src/cli/commands/tail/tail-feed.ts';

it('moves past what has succeeded together with all before it, and never past a failure', () => {
  const plans = fc
    .array(fc.boolean(), { maxLength: 12 })
    .chain((ends) => fc.tuple(fc.constant(ends), fc.shuffledSubarray([...ends.keys()])));
  fc.assert(
    fc.property(plans, ([ends, endings]) => {
      let reached = -1;
      const order = new InOrder<number>((item) => {
        expect(item).toBeGreaterThan(reached);
        reached = item;
      });
      const begun = ends.map((_, item) => order.begin(item));
      for (const item of endings) begun[item]?.(ends[item] === true);
      const succeeded = ends.map((isGood, item) => isGood && endings.includes(item));
      const first = succeeded.indexOf(false);
      expect(reached).toBe((first === -1 ? ends.length : first) - 1);
    }),
  );
});

it('keeps nothing of what comes behind a failure', () => {
  const order = new InOrder<number>(() => {});
  const [first, second] = [order.begin(0), order.begin(1)];
  second(false);
  for (let item = 2; item < 1_000; item += 1) order.begin(item)(true);
  expect(order.size).toBe(1);
  first(true);
  expect(order.size).toBe(0);
});
