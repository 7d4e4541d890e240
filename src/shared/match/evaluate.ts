import type { BooleanQuery, Clause, PhraseQuery, Query, TermQuery, WildcardQuery } from '../query/ast.ts';
import type { FieldName } from '../query/fields.ts';
import type { PageTerms } from './page-terms.ts';
import { eachPhrase, TooMuchWork, WorkBudget } from './phrase.ts';
import { WildcardMatcher } from './wildcard.ts';

/** Receives the positions of words that a clause of a matching query hit. */
export type OnHit = (field: FieldName, position: number) => void;

/** Occurrences of one clause that are marked in the delivered diff: more than its 16 KiB can show. */
const HITS_PER_CLAUSE = 1_000;

/** A query made ready to be asked of many pages. */
export class Evaluator {
  readonly #root: Node;

  constructor(query: Query) {
    this.#root = compile(query);
  }

  /** Throws when a phrase would take too long. */
  matches(page: PageTerms): boolean {
    return this.#root.matches(page, new WorkBudget());
  }

  /**
   * What made a page match that does: nothing below NOT or beside a failed AND. Never throws: where the work is too
   * much, hits are missing, and the event goes out with fewer places shown.
   */
  hits(page: PageTerms, onHit: OnHit): void {
    try {
      this.#root.hits(page, new WorkBudget(), onHit);
    } catch (failure) {
      if (!(failure instanceof TooMuchWork)) throw failure;
    }
  }
}

interface Node {
  matches(page: PageTerms, budget: WorkBudget): boolean;
  /** Asked only when it matches. */
  hits(page: PageTerms, budget: WorkBudget, onHit: OnHit): void;
}

function compile(query: Query): Node {
  switch (query.kind) {
    case 'term':
      return term(query);
    case 'phrase':
      return phrase(query);
    case 'wildcard':
      return wildcard(query);
    case 'boolean':
      return boolean(query);
  }
}

function term({ field, term }: TermQuery): Node {
  return {
    matches: (page) => page.terms(field).has(term),
    hits: (page, _budget, onHit) => {
      for (const position of page.terms(field).get(term)?.slice(0, HITS_PER_CLAUSE) ?? []) onHit(field, position);
    },
  };
}

function phrase(query: PhraseQuery): Node {
  return {
    matches: (page, budget) => {
      let matched = false;
      eachPhrase(query, page.terms(query.field), budget, () => {
        matched = true;
        return false;
      });
      return matched;
    },
    hits: (page, budget, onHit) => {
      let count = 0;
      eachPhrase(query, page.terms(query.field), budget, (positions) => {
        for (const position of positions) onHit(query.field, position);
        count += positions.length;
        return count < HITS_PER_CLAUSE;
      });
    },
  };
}

/** Wildcards stand on keyword fields only, whose values are their terms; those show in no diff. */
function wildcard({ field, pattern }: WildcardQuery): Node {
  const matcher = new WildcardMatcher(pattern);
  return {
    matches: (page) => page.values(field).some((value) => matcher.matches(value)),
    hits: () => undefined,
  };
}

function boolean(query: BooleanQuery): Node {
  const compiled = (occur: Clause['occur']): Node[] =>
    query.clauses.filter((clause) => clause.occur === occur).map((clause) => compile(clause.query));
  const must = compiled('must');
  const should = compiled('should');
  const mustNot = compiled('must_not');
  return {
    matches: (page, budget) =>
      must.every((node) => node.matches(page, budget)) &&
      (must.length > 0 || should.some((node) => node.matches(page, budget))) &&
      !mustNot.some((node) => node.matches(page, budget)),
    hits: (page, budget, onHit) => {
      for (const node of must) node.hits(page, budget, onHit);
      for (const node of should) if (node.matches(page, budget)) node.hits(page, budget, onHit);
    },
  };
}
