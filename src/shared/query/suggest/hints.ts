import type { Diagnostic } from '../../api/diagnostic.ts';
import type { Hint } from '../codes.ts';

/** What is shown about a text, hints untried, and whether reading stopped at the first mistake. */
export interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  readonly isUnread: boolean;
}

/** Characters read while trying hints: some ten milliseconds. Hints beyond are not shown, being untried. */
const CHARACTERS = 24_576;

/**
 * Every hint is tried before it is shown: its replacement in place, the finding must be gone and no error new. So a
 * remedy can be offered where one is likely, and the few queries in which it would do harm go without.
 */
export function withTriedHints(text: string, findings: Findings, examine: (text: string) => Findings): Diagnostic[] {
  const before = countsOf(findings);
  let left = CHARACTERS;
  return findings.diagnostics.map((found) => {
    if (!found.hint) return found;
    const fixed = apply(text, found);
    if (fixed.length <= left) {
      left -= fixed.length;
      const after = examine(fixed);
      if (findings.isUnread ? healsUnread(found, after) : heals(found, before, after)) return found;
    }
    const { hint: _, ...bare } = found;
    return bare;
  });
}

/** The text with a finding's replacement in the place of its span. */
export function apply(text: string, { span, hint }: Diagnostic): string {
  if (!span || !hint) return text;
  return text.slice(0, span.start) + hint.replacement + text.slice(span.end);
}

interface Counts {
  readonly all: ReadonlyMap<string, number>;
  readonly errors: ReadonlySet<string>;
}

function countsOf({ diagnostics }: Findings): Counts {
  const all = new Map<string, number>();
  for (const { code } of diagnostics) all.set(code, (all.get(code) ?? 0) + 1);
  return { all, errors: new Set(diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)) };
}

function heals({ code }: Diagnostic, before: Counts, after: Findings): boolean {
  if (after.isUnread) return false;
  const { all, errors } = countsOf(after);
  const grows = (code: string): boolean => (all.get(code) ?? 0) > (before.all.get(code) ?? 0);
  return (all.get(code) ?? 0) < (before.all.get(code) ?? 0) && ![...errors].some(grows);
}

/** What lies behind a mistake that stopped the reading was not known before. */
function healsUnread({ code, span, hint }: Diagnostic, after: Findings): boolean {
  const start = span?.start ?? 0;
  const end = start + (hint?.replacement.length ?? 0);
  return after.diagnostics.every((next) => {
    const place = next.span?.start ?? 0;
    return (place !== start || next.code !== code) && (place >= end || !after.isUnread);
  });
}

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
