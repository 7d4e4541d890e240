import type { BooleanQuery, Query } from '../query/ast.ts';
import type { FieldName } from '../query/fields.ts';

/** A term of a field; a page that lacks it lacks it whatever else it says. */
export interface Anchor {
  readonly field: FieldName;
  readonly term: string;
}

/**
 * Terms of which every matching page has at least one, the rarest choice there is; undefined when there is none (a
 * wildcard alone, or beside OR).
 */
export function anchorsOf(query: Query): readonly Anchor[] | undefined {
  switch (query.kind) {
    case 'term':
      return [{ field: query.field, term: query.term }];
    case 'phrase':
      return rarest(query.terms.map(({ term }) => [{ field: query.field, term }]));
    case 'wildcard':
      return undefined;
    case 'boolean':
      return anchorsOfBoolean(query);
  }
}

function anchorsOfBoolean({ clauses }: BooleanQuery): readonly Anchor[] | undefined {
  const required = clauses.filter((clause) => clause.occur === 'must');
  if (required.length > 0) return rarest(required.map((clause) => anchorsOf(clause.query)));
  const all: Anchor[] = [];
  for (const clause of clauses) {
    if (clause.occur !== 'should') continue;
    const anchors = anchorsOf(clause.query);
    if (!anchors) return undefined;
    all.push(...anchors);
  }
  return all;
}

function rarest(choices: readonly (readonly Anchor[] | undefined)[]): readonly Anchor[] | undefined {
  let best: readonly Anchor[] | undefined;
  let least = Infinity;
  for (const choice of choices) {
    if (!choice) continue;
    const frequency = choice.reduce((sum, anchor) => sum + expectedFrequency(anchor), 0);
    if (frequency >= least) continue;
    best = choice;
    least = frequency;
  }
  return best;
}

/** How much of a page each field is: a word is met in the added text far sooner than in a title. */
const FIELD_SIZE: Readonly<Record<FieldName, number>> = { added: 100, removed: 30, title: 5, domain: 0.5, url: 0.01 };

/**
 * A guess that needs no statistics of what was crawled: long words are rare ones (Zipf's law of abbreviation), and
 * a guess that is wrong costs time, never a match.
 */
function expectedFrequency({ field, term }: Anchor): number {
  return FIELD_SIZE[field] / 2 ** Math.min(term.length, 30);
}
