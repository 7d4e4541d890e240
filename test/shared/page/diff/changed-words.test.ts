import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedWords, type LinePart, pairedLines } from '../../../../src/shared/page/diff/changed-words.ts';

/** `[…]` around what changed. */
function shown(parts: readonly LinePart[] = []): string {
  return parts.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('');
}

function sides(before: string, after: string): string[] {
  const found = changedWords(before, after);
  return found ? [shown(found.before), shown(found.after)] : [];
}

describe('the words that changed in a line', () => {
  test.each([
    ['The price is 12 euros', 'The price is 14 euros', 'The price is [12] euros', 'The price is [14] euros'],
    ['Open on Monday', 'Open again on Monday', 'Open on Monday', 'Open [again ]on Monday'],
    [
      'Two words here, and more',
      'Three new here, and more',
      '[Two words] here, and more',
      '[Three new] here, and more',
    ],
    ['a\tb stays as it is', 'a b stays as it is', 'a[\t]b stays as it is', 'a[ ]b stays as it is'],
    ['営業時間は九時からです', '営業時間は十時からです', '営業時間は[九]時からです', '営業時間は[十]時からです'],
    ['Release 1.9.2 is out', 'Release 1.9.3 is out', 'Release 1.9.[2] is out', 'Release 1.9.[3] is out'],
    ['Linux is here', 'linux is here', '[Linux] is here', '[linux] is here'],
  ])('%j → %j', (before, after, old, recent) => {
    expect(sides(before, after)).toEqual([old, recent]);
  });

  test('lines with little in common are two lines', () => {
    expect(changedWords('The price is 12 euros', 'Nothing to be had today')).toBeUndefined();
    expect(changedWords('', 'something')).toBeUndefined();
  });

  test('a line of a megabyte is left without marks', () => {
    const line = 'word '.repeat(200_000);
    expect(changedWords(line, `${line}!`)).toBeUndefined();
  });

  test('the parts of each side are the line, and both sides have the same unchanged words', () => {
    const word = fc.constantFrom('a', 'bb', ' ', '  ', '.', '漢', '字', '😀', '\ud800', '7', '\t', 'long-word');
    const line = fc.array(word, { maxLength: 30 }).map((words) => words.join(''));
    fc.assert(
      fc.property(line, line, (before, after) => {
        const found = changedWords(before, after);
        if (!found) return;
        const join = (parts: readonly LinePart[]): string => parts.map(({ text }) => text).join('');
        expect([join(found.before), join(found.after)]).toEqual([before, after]);
        const stayed = (parts: readonly LinePart[]): string =>
          join(parts.filter(({ changed }) => !changed)).replaceAll(/\s/g, '');
        expect(stayed(found.before)).toBe(stayed(found.after));
      }),
    );
  });
});

describe('which line became which', () => {
  test('is told by what they have in common, in their order', () => {
    const deleted = ['Basic plan: 5 euros a month', 'Team plan: 20 euros a month'];
    const inserted = ['A notice that nobody has seen', 'Team plan: 25 euros a month', 'Basic plan: 5 euros a year'];
    expect([...pairedLines(deleted, inserted)]).toEqual([[1, 1]]);
  });

  test('gets no lines at all', () => {
    expect(pairedLines([], ['new'])).toEqual(new Map());
  });

  test('never gives one line to two', () => {
    const line = fc
      .array(fc.constantFrom('one', 'two', 'three', 'four'), { maxLength: 5 })
      .map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.array(line, { maxLength: 12 }), (deleted, inserted) => {
        const places = [...pairedLines(deleted, inserted).values()];
        expect(places).toEqual([...new Set(places)].toSorted((one, other) => one - other));
      }),
    );
  });
});
