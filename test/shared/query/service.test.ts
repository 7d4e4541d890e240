import { describe, expect, it } from 'vitest';
import { matchesValues } from '../../../src/shared/match/evaluate.ts';
import type { FieldValues } from '../../../src/shared/match/document.ts';
import { FIELD_NAMES, QUERY_FIELDS } from '../../../src/shared/query/fields.ts';
import { validate } from '../../../src/shared/query/validate.ts';
import { CATEGORIES } from '../../../src/shared/vocabulary/categories.ts';
import { LANGUAGES } from '../../../src/shared/vocabulary/languages.ts';
import { PAGE_TYPES } from '../../../src/shared/vocabulary/page-types.ts';
import { withRecent } from './with-recent.ts';

/** Every query that the service's specification, its decisions and the public examples of its kind write down. */

const saved: Readonly<Record<string, string>> = {
  'no-junk': 'NOT url:/.*\\/page\\/[0-9]+.*/ AND NOT url:*\\/category\\/* AND NOT url:*\\/tag\\/*',
  competitors: 'domain:techcrunch.com OR domain:theverge.com',
};
const FILTERS = { filters: (name: string) => saved[name], filterNames: Object.keys(saved) };

/** A page with a value in every field: that of `values`, or another than any query here asks for. */
function page(texts: FieldValues['texts'] = {}, numbers: FieldValues['numbers'] = {}): FieldValues {
  return {
    texts: {
      added: ['the harbour reopened'],
      title: ['Harbour'],
      url: ['https://blog.example.com/a'],
      domain: ['blog.example.com', 'example.com'],
      publish_time: ['2024-05-02T09:00:00'],
      ...texts,
    },
    numbers: { dr: 60, age: 3_600, ...numbers },
  };
}

function matches(text: string, values: FieldValues): boolean | undefined {
  const { query } = validate(text, FILTERS);
  return query && matchesValues(query, values);
}

const url = (address: string): FieldValues => page({ url: [address] });
const published = (time: string): FieldValues => page({ publish_time: [time] });
const rated = (dr: number): FieldValues => page({}, { dr });
const aged = (age: number): FieldValues => page({}, { age });
const tesla = page({ title: ['Tesla opens a plant'], language: ['en'] });
/** Without a title and a rating. */
const bare: FieldValues = { texts: { added: ['the harbour reopened'] }, numbers: {} };
const HOUR = 3_600;
const MAY = ['2024-05-01T00\\\\:00\\\\:00', '2024-05-02T09\\\\:00\\\\:00'].join(' TO ');

