import type { Diagnostic } from '../../api/diagnostic.ts';
import type { Span, WrittenClause } from '../ast.ts';
import { diagnostic } from '../codes.ts';

const OPERATOR = /^(?:and|or|not)$/i;

function isNoOperator(word: string): boolean {
  return OPERATOR.test(word) && word !== word.toUpperCase();
}

/** Warns of `and`, `Or` and `not` between two clauses: only upper case is an operator, these are searched as words. */
export function operatorWords(clauses: readonly WrittenClause[], text: string): Diagnostic[] {
  const places = clauses.flatMap(placesOf);
  return places
    .slice(1, -1)
    .filter((place): place is Span => place !== undefined && isNoOperator(text.slice(place.start, place.end)))
    .map((place) => {
      const written = text.slice(place.start, place.end);
      const operator = written.toUpperCase();
      const message = `${written} is searched as a word; the operator is written ${operator}.`;
      const hint = { message: 'Write it in upper case.', replacement: operator };
      return diagnostic('lowercase_operator', place, message, { hint });
    });
}

/** The places of a clause's words; one undefined for a clause that cannot be an operator in disguise. */
function placesOf({ conjunction, modifier, expression }: WrittenClause): (Span | undefined)[] {
  const plain = conjunction === 'none' && modifier === 'none' && !expression.fieldSpan && !expression.boost;
  if (!plain || expression.kind !== 'words') return [undefined];
  return expression.words.map((word) => word.span);
}
