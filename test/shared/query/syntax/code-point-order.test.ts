import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareCodePoints } from '../../../../src/shared/query/syntax/code-point-order.ts';

it('texts are ordered by their UTF-8 bytes', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\uff01', '\ud7ff', '\ue000', '😀', '😁'), maxLength: 4 });
  fc.assert(
    fc.property(text, text, (left, right) => {
      expect(Math.sign(compareCodePoints(left, right))).toBe(Buffer.compare(Buffer.from(left), Buffer.from(right)));
    }),
  );
});