describe('what the specification says that a query matches', () => {
  it.each<[string, FieldValues, FieldValues]>([
    ['ferry', page({ added: ['A Ferry line'] }), page({ title: ['ferry'], removed: ['ferry'] })],
    ['"ferry line"', page({ added: ['the ferry line'] }), page({ added: ['ferry', 'line'] })],
    ['url:"https://a.example/b"', url('https://a.example/b'), url('https://a.example/B')],
    ['url:*\\/<segment>\\/*', url('https://a.example/<segment>/b'), url('https://a.example/<segment>')],
    ['url:https\\:\\/\\/example.com\\/blog\\/*', url('https://example.com/blog/a'), url('https://example.com/b')],
    ['url:*\\/item\\?', url('https://a.example/item?'), url('https://a.example/items')],
    ['url:*\\/item?', url('https://a.example/items'), url('https://a.example/item')],
    ['url:/.*\\/[0-9]{4}\\/.*/', url('https://a.example/2024/b'), url('https://a.example/204/b')],
    ['domain:techcrunch.com', page({ domain: ['techcrunch.com'] }), page({ domain: ['TechCrunch.com'] })],
    ['domain:"techcrunch.com"', page({ domain: ['a.techcrunch.com', 'techcrunch.com'] }), page()],
    ['domain:*.example.com', page(), page({ domain: ['example.com'] })],
    ['page_category:"/News"', page({ page_category: ['/News/Technology_News', '/News'] }), page()],
    ['page_type:"/Listing/Job"', page({ page_type: ['/Listing/Job'] }), page({ page_type: ['/listing/job'] })],
    [`publish_time:[${MAY}]`, published('2024-05-02T09:00:00'), published('2024-04-30T23:59:59')],
    [`publish_time:{${MAY}}`, published('2024-05-02T08:59:59'), published('2024-05-02T09:00:00')],
    ['publish_time:2024-05-02T09\\\\:00\\\\:00', published('2024-05-02T09:00:00'), published('2024-05-02T09:00:01')],
    ['publish_time:2024-05-02T09\\:00\\:00', published('2024-05-02T09:00:00'), published('2024-05-02T09:00:01')],
    ['publish_time:"2024-05-02T09:00:00"', published('2024-05-02T09:00:00'), published('2024-05-02T09:00:01')],
    ['dr:[50 TO 60]', rated(60), rated(61)],
    ['dr:{50 TO 60}', rated(51), rated(50)],
    ['dr:[50 TO *]', rated(100), rated(49)],
    ['dr:[* TO 50]', rated(0), { texts: {}, numbers: {} }],
    ['dr:80', rated(80), rated(79)],
    ['harbour AND dr:[* TO *]', rated(0), bare],
    ['harbour -dr:[* TO *]', bare, rated(0)],
    ['harbour AND title:[* TO *]', page(), bare],
    ['url:/.*\\u0041/', url('https://a.example/u0041'), url('https://a.example/A')],
    ['url:/.*a[\\\\/]b/', url('https://a.example/a/b'), url('https://a.example/a_b')],
    ['recent:24h', aged(24 * HOUR), aged(24 * HOUR + 1)],
    ['recent:1h', aged(HOUR), aged(HOUR + 1)],
    ['recent:1d', aged(24 * HOUR), aged(24 * HOUR + 1)],
    ['recent:2mo', aged(60 * 24 * HOUR), aged(60 * 24 * HOUR + 1)],
    ['recent:7d', aged(7 * 24 * HOUR), { texts: {}, numbers: {} }],
    ['recent:1mo', aged(30 * 24 * HOUR), aged(31 * 24 * HOUR)],
    ['recent:365d', aged(365 * 24 * HOUR), aged(366 * 24 * HOUR)],
    ['recent:30d', aged(30 * 24 * HOUR), aged(31 * 24 * HOUR)],
    ['recent:3mo', aged(90 * 24 * HOUR), aged(91 * 24 * HOUR)],
    ['title:(a OR b AND c)', page({ title: ['b c'] }), page({ title: ['a'] })],
    ['title:(a AND b OR c)', page({ title: ['a b'] }), page({ title: ['c'] })],
    ['"a b"~3 OR ferry~1', page({ added: ['fery'] }), page()],
    ['title:"x y"~3', page({ title: ['x 1 2 3 y'] }), page({ title: ['x 1 2 3 4 y'] })],
    ['+ferry -tram && !bus || title:(x AND -y)', page({ added: ['ferry'] }), page({ added: ['ferry bus'] })],
    ['(domain:techcrunch.com OR domain:theverge.com)', page({ domain: ['theverge.com'] }), page()],
    ['title:tesla AND $competitors', page({ title: ['Tesla'], domain: ['theverge.com'] }), tesla],
    ['title:tesla AND NOT $competitors', tesla, page({ title: ['Tesla'], domain: ['theverge.com'] })],
  ])('%s', (query, one, other) => {
    expect([matches(query, one), matches(query, other)]).toEqual([true, false]);
  });
});

