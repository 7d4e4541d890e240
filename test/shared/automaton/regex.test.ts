import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRegex } from '../../../src/shared/automaton/regex.ts';
import { SECTIONS } from './sections.ts';
import { commonTrees, isMatch, matcherOf, texts, trees } from './regex-tree.ts';

describe('a regex', () => {
  it.each([
    ['', '', true],
    ['', 'a', false],
    ['https', 'https://a', false],
    // Postfix binds to the atom, concatenation next, then &, then |.
    ['ab*', 'abb', true],
    ['ab*', 'abab', false],
    ['a|bc', 'ac', false],
    ['a|b&c', 'a', true],
    ['a|b&c', 'b', false],
    ['ab&a.|c', 'ab', true],
    ['a**', 'aa', true],
    ['a{2}{3}', 'a'.repeat(6), true],
    ['a{2}{3}', 'a'.repeat(5), false],
    ['a{2,}', 'a', false],
    ['a{3,1}', 'aa', false],
    ['.*?', 'abc', true],
    ['a+?', '', true],
    // The complement binds tighter than postfix: (~a)*.
    ['~a*', 'a', false],
    ['~(a*)', 'aab', true],
    ['~(a*)', 'aa', false],
    ['~~a', 'a', true],
    ['~#', 'anything', true],
    ['~@', '', false],
    ['.', '\n', true],
    ['.', '😀', true],
    ['..', '😀', false],
    ['#', '', false],
    ['a#|b', 'b', true],
    ['@', '', true],
    ['"a*b"', 'a*b', true],
    ['"a*b"', 'aab', false],
    ['"\\"', '\\', true],
    ['()', '', true],
    ['a()b', 'ab', true],
    ['^a$', '^a$', true],
    ['^a$', 'a', false],
    ['\\d', 'd', true],
    ['\\d', '1', false],
    ['\\.', 'a', false],
    ['a]', 'a]', true],
    ['a}', 'a}', true],
    ['a>', 'a>', true],
    // Where something to match is expected, an operator is a character.
    ['*a', '*a', true],
    ['**', '***', true],
    ['+a', '+a', true],
    ['|a', '|a', true],
    ['|a', 'a', false],
    ['a||b', '|b', true],
    ['&a', '&a', true],
    ['{a', '{a', true],
    [')', ')', true],
    ['(|a)', '|a', true],
    ['(a|))', ')', true],
    ['(?:a)', '?:a', true],
    ['[a-c]', 'b', true],
    ['[-a]', '-', true],
    ['[a-c-9]', '-', true],
    ['[]a]', ']', true],
    ['[^]a]', ']', false],
    ['[^]a]', 'b', true],
    ['[^a]', '', false],
    ['[[]', '[', true],
    ['[\\]]', ']', true],
    ['[\\^a]', '^', true],
    ['[a^]', '^', true],
    ['[A-]]', 'B', true],
    ['[\\--0]', '/', true],
    ['[α-ω]', 'λ', true],
    ['[😀-😂]', '😁', true],
    ['<1-99>', '7', true],
    ['<1-99>', '007', true],
    ['<1-99>', '0', false],
    ['<1-99>', '100', false],
    ['<01-12>', '7', false],
    ['<01-12>', '07', true],
    ['<12-01>', '07', true],
    ['<5-100>', '0042', true],
    ['<5-100>', '4', false],
    ['<0-0>', '0', true],
    ['<0-0>', '00', false],
    ['<0-2147483647>', '2147483648', false],
  ])('%s on %j: %s', (pattern, text, expected) => {
    expect(compileRegex(pattern).matches(text)).toBe(expected);
  });

  it.each([
    // Repeating what no text fits, RegExp of 8.x: any number of it is nothing, up to a number of it the empty text.
    ['#*', '', false],
    ['#+', '', false],
    ['#{0,}', '', false],
    ['#{2,3}', '', false],
    ['#?', '', true],
    ['#{0,3}', '', true],
    ['#{0}', '', true],
    ['(a&b)*', '', false],
    ['(~@)*', '', false],
    ['(a&b){0,}', '', false],
    ['(a&b)?', '', true],
    ['(a&b){0,2}', '', true],
    ['(a#)*', '', false],
    ['x(a&b)*|y', 'x', false],
    ['x(a&b)*|y', 'y', true],
    ['((a&b)+)?', '', true],
    ['((a&b)*)?', '', true],
    ['((a&b)*)+', '', false],
    ['((a&b)+)*', '', false],
    ['((a&b)?)*', '', true],
    ['((a&b)*){2,3}', '', false],
    ['((a&b)*){0,3}', '', true],
    ['((a&b)|a)*', 'aa', true],
    ['((a&b)|())*', '', true],
    ['~((a&b)*)', '', true],
  ])('%s on %j is %s, as Lucene repeats', (pattern, text, expected) => {
    expect(compileRegex(pattern).matches(text)).toBe(expected);
  });

  it('\\u begins no number: it is the letter u, as any letter behind a backslash is itself', () => {
    const matcher = compileRegex('\\u0041+');
    expect(['u0041', 'u00411', 'A', 'AA'].map((text) => matcher.matches(text))).toEqual([true, true, false, false]);
  });

  it('matches what the definition says', () => {
    fc.assert(
      fc.property(trees, fc.array(texts, { minLength: 1, maxLength: 8 }), (tree, texts) => {
        const matcher = matcherOf(tree);
        for (const text of texts) {
          expect([text, matcher.matches(text.join(''))]).toEqual([text, isMatch(tree, text)]);
        }
      }),
      { numRuns: 1_500 },
    );
  });

  it('matches the same when it is built part by part', () => {
    // More than can be built at once, and no text of the few letters fits it.
    const large = `https.*(${SECTIONS.map((section) => `${section}.*`).join('|')})html`;
    fc.assert(
      fc.property(trees, fc.array(texts, { minLength: 1, maxLength: 8 }), (tree, texts) => {
        const matcher = matcherOf({ ...tree, pattern: `${large}|(${tree.pattern})` });
        for (const text of texts) {
          expect([text, matcher.matches(text.join(''))]).toEqual([text, isMatch(tree, text)]);
        }
        expect(matcher.matches('https://a/news/b.html')).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('matches what JavaScript matches, where the languages agree', () => {
    fc.assert(
      fc.property(commonTrees, fc.array(texts, { minLength: 1, maxLength: 8 }), (tree, texts) => {
        // JavaScript goes back and forth in counts within counts for ever.
        fc.pre((tree.pattern.match(/[?*+{]/g) ?? []).length <= 3);
        const matcher = matcherOf(tree);
        const regExp = new RegExp(`^(?:${tree.pattern})$`, 'su');
        for (const text of texts) {
          expect([text, matcher.matches(text.join(''))]).toEqual([text, regExp.test(text.join(''))]);
        }
      }),
      { numRuns: 1_500 },
    );
  });

  it('says of itself when it matches nothing and when everything, and only then', () => {
    fc.assert(
      fc.property(trees, texts, (tree, text) => {
        const matcher = matcherOf(tree);
        const fits = isMatch(tree, text);
        expect([matcher.matchesNothing && fits, matcher.matchesEverything && text.length > 0 && !fits]).toEqual([
          false,
          false,
        ]);
      }),
    );
    const nothing = ['#', 'a&b', '~@', '~(.*)', '[^\u{0}-\u{10ffff}]', 'a{3,1}', '(.*a)&(.*b)', 'a(b&c)d|~@'];
    expect(nothing.filter((pattern) => !compileRegex(pattern).matchesNothing)).toEqual([]);
    const everything = ['.*', '.+', '@', '~#', '(a|[^a])+', '~()', 'a.*|~(a.*)'];
    expect(everything.filter((pattern) => !compileRegex(pattern).matchesEverything)).toEqual([]);
    expect(compileRegex('(.|~(1))').matchesEverything).toBe(true);
    expect(compileRegex('.+.').matchesEverything).toBe(false);
  });

  it('tells where \\d and its kind stand, and what to write instead', () => {
    expect(compileRegex('x\\d+[\\w.]\\S\\\\d[^\\D]').shorthands).toEqual([
      { start: 1, end: 3, replacement: '[0-9]' },
      { start: 5, end: 7, replacement: 'A-Za-z0-9_' },
      { start: 9, end: 11 },
      { start: 16, end: 18 },
    ]);
    expect(compileRegex('\\bitem\\b"\\d"\\/').shorthands).toEqual([]);
  });
});
