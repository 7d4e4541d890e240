import { describe, expect, it } from 'vitest';
import { QUERY_LENGTH } from '../../../src/shared/limits.ts';
import { validate } from '../../../src/shared/query/validate.ts';

const saved: Readonly<Record<string, string>> = {
  'no-junk': 'domain:a.example OR NOT url:*\\/tag\\/*',
  news: 'page_category:"/News"',
  bad: 'title:x*',
  long: 'x '.repeat(3_000),
};
const options = { filters: (name: string) => saved[name], filterNames: Object.keys(saved) };

describe('a saved filter', () => {
  it('is suggested for twenty different names of a query at most, since each is compared with all there are', () => {
    const query = Array.from({ length: 30 }, (_, number) => `$ferry-boat${number}`).join(' ');
    const { diagnostics } = validate(query, { filters: () => undefined, filterNames: ['ferry-boats'] });
    expect(diagnostics).toHaveLength(30);
    expect(diagnostics.filter(({ message }) => message.includes('The closest filter is $ferry-boats'))).toHaveLength(
      20,
    );
  });

  it.each([
    ['ferry AND $news', 'ferry AND (page_category:"/News")'],
    ['$news', '(page_category:"/News")'],
    ['-$news ferry', '-(page_category:"/News") ferry'],
    ['(ferry OR $news)', '(ferry OR (page_category:"/News"))'],
    ['title:$no-junk', 'title:(domain:a.example OR NOT url:*\\/tag\\/*)'],
    ['$news $news', '(page_category:"/News") (page_category:"/News")'],
    ['+$news^2 ferry', '+(page_category:"/News")^2 ferry'],
    ['"$news" ferry', '"$news" ferry'],
    ['\\$news ferry', '\\$news ferry'],
    ['url:/a$news/', 'url:/a$news/'],
    ['url:[$news TO b]', 'url:[$news TO b]'],
    ['US$news ferry', 'US$news ferry'],
    ['$ ferry', '$ ferry'],
  ])('%s is read as %s', (written, expanded) => {
    expect(validate(written, options)).toMatchObject({ expanded, valid: true });
  });

  it('keeps the meaning it has by itself, whatever stands around it', () => {
    expect(validate('ferry AND $no-junk', options).compiled?.lucene).toBe(
      '+added:ferry +(domain:a.example -url:*\\/tag\\/*)',
    );
  });

  it('that there is none of is named, with its place in the expanded query and the closest name', () => {
    const { diagnostics, expanded, valid } = validate('$news AND $no-jnuk', options);
    expect(valid).toBe(false);
    expect(diagnostics).toMatchObject([
      { code: 'unknown_filter', hint: { replacement: '$no-junk' }, message: expect.stringContaining('no-jnuk') },
    ]);
    expect(expanded.slice(diagnostics[0]?.span?.start, diagnostics[0]?.span?.end)).toBe('$no-jnuk');
  });

  it('that is a price is escaped', () => {
    const { diagnostics } = validate('ferry under $100', options);
    expect(diagnostics).toMatchObject([{ code: 'unknown_filter', hint: { replacement: '\\$100' } }]);
  });

  it('with a mistake in it is pointed at where it stands', () => {
    const { diagnostics, expanded } = validate('ferry $bad', options);
    expect(diagnostics.map(({ code, span }) => [code, expanded.slice(span?.start, span?.end)])).toEqual([
      ['wildcard_not_allowed', 'x*'],
    ]);
  });

  it('is not allowed where there are no filters', () => {
    expect(validate('ferry $news').diagnostics).toMatchObject([
      { code: 'filter_not_allowed', span: { start: 6, end: 11 }, hint: { replacement: '\\$news' } },
    ]);
  });

  it('counts with its whole length', () => {
    const { diagnostics, expanded } = validate('$long '.repeat(2_000), options);
    expect(diagnostics.map((found) => found.code)).toEqual(['query_too_long']);
    expect(expanded.length).toBeLessThan(3 * QUERY_LENGTH);
  });
});
