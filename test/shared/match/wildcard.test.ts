import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WildcardMatcher } from '../../../src/shared/match/wildcard.ts';

/** The dull twin: the definition, by recursion. */
function matches(pattern: readonly string[], text: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return text.length === 0;
  if (first === '*') return matches(rest, text) || (text.length > 0 && matches(pattern, text.slice(1)));
  if (text.length === 0) return false;
  if (first === '?') return matches(rest, text.slice(1));
  if (first === '\\' && rest[0] !== undefined) return text[0] === rest[0] && matches(rest.slice(1), text.slice(1));
  return text[0] === first && matches(rest, text.slice(1));
}

describe('a wildcard pattern', () => {
  it.each([
    ['*\\/blog\\/*', 'https://example.com/blog/1', true],
    ['*.example.com', 'example.com', false],
    ['?', '😀', true],
    ['\\*', 'x', false],
    ['\\*', '*', true],
    ['a\\', 'a\\', true],
    ['', '', true],
    ['Example', 'example', false],
    [`*${'x'.repeat(70)}?*`, `_${'x'.repeat(75)}`, true],
    [`*${'x'.repeat(70)}?*`, 'x'.repeat(70), false],
  ])('%s on %s', (pattern, text, expected) => {
    expect(new WildcardMatcher(pattern).matches(text)).toBe(expected);
  });

  it('matches what the definition says', () => {
    const pattern = fc.array(fc.constantFrom('a', 'b', '*', '?', '\\', '😀'), { maxLength: 10 });
    const text = fc.array(fc.constantFrom('a', 'b', '*', '\\', '😀'), { maxLength: 8 });
    fc.assert(
      fc.property(pattern, text, (pattern, text) => {
        expect(new WildcardMatcher(pattern.join('')).matches(text.join(''))).toBe(matches(pattern, text));
      }),
    );
  });

  it('made to backtrack for ever does not', () => {
    expect(new WildcardMatcher(`${'*a'.repeat(1_000)}*b`).matches('a'.repeat(2_000))).toBe(false);
  });
});
