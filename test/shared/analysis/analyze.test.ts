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

  it.each([
    // U+FE0E asks for text, not an emoji, and ends the word; U+FE0F stays in it.
    ['\u2764\uFE0F', ['\u2764\uFE0F']],
    ['\u2764\uFE0E x', ['\u2764', 'x']],
    ['\u00A9\uFE0E', ['\u00A9']],
    ['\u2665\uFE0E\u2665\uFE0F', ['\u2665', '\u2665\uFE0F']],
    ['\u{1F44D}\uFE0E\u{1F3FD}', ['\u{1F44D}', '\u{1F3FD}']],
    // A skin tone alone, joiners in front, what a joiner cannot join.
    ['\u{1F3FD}', ['\u{1F3FD}']],
    ['\u200D\u{1F44D}', ['\u200D\u{1F44D}']],
    ['__\u200D\u{1F44D}', ['\u200D\u{1F44D}']],
    ['a\u200D\u{1F44D}', ['a\u200D', '\u{1F44D}']],
    ['\u{1F469}\u{1F3FD}\u200D\u{1F680}', ['\u{1F469}\u{1F3FD}\u200D\u{1F680}']],
    ['\u{1F3F3}\uFE0F\u200D\u{1F308}', ['\u{1F3F3}\uFE0F\u200D\u{1F308}']],
    ['\u{1F3F4}\u{E0067}\u{E007F}', ['\u{1F3F4}\u{E0067}\u{E007F}']],
    ['1\uFE0F\u20E3 #\u20E3 *\uFE0F\u20E3', ['1\uFE0F\u20E3', '#\u20E3', '*\uFE0F\u20E3']],
    ['\u{1F1E9}\u{1F1EA}\uFE0F\u{1F1EB}\u{1F1F7}', ['\u{1F1E9}\u{1F1EA}\uFE0F', '\u{1F1EB}\u{1F1F7}']],
  ])('an emoji ends where StandardTokenizer of 8.7 ends it: %j', (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  it('a long run of joiners is read once', () => {
    const run = '\u200D'.repeat(300_000);
    expect(tokens(`${run}x`)).toEqual([['x', 0, 300_000, 300_001]]);
    expect(tokens(`${run}\u{1F44D}`).map(([term, , start]) => [term.length, start])).toEqual([[255, 299_747]]);
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
