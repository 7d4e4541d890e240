import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eachPhrase, TooMuchWork, WorkBudget } from '../../../src/shared/match/phrase.ts';
import type { PhraseQuery } from '../../../src/shared/query/ast.ts';

function termsOf(words: readonly string[]): Map<string, number[]> {
  const terms = new Map<string, number[]>();
  for (const [position, word] of words.entries()) {
    const positions = terms.get(word);
    if (positions) positions.push(position);
    else terms.set(word, [position]);
  }
  return terms;
}

function phraseOf(words: readonly string[], slop: number): PhraseQuery {
  // A dot is a hole: a stop word that was left out.
  const terms = words.flatMap((term, position) => (term === '.' ? [] : [{ term, position }]));
  return { kind: 'phrase', field: 'added', terms, slop };
}

function found(phrase: PhraseQuery, words: readonly string[]): (readonly number[])[] {
  const all: (readonly number[])[] = [];
  eachPhrase(phrase, termsOf(words), new WorkBudget(), (positions) => {
    all.push(positions);
    return true;
  });
  return all;
}

/** The reference: every choice of occurrences. */
function matches(phrase: PhraseQuery, words: readonly string[], taken: readonly number[] = []): boolean {
  const next = phrase.terms[taken.length];
  if (!next) {
    const moved = taken.map((position, index) => position - (phrase.terms[index]?.position ?? 0));
    return Math.max(...moved) - Math.min(...moved) <= phrase.slop;
  }
  return words.some(
    (word, position) => word === next.term && !taken.includes(position) && matches(phrase, words, [...taken, position]),
  );
}

describe('a phrase', () => {
  it('is found wherever it stands, with the positions of its words', () => {
    expect(found(phraseOf(['a', '.', 'b'], 0), ['a', 'x', 'b', 'a', 'b', 'b'])).toEqual([
      [0, 2],
      [3, 5],
    ]);
  });

  it('matches exactly when some choice of occurrences fits the slop', () => {
    const word = fc.constantFrom('a', 'b', 'c');
    const phrase = fc
      .tuple(word, fc.array(fc.constantFrom('a', 'b', 'c', '.'), { maxLength: 2 }), word, fc.nat(5))
      .map(([first, middle, last, slop]) => phraseOf([first, ...middle, last], slop));
    const page = fc.array(fc.constantFrom('a', 'b', 'c', 'x'), { maxLength: 9 });
    fc.assert(
      fc.property(phrase, page, (phrase, words) => {
        expect(found(phrase, words).length > 0).toBe(matches(phrase, words));
      }),
      { numRuns: 2_000 },
    );
  });

  it('costs no more than the way to the place where it is found', () => {
    const page = Array.from({ length: 4_000_000 }, (_, index) => (index % 2 === 0 ? 'a' : 'b'));
    let places = 0;
    eachPhrase(phraseOf(['b', 'a'], 2), termsOf(page), new WorkBudget(), () => ++places < 1_000);
    expect(places).toBe(1_000);
  });

  it('that would take too long on a hostile page is given up', () => {
    const page = Array.from({ length: 100_000 }, (_, index) => (index % 1_000 === 999 ? 'b' : 'a'));
    const phrase = phraseOf(
      Array.from({ length: 5_000 }, () => 'a'),
      0,
    );
    expect(() => found(phrase, page)).toThrow(TooMuchWork);
  });
});
