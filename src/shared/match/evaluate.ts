import type { BooleanQuery, Clause, NumberQuery, PhraseQuery, Query, TermQuery } from '../query/ast.ts';
import { anyMatches, numberMatches, type PatternQuery, termTest } from './leaves.ts';
import { PageTerms, type FieldValues } from './document.ts';
import { eachPhrase, WorkBudget } from './phrase.ts';

/**
 * A query asked of one page, straight over its tree. What it lacks in speed it has in plainness: it is the reference
 * implementation that the index must agree with, and `match --cases` asks it of queries that are in no index.
 */
export class Evaluator {
  readonly #root: Node;

  constructor(query: Query) {
    this.#root = compile(query);
  }

  /** Throws when a phrase would take too long. */
  matches(page: PageTerms): boolean {
    return this.#root(page, new WorkBudget());
  }
}

type Node = (page: PageTerms, budget: WorkBudget) => boolean;

function compile(query: Query): Node {
  switch (query.kind) {
    case 'term':
      return term(query);
    case 'phrase':
      return phrase(query);
    case 'wildcard':
    case 'fuzzy':
    case 'regex':
    case 'range':
      return pattern(query);
    case 'number':
      return number(query);
    case 'boolean':
      return boolean(query);
  }
}

function term({ field, term }: TermQuery): Node {
  return (page) => page.terms(field).has(term);
}

function phrase(query: PhraseQuery): Node {
  return (page, budget) => {
    let matched = false;
    eachPhrase(query, page.terms(query.field), budget, () => {
      matched = true;
      return false;
    });
    return matched;
  };
}

function pattern(query: PatternQuery): Node {
  const test = termTest(query);
  return (page) => anyMatches(test, page.terms(query.field).keys());
}

function number(query: NumberQuery): Node {
  return (page) => numberMatches(query, page.values);
}

function boolean(query: BooleanQuery): Node {
  const compiled = (occur: Clause['occur']): Node[] =>
    query.clauses.filter((clause) => clause.occur === occur).map((clause) => compile(clause.query));
  const must = compiled('must');
  const should = compiled('should');
  const mustNot = compiled('must_not');
  return (page, budget) =>
    must.every((node) => node(page, budget)) &&
    (must.length > 0 || should.some((node) => node(page, budget))) &&
    !mustNot.some((node) => node(page, budget));
}

/** Throws when a phrase would take too long. */
export function matchesValues(query: Query, values: FieldValues): boolean {
  return new Evaluator(query).matches(new PageTerms(values));
}
