import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../../src/shared/analysis/analyze.ts';

function tokens(text: string, keepsStopWords = false): (readonly [string, number, number, number])[] {
  const found: (readonly [string, number, number, number])[] = [];
  analyze(text, keepsStopWords, (...token) => found.push(token));
  return found;
}

function terms(text: string): string[] {
  return tokens(text, true).map(([term]) => term);
}

describe('a text is split into words', () => {
  it.each([
    ["Don't stop-over at U.S.A.", ["don't", 'stop', 'over', 'at', 'u.s.a']],
    ['3.14 1,000 10:30 v2.x x_y', ['3.14', '1,000', '10', '30', 'v2', 'x', 'x_y']],
    ['İSTANBUL ΟΔΟΣ Straße', ['istanbul', 'οδοσ', 'straße']],
    ['東京タワー ภาษาไทย 서울시', ['東', '京', 'タワー', 'ภาษาไทย', '서울시']],
    ['👨‍👩‍👧 🇩🇪🇫🇷 #️⃣ ©', ['👨‍👩‍👧', '🇩🇪', '🇫🇷', '#️⃣', '©']],
    ['___ _a_ -', ['_a_']],
    ['', []],
  ])('%s', (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  it('a stop word is left out and keeps its position', () => {
    expect(tokens('The state of the art')).toEqual([
      ['state', 1, 4, 9],
      ['art', 4, 17, 20],
    ]);
  });

  it('a word of more than 255 characters goes on as the next one', () => {
    expect(terms('x'.repeat(300)).map((term) => term.length)).toEqual([255, 45]);
  });

  it('a surrogate pair at the limit is not split', () => {
    expect(terms(`x${'𐐀'.repeat(200)}`).map((term) => term.length)).toEqual([255, 146]);
  });

  it('a long run of connectors belongs to the word after it as far as the limit allows', () => {
    expect(tokens(`${'_'.repeat(400)}a`)).toEqual([[`${'_'.repeat(254)}a`, 0, 146, 401]]);
  });

  it('places are ascending, within the text, and hold the word', () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom(...Array.from('aZ1._\'":,; -東あア한א̈\u200D')), fc.string({ unit: 'binary' })),
    });
    fc.assert(
      fc.property(text, (text) => {
        let after = 0;
        for (const [term, , start, end] of tokens(text)) {
          expect(start).toBeGreaterThanOrEqual(after);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(tokens(text.slice(start, end), true).map(([inner]) => inner)).toEqual([term]);
          after = end;
        }
      }),
    );
  });
});
