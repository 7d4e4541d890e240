import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { comparablePath, matches, patternOf, placeOf, written } from '../../../src/daemon/robots/parse.ts';

const few = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 60 });

describe('patterns', () => {
  test('the search in linear time finds what the engine’s own search finds', () => {
    const among = fc.tuple(few, few, few, fc.nat(20));
    fc.assert(
      fc.property(among, few, ([before, between, after, from], extra) => {
        const piece = between + extra;
        const path = before + piece + after;
        expect(placeOf(piece, path, from)).toBe(path.indexOf(piece, from));
      }),
    );
  });

  test('a long piece that almost matches everywhere is not found', () => {
    const piece = `${'a'.repeat(1_000)}b`;
    expect(placeOf(piece, 'a'.repeat(2_048), 0)).toBe(-1);
    expect(placeOf(piece, `${'a'.repeat(1_047)}b`, 3)).toBe(47);
  });

  test('any pattern matches what a regular expression for it matches', () => {
    const text = fc.string({ unit: fc.constantFrom('/', 'a', 'b', '*', '$'), maxLength: 12 });
    const path = fc.string({ unit: fc.constantFrom('/', 'a', 'b'), maxLength: 16 }).map((rest) => `/${rest}`);
    fc.assert(
      fc.property(text, path, (text, path) => {
        const isAnchored = text.endsWith('$');
        const body = (isAnchored ? text.slice(0, -1) : text).replaceAll('*', '.*').replaceAll('$', '%24');
        expect(matches(patternOf(text), path)).toBe(new RegExp(`^${body}${isAnchored ? '$' : ''}`).test(path));
      }),
      { numRuns: 1_000 },
    );
  });

  test('a path is its own pattern, whatever its bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
        const path = comparablePath(new URL(`http://site.test/${text}`));
        expect(matches(patternOf(path), path)).toBe(true);
        expect(matches(patternOf(`${path}$`), path)).toBe(true);
        expect(written(patternOf(path))).toBe(path);
      }),
    );
  });
});
