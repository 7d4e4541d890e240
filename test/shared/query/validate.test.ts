import { describe, expect, it } from 'vitest';
import { QUERY_DEPTH, QUERY_LENGTH } from '../../../src/shared/limits.ts';
import { validate } from '../../../src/shared/query/validate.ts';

/** Code, the text under the span, and the replacement. */
function findings(query: string): (readonly [string, string, string | undefined])[] {
  return validate(query).diagnostics.map((found) => [
    found.code,
    query.slice(found.span?.start, found.span?.end),
    found.hint?.replacement,
  ]);
}

describe('a mistake is named with its exact place and, where there is one, the fix', () => {
  it.each([
    ['"ferry line', 'unclosed_quote', '"ferry line', '"ferry line"'],
    ['tram "ferry\\"', 'unclosed_quote', '"ferry\\"', '"ferry\\""'],
    ['tram AND (ferry', 'unclosed_group', '(', undefined],
    ['ferry) tram', 'unopened_group', ')', ''],
    ['ferry ( ) tram', 'empty_group', '( )', ''],
    ['ferry AND ()', 'empty_group', '()', undefined],
    ['AND ferry', 'misplaced_operator', 'AND', ''],
    ['ferry OR', 'misplaced_operator', 'OR', ''],
    ['ferry AND || tram', 'misplaced_operator', '||', ''],
    ['ferry +-tram', 'misplaced_operator', '-', undefined],
    ['(ferry AND) tram', 'misplaced_operator', 'AND', ''],
    ['title:NOT ferry', 'misplaced_operator', 'title:NOT', 'NOT title:'],
    ['tram AND title:-ferry', 'misplaced_operator', 'title:-', '-title:'],
    ['tram -title:-ferry', 'misplaced_operator', 'title:-', undefined],
    ['title:AND ferry', 'misplaced_operator', 'AND', ''],
    ['title:ferry: a line', 'syntax_error', ':', '\\:'],
    [':ferry', 'syntax_error', ':', ''],
    ['title::ferry', 'syntax_error', ':', ''],
    ['title:', 'syntax_error', ':', undefined],
    ['ferry ]', 'syntax_error', ']', '\\]'],
    ['url:[a TO]', 'bad_range', '[a TO]', '[a TO *]'],
    ['dr:[10 to 20]', 'bad_range', '[10 to 20]', '[10 TO 20]'],
    ['dr:{10 20}', 'bad_range', '{10 20}', '{10 TO 20}'],
    ['dr:[10TO20] ferry', 'bad_range', '[10TO20]', '[10 TO 20]'],
    ['ferry dr:[10', 'bad_range', '[10', undefined],
    ['ferry dr:[10 TO 20', 'bad_range', '[10 TO 20', '[10 TO 20]'],
    ['(ferry dr:[10 TO 20)', 'bad_range', '[10 TO 20)', undefined],
    ['dr:[10-20]', 'bad_range', '[10-20]', '[10 TO 20]'],
    ['domain:[a-b]', 'bad_range', '[a-b]', undefined],
    ['ferry/tram', 'unescaped_slash', '/', '\\/'],
    ['https://example.com/a tram', 'unescaped_slash', 'https://example.com/a', '"https://example.com/a"'],
    ['url:*/blog/*', 'unescaped_slash', 'url:*/blog/*', 'url:*\\/blog\\/*'],
    ['-url:*/x/* ferry', 'unescaped_slash', 'url:*/x/*', 'url:*\\/x\\/*'],
    ['(ferry url:*/x/*)', 'unescaped_slash', 'url:*/x/*', 'url:*\\/x\\/*'],
    ['url:https://a.example/?b=c', 'unescaped_slash', 'url:https://a.example/?b=c', 'url:"https://a.example/?b=c"'],
    ['url:(https://a.example/ OR *x)', 'unescaped_slash', 'https://a.example/', '"https://a.example/"'],
    ['url:/.*/a\\/b/.*/', 'unescaped_slash', 'url:/.*/a\\/b/.*/', 'url:/.*\\/a\\/b\\/.*/'],
    ['domain:a.example/b', 'unescaped_slash', 'domain:a.example/b', 'url:*a.example\\/b*'],
    [
      'publish_time:2024-05-02T09:00:00',
      'unescaped_colon',
      'publish_time:2024-05-02T09:00:00',
      'publish_time:"2024-05-02T09:00:00"',
    ],
    ['ferry\\', 'bad_escape', '\\', '\\\\'],
    ['ferry \\u12 tram', 'bad_escape', '\\u12', undefined],
    ['"ferry \\u12x4"', 'bad_escape', '\\u12x4', undefined],
    ['ferry ^x', 'bad_boost', '^', undefined],
    ['ferry tram^2^3', 'bad_boost', '^3', undefined],
    ['"a b"~-3', 'bad_slop', '~-3', '~3'],
    ['ferry~1.5', 'bad_fuzzy', '~1.5', '~1'],
    ['ferry~-2', 'bad_fuzzy', '~-2', '~2'],
    ['ferry AND TITLE:tram', 'unknown_field', 'TITLE', 'title'],
    ['(ferry OR tilte:tram)', 'unknown_field', 'tilte', 'title'],
    ['titel:(ferry tram)', 'unknown_field', 'titel', 'title'],
    ['domains:example.com', 'unknown_field', 'domains', 'domain'],
    ['lang:en', 'unknown_field', 'lang', 'language'],
    ['site:example.com', 'unknown_field', 'site', 'domain'],
    ['domain_rating:50', 'unknown_field', 'domain_rating', 'dr'],
    ['titel:ferr*', 'unknown_field', 'titel', undefined],
    ['dr:high', 'bad_number', 'high', undefined],
    ['dr:>50', 'bad_number', '>50', '{50 TO *]'],
    ['dr:<=50', 'bad_number', '<=50', '[* TO 50]'],
    ['dr:50+ ferry', 'bad_number', '50+', '[50 TO *]'],
    ['dr:=50', 'bad_number', '=50', '50'],
    ['dr:10-20', 'bad_number', '10-20', '[10 TO 20]'],
    ['dr:5~1', 'bad_number', '5~1', '5'],
    ['dr:(42 81)', 'bad_number', '42 81', '42 OR 81'],
    ['dr:[1.5 TO 90]', 'bad_number', '1.5', '1'],
    ['dr:[1e1 TO 90]', 'bad_number', '1e1', undefined],
    ['ferry AND recent:0h', 'bad_recent', '0h', undefined],
    ['ferry AND recent:24H', 'bad_recent', '24H', '24h'],
    ['ferry AND recent:2weeks', 'bad_recent', '2weeks', '14d'],
    ['ferry AND recent:1y', 'bad_recent', '1y', '12mo'],
    ['ferry AND recent:[1h TO 2h]', 'bad_recent', '[1h TO 2h]', undefined],
    ['url:/a\\db/', 'regex_shorthand', '\\d', '[0-9]'],
    ['url:/a[\\d]b/', 'regex_shorthand', '\\d', '0-9'],
    ['url:/.*(a/', 'bad_regex', '(a', '(a)'],
    ['page_category:/News/', 'unquoted_category', 'page_category:/News/', 'page_category:"/News"'],
    ['page_type:/Article', 'unquoted_category', 'page_type:/Article', 'page_type:"/Article"'],
    ['page_type:(/article/recipe)', 'unquoted_category', '/article/recipe', '"/Article/Recipe"'],
    ['domain:/News/', 'regex_not_allowed', '/News/', '\\/News\\/'],
    ['publish_time:/2024.*/', 'regex_not_allowed', '/2024.*/', '[2024 TO 2025}'],
    ['tram ferr?', 'wildcard_not_allowed', 'ferr?', undefined],
    [
      'tram ferr*',
      'wildcard_not_allowed',
      'ferr*',
      '(ferry OR ferries OR ferried OR ferrying OR ferre OR ferres OR ferred OR ferring)',
    ],
    ['publish_time:2024-05*', 'wildcard_not_allowed', '2024-05*', '[2024-05 TO 2024-06}'],
    ['page_category:\\/News\\/*', 'wildcard_not_allowed', '\\/News\\/*', '"/News"'],
    ['ferry AND *:*', 'match_all', '*:*', undefined],
    ['ferry OR domain:?*', 'match_all', 'domain:?*', undefined],
    ['ferry OR dr:*', 'match_all', 'dr:*', undefined],
    ['ferry OR url:[* TO *]', 'match_all', 'url:[* TO *]', undefined],
    ['dr:[* TO *]', 'match_all', 'dr:[* TO *]', undefined],
    ['dr:[* TO *] NOT ferry', 'match_all', 'dr:[* TO *]', undefined],
    ['+dr:{* TO *} ferry', 'match_all', 'dr:{* TO *}', undefined],
    ['title:[* TO *] AND dr:[* TO *]', 'match_all', 'title:[* TO *]', undefined],
    ['ferry OR (tram AND bus) OR (dr:([* TO *]))', 'match_all', '[* TO *]', undefined],
    ['NOT dr:[* TO *]', 'only_negative', 'NOT dr:[* TO *]', undefined],
    ['ferry OR url:/.*/', 'match_all', '/.*/', undefined],
    ['-ferry -tram', 'only_negative', '-ferry -tram', undefined],
    ['the AND of', 'unmatchable_query', 'the AND of', undefined],
    ['ferry And tram', 'lowercase_operator', 'And', 'AND'],
    ['ferry and tram', 'lowercase_operator', 'and', 'AND'],
    ['(ferry) or "tram"', 'lowercase_operator', 'or', 'OR'],
    ['url:(*x OR y*) not tram', 'lowercase_operator', 'not', 'NOT'],
    ['the not ferry', 'lowercase_operator', 'not', undefined],
    ['domain:(a.example, b.example)', 'words_joined', 'a.example, b.example', 'a.example OR b.example'],
    ['domain:(a.example b.example)', 'words_joined', 'a.example b.example', 'a.example OR b.example'],
    ['ferry^2 tram', 'boost_ignored', '^2', ''],
    ['ferry^2~1', 'boost_ignored', '^2', ''],
    ['ferry OR (NOT tram)', 'negative_group', '(NOT tram)', 'NOT tram'],
    ['ferry OR language:EN', 'unknown_enum_value', 'EN', 'en'],
    ['ferry NOT language:"english"', 'unknown_enum_value', '"english"', '"en"'],
    ['ferry OR page_type:article', 'unknown_enum_value', 'article', '"/Article"'],
    ['dr:[90 TO 10}', 'empty_range', '[90 TO 10}', '{10 TO 90]'],
    ['dr:{51 TO 51]', 'empty_range', '{51 TO 51]', '[51 TO 51]'],
    ['dr:101', 'empty_range', '101', undefined],
    ['publish_time:[2025 TO 2024]', 'empty_range', '[2025 TO 2024]', '[2024 TO 2025]'],
    ['publish_time:"2024-05-02T09:00:00Z"', 'incomplete_time', '"2024-05-02T09:00:00Z"', '"2024-05-02T09:00:00"'],
    ['publish_time:2024-12', 'incomplete_time', '2024-12', '[2024-12 TO 2024-13}'],
    ['publish_time:[soon TO *]', 'incomplete_time', 'soon', undefined],
    ['publish_time:[2024-05 TO 02.06.2024]', 'incomplete_time', '02.06.2024', undefined],
    ['publish_time:>2024-05-02', 'incomplete_time', '>2024-05-02', '[2024-05-03 TO *]'],
    ['domain:a.example,b.example', 'impossible_value', 'a.example,b.example', '(a.example OR b.example)'],
    ['domain:Example.com', 'impossible_value', 'Example.com', 'example.com'],
    ['domain:"https://example.com/"', 'impossible_value', '"https://example.com/"', 'example.com'],
    ['domain:bücher.example', 'impossible_value', 'bücher.example', 'xn--bcher-kva.example'],
    ['domain:"*.example.com"', 'impossible_value', '"*.example.com"', '*.example.com'],
    ['domain:*.Example.com', 'impossible_value', '*.Example.com', '*.example.com'],
    ['url:example.com', 'impossible_value', 'example.com', '*example.com*'],
    ['url:"https://example.com"', 'impossible_value', '"https://example.com"', '"https://example.com/"'],
    [
      'url:"https://example.com/a/*"',
      'impossible_value',
      '"https://example.com/a/*"',
      'https\\:\\/\\/example.com\\/a\\/*',
    ],
    ['url:/^https:.*\\/a$/', 'impossible_value', '/^https:.*\\/a$/', '/https:.*\\/a/'],
    ['ferry OR url:/a&b/', 'empty_regex', '/a&b/', undefined],
    ['recent:24h NOT ferry', 'only_recent', '24h', undefined],
    ['ferry OR recent:24h', 'only_recent', '24h', undefined],
    ['dr:[* TO *] AND recent:1d', 'only_recent', '[* TO *]', undefined],
    ['url:/https:\\\\/\\\\/a.*/', 'impossible_value', '/https:\\\\/\\\\/a.*/', '/https:\\/\\/a.*/'],
    ['ferry AND url:/.*[a-z]\\\\/blog.*/', 'impossible_value', '/.*[a-z]\\\\/blog.*/', '/.*[a-z]\\/blog.*/'],
    ['ferry AND $x', 'filter_not_allowed', '$x', '\\$x'],
  ])('%s', (query, code, place, replacement) => {
    expect(findings(query)).toEqual([[code, place, replacement]]);
  });

  it.each([
    '[2024 TO 2025}',
    '[2024-12 TO 2024-13}',
    '[2024-05-02T09 TO 2024-05-02T09:00:00]',
    '{* TO 2024-05-02T09:00:00Z]',
  ])('publish_time:%s has times as bounds', (range) => {
    expect(findings(`ferry AND publish_time:${range}`)).toEqual([]);
  });

  it('several findings come in the order of the text', () => {
    expect(findings('titel:ferry^2 AND dr:x and title:x*').map(([code]) => code)).toEqual([
      'unknown_field',
      'boost_ignored',
      'bad_number',
      'lowercase_operator',
      'wildcard_not_allowed',
    ]);
  });

  it.each([
    ['"ferry line"~-1 AND titel:tram', ['bad_slop', 'unknown_field']],
    ['ferry~1.5 AND (titel:tram OR dr:high)', ['bad_fuzzy', 'unknown_field', 'bad_number']],
    ['title:(ferry~-2^3 tram) bus~2.5', ['bad_fuzzy', 'boost_ignored', 'bad_fuzzy']],
  ])('a bad number behind ~ ends no reading: %s', (query, codes) => {
    expect(findings(query).map(([code]) => code)).toEqual(codes);
  });

  it('labels without quotes are each reported, though the grammar reads one regex from slash to slash', () => {
    expect(findings('page_type:/Article OR page_type:/Video')).toEqual([
      ['unquoted_category', 'page_type:/Article', 'page_type:"/Article"'],
      ['unquoted_category', 'page_type:/Video', 'page_type:"/Video"'],
    ]);
  });
});

