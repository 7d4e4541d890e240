import { explainRule, type Explanation, type FieldPlace, type RuleExplanation } from '../../../shared/match/explain.ts';
import type { Occur, Query } from '../../../shared/query/ast.ts';
import { fix } from '../../../shared/query/suggest/suggestions.ts';
import { validate, type Validation } from '../../../shared/query/validate.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { accountFields } from '../../pages/account-lines.ts';
import type { Subject } from './match-page.ts';
import { type MatchFlags, readSubject } from './match-subject.ts';
import { invalidQuery, warn } from '../query-report.ts';
import type { Session } from '../session.ts';
import { printable, quoted } from '../../../shared/text/printable.ts';
import type { FieldValues } from '../../../shared/match/document.ts';
import type { FieldName } from '../../../shared/query/fields.ts';
import { print } from '../../../shared/query/syntax/print.ts';
import type { Field, Paint } from '../../runtime/output.ts';
import { cut } from '../../text/table.ts';

/** `hydrant match`: one query, one document; the answer, and what each clause has to do with it. */
export async function runMatch(session: Session, asked: string, file: string, flags: MatchFlags): Promise<number> {
  const { context, out } = session;
  const text = asked === '-' ? (await context.readInput('the query')).trim() : asked;
  const subject = await readSubject(session, file, flags);
  const validation = validate(text);
  if (!validation.query) return refuse(session, validation, file, flags);
  const explained = judge(validation.query, subject, flags);
  const { diagnostics } = validation;
  if (session.flags.json === true) {
    const explanation = explanationObject(explained, validation);
    out.one(
      { ok: true, match: explained.matches, diagnostics, explanation, ...subject.reading },
      { id: '', lines: [] },
    );
  } else if (session.flags.quiet !== true) {
    warn(session, diagnostics, validation.expanded);
    const lines = [
      ...explanationLines(explained, validation, subject.values, out.paint),
      ...(subject.reading ? out.lay(readingFields(subject.reading), NAMES).map((line) => `  ${line}`) : []),
    ];
    out.one({}, { id: '', lines });
  }
  return explained.matches ? exitCode.ok : exitCode.no;
}

/** What the query was not asked of. */
function readingFields({ account, differs }: NonNullable<Subject['reading']>): Field[] {
  return [...differs.map(({ detail }): Field => ['no change', detail]), ...accountFields(account)];
}

/** Columns of their names. */
const NAMES = 10;

/** The rule's answer; two versions that do not differ are no event, whatever the query. */
export function judge(
  query: Query,
  { values, isUnchanged }: Subject,
  { quality = false, nsfw }: { readonly quality?: boolean | undefined; readonly nsfw: boolean },
): RuleExplanation {
  const explained = explainRule(query, values, { quality, nsfw });
  if (!isUnchanged) return explained;
  return { ...explained, matches: false, refusals: [...explained.refusals, 'no relevant change'] };
}

/** A program gets its answer on stdout, as with --cases; for people it is an error. */
function refuse(
  { out, flags: { json } }: Session,
  { diagnostics, expanded, guesses }: Validation,
  file: string,
  flags: MatchFlags,
): number {
  if (json === true) {
    out.one({ ok: false, diagnostics }, { id: '', lines: [] });
    return exitCode.no;
  }
  const fixed = fix(expanded, diagnostics, guesses);
  const isFixed = fixed !== expanded && validate(fixed).valid;
  const words = [
    'hydrant match',
    ...(fixed.startsWith('-') ? ['--'] : []),
    quoted(fixed),
    quoted(file),
    ...pageFlags(flags),
  ];
  throw invalidQuery(diagnostics, expanded, isFixed ? words.join(' ') : undefined);
}

function pageFlags({ was, as }: MatchFlags): string[] {
  return [...(was === undefined ? [] : [`--was ${quoted(was)}`]), ...(as === undefined ? [] : [`--as ${quoted(as)}`])];
}

/** Snippets of one clause, hits in each, columns of a clause or hit, and characters before and after what was hit. */
const SNIPPETS = 3;
const HITS = 4;
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
    const { matches, occur = 'should', clauses } = explanation;
    // A clause that must not match is good news where it does not.
    const isGood = matches === (occur !== 'must_not');
    const said = this.#paint(isGood ? 'green' : 'red', matches ? 'yes' : 'no ');
    const clause = cut(printable(SIGNS[occur] + writtenAs(explanation.query, this.#asked)), WIDTH);
    const reason = matches && !isGood ? 'this clause must not match' : explanation.reason;
    const why = reason === undefined ? '' : `  ${this.#paint('dim', printable(reason))}`;
    this.all.push(`${indent}${said} ${clause}${why}`);
    for (const child of clauses) this.add(child, `${indent}    `);
    this.#addPlaces(explanation.places, `${indent}      `);
  }

  #addPlaces(places: readonly FieldPlace[], indent: string): void {
    const snippets = snippetsOf(places);
    const shown = snippets.slice(0, SNIPPETS);
    for (const snippet of shown) this.all.push(indent + this.#snippet(snippet));
    const more = places.length - shown.reduce((sum, { hits }) => sum + hits.length, 0);
    if (more > 0) this.all.push(`${indent}${this.#paint('dim', `… and ${more} more`)}`);
  }

  /** `added[1] 2-6, 13-18: A [tram] and a [ferry] line`; the number of the value only where there are several. */
  #snippet({ field, value, hits }: Snippet): string {
    const values = this.#values.texts[field] ?? [];
    const text = values[value] ?? '';
    const name = values.length > 1 ? `${field}[${value}]` : field;
    const start = hits[0]?.start ?? 0;
    const end = hits.at(-1)?.end ?? 0;
    // A cut between the halves of a character would show as two broken ones.
    const before = text.slice(Math.max(0, start - CONTEXT), start).replace(/^[\uDC00-\uDFFF]/, '');
    const after = text.slice(end, end + CONTEXT).replace(/[\uD800-\uDBFF]$/, '');
    const marked = hits.map((hit, index) => {
      const between = text.slice(hit.end, hits[index + 1]?.start ?? hit.end);
      const found = cut(printable(text.slice(hit.start, hit.end)), WIDTH);
      return this.#paint('bold', `[${found}]`) + printable(between);
    });
    const lead = start > CONTEXT ? '…' : '';
    const tail = text.length > end + CONTEXT ? '…' : '';
    const at = hits.map((hit) => `${hit.start}-${hit.end}`).join(', ');
    return `${name} ${this.#paint('dim', `${at}:`)} ${lead}${printable(before)}${marked.join('')}${printable(after)}${tail}`;
  }
}

/** Places near each other in one value of a field, shown on one line: the words of a phrase above all. */
interface Snippet {
  readonly field: FieldName;
  readonly value: number;
  readonly hits: FieldPlace[];
}

/** @param places in the order of the page */
function snippetsOf(places: readonly FieldPlace[]): Snippet[] {
  const snippets: Snippet[] = [];
  for (const place of places) {
    const { field, value, start } = place;
    const last = snippets.at(-1);
    const gap = start - (last?.hits.at(-1)?.end ?? 0);
    const isNear = last?.field === field && last.value === value && gap >= 0 && gap <= CONTEXT;
    if (isNear && last.hits.length < HITS) last.hits.push(place);
    else snippets.push({ field, value, hits: [place] });
  }
  return snippets;
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
