import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findJsonFault } from '../../../src/cli/text/json-fault.ts';

describe('the first place that is no JSON', () => {
  test.each([
    ['', 0, 'a value is expected'],
    ['  ', 2, 'a value is expected'],
    ['{"a":1,}', 7, 'a name in double quotes is expected'],
    ['{a:1}', 1, 'a name in double quotes is expected, or }'],
    ["{'a':1}", 1, 'a name in double quotes is expected, or }'],
    ['{"a" 1}', 5, 'a colon is expected'],
    ['{"a":}', 5, 'a value is expected'],
    ['{"a":1 "b":2}', 7, 'a comma is expected, or }'],
    ['[1,\n]', 4, 'a value is expected'],
    ['[1 2]', 3, 'a comma is expected, or ]'],
    ['[', 1, 'a value is expected, or ]'],
    ['[1}', 2, 'a comma is expected, or ]'],
    ['{"a":"b}', 5, 'a text begins here and does not end'],
    ['["a\tb"]', 3, 'a line end, tab or other control character is escaped inside a text'],
    [String.raw`["a\d"]`, 3, 'a backslash is written twice inside a text'],
    ['[01]', 2, 'a comma is expected, or ]'],
    ['nul', 0, 'a value is expected'],
    ['{} {}', 3, 'nothing more is expected'],
  ])('of %j is %i: %s', (text, at, message) => {
    expect(findJsonFault(text)).toEqual({ at, message });
  });

  test('is there exactly when the text cannot be parsed, however it was damaged', () => {
    const parts = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '\n',
      '\u0000',
      '0',
      '-1',
      '1.5e3',
      'null',
      'x',
      '"a"',
      ' ',
    ];
    const damaged = fc
      .tuple(fc.json(), fc.nat(), fc.nat(3), fc.constantFrom('', ...parts))
      .map(
        ([text, at, gone, put]) =>
          text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + gone),
      );
    const any = fc.array(fc.constantFrom(...parts), { maxLength: 9 }).map((some) => some.join(''));
    fc.assert(
      fc.property(fc.oneof(fc.json(), damaged, any), (text) => {
        expect(findJsonFault(text) === undefined).toBe(parses(text));
      }),
      { numRuns: 1_000 },
    );
  });

  test('is found behind a text of megabytes, and below lists without number', () => {
    expect(findJsonFault(`["${'x'.repeat(4_000_000)}" 1]`)?.at).toBe(4_000_004);
    expect(findJsonFault('['.repeat(200_000))?.at).toBe(200_000);
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