describe('a query that no page can match is refused, with the part that is the reason', () => {
  it.each([
    ['ferry AND (NOT tram)', '(NOT tram)', 'NOT tram'],
    ['ferry AND (tram AND (-a -b))', '(-a -b)', '-a -b'],
    ['ferry AND title:(NOT tram)', '(NOT tram)', undefined],
    ['language:EN', 'EN', 'en'],
    ['ferry AND language:english', 'english', 'en'],
    ['ferry AND (language:EN OR page_type:"/article")', 'EN', 'en'],
    ['ferry AND page_category:"/News/Tecnology_News"', '"/News/Tecnology_News"', '"/News/Technology_News"'],
    ['+(page_category:"Technology_News") ferry', '"Technology_News"', '"/News/Technology_News"'],
    ['language:(en de)', 'en de', 'en OR de'],
    ['ferry AND language:xx', 'xx', undefined],
    ['language:qqqqqq~1', 'qqqqqq~1', undefined],
    ['language:[zz TO zzz]', '[zz TO zzz]', undefined],
  ])('%s', (query, place, replacement) => {
    const found = findings(query).filter(([code]) => code === 'unmatchable_query');
    expect(found).toEqual([['unmatchable_query', place, replacement]]);
  });

  it.each([
    'ferry OR language:EN',
    'ferry language:EN',
    'ferry NOT language:xx',
    'ferry AND (language:EN OR language:de)',
    'ferry AND (tram OR (language:EN AND bus))',
    'language:[a TO f]',
    'language:ex~1',
    'ferry OR (tram AND (NOT bus))',
  ])('%s can match', (query) => {
    expect(validate(query).valid).toBe(true);
  });
});

