/**
 * The rule language: Lucene's classic query syntax, narrowed by the specification. Text comes in; out comes a
 * `Query` that the matcher evaluates, or diagnostics that say where and why not. The way: `lexer` (tokens), `parser`
 * (expressions with their places), `check` (what the specification forbids), `assemble` (analysed terms under
 * Lucene's boolean rules), and this door, which also refuses what can never match.
 *
 * Decided against: a parser generator, whose errors name tokens instead of mistakes, and building the query while
 * parsing as Lucene does, where the first refusal would hide all others.
 */
import type { Diagnostic } from '../api/diagnostic.ts';
import { QUERY_DIAGNOSTICS, QUERY_LENGTH } from '../limits.ts';
import { assemble } from './assemble.ts';
import type { Query } from './ast.ts';
import { check } from './check.ts';
import { diagnostic } from './codes.ts';
import { judge } from './judge.ts';
import { parse } from './parser.ts';
import { SyntaxRefusal } from './syntax-refusal.ts';

/** Raised whenever the same text would mean something else, or be judged differently. */
export const CORE_VERSION = '1.0';

export interface Validation {
  readonly core_version: string;
  /** False when any diagnostic is an error. */
  readonly valid: boolean;
  /** In the order of the text; of very many the first, errors before warnings. */
  readonly diagnostics: readonly Diagnostic[];
  /** Undefined exactly when not valid. */
  readonly query: Query | undefined;
}

/** Never throws. Takes time linear in the text, whose length is limited. */
export function validate(text: string): Validation {
  const { diagnostics: found, query } = examine(text);
  const errors = found.filter((diagnostic) => diagnostic.severity === 'error');
  const warnings = found.filter((diagnostic) => diagnostic.severity === 'warning');
  const diagnostics = [...errors, ...warnings]
    .slice(0, QUERY_DIAGNOSTICS)
    .sort((left, right) => (left.span?.start ?? 0) - (right.span?.start ?? 0));
  const valid = query !== undefined && errors.length === 0;
  return { core_version: CORE_VERSION, valid, diagnostics, query: valid ? query : undefined };
}

interface Examined {
  readonly diagnostics: readonly Diagnostic[];
  readonly query?: Query;
}

function examine(text: string): Examined {
  if (text.length > QUERY_LENGTH) {
    const message = `The query has ${text.length} characters; ${QUERY_LENGTH} are allowed.`;
    return { diagnostics: [diagnostic('query_too_long', { start: QUERY_LENGTH, end: text.length }, message)] };
  }
  try {
    const written = parse(text);
    const diagnostics = check(written, text);
    if (diagnostics.some((found) => found.severity === 'error')) return { diagnostics };
    const query = assemble(written, (span) => {
      const message = `${text.slice(span.start, span.end)} only says NOT, so this group matches nothing.`;
      diagnostics.push(diagnostic('negative_group', span, message));
    });
    const refusal = judge(query, { start: 0, end: text.length });
    if (refusal) return { diagnostics: [...diagnostics, refusal] };
    return { diagnostics, ...(query && { query }) };
  } catch (refusal) {
    if (refusal instanceof SyntaxRefusal) return { diagnostics: [refusal.diagnostic] };
    throw refusal;
  }
}
