import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkPattern, IgnoredLines, isPattern } from '../../../../src/shared/page/select/ignored-lines.ts';

const left = (lines: readonly string[], ...patterns: readonly string[]): string[] => {
  const ignored = new IgnoredLines(patterns);
  return lines.filter((line) => !ignored.has(line));
};

describe('an expression for lines', () => {
  test('leaves out the lines that it matches somewhere', () => {
    const lines = ['Updated at nine', 'The ferry was updated', 'The ferry leaves'];
    expect(left(lines, '/updated/')).toEqual(['Updated at nine', 'The ferry leaves']);
    expect(left(lines, '/updated/i')).toEqual(['The ferry leaves']);
    expect(left(lines, '/^Updated/', '/leaves$/')).toEqual(['The ferry was updated']);
    expect(left(['a/b', 'ab'], '/a/b/')).toEqual(['ab']);
  });

  test('counts what it finds, a line for the first that matches', () => {
    const ignored = new IgnoredLines(['/a/', '/b/', '/c/']);
    for (const line of ['a', 'ab', 'b', 'x']) ignored.has(line);
    expect(ignored.found).toEqual([
      { pattern: '/a/', found: 2 },
      { pattern: '/b/', found: 1 },
      { pattern: '/c/', found: 0 },
    ]);
  });

  test('is told from a selector by its slash', () => {
    expect([isPattern('/a/'), isPattern('.a'), isPattern('a[href="/b"]')]).toEqual([true, false, false]);
  });

  test.each(['/x/', '/x/i', '/a/b/', '/\\bfoo\\b/', '/^\\d+ (?:views|Aufrufe)$/', '/(?i)x/'])(
    '%s is taken',
    (pattern) => {
      expect(checkPattern(pattern)).toBeUndefined();
    },
  );

  test.each([
    ['/x', 'no "/" at its end'],
    ['//', 'is empty'],
    ['/x/g', 'ends in "/g"'],
    ['/ab(c/', 'at character 2, "ab(c": missing closing )'],
    ['/[z-a]/', 'at character 3, "z-a"'],
    ['/(?=x)/', 'at character 2'],
    ['/a\\1/', 'at character 3'],
    [`/${'.{900}'.repeat(3)}/`, 'too large'],
  ])('%s is refused with its place', (pattern, said) => {
    expect(checkPattern(pattern)).toContain(said);
  });

  test('of any text is taken or refused in a sentence, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), (text) => {
        const said = checkPattern(`/${text}/`);
        expect(said ?? 'The expression is taken.').toMatch(/^The expression .*\.$/s);
        expect(left(['a line'], `/${text}/`).length).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('takes linear time where others take years', () => {
    expect(left(['a'.repeat(10_000)], '/^(a+)+$/', '/(a|aa)+b/')).toEqual([]);
    expect(left(['a'.repeat(10_000)], '/(?:a*)*b/')).toHaveLength(1);
  });

  test('is used from many at the same time: more than are kept compiled', () => {
    const patterns = Array.from({ length: 500 }, (_, index) => `/^line ${index}$/`);
    const lines = patterns.map((_, index) => `line ${index}`);
    expect(left([...lines, 'line 500'], ...patterns)).toEqual(['line 500']);
    expect(left(['line 3', 'line 30'], '/^line 3$/')).toEqual(['line 30']);
  });
});