describe('what Lucene accepts and no page can have is a warning', () => {
  it.each([
    ['language:en AND language:de', 'language:en AND language:de'],
    ['ferry OR (language:en AND (language:de OR language:fr))', '(language:en AND (language:de OR language:fr))'],
    ['+dr:[80 TO 100] +dr:5', '+dr:[80 TO 100] +dr:5'],
    ['dr:[10 TO 20] NOT dr:[0 TO 50]', 'dr:[10 TO 20] NOT dr:[0 TO 50]'],
    ['ferry AND dr:{50 TO *] AND dr:[* TO 50]', 'ferry AND dr:{50 TO *] AND dr:[* TO 50]'],
    ['publish_time:[2025 TO *] AND publish_time:[* TO 2024]', 'publish_time:[2025 TO *] AND publish_time:[* TO 2024]'],
    ['url:"https://a.example/" AND url:"https://b.example/"', 'url:"https://a.example/" AND url:"https://b.example/"'],
    ['ferry AND NOT ferry', 'ferry'],
    ['ferry AND (tram -tram)', 'tram'],
    ['(ferry AND tram) AND NOT ferry', '(ferry AND tram)'],
    ['(ferry OR tram) AND NOT ferry AND NOT tram', '(ferry OR tram)'],
    ['ferry -(ferry OR tram)', 'ferry'],
    ['ferry AND bus AND NOT (ferry AND bus)', '(ferry AND bus)'],
    ['tram OR (bus AND ((ferry)) -ferry)', 'ferry'],
    ['dr:5 NOT (dr:[0 TO 7] OR publish_time:[* TO 2024])', 'dr:5 NOT (dr:[0 TO 7] OR publish_time:[* TO 2024])'],
    ['page_type:"/Article/Recipe" AND NOT page_type:"/Article"', '"/Article/Recipe"'],
    ['language:en AND NOT language:en', 'en'],
    ['dr:5 AND (dr:[9 TO 3] OR dr:7)', 'dr:5 AND (dr:[9 TO 3] OR dr:7)'],
    ['(language:xx OR language:en) AND language:de', '(language:xx OR language:en) AND language:de'],
  ])('%s', (query, place) => {
    const found = findings(query).filter(([code]) => code !== 'empty_range' && code !== 'unknown_enum_value');
    expect(found).toEqual([['contradiction', place, undefined]]);
    expect(validate(query).valid).toBe(true);
  });

  it.each([
    'page_category:"/News" AND page_category:"/Finance"',
    'page_type:("/Article" AND "/Video")',
    'domain:a.example AND domain:b.example',
    'ferry AND tram',
    'language:en language:de',
    'language:en AND NOT language:de',
    'dr:[10 TO 60] AND dr:[50 TO 90]',
    'dr:[* TO 50] NOT dr:[10 TO 50]',
    'dr:[10 TO 20] -dr:10 -dr:20',
    'publish_time:[2024 TO *] AND publish_time:[* TO 2025}',
    'publish_time:{2024 TO 2025} -publish_time:[2024-05 TO 2024-06]',
    'recent:7d AND ferry AND NOT recent:1h',
    'url:"https://a.example/" AND url:*example*',
    'page_type:"/Article" AND NOT page_type:"/Article/Recipe"',
    'domain:a.example.com AND NOT domain:b.example.com',
    'ferry AND (ferry OR tram) AND NOT tram',
    'ferry -(ferry AND tram)',
    'ferry OR tram -tram',
  ])('%s is none', (query) => {
    expect(findings(query)).toEqual([]);
  });
});

