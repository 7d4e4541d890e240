/**
 * The rule language: Lucene's classic query syntax, narrowed by the specification. Text comes in; out comes a
 * `Query` that the matcher evaluates, or diagnostics that say where and why not. The way: `expand` (saved filters),
 * `lexer` (tokens), `parser` (expressions with their places), `check` (what the specification forbids), `assemble`
 * (analysed terms under Lucene's boolean rules), `checkMeaning` (what only the whole shows), and this door, which also tries
 * every hint before it is shown.
 *
 * Decided against: a parser generator, whose errors name tokens instead of mistakes, and building the query while
 * parsing as Lucene does, where the first refusal would hide all others.
 */
import type { Diagnostic } from '../api/diagnostic.ts';
import { QUERY_DIAGNOSTICS, QUERY_LENGTH } from '../limits.ts';
import { assemble } from './assemble.ts';
import type { Expression, Group, Query, Span } from './ast.ts';
import { check } from './check/check.ts';
import { diagnostic, type Hint } from './codes.ts';
import { expand, type Filters } from './expand.ts';
import { filteredOut } from './check/filtered-out.ts';
import { checkMeaning } from './check/check-meaning.ts';
import { parse } from './syntax/parser.ts';
import { print } from './syntax/print.ts';
import { effective } from './check/quality.ts';
import { type CheckContext, RegexChecks } from './check/patterns.ts';
import { type Findings, Suggestions, withTriedHints } from './suggest/suggestions.ts';
import { SyntaxRefusal } from './syntax/refusals.ts';
import { DEFAULT_FIELD, isKnownField } from './fields.ts';

/** Raised whenever the same text would mean something else, or be judged differently. */
export const CORE_VERSION = '2.2';

export interface ValidateOptions extends Filters {
  /** Whether `effective_lucene` has the quality filter; default true. */
  readonly quality?: boolean | undefined;
  /** Whether `effective_lucene` lets adult pages through; default false. */
  readonly nsfw?: boolean | undefined;
  /**
   * Milliseconds since 1970. With it the query is judged as that of a rule with these settings: what they take all
   * pages from is warned of.
   */
  readonly now?: number | undefined;
}

export interface Compiled {
  /** The query as it was understood: every field named, `+` and `-` for what must and must not be there. */
  readonly lucene: string;
  /** The same with what a rule of these settings asks for besides. */
  readonly effective_lucene: string;
}

export interface Validation {
  readonly core_version: string;
  /** False when any diagnostic is an error. */
  readonly valid: boolean;
  /** In the order of the text, 100 at most. Places are those in `expanded`. */
  readonly diagnostics: readonly Diagnostic[];
  /** Those of their hints that are guesses: what is closest in meaning may still say something else. */
  readonly guesses: ReadonlySet<Hint>;
  /** Null exactly when not valid. */
  readonly compiled: Compiled | null;
  readonly info: QueryInfo;
  /** Undefined exactly when not valid. */
  readonly query: Query | undefined;
  /** Where in `expanded` each part of `query` stands. Empty when not valid. */
  readonly places: ReadonlyMap<Query, Span>;
  /** The text with its saved filters written out. */
  readonly expanded: string;
}

/** Never throws. Takes time linear in the text, whose length is limited, before and after expansion. */
export function validate(text: string, options: ValidateOptions = {}): Validation {
  const context = { regexes: new RegexChecks(), suggestions: new Suggestions() };
  const { text: expanded, diagnostics: references } =
    text.length > QUERY_LENGTH ? { text, diagnostics: [] } : expand(text, options, QUERY_LENGTH, context.suggestions);
  const examined = examine(expanded, references, context);
  const diagnostics = withTriedHints(expanded, examined, (fixed) => {
    const { text, diagnostics } = expand(fixed, options, QUERY_LENGTH, context.suggestions);
    return examine(text, diagnostics, context);
  });
  const query = diagnostics.some((found) => found.severity === 'error') ? undefined : examined.query;
  const lucene = query && print(query);
  const { now } = options;
  const settings = { quality: options.quality ?? true, nsfw: options.nsfw ?? false };
  const filtered = query && now !== undefined ? filteredOut(query, examined.places, { ...settings, now }) : [];
  return {
    core_version: CORE_VERSION,
    valid: query !== undefined,
    diagnostics: filtered.length === 0 ? diagnostics : chosen([...diagnostics, ...filtered]),
    guesses: context.suggestions.guesses,
    compiled: lucene === undefined ? null : { lucene, effective_lucene: effective(lucene, settings) },
    info: examined.info,
    query,
    places: query ? examined.places : NOWHERE,
    expanded,
  };
}

