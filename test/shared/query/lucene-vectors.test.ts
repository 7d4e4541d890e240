import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../../src/shared/analysis/analyze.ts';
import type { ChangedPage } from '../../../src/shared/match/document.ts';
import { Evaluator } from '../../../src/shared/match/evaluate.ts';
import { PageTerms } from '../../../src/shared/match/page-terms.ts';
import { valuesOf } from '../../../src/shared/match/values.ts';
import type { Chunk } from '../../../src/shared/page/change.ts';
import type { Query } from '../../../src/shared/query/ast.ts';
import { validate } from '../../../src/shared/query/validate.ts';

interface Doc {
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
  readonly title?: string;
  readonly url?: string;
  readonly domain?: readonly string[];
}

interface Row {
  readonly id: string;
  readonly query: string;
  readonly doc: Doc;
  readonly ok: boolean;
  readonly match?: boolean;
  readonly note: string;
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

function pageOf(doc: Doc): ChangedPage {
  const ins = (doc.added ?? []).map((text): Chunk => ({ typ: 'ins', text }));
  const del = (doc.removed ?? []).map((text): Chunk => ({ typ: 'del', text }));
  return {
    page: {
      url: doc.url ?? '',
      ...(doc.title !== undefined && { title: doc.title }),
      segments: [],
      anchors: [],
      links: [],
    },
    change: { chunks: [...ins, ...del], addedAnchors: [], removedAnchors: [], titleChanged: false },
    domains: doc.domain ?? [],
  };
}

function matches(query: Query, doc: Doc): boolean {
  return new Evaluator(query).matches(new PageTerms(valuesOf(pageOf(doc), 0)));
}

type Outcome = 'agrees' | 'not supported yet' | 'refused, and Lucene matches nothing' | `differs: ${string}`;

function outcomeOf(row: Row): Outcome {
  const { valid, query, diagnostics } = validate(row.query);
  const codes = diagnostics.filter((found) => found.severity === 'error').map((found) => found.code);
  if (!row.ok) return valid ? 'differs: valid' : 'agrees';
  if (codes.includes('unsupported_syntax')) return 'not supported yet';
  if (codes.includes('only_negative') || codes.includes('unmatchable_query')) {
    return row.match === false ? 'refused, and Lucene matches nothing' : 'differs: refused';
  }
  if (!query) return `differs: ${codes.join(' ')}`;
  return matches(query, row.doc) === row.match ? 'agrees' : 'differs: match';
}

describe('Lucene 8.8.1 and hydrant say the same about', () => {
  const files = [
    { file: 'a-parsing', atLeast: 410 },
    { file: 'b-phrases', atLeast: 245 },
    { file: 'c-keyword', atLeast: 193 },
    { file: 'd-ranges', atLeast: 20 },
    { file: 'e-tokens-in-queries', atLeast: 96 },
  ];

  it.each(files)('$file', ({ file, atLeast }) => {
    const outcomes = rowsOf<Row>(file).map((row) => ({ row, outcome: outcomeOf(row) }));
    const differing = outcomes
      .filter(({ outcome }) => outcome.startsWith('differs'))
      .map(({ row, outcome }) => `${row.id} ${row.query}: ${outcome} (${row.note})`);
    const ran = outcomes.filter(({ outcome }) => outcome !== 'not supported yet').length;
    process.stdout.write(`${file}: ${ran} of ${outcomes.length} rows ran, the others are not supported yet\n`);
    expect(differing).toEqual([]);
    expect(ran).toBeGreaterThanOrEqual(atLeast);
  });

  it('what the words of a text are', () => {
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

describe('what Lucene accepts and the specification forbids', () => {
  it('is refused', () => {
    const rows = rowsOf<{ query: string; reason: string }>('spec-rejects');
    const accepted = rows.filter((row) => validate(row.query).valid).map((row) => `${row.query}: ${row.reason}`);
    expect(accepted).toEqual([]);
  });

  it('is refused for the reason the specification gives', () => {
    const reasons: readonly (readonly [RegExp, readonly string[]])[] = [
      [/^consists only of NOT/, ['only_negative', 'unsupported_syntax']],
      [/^names an unknown field/, ['unknown_field']],
      [/^analyses to no term/, ['unmatchable_query']],
      [/^wildcard outside/, ['wildcard_not_allowed', 'match_all', 'unsupported_syntax']],
      [/^regex outside/, ['regex_not_allowed', 'unsupported_syntax']],
      [/^matches everything|^field:\*|^a wildcard of only/, ['match_all']],
    ];
    const rows = rowsOf<{ query: string; reason: string }>('spec-rejects');
    for (const { query, reason } of rows) {
      const expected = reasons.find(([pattern]) => pattern.test(reason))?.[1];
      if (!expected) continue;
      const codes = validate(query).diagnostics.map((found) => found.code);
      expect(
        codes.some((code) => expected.includes(code)),
        `${query}: ${codes.join(' ')} for ${reason}`,
      ).toBe(true);
    }
  });
});
