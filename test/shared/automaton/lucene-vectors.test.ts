import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileFuzzy } from '../../../src/shared/automaton/fuzzy.ts';
import type { Matcher } from '../../../src/shared/automaton/matcher.ts';
import { compileRegex } from '../../../src/shared/automaton/regex.ts';
import { compileWildcard } from '../../../src/shared/automaton/wildcard.ts';

/**
 * Lucene's own answers, where a query is one regex, wildcard or fuzzy word on a keyword field, or a fuzzy word on
 * single plain words: what the language makes of them, and what tokens a text has, is another test's business.
 */
interface Row {
  readonly id: string;
  readonly query: string;
  readonly doc: Readonly<Record<string, unknown>>;
  readonly match: boolean;
  readonly compile: () => Matcher;
  readonly values: readonly string[];
}

interface Case {
  readonly id: string;
  readonly query: string;
  readonly doc?: Readonly<Record<string, unknown>>;
  readonly match?: boolean;
  readonly lucene_match?: boolean | null;
  readonly lucene_ok?: boolean;
  readonly parsed?: string;
}

const FILES = ['a-parsing', 'b-phrases', 'c-keyword', 'd-ranges', 'e-tokens-in-queries', 'spec-rejects'];
const cases = FILES.flatMap((file) =>
  readFileSync(join(import.meta.dirname, '../../vectors/lucene', `${file}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Case),
);

function compilerOf(written: string): (() => Matcher) | undefined {
  const regex = /^\/([^]*)\/$/.exec(written)?.[1];
  if (regex !== undefined) return () => compileRegex(regex);
  const fuzzy = /^([\p{L}\p{N}.]+)~([012])$/u.exec(written);
  if (fuzzy) return () => compileFuzzy(fuzzy[1] ?? '', Number(fuzzy[2]) as 0 | 1 | 2);
  // A pattern ending in its only star is printed unescaped and cannot be told from others: only plain ones count.
  const isPlain = /^[^\s"\\()[\]^~]*[*?][^\s"\\()[\]^~]*$/.test(written);
  const isEscaped = /^(?:[^\s"\\()[\]^~]|\\.)*[*?](?:[^\s"\\()[\]^~]|\\.)+$/.test(written);
  return isPlain || isEscaped ? () => compileWildcard(written) : undefined;
}

/** The values of a keyword field; of a text field, its words where they are plain ones. */
function valuesOf(field: string, value: unknown): string[] | undefined {
  const values = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
  if (field === 'url' || field === 'domain') return values;
  const words = values.flatMap((text) => text.split(' '));
  return words.every((word) => /^\p{L}+$/u.test(word)) ? words.map((word) => word.toLowerCase()) : undefined;
}

const rows = cases.flatMap(({ id, query, doc, match, lucene_match, parsed }): Row[] => {
  const [, field = '', written = ''] = /^([a-z_]+):([^]*)$/.exec(parsed ?? '') ?? [];
  const compile = compilerOf(written);
  const values = doc && valuesOf(field, doc[field]);
  const answer = match ?? lucene_match;
  if (!doc || !compile || !values || typeof answer !== 'boolean') return [];
  return [{ id, query, doc, match: answer, compile, values }];
});

describe("Lucene's answers", () => {
  it('are as many as ever', () => {
    expect(rows.length).toBe(326);
  });

  it.each(rows)('$id: $query', ({ compile, values, match }) => {
    const matcher = compile();
    expect(values.some((value) => matcher.matches(value))).toBe(match);
    const matched = values.filter((value) => matcher.matches(value));
    expect(matched.every((value) => matcher.required.every((piece) => value.includes(piece)))).toBe(true);
  });

  it('refuse the regexes of too many states', () => {
    const refused = cases.filter(({ lucene_ok, query }) => lucene_ok === false && query.startsWith('url:/'));
    expect(refused.length).toBeGreaterThan(0);
    for (const { query } of refused) expect(() => compileRegex(query.slice(5, -1))).toThrow('10,000 states');
  });
});
