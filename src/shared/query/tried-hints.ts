import type { Diagnostic } from '../api/diagnostic.ts';

/** What a text earns, hints untried, and whether reading stopped at the first mistake. */
export interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  readonly isUnread: boolean;
}

/** Characters read while trying hints: some ten milliseconds. Hints beyond are not shown, being untried. */
const CHARACTERS = 131_072;

/**
 * Every hint is tried before it is shown: its replacement in place, the finding must be gone and no error new. So a
 * remedy can be offered where one is likely, and the few queries in which it would do harm go without.
 */
export function withTriedHints(text: string, findings: Findings, examine: (text: string) => Findings): Diagnostic[] {
  let left = CHARACTERS;
  return findings.diagnostics.map((found) => {
    if (!found.hint) return found;
    const mended = apply(text, found);
    left -= mended.length;
    if (left >= 0 && heals(found, findings, examine(mended))) return found;
    const { hint: _, ...bare } = found;
    return bare;
  });
}

/** The text with a finding's replacement in the place of its span. */
export function apply(text: string, { span, hint }: Diagnostic): string {
  if (!span || !hint) return text;
  return text.slice(0, span.start) + hint.replacement + text.slice(span.end);
}

function heals(found: Diagnostic, before: Findings, after: Findings): boolean {
  const end = (found.span?.start ?? 0) + (found.hint?.replacement.length ?? 0);
  // What lies behind a mistake that stopped the reading was not known before.
  if (before.isUnread) return !after.isUnread || after.diagnostics.every((next) => (next.span?.start ?? 0) >= end);
  if (after.isUnread || count(after, found) >= count(before, found)) return false;
  return after.diagnostics.every((next) => next.severity !== 'error' || count(after, next) <= count(before, next));
}

function count({ diagnostics }: Findings, { code }: Diagnostic): number {
  return diagnostics.filter((found) => found.code === code).length;
}
