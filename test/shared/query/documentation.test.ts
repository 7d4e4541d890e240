import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { QUERY_FIELDS } from '../../../src/shared/query/fields.ts';
import { validate } from '../../../src/shared/query/validate.ts';

const doc = readFileSync(new URL('../../../docs/query-language.md', import.meta.url), 'utf8');
const [text = ''] = doc.split('## Diagnostics');

describe('the examples of docs/query-language.md', () => {
  const rows = Array.from(
    text.matchAll(/^\| `(.+?)` \| `(.+?)` \|$/gm),
    ([, query = '', understood = '']) => [query, understood] as const,
  );

  it('are there', () => expect(rows.length).toBeGreaterThanOrEqual(11));

  it.each(rows)('%s is understood as written beside it, without a finding', (query, understood) => {
    const { compiled, diagnostics } = validate(query);
    expect(diagnostics).toEqual([]);
    expect(compiled?.lucene).toBe(understood);
  });
});

describe('the queries in its running text', () => {
  /** What the text says is refused. */
  const refused = ['url:*', 'url:[* TO *]', '*:*', 'field:*', 'a AND (NOT b)', 'ferry AND language:xx'];
  const namesField = new RegExp(`(?:^|[ (])(?:${QUERY_FIELDS.join('|')}):.`);
  const code = Array.from(text.matchAll(/`([^`\n]+)`/g), ([, written = '']) => written.replaceAll('\\|', '|'));
  // Of a command it is the query that is meant.
  const quoted = code.map((written) => /^hydrant .*'(.+)'$/.exec(written)?.[1] ?? written);
  const queries = [...new Set(quoted)].filter((query) => namesField.test(query) && !refused.includes(query));

  it('are there', () => expect(queries.length).toBeGreaterThan(20));

  it.each(queries)('%s is valid', (query) => {
    const { diagnostics } = validate(query, { filters: () => 'junk' });
    expect(diagnostics.filter((found) => found.severity === 'error')).toEqual([]);
  });

  it.each(refused)('%s is refused', (query) => {
    expect(validate(query).valid).toBe(false);
  });
});
