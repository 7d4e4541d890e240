import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchesValues } from '../../../../src/shared/match/evaluate.ts';
import type { FieldValues } from '../../../../src/shared/match/document.ts';
import { assemble } from '../../../../src/shared/query/assemble.ts';
import { isWithin, type Query, type Span } from '../../../../src/shared/query/ast.ts';
import { parse } from '../../../../src/shared/query/syntax/parser.ts';
import { validate } from '../../../../src/shared/query/validate.ts';

/** Pages that together tell apart all that the clauses below can say. */
const pages: FieldValues[] = [];
for (const added of [[], ['ferry'], ['tram'], ['ferry tram']]) {
  for (const language of [[], ['en'], ['de'], ['fr']]) {
    for (const page_type of [[], ['/Article'], ['/Article', '/Article/Recipe']]) {
      for (const dr of [undefined, 0, 5, 7, 8, 100]) {
        pages.push({ texts: { added, language, page_type }, numbers: dr === undefined ? {} : { dr } });
      }
    }
  }
}

const leaf = fc.constantFrom(
  'ferry',
  'tram',
  'the',
  'language:en',
  'language:de',
  'language:xx',
  'language:[a TO e}',
  'dr:5',
  'dr:[0 TO 7]',
  'dr:{7 TO *]',
  'dr:[9 TO 3]',
  'page_type:"/Article"',
  'page_type:"/Article/Recipe"',
);
const { text } = fc.letrec<{ text: string; clause: string }>((tie) => ({
  text: fc
    .array(fc.tuple(fc.constantFrom(' ', ' AND ', ' OR '), fc.constantFrom('', '', '+', '-'), tie('clause')), {
      minLength: 1,
      maxLength: 3,
    })
    .map((parts) => parts.map(([joint, sign, clause], index) => (index === 0 ? '' : joint) + sign + clause).join('')),
  clause: fc.oneof(
    { maxDepth: 3 },
    { weight: 3, arbitrary: leaf },
    { weight: 2, arbitrary: tie('text').map((inner) => `(${inner})`) },
  ),
}));

function matchesNone(query: Query): boolean {
  return !pages.some((page) => matchesValues(query, page));
}

/** The part at the place, and all groups around it. */
function around(places: ReadonlyMap<Query, Span>, place: Span | undefined): Query[] {
  return [...places].filter(([, span]) => isWithin(place, span)).map(([query]) => query);
}

/** What is said to match nothing, and some page here matches it all the same. */
function untrue(written: string): string[] {
  const { query, places } = assemble(parse(written));
  const { diagnostics } = validate(written);
  const wrong = diagnostics.filter(({ code, span }) => {
    if (code === 'unmatchable_query' || code === 'only_negative') return query !== undefined && !matchesNone(query);
    return code === 'contradiction' && !around(places, span).some(matchesNone);
  });
  return wrong.map((found) => found.message);
}

it('no page matches what is said to match none', () => {
  fc.assert(
    fc.property(text, (written) => {
      expect(untrue(written)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
