import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze, isStopWord } from '../../../src/shared/analysis/analyze.ts';
import { stopWordsAtEnd } from '../../../src/shared/analysis/hashed-words.ts';

describe('the stop words at the end of a text', () => {
  it.each([
    ['', 0],
    ['ferry', 0],
    ['the', 1],
    ['a ferry to the ... of THE', 4],
    ['The ferry is on, and the tram', 0],
    [`ferry ${'of the '.repeat(1_000)}`, 2_000],
    ['of the '.repeat(1_000), 2_000],
    [`x${'-the'.repeat(50)}`, 50],
  ])('of %s are %s', (text, count) => {
    expect(stopWordsAtEnd(text)).toBe(count);
  });

  it('are those that the analysis finds there', () => {
    const piece = fc.constantFrom('the', 'of', 'And', 'ferry', "it's", '東', '_the', '.', 'é', 'x'.repeat(300));
    const space = fc.constantFrom(' ', ', ', '-', '\n', ':');
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, space), { maxLength: 30 }), (parts) => {
        const text = parts.flat().join('');
        const terms: string[] = [];
        analyze(text, true, (term) => terms.push(term));
        expect(stopWordsAtEnd(text)).toBe(terms.length - 1 - terms.findLastIndex((term) => !isStopWord(term)));
      }),
    );
  });
});
