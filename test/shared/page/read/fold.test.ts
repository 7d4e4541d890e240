import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '../../../../src/shared/page/read/fold.ts';

/** What the documentation of `fold` says, with nothing skipped. */
function foldedSlowly(text: string): string {
  return text
    .replace(/[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .toWellFormed()
    .replace(/[\p{Cc}--\s]/gv, '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim();
}

test('folding passes over no character that needs it', () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0xffff; code += 1) {
    const text = `a${String.fromCharCode(code)}b`;
    if (fold(text) !== foldedSlowly(text)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

test('letters are composed in every script, whatever stands around them', () => {
  const letters = [
    'e',
    'и',
    'か',
    '가',
    'α',
    'क',
    '\u0301',
    '\u0306',
    '\u3099',
    '\u11a8',
    '\u093c',
    '\0',
    '\u0085',
    '\u00ad',
    ' ',
    '’',
    '中',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...letters), { maxLength: 8 }), (parts) => {
      const text = parts.join('');
      expect(fold(text)).toBe(foldedSlowly(text));
    }),
  );
});

test('a mark is composed with the letter that a control character parts it from', () => {
  expect(fold('e\u0085\u0301')).toBe('é');
});
