import { compileFuzzy } from '../automaton/fuzzy.ts';
import type { Matcher } from '../automaton/matcher.ts';
import { compileRegex } from '../automaton/regex.ts';
import { compileWildcard } from '../automaton/wildcard.ts';
import type { FuzzyQuery, NumberQuery, RangeQuery, RegexQuery, WildcardQuery } from '../query/ast.ts';
import { compareCodePoints } from '../query/syntax/code-point-order.ts';
import type { FieldValues } from './values.ts';

/** A clause that is tested against each term of a field: no table can look it up. */
export type PatternQuery = WildcardQuery | FuzzyQuery | RegexQuery | RangeQuery;

export interface TermTest {
  matches(term: string): boolean;
  /** Pieces that every matching term contains, longest first; empty when none is known. */
  readonly required: readonly string[];
}

export function termTest(query: PatternQuery): TermTest {
  switch (query.kind) {
    case 'wildcard':
      return withPieces(compileWildcard(query.pattern));
    case 'fuzzy':
      return compileFuzzy(query.term, query.edits);
    case 'regex':
      return withPieces(compileRegex(query.pattern));
    case 'range':
      return { matches: (term) => isInRange(query, term), required: [] };
  }
}

export function anyMatches(test: TermTest, terms: Iterable<string>): boolean {
  for (const term of terms) if (test.matches(term)) return true;
  return false;
}

/** Searching a piece is many times faster than running a pattern, and nearly always settles it. */
function withPieces(matcher: Matcher): TermTest {
  const { required } = matcher;
  const [longest] = required;
  if (longest === undefined) return matcher;
  return { matches: (term) => term.includes(longest) && matcher.matches(term), required };
}

function isInRange({ low, high }: RangeQuery, term: string): boolean {
  if (low) {
    const order = compareCodePoints(term, low.text);
    if (order < 0 || (order === 0 && !low.inclusive)) return false;
  }
  if (high) {
    const order = compareCodePoints(term, high.text);
    if (order > 0 || (order === 0 && !high.inclusive)) return false;
  }
  return true;
}

export function numberMatches({ field, low = -Infinity, high = Infinity }: NumberQuery, values: FieldValues): boolean {
  const number = values.numbers[field];
  return number !== undefined && number >= low && number <= high;
}
