/**
 * Why a query matches a page, or why it does not: the query's tree again, each clause with the places it hit or with
 * the reason it did not. It is asked of one query and one page when someone wants to know, straight over the tree by
 * the plain reading of the page; the index keeps no queries, so a stored rule is explained from its text.
 *
 * The places of a matching query (`placesOf`) are those that the delivered excerpt is cut around.
 */
import type { BooleanQuery, NumberQuery, Occur, PhraseQuery, Query, TermQuery } from '../query/ast.ts';
import { numberMatches, type PatternQuery, termTest } from './leaves.ts';
import { PageTerms, type Place, type FieldValues } from './document.ts';
import { eachPhrase, TooMuchWork, WorkBudget } from './phrase.ts';
import { adultProblem, howLongAgo, qualityProblem } from './quality.ts';
import { type FieldName, FIELDS } from '../query/fields.ts';
import { head } from './excerpt.ts';

export interface FieldPlace extends Place {
  readonly field: FieldName;
}

export interface Explanation {
  readonly query: Query;
  /** How the clause stands in the boolean query around it. */
  readonly occur?: Occur;
  readonly matches: boolean;
  /** What a clause that is no boolean query hit, in the order of the page; 1,000 at most. */
  readonly places: readonly FieldPlace[];
  /** Present exactly when it does not match. */
  readonly reason?: string;
  /** Of a boolean query, in the order of the query. */
  readonly clauses: readonly Explanation[];
}

export interface RuleExplanation {
  readonly matches: boolean;
  readonly query: Explanation;
  /** What the rule's switches have against the page: `quality: no publish date`. */
  readonly refusals: readonly string[];
}

/** Places of one clause that are kept: more than the 16 KiB of an event can show. */
const MOST_PLACES = 1_000;

export function explainRule(
  query: Query,
  values: FieldValues,
  { quality, nsfw }: { readonly quality: boolean; readonly nsfw: boolean },
): RuleExplanation {
  const explanation = explain(query, values);
  const low = quality ? qualityProblem(values) : undefined;
  const adult = nsfw ? undefined : adultProblem(values);
  const refusals = [
    ...(low === undefined ? [] : [`quality: ${low}`]),
    ...(adult === undefined ? [] : [`nsfw: ${adult}`]),
  ];
  return { matches: explanation.matches && refusals.length === 0, query: explanation, refusals };
}

/** Never throws; a phrase that would take too long counts as not matching, and says so. */
export function explain(query: Query, values: FieldValues): Explanation {
  return new Explainer(values).explain(query);
}

/** What made a page match, each place once: nothing below NOT or beside a failed AND. */
export function placesOf(explanation: Explanation): FieldPlace[] {
  if (!explanation.matches) return [];
  const places = [
    ...explanation.places,
    ...explanation.clauses.filter((clause) => clause.occur !== 'must_not').flatMap(placesOf),
  ];
  return Array.from(new Map(places.map((place) => [`${place.field} ${place.value} ${place.start}`, place])).values());
}

class Explainer {
  readonly #page: PageTerms;

  constructor(values: FieldValues) {
    this.#page = new PageTerms(values);
  }

  explain(query: Query): Explanation {
    switch (query.kind) {
      case 'term':
        return this.#leaf(query, this.#term(query));
      case 'phrase':
        return this.#phrase(query);
      case 'wildcard':
      case 'fuzzy':
      case 'regex':
      case 'range':
        return this.#leaf(query, this.#pattern(query));
      case 'number':
        return this.#number(query);
      case 'boolean':
        return this.#boolean(query);
    }
  }

  #term({ field, term }: TermQuery): readonly number[] {
    return this.#page.terms(field).get(term)?.slice(0, MOST_PLACES) ?? [];
  }

  #pattern(query: PatternQuery): readonly number[] {
    const test = termTest(query);
    const positions: number[] = [];
    for (const [term, found] of this.#page.terms(query.field))
      if (test.matches(term)) positions.push(...found.slice(0, MOST_PLACES));
    return positions.sort((left, right) => left - right).slice(0, MOST_PLACES);
  }

  #phrase(query: PhraseQuery): Explanation {
    const positions = new Set<number>();
    try {
      eachPhrase(query, this.#page.terms(query.field), new WorkBudget(), (found) => {
        for (const position of found) positions.add(position);
        return positions.size < MOST_PLACES;
      });
    } catch (failure) {
      if (!(failure instanceof TooMuchWork)) throw failure;
      return { query, matches: false, places: [], reason: failure.message, clauses: [] };
    }
    return this.#leaf(query, Array.from(positions));
  }

  #leaf(query: Exclude<Query, NumberQuery | BooleanQuery>, positions: readonly number[]): Explanation {
    if (positions.length === 0) return this.#failed(query);
    const { field } = query;
    const found = this.#page.places(field, new Set(positions)).values();
    const places = Array.from(found, ({ value, start, end }): FieldPlace => ({ field, value, start, end }));
    return { query, matches: true, places, clauses: [] };
  }

  #number(query: NumberQuery): Explanation {
    if (!numberMatches(query, this.#page.values)) return this.#failed(query);
    return { query, matches: true, places: [], clauses: [] };
  }

  #failed(query: Exclude<Query, BooleanQuery>): Explanation {
    return { query, matches: false, places: [], reason: reasonOf(query, this.#page), clauses: [] };
  }

  #boolean(query: BooleanQuery): Explanation {
    const clauses = query.clauses.map(({ occur, query }): Explanation => ({ ...this.explain(query), occur }));
    const reason = refusalOf(clauses);
    return { query, matches: reason === undefined, places: [], ...(reason !== undefined && { reason }), clauses };
  }
}

/** Undefined when the clauses together match. */
function refusalOf(clauses: readonly Explanation[]): string | undefined {
  const of = (occur: Occur): Explanation[] => clauses.filter((clause) => clause.occur === occur);
  if (of('must').some((clause) => !clause.matches)) return 'a required clause does not match';
  if (of('must_not').some((clause) => clause.matches)) return 'an excluded clause matches';
  if (of('must').length > 0 || of('should').some((clause) => clause.matches)) return undefined;
  return of('should').length > 0 ? 'none of the clauses matches' : 'NOT alone matches nothing';
}

/** Values of a field that are shown, and characters of each. */
const MOST_VALUES = 5;
const MOST_CHARACTERS = 120;

/** Why a clause does not match, for people: what it misses, or what the page has instead. */
function reasonOf(query: Exclude<Query, BooleanQuery>, page: PageTerms): string {
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
  const { numbers, ahead } = page.values;
  const number = numbers[field];
  if (field === 'age' && number === undefined) {
    return ahead === undefined ? 'no publish date' : `${howLongAgo(-ahead)}, which is not believed`;
  }
  if (field === 'age' && number !== undefined) return howLongAgo(number);
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
