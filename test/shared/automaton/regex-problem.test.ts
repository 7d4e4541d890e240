import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRegex } from '../../../src/shared/automaton/regex.ts';
import { RegexProblem } from '../../../src/shared/automaton/regex-problem.ts';

function problemOf(pattern: string): RegexProblem | undefined {
  try {
    compileRegex(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof RegexProblem) return error;
    throw error;
  }
}

describe('a regex that cannot be read', () => {
  it.each([
    ['a)', 1, 2, 'The ) at position 1 of the regex has no matching (.', '\\)'],
    ['a|', 1, 2, 'Nothing follows the | at the end of the regex.', '\\|'],
    ['a&', 1, 2, 'Nothing follows the & at the end of the regex.', '\\&'],
    ['~', 0, 1, 'Nothing follows the ~ at the end of the regex.', '\\~'],
    ['a\\', 1, 2, 'The backslash at the end of the regex escapes nothing.', '\\\\'],
    ['.*(a', 2, 4, 'The ( at position 2 of the regex is never closed.', '(a)'],
    ['(', 0, 1, 'The ( at position 0 of the regex is never closed.', '()'],
    ['(a|)', 0, 4, 'The ( at position 0 of the regex is never closed: the ) at position 3', '(a|())'],
    ['[]', 0, 2, 'The [ at position 0 of the regex is never closed; a ] right after it means itself.', '\\[]'],
    ['x[ab', 1, 4, 'The [ at position 1 of the regex is never closed.', '[ab]'],
    ['[a-', 0, 3, 'The [ at position 0 of the regex is never closed.', undefined],
    ['.*[a-].*', 3, 6, 'The - at position 4 of the regex makes a range up to ], and a-] runs backwards.', 'a\\-]'],
    ['[a-z.-]+', 0, 8, 'The [ at position 0 of the regex is never closed: the - at position 5', '[a-z.\\-]+'],
    ['[z-a]', 1, 4, 'The range z-a in the regex runs backwards.', undefined],
    ['"abc', 0, 1, 'The quote at position 0 of the regex is never closed.', '\\"'],
    ['a<b', 1, 2, 'The < at position 1 of the regex begins an interval such as <1-99> and is never closed.', '\\<'],
    ['<name>', 0, 6, '<name> is not an interval;', '\\<name>'],
    ['<1->', 0, 4, '<1-> is not an interval;', '\\<1->'],
    ['<1-2-3>', 0, 7, '<1-2-3> is not an interval;', '\\<1-2-3>'],
    ['<0-2147483648>', 0, 14, '<0-2147483648> is not an interval;', '\\<0-2147483648>'],
    ['a{x}', 1, 2, 'The { at position 1 of the regex needs a number', '\\{'],
    ['a{2', 1, 3, 'The count {2 at position 1 of the regex is not closed by }.', '{2}'],
    ['a{2,', 1, 4, 'The count {2, at position 1 of the regex is not closed by }.', '{2,}'],
    ['a{2147483648}', 1, 12, 'The regex has a count above 2147483647.', undefined],
    ['😀)', 2, 3, 'The ) at position 2 of the regex has no matching (.', '\\)'],
    [`${'('.repeat(251)}a`, 250, 251, 'The regex has more than 250 nested groups.', undefined],
  ])('%s says where and why', (pattern, start, end, message, replacement) => {
    const problem = problemOf(pattern);
    expect(problem).toMatchObject({ name: 'RegexProblem', kind: 'syntax', start, end });
    expect(problem?.message).toContain(message);
    expect(problem?.hint?.replacement).toBe(replacement);
  });

  it('offers no remedy that leaves another mistake', () => {
    expect(problemOf('[\\w-]')?.hint).toBeUndefined();
    expect(problemOf('a)b)')?.hint).toBeUndefined();
  });

  it('keeps its span inside the pattern, and its remedy works', () => {
    const patterns = fc
      .array(fc.constantFrom(...'ab1|&?*+{},~[]^-.#@"()<>\\😀'.match(/./gu)!), { maxLength: 16 })
      .map((characters) => characters.join(''));
    fc.assert(
      fc.property(fc.oneof(patterns, fc.string({ unit: 'binary', maxLength: 20 })), (pattern) => {
        const problem = problemOf(pattern);
        if (!problem) return;
        const { start, end, hint } = problem;
        expect(0 <= start && start < end && end <= pattern.length).toBe(true);
        const mended = hint && pattern.slice(0, start) + hint.replacement + pattern.slice(end);
        expect(mended && problemOf(mended)).toBeUndefined();
      }),
      { numRuns: 5_000 },
    );
  });
});