/** The name of the first saved filter that a query refers to and that there is none of. */
export function unknownFilterIn({ diagnostics, expanded }: Validation): string | undefined {
  const span = diagnostics.find(({ code }) => code === 'unknown_filter')?.span;
  return span && expanded.slice(span.start + 1, span.end);
}

/** In the order of the text; of more than are worth reading, the errors first. */
function chosen(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const errors = diagnostics.filter((found) => found.severity === 'error');
  const warnings = diagnostics.filter((found) => found.severity === 'warning');
  const kept = [...errors, ...warnings].slice(0, QUERY_DIAGNOSTICS);
  return kept.sort((left, right) => (left.span?.start ?? 0) - (right.span?.start ?? 0));
}

const NOWHERE: ReadonlyMap<Query, Span> = new Map();
const NO_INFO: QueryInfo = { fields_used: [], default_field_terms: [] };

interface Examined extends Findings {
  readonly query: Query | undefined;
  readonly places: ReadonlyMap<Query, Span>;
  readonly info: QueryInfo;
}

function examine(text: string, references: readonly Diagnostic[], context: CheckContext): Examined {
  const examined = examineAll(text, references, context);
  return { ...examined, diagnostics: chosen(examined.diagnostics) };
}

function examineAll(text: string, references: readonly Diagnostic[], context: CheckContext): Examined {
  const unread = (...found: readonly Diagnostic[]): Examined => ({
    diagnostics: [...references, ...found],
    isUnread: true,
    query: undefined,
    places: NOWHERE,
    info: NO_INFO,
  });
  if (text.length > QUERY_LENGTH) {
    const message = `The query has ${text.length} characters, saved filters written out; ${QUERY_LENGTH} are allowed.`;
    return unread(diagnostic('query_too_long', { start: QUERY_LENGTH, end: text.length }, message));
  }
  try {
    return read(text, references, context);
  } catch (refusal) {
    if (refusal instanceof SyntaxRefusal) return unread(refusal.diagnostic);
    throw refusal;
  }
}

/** Throws SyntaxRefusal. */
function read(text: string, references: readonly Diagnostic[], context: CheckContext): Examined {
  const written = parse(text, context.suggestions);
  const info = infoOf(written);
  const found = [...references, ...check(written, text, context)];
  if (found.some((one) => one.severity === 'error')) {
    return { diagnostics: found, isUnread: false, query: undefined, places: NOWHERE, info };
  }
  const assembled = assemble(written);
  const { query, places } = assembled;
  return { diagnostics: [...found, ...checkMeaning(assembled, text, found)], isUnread: false, query, places, info };
}

/** Spec: Validation result. */
export interface QueryInfo {
  /** Each field once, in the order of the text, the default one included. */
  readonly fields_used: readonly string[];
  /** Words and phrases that name no field and so are looked for in `added`, as they are written, each once. */
  readonly default_field_terms: readonly string[];
}

export function infoOf(query: Group): QueryInfo {
  const fields = new Set<string>();
  const terms = new Set<string>();
  const visit = (expression: Expression, isNamed: boolean): void => {
    const hasField = isNamed || expression.fieldSpan !== undefined;
    if (expression.kind === 'group') {
      for (const clause of expression.clauses) visit(clause.expression, hasField);
      return;
    }
    if (isKnownField(expression.field)) fields.add(expression.field);
    if (!hasField && expression.field === DEFAULT_FIELD) for (const term of termsOf(expression)) terms.add(term);
  };
  visit(query, false);
  return { fields_used: [...fields], default_field_terms: [...terms] };
}

function termsOf(expression: Exclude<Expression, Group>): readonly string[] {
  switch (expression.kind) {
    case 'words':
      return expression.words.map((word) => word.text);
    case 'quoted':
    case 'fuzzy':
      return [expression.text];
    case 'wildcard':
      return [expression.pattern];
    case 'regex':
    case 'range':
    case 'refused':
      return [];
  }
}
