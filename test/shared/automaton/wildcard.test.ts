import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileWildcard } from '../../../src/shared/automaton/wildcard.ts';

/** The reference implementation: the definition, by recursion. */
function matches(pattern: readonly string[], text: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return text.length === 0;
  if (first === '*') return matches(rest, text) || (text.length > 0 && matches(pattern, text.slice(1)));
  if (text.length === 0) return false;
  if (first === '?') return matches(rest, text.slice(1));
  if (first === '\\' && rest[0] !== undefined) return text[0] === rest[0] && matches(rest.slice(1), text.slice(1));
  return text[0] === first && matches(rest, text.slice(1));
}

const patterns = fc.array(fc.constantFrom('a', 'b', '*', '*', '?', '\\', '😀'), { maxLength: 10 });
const texts = fc.array(fc.constantFrom('a', 'b', '*', '\\', '😀'), { maxLength: 8 });

describe('a wildcard pattern', () => {
  it.each([
    ['*\\/blog\\/*', 'https://example.com/blog/1', true],
    ['*.example.com', 'example.com', false],
    ['?', '😀', true],
    ['??', '😀', false],
    ['\\*', 'x', false],
    ['\\*', '*', true],
    ['a\\', 'a\\', true],
    ['', '', true],
    ['', 'a', false],
    ['a*a', 'a', false],
    ['*', '', true],
    ['Example', 'example', false],
    [`*${'x'.repeat(70)}?*`, `_${'x'.repeat(75)}`, true],
    [`*${'x'.repeat(70)}?*`, 'x'.repeat(70), false],
    // One character stands there more often than a look at all bits takes, the other does not.
    [`*${'a?'.repeat(500)}b*`, `_${'a'.repeat(1_000)}b`, true],
    [`*${'a?'.repeat(500)}b*`, `_${'a'.repeat(999)}b`, false],
    [`*${'a?'.repeat(500)}b*`, `${'b'.repeat(500)}${'a'.repeat(1_000)}`, false],
    [`*${'a?'.repeat(5_000)}b*`, 'a'.repeat(10_000), false],
    ['*\udc00*', '\ud800\udc00', false],
    ['*\udc00*', 'a\udc00', true],
  ])('%j on %j', (pattern, text, expected) => {
    expect(compileWildcard(pattern).matches(text)).toBe(expected);
  });

  it('matches what the definition says', () => {
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        expect(compileWildcard(pattern.join('')).matches(text.join(''))).toBe(matches(pattern, text));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['*\\/blog\\/*', ['/blog/'], '', ''],
    ['https\\:\\/\\/a.com\\/*', ['https://a.com/'], 'https://a.com/', ''],
    ['*.pdf', ['.pdf'], '', '.pdf'],
    ['ab?cde*fg', ['cde', 'ab', 'fg'], 'ab', 'fg'],
    ['abc', ['abc'], 'abc', 'abc'],
    ['*abc*b*', ['abc'], '', ''],
    ['*?*', [], '', ''],
  ])('%s has pieces without which nothing matches', (pattern, required, prefix, suffix) => {
    expect(compileWildcard(pattern)).toMatchObject({ required, prefix, suffix });
  });

  it('has its pieces in all that it matches', () => {
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        const whole = text.join('');
        const matcher = compileWildcard(pattern.join(''));
        if (!matcher.matches(whole)) return;
        expect(matcher.required.every((piece) => whole.includes(piece))).toBe(true);
        expect(whole.startsWith(matcher.prefix) && whole.endsWith(matcher.suffix)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it('made to backtrack forever does not', () => {
    expect(compileWildcard(`${'*a'.repeat(1_000)}*b`).matches('a'.repeat(2_000))).toBe(false);
    expect(compileWildcard(`${'*a?'.repeat(1_000)}*b`).matches('a'.repeat(2_000))).toBe(false);
  });
});
