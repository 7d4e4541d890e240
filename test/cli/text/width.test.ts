import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { widthOf } from '../../../src/cli/text/width.ts';

test('a text is as wide as string-width says, whether it was asked or not', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
  fc.assert(fc.property(text, (one) => widthOf(one) === stringWidth(one)));
});

test('control characters take no column, wide ones two', () => {
  expect(['ferry', 'a\tb', '渡船', 'e\u0301', '\u{1f6a2}'].map(widthOf)).toEqual([5, 2, 4, 1, 2]);
});
