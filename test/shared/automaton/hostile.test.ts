import { describe, expect, it } from 'vitest';
import { RegexBudget } from '../../../src/shared/automaton/budget.ts';
import { compileFuzzy } from '../../../src/shared/automaton/fuzzy.ts';
import { compileRegex } from '../../../src/shared/automaton/regex.ts';
import { SECTIONS } from './sections.ts';

/** A step of the budget is some fifty nanoseconds: twenty thousand are a millisecond. */
function stepsOf(pattern: string): number {
  const budget = new RegexBudget();
  const before = budget.left;
  compileRegex(pattern, budget);
  return before - budget.left;
}

/** Words of letters that begin and end in many different ways. */
function words(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${((index * 7_919) % 99_991).toString(26)}word${index % 10}`);
}

const KIBIBYTES = 16 * 1_024;

describe('a regex made to cost', () => {
  it.each([
    ['(a+)+', 2],
    ['(a|a)*', 1],
    ['(.*)*', 1],
    ['(.*a?){1000}', 1],
    [`.*${'[^a]?b?'.repeat(2_000)}`, 1],
    ['((((a*)*)*)*)*', 1],
    ['(a?){50}a{50}', 101],
    ['.*a.*a.*a.*a.*a.*b', 7],
    [`${'('.repeat(250)}a${')+'.repeat(250)}`, 2],
    [`a${'*'.repeat(KIBIBYTES)}`, 1],
    [`${'~'.repeat(KIBIBYTES)}a`, 2],
    ['a{1}'.repeat(1_000), 1_001],
    ['.*a.*|.*b.*|.*c.*|.*d.*|.*e.*|.*f.*|.*g.*|.*h.*|.*i.*|.*j.*|.*k.*|.*l.*|.*m.*|.*n.*', 29],
  ])('%.40s has a small automaton, found in a few steps', (pattern, states) => {
    expect(compileRegex(pattern).states).toBeLessThanOrEqual(states);
    expect(stepsOf(pattern)).toBeLessThan(90_000);
  });

  it('is counted part by part, each as small as can be, where it would be too large at once', () => {
    // At once its states are all the ways of having met some of the sections: 2^16.
    const sections = compileRegex(
      `https:\\/\\/.*\\/(${SECTIONS.map((section) => `${section}\\/.*`).join('|')})\\.html`,
    );
    expect(sections.states).toBe(99);
    expect(sections.matches('https://a.example/x/travel/y/z.html')).toBe(true);
    expect(sections.matches('https://a.example/x/travels/y/z.html')).toBe(false);
    expect(sections.matches('https://a.example/x/travel/y/z.htm')).toBe(false);
    const letters = compileRegex(`(${Array.from('abcdefghijklmnop', (letter) => `.*${letter}.*`).join('|')})z`);
    expect([letters.states, letters.matches('xaz'), letters.matches('xz')]).toEqual([3, true, false]);
  });

  it('costs no stack and little time where repetitions of a complement are stacked', () => {
    for (const operators of ['+?', '*?', '?+', '?*', '+*?', '{0,1}{1,}', '{1}']) {
      expect(stepsOf(`(~a)${operators.repeat(KIBIBYTES / operators.length)}`)).toBeLessThan(90_000);
    }
    expect(() => compileRegex(`(()&())${'{2}'.repeat(5_000)}`)).toThrow('more than 10,000 states');
  });

  it('may be a long list of words', () => {
    expect(compileRegex(words(750).join('|')).matches(words(750)[700] ?? '')).toBe(true);
    const anywhere = compileRegex(`.*(${words(250).join('|')}).*`);
    expect(anywhere.matches(`https://example.com/${words(250)[200] ?? ''}/`)).toBe(true);
    expect(anywhere.matches('https://example.com/wor')).toBe(false);
  });

  it('may need ten thousand states and no more', () => {
    expect(compileRegex('.{9999}').states).toBe(10_000);
    expect(() => compileRegex('.{10000}')).toThrow('The regex needs more than 10,000 states');
    expect(compileRegex('.*a.{10}').states).toBe(2_048);
    expect(() => compileRegex('.*a.{13}')).toThrow('The regex needs more than 10,000 states');
  });

  it.each([
    '(.*a.{20}b|.*c.{20}d)',
    '((a{1000}){1000}){1000}',
    '.{1000}{1000}',
    '(a{100}b?){200}',
    '(.*a.{20})&b',
    '~(.*a.{20})',
    '(.{0,50}a){0,50}',
    '(a|b|ab){3000}',
    'a{2147483647}',
    'a{3}'.repeat(4_000),
    Array.from({ length: 3_000 }, (_, index) => `[${String.fromCodePoint(0x100 + index, 0x2d, 0x1000 + index)}]`).join(
      '',
    ),
    Array.from({ length: 1_000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('.*'),
    `.*(${Array.from({ length: 5_000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('x|')}).*`,
  ])('%.40s is refused as too large', (pattern) => {
    expect(() => compileRegex(pattern)).toThrow('more than 10,000 states');
  });

  it('spends no more than its budget, which a query may share', () => {
    const budget = new RegexBudget(100_000);
    const compileMany = (): void => {
      for (let count = 0; count < 1_000; count++) compileRegex('.*a.{8}b', budget);
    };
    expect(compileMany).toThrow('The regex needs more than 10,000 states');
    expect(budget.left).toBeLessThan(0);
    expect(budget.left).toBeGreaterThan(-10_000);
  });

  it('may have an interval with seven thousand zeros in front, and eleven thousand are refused, not a crash', () => {
    const interval = (zeros: string): string => `<${zeros}05-${zeros}17>`;
    const zeros = '0'.repeat(7_000);
    const matcher = compileRegex(interval(zeros));
    expect([`${zeros}17`, `${zeros}18`, '17'].map((text) => matcher.matches(text))).toEqual([true, false, false]);
    expect(() => compileRegex(interval('0'.repeat(11_000)))).toThrow('more than 10,000 states');
  });

  it('is not written out a hundred times over before its size is asked', () => {
    const intervals = Array.from({ length: 900 }, (_, index) => `<${index}-${2_147_483_647 - index}>`);
    const budget = new RegexBudget();
    expect(() => compileRegex(intervals.join('|'), budget)).toThrow('more than 10,000 states');
    expect(budget.left).toBeGreaterThan(-10_000);
  });

  it('spends the same budget while a remedy is tried', () => {
    const budget = new RegexBudget();
    const before = budget.left;
    expect(() => compileRegex(`(${'a'.repeat(1_000)}`, budget)).toThrow('is never closed');
    expect(before - budget.left).toBeGreaterThan(4 * 1_000 - 1);
    expect(() => compileRegex('(.*a.{20}', budget)).toThrow('is never closed');
    expect(budget.left).toBeGreaterThan(90_000);
  });

  it('reads long texts once', () => {
    const url = `https://example.com/${'a'.repeat(2_000)}`;
    expect(compileRegex('https(.*a)+b').matches(url)).toBe(false);
    expect(compileRegex('.*(a|a)*(a+)+b.*').matches(url)).toBe(false);
    expect(compileFuzzy(url, 2).matches(url.replace('aa', 'ba'))).toBe(true);
  });
});
