import type { Diagnostic } from '../../api/diagnostic.ts';
import type { Hint } from '../codes.ts';
import { apply } from './tried-hints.ts';

const NONE: ReadonlySet<Hint> = new Set();

/**
 * The text with all replacements in their places but `guesses`, errors' before warnings' where two overlap. Spans must point into
 * this text. One reading can uncover the next mistake: validate again, and fix again, until nothing changes.
 */
export function fix(text: string, diagnostics: readonly Diagnostic[], guesses: ReadonlySet<Hint> = NONE): string {
  const chosen: Diagnostic[] = [];
  const offered = diagnostics.filter(({ hint, span }) => hint && span && !guesses.has(hint));
  for (const severity of ['error', 'warning'] as const) {
    for (const found of offered) {
      if (found.severity === severity && !chosen.some((other) => overlap(found, other))) chosen.push(found);
    }
  }
  // From the end, so that what is changed moves nothing that is yet to change.
  const byEnd = chosen.toSorted((left, right) => (right.span?.start ?? 0) - (left.span?.start ?? 0));
  return byEnd.reduce(apply, text);
}

function overlap({ span: one }: Diagnostic, { span: other }: Diagnostic): boolean {
  if (!one || !other) return false;
  return (one.start < other.end && other.start < one.end) || one.start === other.start;
}
