import { analyze } from '../analysis/analyze.ts';
import type { Clause, Expression, Group, Occur, Query, Quoted, Span, Words, WrittenClause } from './ast.ts';
import { type Field, fieldNamed } from './fields.ts';

/** Told where a group inside the query can match nothing, because all it says is NOT. */
export type OnNegativeGroup = (span: Span) => void;

/**
 * What a checked query means: words analysed, clauses put together as QueryParserBase.addClause does, left to right
 * (it is no precedence grammar: `a AND b OR c` is `+a +b c`). Undefined when nothing is left, all of it being stop
 * words. Throws on what `check` refuses.
 */
export function assemble(query: Group, onNegativeGroup: OnNegativeGroup): Query | undefined {
  return new Assembler(onNegativeGroup).group(query);
}

class Assembler {
  readonly #onNegativeGroup: OnNegativeGroup;

  constructor(onNegativeGroup: OnNegativeGroup) {
    this.#onNegativeGroup = onNegativeGroup;
  }

  group(group: Group): Query | undefined {
    const clauses: Clause[] = [];
    for (const written of group.clauses) this.#add(clauses, written);
    if (clauses.length === 0) return undefined;
    const [only] = clauses;
    if (clauses.length === 1 && only && only.occur !== 'must_not') return only.query;
    return { kind: 'boolean', clauses };
  }

  #add(clauses: Clause[], { conjunction, modifier, expression }: WrittenClause): void {
    // Several words in a row are flat clauses of this level, whatever analysis makes of each of them.
    if (expression.kind === 'words' && expression.words.length > 1) {
      clauses.push(...terms(expression).map((query): Clause => ({ occur: 'should', query })));
      return;
    }
    const previous = clauses.at(-1);
    if (conjunction === 'and' && previous?.occur === 'should') {
      clauses[clauses.length - 1] = { occur: 'must', query: previous.query };
    }
    const query = this.#query(expression);
    if (query) clauses.push({ occur: occurOf(conjunction, modifier), query });
  }

  #query(expression: Expression): Query | undefined {
    switch (expression.kind) {
      case 'words':
        return anyOf(terms(expression));
      case 'quoted':
        return phrase(expression);
      case 'wildcard':
        return { kind: 'wildcard', field: known(expression.field).name, pattern: expression.pattern };
      case 'group': {
        const query = this.group(expression);
        if (query && isNegative(query)) this.#onNegativeGroup(expression.span);
        return query;
      }
      case 'regex':
      case 'fuzzy':
      case 'range':
        throw new Error(`${expression.kind} reached assembly unchecked`);
    }
  }
}

/** Only `must_not` clauses: matches nothing, at the top and inside alike. */
function isNegative(query: Query): boolean {
  return query.kind === 'boolean' && query.clauses.every((clause) => clause.occur === 'must_not');
}

function occurOf(conjunction: WrittenClause['conjunction'], modifier: WrittenClause['modifier']): Occur {
  if (modifier !== 'none') return modifier;
  return conjunction === 'and' ? 'must' : 'should';
}

function known(name: string): Field {
  const field = fieldNamed(name);
  if (!field) throw new Error('an unknown field reached assembly unchecked');
  return field;
}

function terms({ field: name, words }: Words): Query[] {
  const field = known(name);
  const text = words.map((word) => word.text).join(' ');
  return placedTerms(text, field).map(({ term }) => ({ kind: 'term', field: field.name, term }));
}

function anyOf(queries: readonly Query[]): Query | undefined {
  if (queries.length < 2) return queries[0];
  return { kind: 'boolean', clauses: queries.map((query): Clause => ({ occur: 'should', query })) };
}

function phrase({ field: name, text, slop }: Quoted): Query | undefined {
  const field = known(name);
  const found = placedTerms(text, field);
  const [first] = found;
  if (!first || found.length > 1) return first && { kind: 'phrase', field: field.name, terms: found, slop };
  return { kind: 'term', field: field.name, term: first.term };
}

function placedTerms(text: string, field: Field): { term: string; position: number }[] {
  if (field.kind === 'keyword') return [{ term: text, position: 0 }];
  const found: { term: string; position: number }[] = [];
  analyze(text, field.keepsStopWords, (term, position) => found.push({ term, position }));
  return found;
}
