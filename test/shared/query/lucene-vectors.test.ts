import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../../src/shared/analysis/analyze.ts';
import { matchesValues } from '../../../src/shared/match/evaluate.ts';
import type { FieldValues } from '../../../src/shared/match/document.ts';
import type { FieldName } from '../../../src/shared/query/fields.ts';
import { validate } from '../../../src/shared/query/validate.ts';

type Doc = Partial<Record<FieldName, string | readonly string[]>> & { readonly dr?: number };

interface Row {
  readonly id: string;
  readonly query: string;
  readonly doc: Doc;
  readonly ok: boolean;
  readonly match?: boolean;
  readonly note: string;
}

interface SpecRow {
  readonly query: string;
  readonly doc: Doc;
  readonly reason: string;
  readonly spec_match: boolean;
}

interface TokenRow {
  readonly id: string;
  readonly field: string;
  readonly text: string;
  readonly tokens: readonly (readonly [string, number, number, number, string])[];
}

function rowsOf<Shape>(file: string): Shape[] {
  const text = readFileSync(new URL(`../../vectors/lucene/${file}.jsonl`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Shape);
}

function valuesOf({ dr, ...fields }: Doc): FieldValues {
  const texts = Object.entries(fields).map(([field, value]) => [field, typeof value === 'string' ? [value] : value]);
  return { texts: Object.fromEntries(texts), numbers: dr === undefined ? {} : { dr } };
}

/** Undefined when we and Lucene say the same. */
function difference({ id, query: text, doc, ok, match, note }: Row): string | undefined {
  const { query, diagnostics } = validate(text);
  const codes = diagnostics.filter((found) => found.severity === 'error').map((found) => found.code);
  // "consists only of NOT clauses; or can never match" is refused (service.md, Rule-to-cause map 1); Lucene accepts
  // these and matches nothing.
  const isHopeless = codes.length > 0 && codes.every((code) => ['only_negative', 'unmatchable_query'].includes(code));
  if (ok && match === false && isHopeless) return undefined;
  const here = query ? `ok, match ${matchesValues(query, valuesOf(doc))}` : `refused`;
  const there = ok ? `ok, match ${match}` : 'refused';
  return here === there ? undefined : `${id} ${text}: ${here} ${codes.join(' ')} instead of ${there} (${note})`;
}

describe('Lucene 8.8.1 and hydrant say the same about', () => {
  it.each([
    ['a-parsing', 460],
    ['b-phrases', 381],
    ['c-keyword', 384],
    ['d-ranges', 226],
    ['e-tokens-in-queries', 96],
  ])('%s: whether a query is allowed, and whether it matches', (file, count) => {
    const rows = rowsOf<Row>(file);
    expect(rows).toHaveLength(count);
    expect(rows.map(difference).filter((found) => found !== undefined)).toEqual([]);
  });

  it('e-tokens: what the words of a text are', () => {
    const differing = rowsOf<TokenRow>('e-tokens').flatMap((row) => {
      const found: (readonly [string, number, number, number])[] = [];
      analyze(row.text, row.field === 'title', (...token) => found.push(token));
      const wanted = row.tokens.map(([term, position, start, end]) => [term, position, start, end]);
      const same = JSON.stringify(found) === JSON.stringify(wanted);
      return same ? [] : [`${row.id} ${row.text}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`];
    });
    expect(differing).toEqual([]);
  });
});

describe('the two backslashes that the specification writes before a colon', () => {
  it('mean the colon', () => {
    const differing = rowsOf<SpecRow>('spec-double-backslash').filter(({ query: text, doc, spec_match: wanted }) => {
      const { query } = validate(text);
      return !query || matchesValues(query, valuesOf(doc)) !== wanted;
    });
    expect(differing.map((row) => row.query)).toEqual([]);
  });
});

describe('what Lucene accepts and the specification forbids', () => {
  const rows = rowsOf<SpecRow>('spec-rejects');

  it('is refused', () => {
    expect(rows.filter((row) => validate(row.query).valid).map((row) => `${row.query}: ${row.reason}`)).toEqual([]);
  });

  const codesByReason: readonly (readonly [RegExp, readonly string[]])[] = [
    [/^consists only of NOT/, ['only_negative']],
    [/^names an unknown field: (?!\*)/, ['unknown_field']],
    [/^names an unknown field: \*/, ['unknown_field', 'match_all']],
    [/^analyses to no term/, ['unmatchable_query']],
    [/^can never match|group without operators|^subcategory/, ['unmatchable_query']],
    [/^wildcard outside/, ['wildcard_not_allowed', 'match_all']],
    [/^regex outside/, ['regex_not_allowed', 'unquoted_category', 'unescaped_slash']],
    [/^matches everything|^field:\*|^a wildcard of only/, ['match_all']],
    [/^Lucene 8 refuses the automaton/, ['regex_too_large']],
  ];

  it('for the reason that it gives', () => {
    const differing = rows.filter(({ query, reason }) => {
      const wanted = codesByReason.find(([pattern]) => pattern.test(reason))?.[1] ?? [];
      return !validate(query).diagnostics.some(({ severity, code }) => severity === 'error' && wanted.includes(code));
    });
    expect(differing.map((row) => `${row.query}: ${row.reason}`)).toEqual([]);
  });

  it('a value outside its vocabulary gets the one that was meant', () => {
    const values = rows.filter((row) => /^can never match|^subcategory/.test(row.reason));
    expect(values.length).toBeGreaterThan(50);
    const differing = values.filter(({ query }) => {
      const hint = validate(query).diagnostics.find((found) => found.code === 'unmatchable_query')?.hint;
      const [, value = ''] = /:"?([^"]+)/.exec(query) ?? [];
      const wanted = value.toLowerCase().replace('english', 'en').replace(/^\//, '');
      return hint?.replacement.replace(/[/"]*(.*?)"?$/, '$1').toLowerCase() !== wanted;
    });
    expect(differing.map((row) => row.query)).toEqual([]);
  });
});
