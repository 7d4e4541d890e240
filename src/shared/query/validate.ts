/**
 * The rule language: Lucene's classic query syntax, narrowed by the specification. Text comes in; out comes a
 * `Query` that the matcher evaluates, or diagnostics that say where and why not. The way: `expand` (saved filters),
 * `lexer` (tokens), `parser` (expressions with their places), `check` (what the specification forbids), `assemble`
 * (analysed terms under Lucene's boolean rules), `judge` (what only the whole shows), and this door, which also tries
 * every hint before it is shown.
 *
 * Decided against: a parser generator, whose errors name tokens instead of mistakes, and building the query while
 * parsing as Lucene does, where the first refusal would hide all others.
 */
import type { Diagnostic } from '../api/diagnostic.ts';
import { QUERY_DIAGNOSTICS, QUERY_LENGTH } from '../limits.ts';
import type { Aids } from './check/aids.ts';
import { assemble } from './assemble.ts';
import type { Query, Span } from './ast.ts';
import { check } from './check/check.ts';
import { diagnostic, type Hint } from './codes.ts';
import { expand, type Filters } from './expand.ts';
import { filteredOut } from './check/filtered-out.ts';
import { infoOf, type QueryInfo } from './info.ts';
import { judge } from './check/judge.ts';
import { parse } from './syntax/parser.ts';
import { print } from './syntax/print.ts';
import { effective } from './check/quality.ts';
import { RegexExam } from './check/regex-exam.ts';
import { Suggestions } from './suggest/suggestions.ts';
import { SyntaxRefusal } from './syntax/syntax-refusal.ts';
import { type Findings, withTriedHints } from './suggest/tried-hints.ts';

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
  const aids = { regexes: new RegexExam(), suggestions: new Suggestions() };
  const { text: expanded, diagnostics: references } =
    text.length > QUERY_LENGTH ? { text, diagnostics: [] } : expand(text, options, QUERY_LENGTH, aids.suggestions);
  const examined = examine(expanded, references, aids);
  const diagnostics = withTriedHints(expanded, examined, (mended) => {
    const { text, diagnostics } = expand(mended, options, QUERY_LENGTH, aids.suggestions);
    return examine(text, diagnostics, aids);
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
    guesses: aids.suggestions.guesses,
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

function examine(text: string, references: readonly Diagnostic[], aids: Aids): Examined {
  const examined = examineAll(text, references, aids);
  return { ...examined, diagnostics: chosen(examined.diagnostics) };
}

function examineAll(text: string, references: readonly Diagnostic[], aids: Aids): Examined {
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
    return read(text, references, aids);
  } catch (refusal) {
    if (refusal instanceof SyntaxRefusal) return unread(refusal.diagnostic);
    throw refusal;
  }
}

/** Throws SyntaxRefusal. */
function read(text: string, references: readonly Diagnostic[], aids: Aids): Examined {
  const written = parse(text, aids.suggestions);
  const info = infoOf(written);
  const found = [...references, ...check(written, text, aids)];
  if (found.some((one) => one.severity === 'error')) {
    return { diagnostics: found, isUnread: false, query: undefined, places: NOWHERE, info };
  }
  const assembled = assemble(written);
  const { query, places } = assembled;
  return { diagnostics: [...found, ...judge(assembled, text, found)], isUnread: false, query, places, info };
}
