import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RuleIndex } from '../../../src/shared/match/rule-index.ts';
import type { FieldValues } from '../../../src/shared/match/document.ts';
import { FIELD_NAMES } from '../../../src/shared/query/fields.ts';
import { validate } from '../../../src/shared/query/validate.ts';

interface Row {
  readonly id: string;
  readonly query: string;
  readonly doc: Readonly<Record<string, string | readonly string[] | number>>;
  readonly match?: boolean;
}

const FILES = ['a-parsing', 'b-phrases', 'c-keyword', 'd-ranges', 'e-tokens-in-queries'];

function rows(): Row[] {
  return FILES.flatMap((file) => {
    const text = readFileSync(new URL(`../../vectors/lucene/${file}.jsonl`, import.meta.url), 'utf8');
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
  });
}

function valuesOf(doc: Row['doc']): FieldValues {
  const texts = FIELD_NAMES.flatMap((field) => {
    const value = doc[field];
    return value === undefined || typeof value === 'number' ? [] : [[field, [value].flat()] as const];
  });
  const dr = doc['dr'];
  return { texts: Object.fromEntries(texts), numbers: typeof dr === 'number' ? { dr } : {} };
}

describe('an index of all queries that Lucene was asked', () => {
  it('names on each document the query that Lucene says matches it, and not the one that does not', () => {
    const index = new RuleIndex();
    const asked = rows().filter((row) => {
      const { query } = validate(row.query);
      if (!query || row.match === undefined) return false;
      index.register({ id: row.id, tapId: 'tap', query, quality: false, nsfw: true });
      return true;
    });
    expect(asked.length).toBeGreaterThan(1_200);
    const differing = asked.filter(({ id, doc, match }) => index.matchValues(valuesOf(doc)).includes(id) !== match);
    expect(differing.map(({ id, query, match }) => `${id} ${query}: Lucene says ${match}`)).toEqual([]);
  });
});