describe('the queries of the specification', () => {
  it.each(FIELD_NAMES)('a page without %s never matches it', (field) => {
    const any = validate(`${field}:[! TO *]`);
    expect(any.query && matchesValues(any.query, { texts: {}, numbers: {} })).toBe(false);
  });

  it('all labels and languages are valid as they are written, quoted', () => {
    const wrong = (field: string, values: readonly string[]): readonly string[] =>
      values.filter((value) => validate(`${field}:"${value}"`).diagnostics.length > 0);
    expect([CATEGORIES.length, PAGE_TYPES.length, LANGUAGES.length]).toEqual([1_094, 110, 53]);
    expect(wrong('page_category', CATEGORIES)).toEqual([]);
    expect(wrong('page_type', PAGE_TYPES)).toEqual([]);
    expect(wrong('language', LANGUAGES)).toEqual([]);
  });

  it.each([
    ['ferry OR page_category:"/Newz"', 'unknown_enum_value', '"/News"'],
    ['ferry AND page_category:"/News" OR language:klingon', 'unknown_enum_value', undefined],
    ['recent:24h', 'only_recent', undefined],
    ['language:en AND language:de', 'contradiction', undefined],
    ['dr:[100 TO 50]', 'empty_range', '[50 TO 100]'],
    ['ferry^2', 'boost_ignored', ''],
    ['ferry and tram', 'lowercase_operator', 'AND'],
  ])('%s is valid with a warning of %s', (query, code, replacement) => {
    const { valid, diagnostics } = validate(query);
    expect(valid).toBe(true);
    expect(diagnostics.map((found) => [found.code, found.severity, found.hint?.replacement])).toEqual([
      [code, 'warning', replacement],
    ]);
  });

  it.each([
    ['', 'empty_query', undefined],
    [' \t', 'empty_query', undefined],
    ['*:*', 'match_all', undefined],
    ...QUERY_FIELDS.filter((field) => field !== 'recent').map((field) => [`${field}:*`, 'match_all', undefined]),
    ['field:*', 'match_all', undefined],
    ['url:?*', 'match_all', undefined],
    ['ferry OR url:*', 'match_all', undefined],
    ['NOT ferry', 'only_negative', undefined],
    [saved['no-junk'] ?? '', 'only_negative', undefined],
    [
      'title:ferr*',
      'wildcard_not_allowed',
      '(ferry OR ferries OR ferried OR ferrying OR ferre OR ferres OR ferred OR ferring)',
    ],
    ['domain:/(.*\\.)?example\\.com/', 'regex_not_allowed', undefined],
    ['title:/ferry/', 'regex_not_allowed', '\\/ferry\\/'],
    ['url:/\\d+/', 'regex_shorthand', '[0-9]'],
    ['titel:ferry', 'unknown_field', 'title'],
    ['age:[0 TO 604800]', 'unknown_field', undefined],
    ['ferry AND age:5', 'unknown_field', undefined],
    ['language:zh', 'unmatchable_query', 'zh-cn'],
    ['page_type:"/Job Posting"', 'unmatchable_query', '"/Listing/Job"'],
    ['page_category:/News', 'unquoted_category', 'page_category:"/News"'],
    ['page_type:/Article/', 'unquoted_category', 'page_type:"/Article"'],
    ['url:*/<segment>/*', 'unescaped_slash', 'url:*\\/<segment>\\/*'],
    ['publish_time:2024-05-02T09:00:00', 'unescaped_colon', 'publish_time:"2024-05-02T09:00:00"'],
    ['dr:50.5', 'bad_number', '50'],
    ['recent:0d', 'bad_recent', undefined],
    ['recent:24', 'bad_recent', undefined],
    ['recent:-1d', 'misplaced_operator', undefined],
    ['the AND of', 'unmatchable_query', undefined],
    ['$no-junk', 'filter_not_allowed', '\\$no-junk'],
  ])('%s is refused with %s', (query, code, replacement) => {
    const { valid, diagnostics } = validate(query ?? '');
    expect(valid).toBe(false);
    const errors = diagnostics.filter((found) => found.severity === 'error');
    expect(errors.map((found) => [found.code, found.hint?.replacement])).toEqual([[code, replacement]]);
  });

  it('a saved filter that only says NOT is a group that matches nothing; its clauses can stand without it', () => {
    const text = 'title:tesla AND language:"en" AND $no-junk';
    const { diagnostics } = validate(text, FILTERS);
    expect(diagnostics.map((found) => [found.code, found.hint?.replacement])).toEqual([
      ['unmatchable_query', saved['no-junk']],
      ['negative_group', saved['no-junk']],
    ]);
    expect(matches(`title:tesla AND language:"en" AND ${saved['no-junk']}`, tesla)).toBe(true);
  });

  it('the effective query of its form can be read', () => {
    const text =
      '+(ferry) +age:[0 TO 604800] -url:/.*\\/page\\/[0-9]+.*/ -url:*\\/tag\\/* -url:*\\/category\\/* -url:*\\?*';
    expect(validate(withRecent(text))).toMatchObject({ valid: true, diagnostics: [] });
  });
});
