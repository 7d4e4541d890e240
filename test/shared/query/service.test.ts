import { describe, expect, it } from 'vitest';
import { validate } from '../../../src/shared/query/validate.ts';

/** Every query that the service's specification and the public examples of its kind write down. */
describe('the queries of the specification', () => {
  it.each([
    'url:*\\/<segment>\\/*',
    'publish_time:[2024-01-01T00\\\\:00\\\\:00 TO 2024-02-01T00\\\\:00\\\\:00]',
    'publish_time:{2024-01-01T00\\\\:00\\\\:00 TO 2024-02-01T00\\\\:00\\\\:00}',
    'dr:[50 TO 100] AND ferry',
    'dr:{50 TO 100} AND ferry',
    'dr:[50 TO *]',
    'dr:[* TO 50]',
    'dr:80',
    'title:tesla AND recent:24h',
    'title:tesla AND recent:7d',
    'title:tesla AND recent:1mo',
    'page_category:"/News"',
    'page_category:"/News/Technology_News"',
    'page_category:"/Sports/Winter_Sports/Skiing_and_Snowboarding"',
    'page_category:"/Arts_and_Entertainment/Movies/Horror_Films"',
    'page_type:"/User_Generated_Content/Q&A"',
    'page_type:"/Core_Page/T&C_Page"',
    'language:"zh-cn"',
    'language:(en OR no OR zh-tw)',
    'added_anchor:ferry removed_anchor:"next page"',
    'ferry NOT url:/.*\\/page\\/[0-9]+.*/ AND NOT url:*\\/category\\/* AND NOT url:*\\/tag\\/*',
    'ferry AND page_category:"/News" OR language:klingon',
  ])('%s is valid', (query) => {
    expect(validate(query).valid).toBe(true);
  });

  it.each([
    ['', 'empty_query'],
    [' \t', 'empty_query'],
    ['*:*', 'match_all'],
    ['title:*', 'match_all'],
    ['NOT ferry', 'only_negative'],
    ['NOT url:/.*\\/page\\/[0-9]+.*/ AND NOT url:*\\/category\\/* AND NOT url:*\\/tag\\/*', 'only_negative'],
    ['title:ferr*', 'wildcard_not_allowed'],
    ['domain:/exam.*/', 'regex_not_allowed'],
    ['url:/\\d+/', 'regex_shorthand'],
    ['titel:ferry', 'unknown_field'],
    ['language:zh', 'unmatchable_query'],
    ['page_type:/Article/', 'unquoted_category'],
    ['recent:0d', 'bad_recent'],
    ['recent:24', 'bad_recent'],
  ])('%s is refused with %s', (query, code) => {
    const { valid, diagnostics } = validate(query);
    expect(valid).toBe(false);
    expect(diagnostics.filter((found) => found.severity === 'error').map((found) => found.code)).toEqual([code]);
  });

  it('a value outside its vocabulary beside a clause that can match is a warning', () => {
    expect(validate('ferry OR page_category:"/Newz"')).toMatchObject({
      valid: true,
      diagnostics: [{ code: 'unknown_enum_value', severity: 'warning', hint: { replacement: '"/News"' } }],
    });
  });
});
