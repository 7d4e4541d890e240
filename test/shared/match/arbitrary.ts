import fc from 'fast-check';
import type { FieldValues } from '../../../src/shared/match/document.ts';
import type { Clause, Query } from '../../../src/shared/query/ast.ts';
import { FIELD_NAMES, type FieldName, FIELDS } from '../../../src/shared/query/fields.ts';

/** Few words, so that queries and pages meet; stop words, other cases and other planes among them. */
const WORDS = ['ferry', 'tram', 'the', 'council', 'x', 'fährt', 'трам', 'Tram', '𐐨b', '東', 'a.b'] as const;
const KEYWORDS = ['ferry', 'https://example.com/news/1', 'example.com', 'a.example.com', '2026-02-13T08:06:32', ''];

const field = fc.constantFrom(...FIELD_NAMES);
const word = fc.constantFrom(...WORDS);
const keyword = fc.constantFrom(...KEYWORDS);
const bound = fc.record({ text: fc.oneof(word, keyword), inclusive: fc.boolean() });
const number = fc.integer({ min: -2, max: 12 });

function termIn(field: FieldName): fc.Arbitrary<string> {
  return FIELDS[field].kind === 'text' ? word : keyword;
}

const term = field.chain((field) => termIn(field).map((term): Query => ({ kind: 'term', field, term })));

const phrase = field.chain((field) =>
  fc
    .tuple(fc.array(fc.tuple(termIn(field), fc.constantFrom(1, 1, 1, 2)), { minLength: 2, maxLength: 4 }), fc.nat(4))
    .map(([words, slop]): Query => {
      let position = -1;
      const terms = words.map(([term, step]) => ({ term, position: (position += step) }));
      return { kind: 'phrase', field, terms, slop: slop < 2 ? 0 : slop };
    }),
);

const pattern = fc
  .tuple(
    field,
    fc.constantFrom('*', '*erry', 'http*news*', '*example.com', '?ram', 'f*', '*/news/?', '*.com', '2026-*', '\\*'),
  )
  .map(([field, pattern]): Query => ({ kind: 'wildcard', field, pattern }));

const regex = fc
  .tuple(field, fc.constantFrom('.*erry', 'https://[a-z.]*/news/<1-3>', '(a.)?example.com', 'tram|ferry', '.*', '#'))
  .map(([field, pattern]): Query => ({ kind: 'regex', field, pattern }));

const fuzzy = fc
  .tuple(
    field,
    fc.constantFrom('ferri', 'tarm', 'counsil', 'xy', 'example.co'),
    fc.constantFrom<(0 | 1 | 2)[]>(0, 1, 2),
  )
  .map(([field, term, edits]): Query => ({ kind: 'fuzzy', field, term, edits: edits }));

const range: fc.Arbitrary<Query> = fc.record(
  { kind: fc.constant('range'), field, low: bound, high: bound },
  { requiredKeys: ['kind', 'field'] },
);

const numbers: fc.Arbitrary<Query> = fc.record(
  { kind: fc.constant('number'), field: fc.constantFrom('dr', 'age'), low: number, high: number },
  { requiredKeys: ['kind', 'field'] },
);

const leaf = fc.oneof(
  { arbitrary: term, weight: 4 },
  { arbitrary: phrase, weight: 3 },
  pattern,
  regex,
  fuzzy,
  range,
  numbers,
);

/** Every kind of query, nested. */
export const anyQuery: fc.Arbitrary<Query> = fc.letrec<{ query: Query; clause: Clause }>((tie) => ({
  clause: fc.record({ occur: fc.constantFrom('must', 'must', 'should', 'should', 'must_not'), query: tie('query') }),
  query: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc.array(tie('clause'), { minLength: 1, maxLength: 4 }).map((clauses): Query => ({ kind: 'boolean', clauses })),
  ),
})).query;

const separator = fc.constantFrom(' ', ', ', '. ', '-', "'", ' the ', ' THE ');
const text = fc.array(fc.tuple(word, separator), { maxLength: 10 }).map((parts) => parts.flat().join(''));

function valuesIn(field: FieldName): fc.Arbitrary<readonly string[]> {
  return fc.array(FIELDS[field].kind === 'text' ? text : keyword, { maxLength: FIELDS[field].single ? 1 : 3 });
}

/** A page with some of the fields. */
export const anyValues: fc.Arbitrary<FieldValues> = fc.record({
  texts: fc.record(Object.fromEntries(FIELD_NAMES.map((field) => [field, valuesIn(field)])), { requiredKeys: [] }),
  numbers: fc.record({ dr: fc.nat(10), age: fc.integer({ min: -3, max: 12 }) }, { requiredKeys: [] }),
});
