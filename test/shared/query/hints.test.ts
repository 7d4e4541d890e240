import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../src/shared/api/diagnostic.ts';
import { type Code, CODES } from '../../../src/shared/query/codes.ts';
import { fix } from '../../../src/shared/query/suggest/suggestions.ts';
import { validate, type ValidateOptions } from '../../../src/shared/query/validate.ts';
import { anyQuery, rejects, vectors } from './arbitrary-query.ts';

/** Mistakes behind which nothing is read: what lies there is not known, and shows once they are gone. */
const UNREADABLE: ReadonlySet<string> = new Set<Code>([
  ...(['empty_query', 'query_too_long', 'too_deep', 'syntax_error', 'unclosed_quote', 'unclosed_group'] as const),
  ...(['unopened_group', 'empty_group', 'misplaced_operator', 'bad_escape', 'bad_boost', 'bad_range'] as const),
]);

const OPTIONS: ValidateOptions = {
  filters: (name) => (name === 'new' ? 'news NOT junk' : undefined),
  filterNames: ['new'],
};

function isUnread(diagnostics: readonly Diagnostic[]): boolean {
  // A single slash is the beginning of a regex that never ends; a whole value with a slash in it is read on behind.
  return diagnostics.some(
    ({ code, span }) => UNREADABLE.has(code) || (code === 'unescaped_slash' && span?.end === span!.start + 1),
  );
}

function counts(diagnostics: readonly Diagnostic[]): Map<string, number> {
  const errors = diagnostics.filter((found) => found.severity === 'error');
  return new Map(errors.map(({ code }) => [code, errors.filter((other) => other.code === code).length]));
}

function expectSoundFindings(text: string, options: ValidateOptions = {}): void {
  const { diagnostics, expanded, valid, query, compiled } = validate(text, options);
  expect(valid).toBe(diagnostics.every((found) => found.severity !== 'error'));
  expect([query !== undefined, compiled !== null]).toEqual([valid, valid]);
  for (const found of diagnostics) {
    expect(Object.keys(CODES)).toContain(found.code);
    expect(found.message).toMatch(/^\S.*\S$/s);
    const { start, end } = found.span ?? { start: -1, end: -1 };
    expect(start).toBeGreaterThanOrEqual(0);
    expect(end).toBeGreaterThanOrEqual(start);
    expect(end).toBeLessThanOrEqual(expanded.length);
    if (found.hint) expectHealed(found, expanded, diagnostics, options);
  }
}

function expectHealed(found: Diagnostic, text: string, before: readonly Diagnostic[], options: ValidateOptions): void {
  const { start, end } = found.span ?? { start: 0, end: 0 };
  const replacement = found.hint?.replacement ?? '';
  const mended = text.slice(0, start) + replacement + text.slice(end);
  const after = validate(mended, options).diagnostics;
  const wrong = isUnread(before)
    ? stillInTheWay(found, start + replacement.length, before, after)
    : remaining(found, before, after);
  expect({ text, mended, wrong }).toEqual({ text, mended, wrong: [] });
}

function stillInTheWay(
  found: Diagnostic,
  end: number,
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
): readonly Diagnostic[] {
  const known = new Set(before.map(({ code }) => code));
  return after.filter(
    ({ code, span }) =>
      (code === found.code && span?.start === found.span?.start) ||
      (isUnread(after) && (span?.start ?? 0) < end && !known.has(code)),
  );
}

/** Codes of the finding itself, if there are as many as before, and of errors there are more of. */
function remaining(found: Diagnostic, before: readonly Diagnostic[], after: readonly Diagnostic[]): readonly string[] {
  const sameCode = (findings: readonly Diagnostic[]): number =>
    findings.filter(({ code }) => code === found.code).length;
  const known = counts(before);
  const more = [...counts(after)].filter(([code, count]) => count > (known.get(code) ?? 0)).map(([code]) => code);
  return sameCode(after) < sameCode(before) ? more : [found.code, ...more];
}

describe('every finding has a code, a message and a place; every replacement removes it and adds no error', () => {
  it('in what the specification rejects', () => {
    for (const query of rejects) expectSoundFindings(query);
  });

  it('in all other queries of the vectors', () => {
    for (const query of vectors) expectSoundFindings(query);
  });

  it('in queries put together from parts, mutated or random', () => {
    fc.assert(
      fc.property(anyQuery, (query) => expectSoundFindings(query)),
      { numRuns: 1_000 },
    );
  });

  it('with saved filters', () => {
    fc.assert(
      fc.property(anyQuery, (query) => expectSoundFindings(query, OPTIONS)),
      { numRuns: 300 },
    );
  });
});

describe('all replacements at once', () => {
  it.each([
    ['titel:ferry^2 and language:EN', 'title:ferry AND language:en'],
    ['url:*/blog/* AND page_category:/News', 'url:*\\/blog\\/* AND page_category:"/News"'],
    ['ferry AND (NOT tram)', 'ferry AND NOT tram'],
    ['language:(en de)', 'language:(en OR de)'],
    ['dr:>50 AND recent:1w', 'dr:{50 TO *] AND recent:7d'],
    ['ferry', 'ferry'],
  ])('%s becomes %s', (query, mended) => {
    expect(fix(query, validate(query).diagnostics)).toBe(mended);
    expect(validate(mended).valid).toBe(true);
  });
});