describe('what a query is made of', () => {
  it('fields in the order of the text, and the words that name none', () => {
    expect(validate('ferry AND title:(tram OR removed:bus) "two words" recent:7d wi-fi colour~1').info).toEqual({
      fields_used: ['added', 'title', 'removed', 'recent'],
      default_field_terms: ['ferry', 'two words', 'wi-fi', 'colour'],
    });
  });

  it('is reported for an invalid one, too, once it can be read', () => {
    expect(validate('ferry AND dr:high').info).toEqual({
      fields_used: ['added', 'dr'],
      default_field_terms: ['ferry'],
    });
    expect(validate('ferry AND').info).toEqual({ fields_used: [], default_field_terms: [] });
  });

  it('the place of each part of the query', () => {
    const text = 'title:ferry AND (dr:5 OR "bus line")';
    const { places } = validate(text);
    const shown = Array.from(places, ([query, { start, end }]) => [query.kind, text.slice(start, end)]);
    expect(shown).toEqual([
      ['term', 'ferry'],
      ['number', '5'],
      ['phrase', '"bus line"'],
      ['boolean', '(dr:5 OR "bus line")'],
      ['boolean', text],
    ]);
  });

  it('an invalid query is not compiled', () => {
    expect(validate('titel:ferry')).toMatchObject({ valid: false, compiled: null, query: undefined });
  });
});

