import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CODES, type Code } from '../../../src/shared/query/codes.ts';
import { QUERY_FIELDS } from '../../../src/shared/query/fields.ts';
import { validate } from '../../../src/shared/query/validate.ts';

const doc = readFileSync(new URL('../../../docs/query-language.md', import.meta.url), 'utf8');

/** Examples that are too large to be written out. */
const LARGE: Partial<Record<Code, string>> = {
  query_too_long: 'x'.repeat(16_385),
  too_many_clauses: 'x '.repeat(1_025),
  too_deep: `${'('.repeat(65)}x${')'.repeat(65)}`,
};

/** With saved filters, of which there is one. */
const WITH_FILTERS = {
  filters: (name: string) => (name === 'no-junk' ? 'NOT junk' : undefined),
  filterNames: ['no-junk'],
};

describe('the table of diagnostic codes in docs/query-language.md', () => {
  const rows = Array.from(
    doc.matchAll(/^\| `([a-z_]+)` \| (error|warning) \| (.+?) (?<!\\)\|/gm),
    ([, code, severity, example]) => ({
      code,
      severity,
      example: example?.replace(/^`|`$/g, '').replace('␠', ' ').replaceAll('\\|', '|'),
    }),
  );

  it('lists every code with its severity and example, in the order of the source', () => {
    expect(rows).toEqual(Object.entries(CODES).map(([code, { severity, example }]) => ({ code, severity, example })));
  });

  it('lists every field', () => {
    const fields = doc.matchAll(/^\| `([a-z_]+)` \| (?:text|keyword|number|filter) \|/gm);
    expect(Array.from(fields, ([, name]) => name)).toEqual(QUERY_FIELDS);
  });
});

describe('the example of', () => {
  it.each(Object.entries(CODES))('%s earns it and nothing else', (code, { severity, example }) => {
    // As of a rule with the settings that are the default.
    const options = code === 'unknown_filter' ? WITH_FILTERS : { now: Date.parse('2026-11-22T12:00:00Z') };
    const { diagnostics, valid } = validate(LARGE[code as Code] ?? example, options);
    expect(diagnostics.map((found) => [found.code, found.severity])).toEqual([[code, severity]]);
    expect(valid).toBe(severity === 'warning');
  });
});
