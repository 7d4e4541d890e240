import type { Diagnostic } from '../api/diagnostic.ts';
import type { FieldName, NumberField } from './fields.ts';

/** UTF-16 units into the query text, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What was written: the classic grammar's clauses with their places, unchecked; a field may be unknown. */
export type Expression = Words | Quoted | Wildcard | Fuzzy | Regex | Range | Refused | Group;
export type Leaf = Exclude<Expression, Group>;

interface Written {
  /** The field that applies here: written, inherited from a group, or the default. */
  readonly field: string;
  /** Only where the field is written right here, so that one mistake is reported once. */
  readonly fieldSpan?: Span;
  readonly boost?: Span;
  /** Without field and boost. */
  readonly span: Span;
}

/** One word, or several in a row: those are analysed as one text and, on a keyword field, are one term. */
export interface Words extends Written {
  readonly kind: 'words';
  readonly words: readonly Word[];
}

export interface Word {
  readonly text: string;
  readonly span: Span;
}

export interface Quoted extends Written {
  readonly kind: 'quoted';
  readonly text: string;
  readonly slop: number;
}

/** `*` is any run of characters, `?` one code point, `\` makes the next one literal. */
export interface Wildcard extends Written {
  readonly kind: 'wildcard';
  readonly pattern: string;
}

interface Fuzzy extends Written {
  readonly kind: 'fuzzy';
  readonly text: string;
  readonly edits: 0 | 1 | 2;
  /** The word without its `~`. */
  readonly wordSpan: Span;
}

export interface Regex extends Written {
  readonly kind: 'regex';
  /** What stands between the slashes, untouched. */
  readonly pattern: string;
}

/** An absent bound is open. */
export interface Range extends Written {
  readonly kind: 'range';
  readonly low?: Bound;
  readonly high?: Bound;
}

export interface Bound {
  readonly text: string;
  readonly inclusive: boolean;
  readonly span: Span;
}

/** A value that is no clause of the grammar; read all the same, so that the rest of the query is checked too. */
export interface Refused extends Written {
  readonly kind: 'refused';
  readonly problem: Diagnostic;
}

export interface Group extends Written {
  readonly kind: 'group';
  readonly clauses: readonly WrittenClause[];
}

export interface WrittenClause {
  readonly conjunction: 'and' | 'or' | 'none';
  readonly modifier: 'must' | 'must_not' | 'none';
  readonly expression: Expression;
}

/** What is evaluated: analysed terms under Lucene's occurrence flags. Plain data; it can cross a thread. */
export type Query =
  | TermQuery
  | PhraseQuery
  | WildcardQuery
  | FuzzyQuery
  | RegexQuery
  | RangeQuery
  | NumberQuery
  | BooleanQuery;

export interface TermQuery {
  readonly kind: 'term';
  readonly field: FieldName;
  readonly term: string;
}

/** Two terms at least. Positions are those within the phrase, holes of removed stop words included. */
export interface PhraseQuery {
  readonly kind: 'phrase';
  readonly field: FieldName;
  readonly terms: readonly { readonly term: string; readonly position: number }[];
  readonly slop: number;
}

export interface WildcardQuery {
  readonly kind: 'wildcard';
  readonly field: FieldName;
  readonly pattern: string;
}

/** A term within that many edits (insert, delete, replace, swap of neighbours) of the text's term; 0 is exact. */
export interface FuzzyQuery {
  readonly kind: 'fuzzy';
  readonly field: FieldName;
  readonly term: string;
  readonly edits: 0 | 1 | 2;
}

/** Lucene's regular expressions (8.x), matched against the whole value. */
export interface RegexQuery {
  readonly kind: 'regex';
  readonly field: FieldName;
  readonly pattern: string;
}

/** Terms between two bounds in code-point order; an absent bound is open. */
export interface RangeQuery {
  readonly kind: 'range';
  readonly field: FieldName;
  readonly low?: { readonly text: string; readonly inclusive: boolean };
  readonly high?: { readonly text: string; readonly inclusive: boolean };
}

/** Whole numbers from `low` to `high`, both included; an absent bound is open. `age` is in seconds at match time. */
export interface NumberQuery {
  readonly kind: 'number';
  readonly field: NumberField;
  readonly low?: number;
  readonly high?: number;
}

/** Every `must`, no `must_not`, and at least one `should` where there is no `must`. */
export interface BooleanQuery {
  readonly kind: 'boolean';
  readonly clauses: readonly Clause[];
}

export type Occur = 'must' | 'should' | 'must_not';

export interface Clause {
  readonly occur: Occur;
  readonly query: Query;
}

export function isWithin(inner: Span | undefined, outer: Span): boolean {
  return inner !== undefined && inner.start >= outer.start && inner.end <= outer.end;
}
