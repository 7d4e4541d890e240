import type { BooleanQuery, NumberQuery, PhraseQuery, Query } from '../query/ast.ts';
import { type FieldName, FIELDS } from '../query/fields.ts';
import { howLongAgo } from './age.ts';
import { head } from './cut.ts';
import type { PageTerms } from './page-terms.ts';

/** Values of a field that are shown, and characters of each. */
const MOST_VALUES = 5;
const MOST_CHARACTERS = 120;

/** Why a clause does not match, for people: what it misses, or what the page has instead. */
export function reasonOf(query: Exclude<Query, BooleanQuery>, page: PageTerms): string {
  if (query.kind === 'number') return numberReason(query, page);
  const { field } = query;
  const values = page.values.texts[field] ?? [];
  if (values.length === 0) return `the page has no ${field}`;
  if (FIELDS[field].kind === 'keyword') return `${field} is ${shown(values)}`;
  switch (query.kind) {
    case 'term':
      return noWord(query.term, field);
    case 'phrase':
      return phraseReason(query, page);
    case 'fuzzy':
      return `no word in ${field} is within ${query.edits} edit${query.edits === 1 ? '' : 's'} of ${quoted(query.term)}`;
    case 'wildcard':
    case 'regex':
      return `no word in ${field} fits`;
    case 'range':
      return `no word in ${field} lies in the range`;
  }
}

function numberReason({ field }: NumberQuery, page: PageTerms): string {
  const number = page.values.numbers[field];
  if (field === 'age') return number === undefined ? 'no publish date' : howLongAgo(number);
  return number === undefined ? `the page has no ${field}` : `${field} is ${number}`;
}

function phraseReason({ field, terms, slop }: PhraseQuery, page: PageTerms): string {
  const found = page.terms(field);
  const missing = terms.find(({ term }) => !found.has(term));
  if (missing) return noWord(missing.term, field);
  if (slop > 0) return `the words are in ${field}, but never as close together as ~${slop} allows`;
  return `the words are in ${field}, but never in a row`;
}

function noWord(word: string, field: FieldName): string {
  return `no ${quoted(word)} in ${field}`;
}

function shown(values: readonly string[]): string {
  const some = values.slice(0, MOST_VALUES).map(quoted).join(', ');
  return values.length > MOST_VALUES ? `${some} and ${values.length - MOST_VALUES} more` : some;
}

function quoted(text: string): string {
  return `"${head(text, MOST_CHARACTERS)}"`;
}