describe('these are no mistakes', () => {
  it.each([
    'not ferry',
    'ferry or',
    '"ferry and tram"',
    'ferry AND \\and AND tram',
    'title:"the"',
    'a\\/b OR C\\:',
    'R&D',
    'recent:24h AND ferry',
    'ferry AND (recent:24h OR domain:example.com)',
    'publish_time:2024-05-02T09\\:00\\:00',
    'publish_time:2024-05-02T09\\\\:00\\\\:00',
    'publish_time:["2024-05-02T09:00:00" TO 2024-05-02T09:00:01}',
    'url:*\\/<segment>\\/*',
    'dr:{1 TO 5}',
    'language:("en" OR zh-cn)',
    'price \\$100 "$100" url:/a$/',
    'ferry ~2',
  ])('%s', (query) => {
    expect(validate(query)).toMatchObject({ valid: true, diagnostics: [] });
  });
});

describe('what a query may cost is limited', () => {
  it('the deepest nesting allowed is accepted, one more is not', () => {
    const nested = (depth: number): string => `${'('.repeat(depth)}ferry${')'.repeat(depth)}`;
    expect(validate(nested(QUERY_DEPTH)).valid).toBe(true);
    expect(findings(nested(QUERY_DEPTH + 1))).toEqual([['too_deep', '(', undefined]]);
  });

  it('the longest query allowed is accepted, one character more is not', () => {
    const query = `"${'x'.repeat(QUERY_LENGTH - 2)}"`;
    expect(validate(query).valid).toBe(true);
    expect(findings(`${query} `).map(([code, place]) => [code, place])).toEqual([['query_too_long', ' ']]);
  });

  it.each(['(', ')', '"', '/', '\\/', '[', '[a "', '~', '^1', 'a:', 'NOT ', 'a b:', '*', '_', '-a', '{a TO b}'])(
    'a query full of %s is refused with a reason',
    (part) => {
      const { valid, diagnostics } = validate(part.repeat(QUERY_LENGTH).slice(0, QUERY_LENGTH));
      expect(valid).toBe(false);
      expect(diagnostics.map((found) => found.severity)).toContain('error');
    },
  );
});

describe('what Lucene reads so is read so, without a finding', () => {
  it.each([
    ['ferry AND dr:[* TO *]', '+added:ferry +dr:[* TO *]'],
    ['ferry -dr:[* TO *]', 'added:ferry -dr:[* TO *]'],
    ['url:[* TO *] AND language:"en"', '+url:[* TO *] +language:en'],
    ['+ferry publish_time:[* TO *]', '+added:ferry publish_time:[* TO *]'],
    // Two backslashes are one, and the slash behind them ends no regex that has more of it to come.
    ['url:/.*(\\\\/|_)b/', 'url:/.*(\\\\/|_)b/'],
    ['url:/https:\\/\\/a[\\\\/]b/', 'url:/https:\\/\\/a[\\\\/]b/'],
    ['url:/.*\\u0041/', 'url:/.*\\u0041/'],
  ])('%s', (query, lucene) => {
    const { diagnostics, compiled } = validate(query);
    expect([diagnostics, compiled?.lucene]).toEqual([[], lucene]);
  });
});
