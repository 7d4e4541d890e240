import { analyze, lowerCase } from '../analysis/analyze.ts';
import type {
  Clause,
  Expression,
  Group,
  Leaf,
  Occur,
  Query,
  Quoted,
  Range,
  RangeQuery,
  Span,
  WrittenClause,
} from './ast.ts';
import { type Field, fieldNamed } from './fields.ts';
import { readNumber } from './check/values.ts';

/** What a query means, and where in the text each part of it stands. */
export interface Assembled {
  /** Undefined when nothing is left, all of it being stop words. */
  readonly query: Query | undefined;
  readonly places: ReadonlyMap<Query, Span>;
  /** Groups inside the query that can match nothing, because all they say is NOT. */
  readonly negativeGroups: readonly NegativeGroup[];
}

export interface NegativeGroup {
  readonly group: Group;
  readonly clause: WrittenClause;
}

/**
 * What a checked query means: words analysed, clauses put together as QueryParserBase.addClause does, left to right
 * (it is no precedence grammar: `a AND b OR c` is `+a +b c`). Throws on what `check` refuses.
 */
export function assemble(query: Group): Assembled {
  const assembler = new Assembler();
  return { query: assembler.group(query), places: assembler.places, negativeGroups: assembler.negativeGroups };
}

class Assembler {
  readonly places = new Map<Query, Span>();
  readonly negativeGroups: NegativeGroup[] = [];

  group(group: Group): Query | undefined {
    const clauses: Clause[] = [];
    for (const written of group.clauses) this.#add(clauses, written);
    if (clauses.length === 0) return undefined;
    const [only] = clauses;
    if (clauses.length === 1 && only && only.occur !== 'must_not') return only.query;
    return this.#placed({ kind: 'boolean', clauses }, group.span);
  }

  #placed<Kind extends Query>(query: Kind, span: Span): Kind {
    this.places.set(query, span);
    return query;
  }

  #add(clauses: Clause[], written: WrittenClause): void {
    const { conjunction, modifier, expression } = written;
    // Several words in a row are flat clauses of this level, whatever analysis makes of each of them.
    if (expression.kind === 'words' && expression.words.length > 1) {
      for (const query of this.#terms(expression)) clauses.push({ occur: 'should', query });
      return;
    }
    const previous = clauses.at(-1);
    if (conjunction === 'and' && previous?.occur === 'should') {
      clauses[clauses.length - 1] = { occur: 'must', query: previous.query };
    }
    const query = this.#query(expression);
    if (!query) return;
    if (expression.kind === 'group' && isNegative(query))
      this.negativeGroups.push({ group: expression, clause: written });
    clauses.push({ occur: occurOf(conjunction, modifier), query });
  }

  #query(expression: Expression): Query | undefined {
    if (expression.kind === 'group') return this.group(expression);
    const number = readNumber(expression);
    if (!number) return this.#leaf(expression, known(expression.field));
    if ('problem' in number) throw new Error('a bad number reached assembly unchecked');
    return this.#placed(number.query, expression.span);
  }

  #leaf(leaf: Leaf, field: Field): Query | undefined {
    switch (leaf.kind) {
      case 'words':
        return this.#anyOf(this.#terms(leaf), leaf.span);
      case 'quoted':
        return this.#phrase(leaf, field);
      case 'wildcard':
        return this.#placed({ kind: 'wildcard', field: field.name, pattern: leaf.pattern }, leaf.span);
      case 'regex':
        return this.#placed({ kind: 'regex', field: field.name, pattern: closable(leaf.pattern) }, leaf.span);
      case 'fuzzy':
        return this.#placed(
          { kind: 'fuzzy', field: field.name, term: normalized(leaf.text, field), edits: leaf.edits },
          leaf.span,
        );
      case 'range':
        return this.#placed(range(leaf, field), leaf.span);
      case 'refused':
        throw new Error('a refused value reached assembly');
    }
  }

  #terms({ field: name, words, span }: Extract<Leaf, { kind: 'words' }>): Query[] {
    const field = known(name);
    if (field.kind === 'keyword') {
      const term = words.map((word) => word.text).join(' ');
      return [this.#placed({ kind: 'term', field: field.name, term }, span)];
    }
    // Lucene analyses the words as one text with spaces between, and a space always parts two tokens.
    return words.flatMap((word) =>
      placedTerms(word.text, field).map(({ term }) =>
        this.#placed({ kind: 'term', field: field.name, term }, word.span),
      ),
    );
  }

  #anyOf(queries: readonly Query[], span: Span): Query | undefined {
    if (queries.length < 2) return queries[0];
    const clauses = queries.map((query): Clause => ({ occur: 'should', query }));
    return this.#placed({ kind: 'boolean', clauses }, span);
  }

  #phrase({ text, slop, span }: Quoted, field: Field): Query | undefined {
    if (field.kind === 'keyword') {
      return this.#placed({ kind: 'term', field: field.name, term: text }, span);
    }
    const found = placedTerms(text, field);
    const [first] = found;
    if (!first) return undefined;
    if (found.length === 1) return this.#placed({ kind: 'term', field: field.name, term: first.term }, span);
    // A hole in front of a phrase means nothing.
    const terms = found.map(({ term, position }) => ({ term, position: position - first.position }));
    return this.#placed({ kind: 'phrase', field: field.name, terms, slop }, span);
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

/** What a bound or a fuzzy word is compared as: lower-cased in text, and never split. */
function normalized(text: string, field: Field): string {
  return field.kind === 'text' ? lowerCase(text) : text;
}

function range({ low, high }: Range, field: Field): RangeQuery {
  const bound = (name: 'low' | 'high', written: Range['low']): Partial<RangeQuery> =>
    written ? { [name]: { text: normalized(written.text, field), inclusive: written.inclusive } } : {};
  return { kind: 'range', field: field.name, ...bound('low', low), ...bound('high', high) };
}

function placedTerms(text: string, field: Field): { term: string; position: number }[] {
  const found: { term: string; position: number }[] = [];
  analyze(text, field.keepsStopWords, (term, position) => found.push({ term, position }));
  return found;
}

/**
 * A regex that ends in a backslash (`/a\\/`) ends at its slash only where no other slash follows, as in Lucene's
 * grammar. Printed in front of more it would swallow that, so the backslash is kept as a class.
 */
function closable(pattern: string): string {
  return pattern.endsWith('\\\\') ? `${pattern.slice(0, -2)}[\\\\]` : pattern;
}
