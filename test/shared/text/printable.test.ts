import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printable, printableJson, withoutTags } from '../../../src/shared/text/printable.ts';

const dangerous = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\u{e0000}-\u{e007f}]/u;
const anything = fc.string({
  unit: fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    fc.constantFrom('\u001b', '\u009b', '\u202e', '\n', '\u{e0041}'),
  ),
});

describe('text from outside', () => {
  test('never carries a control character, and keeps the offsets of its code units', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(printable(text)).not.toMatch(dangerous);
        expect(printable(text)).toHaveLength(text.length);
      }),
    );
  });

  test('shows that something was there', () => {
    expect(printable('a\u001b]0;owned\u0007b\nc')).toBe('a\u{fffd}]0;owned\u{fffd}b c');
    expect(printable('moc.\u202eexample')).toBe('moc.\u{fffd}example');
  });

  test('for a program has no tag characters in it, as it is or in JSON', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const whole = JSON.stringify(text);
        expect(withoutTags(whole)).not.toMatch(/[\u{e0000}-\u{e007f}]/u);
        expect(JSON.parse(withoutTags(printableJson(text)))).toBe(JSON.parse(withoutTags(whole)));
      }),
    );
    expect(withoutTags('a\u{e0041}\u{e007f}b')).toBe('a\u{fffd}\u{fffd}b');
    expect(withoutTags(String.raw`{"a":"\udb40\udc41"}`)).toBe('{"a":"\u{fffd}"}');
  });

  test('as JSON keeps its value and hides nothing in it', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const json = printableJson({ text });
        expect(json).not.toMatch(dangerous);
        expect(JSON.parse(json)).toEqual({ text });
      }),
    );
  });
});
