import type { Explanation, FieldPlace, RuleExplanation } from '../../shared/match/explain.ts';
import type { FieldValues } from '../../shared/match/values.ts';
import type { Occur, Query } from '../../shared/query/ast.ts';
import { print } from '../../shared/query/print.ts';
import type { Validation } from '../../shared/query/validate.ts';
import type { Paint } from '../output.ts';
import { printable } from '../printable.ts';
import { cut } from '../table.ts';

/** Places of one clause that are shown, columns of each, and characters before and after what was hit. */
const PLACES = 3;
const WIDTH = 100;
const CONTEXT = 30;

const SIGNS: Readonly<Record<Occur, string>> = { must: '+', must_not: '-', should: '' };

type Asked = Pick<Validation, 'expanded' | 'places'>;

/**
 * Why a query matches a document, for people: a line for each clause, with what it hit below it or why it hit nothing
 * behind it. The signs are those of the compiled query: `+` must match, `-` must not, the others may.
 */
export function explanationLines(
  { matches, query, refusals }: RuleExplanation,
  asked: Asked,
  values: FieldValues,
  paint: Paint,
): string[] {
  const verdict = matches ? paint('green', 'match') : paint('red', 'no match');
  const lines = new Lines(asked, values, paint);
  // The whole query needs no line of its own where it has clauses.
  if (query.clauses.length > 0) for (const clause of query.clauses) lines.add(clause, '  ');
  else lines.add(query, '  ');
  const why = query.clauses.length > 0 && query.reason !== undefined ? `: ${query.reason}` : '';
  return [
    `${verdict}${why}`,
    ...lines.all,
    ...refusals.map((refusal) => `  ${paint('red', 'no ')} ${printable(refusal)}`),
  ];
}

class Lines {
  readonly all: string[] = [];
  readonly #asked: Asked;
  readonly #values: FieldValues;
  readonly #paint: Paint;

  constructor(asked: Asked, values: FieldValues, paint: Paint) {
    this.#asked = asked;
    this.#values = values;
    this.#paint = paint;
  }

  add(explanation: Explanation, indent: string): void {
    const { matches, reason, occur = 'should', clauses, places } = explanation;
    const said = matches ? this.#paint('green', 'yes') : this.#paint('red', 'no ');
    const clause = cut(printable(SIGNS[occur] + writtenAs(explanation.query, this.#asked)), WIDTH);
    const why = reason === undefined ? '' : `  ${this.#paint('dim', printable(reason))}`;
    this.all.push(`${indent}${said} ${clause}${why}`);
    for (const child of clauses) this.add(child, `${indent}    `);
    for (const place of places.slice(0, PLACES)) this.all.push(`${indent}      ${this.#place(place)}`);
    const more = places.length - PLACES;
    if (more > 0) this.all.push(`${indent}      ${this.#paint('dim', `… and ${more} more`)}`);
  }

  /** `added 2: a tram and a [ferry] line`; the number of the value only where there are several. */
  #place({ field, value, start, end }: FieldPlace): string {
    const values = this.#values.texts[field] ?? [];
    const text = values[value] ?? '';
    const name = values.length > 1 ? `${field} ${value + 1}` : field;
    const hit = this.#paint('bold', `[${cut(printable(text.slice(start, end)), WIDTH)}]`);
    // A cut between the halves of a character would show as two broken ones.
    const before = text.slice(Math.max(0, start - CONTEXT), start).replace(/^[\uDC00-\uDFFF]/, '');
    const after = text.slice(end, end + CONTEXT).replace(/[\uD800-\uDBFF]$/, '');
    const lead = start > CONTEXT ? '…' : '';
    const tail = text.length > end + CONTEXT ? '…' : '';
    return `${name}: ${lead}${printable(before)}${hit}${printable(after)}${tail}`;
  }
}

/** The same for programs: the tree of clauses, each with its place in the query and its places in the document. */
export function explanationObject({ query, refusals }: RuleExplanation, asked: Asked): object {
  return { ...clauseObject(query, asked), refusals };
}

function clauseObject({ query, occur, matches, reason, places, clauses }: Explanation, asked: Asked): object {
  const span = asked.places.get(query);
  return {
    clause: print(query),
    ...(occur && { occur }),
    ...(span && { span }),
    matches,
    ...(reason !== undefined && { reason }),
    ...(places.length > 0 && { places }),
    ...(clauses.length > 0 && { clauses: clauses.map((clause) => clauseObject(clause, asked)) }),
  };
}

/** As compiled, since one word may have become several terms; `recent` is what was written of an age. */
function writtenAs(query: Query, { expanded, places }: Asked): string {
  const span = places.get(query);
  if (query.kind === 'boolean') return `(${print(query)})`;
  if (query.kind !== 'number' || !span) return print(query);
  const field = /(\w+)\s*:\s*$/.exec(expanded.slice(0, span.start))?.[1] ?? query.field;
  return `${field}:${expanded.slice(span.start, span.end)}`;
}
