import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesValues } from '../../../../src/shared/match/evaluate.ts';
import { isAdult, lowQuality } from '../../../../src/shared/match/quality.ts';
import type { FieldValues } from '../../../../src/shared/match/document.ts';
import { validate } from '../../../../src/shared/query/validate.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

interface Switches {
  readonly quality?: boolean;
  readonly nsfw?: boolean;
}

/** Code, what is pointed at, and what begins the message. */
function warned(query: string, switches: Switches = {}): readonly (readonly [string, string, string])[] {
  const { diagnostics, valid } = validate(query, { ...switches, now: NOW });
  expect(valid).toBe(true);
  return diagnostics.map(({ code, span, message }) => [
    code,
    query.slice(span?.start, span?.end),
    /^.*?(?=:| to )/.exec(message)?.[0] ?? message,
  ]);
}

const WHOLE = 'The rule can never match';
const CLAUSE = 'This clause never matches';

describe('a rule that its own settings make unmatchable is warned of', () => {
  it.each([
    ['page_category:"/Adult"', '"/Adult"'],
    ['ferry AND page_category:"/Adult"', '"/Adult"'],
    ['page_category:[/Adult TO /Adult]', '[/Adult TO /Adult]'],
  ])('without nsfw: %s', (query, part) => {
    expect(warned(query)).toEqual([['filtered_out', part, WHOLE]]);
    expect(warned(query, { nsfw: true })).toEqual([]);
  });

  it.each([
    ['url:"https://example.com/a?b=c"', '"https://example.com/a?b=c"'],
    ['url:*\\?*', '*\\?*'],
    ['ferry AND url:*\\?utm_source=*', '*\\?utm_source=*'],
    ['url:*\\/tag\\/*', '*\\/tag\\/*'],
    ['ferry AND url:https\\:\\/\\/example.com\\/tags\\/?', 'https\\:\\/\\/example.com\\/tags\\/?'],
    ['url:/https?:\\/\\/example.com\\/[Tt]ag\\/.*/', '/https?:\\/\\/example.com\\/[Tt]ag\\/.*/'],
    ['url:/.*\\/(tag|category)\\/.*/', '/.*\\/(tag|category)\\/.*/'],
    ['url:"https://example.com/blog/page/2"', '"https://example.com/blog/page/2"'],
    ['url:"https://example.com/topics/ferries"', '"https://example.com/topics/ferries"'],
    ['publish_time:[2024-01-01 TO 2024-02-01}', '[2024-01-01 TO 2024-02-01}'],
    ['publish_time:[* TO 2026-11-14]', '[* TO 2026-11-14]'],
    ['publish_time:"2026-11-14T23:00:00"', '"2026-11-14T23:00:00"'],
    ['ferry AND NOT recent:30d', '30d'],
    ['ferry AND NOT publish_time:[2024 TO *]', '[2024 TO *]'],
  ])('with quality: %s', (query, part) => {
    expect(warned(query)).toEqual([['filtered_out', part, WHOLE]]);
    expect(warned(query, { quality: false })).toEqual([]);
  });

  it('and so is a clause beside which others can match', () => {
    expect(warned('ferry OR page_category:"/Adult"')).toEqual([['filtered_out', '"/Adult"', CLAUSE]]);
    expect(warned('ferry OR url:*\\/tag\\/* OR publish_time:[* TO 2020]')).toEqual([
      ['filtered_out', '*\\/tag\\/*', CLAUSE],
      ['filtered_out', '[* TO 2020]', CLAUSE],
    ]);
  });

  it('and a recent of more than seven days is said to be seven', () => {
    const quality = 'quality shortens this';
    expect(warned('ferry AND recent:30d')).toEqual([['recent_shortened', '30d', quality]]);
    expect(warned('ferry AND recent:1mo')).toEqual([['recent_shortened', '1mo', quality]]);
    expect(warned('ferry AND recent:30d', { quality: false })).toEqual([]);
  });

  it.each([
    'ferry AND recent:7d',
    'ferry AND recent:24h',
    'publish_time:[2024-01-01 TO *]',
    'publish_time:[2024-01-01 TO 2027]',
    'publish_time:"2026-11-16T09:00:00"',
    'ferry AND NOT url:*\\/tag\\/*',
    'ferry AND NOT page_category:"/Adult"',
    'ferry AND NOT publish_time:[* TO 2024]',
    'url:*\\/blog\\/*',
    'url:*\\/stage\\/*',
    'url:*\\/topics\\/*',
    'url:/https?:\\/\\/.*pages?.*/',
    'page_category:"/News"',
    'page_category:[/A TO /B]',
  ])('and %s is not', (query) => {
    expect(warned(query)).toEqual([]);
  });

  it('says what is in the way, and what to turn', () => {
    const [adult] = validate('page_category:"/Adult"', { now: NOW }).diagnostics;
    expect(adult).toEqual({
      severity: 'warning',
      code: 'filtered_out',
      field: 'page_category',
      message:
        'The rule can never match: pages labelled /Adult are left out while nsfw is off. To match such pages, turn nsfw on.',
      span: { start: 14, end: 22 },
    });
  });

  it('is no matter of a query that belongs to no rule', () => {
    expect(validate('page_category:"/Adult"').diagnostics).toEqual([]);
  });
});

describe('what is said to be filtered out', () => {
  const leaf = fc.constantFrom(
    'ferry',
    'page_category:"/Adult"',
    'page_category:"/News"',
    'recent:30d',
    'recent:24h',
    'url:*\\?*',
    'url:*\\/tag\\/*',
    'url:*example*',
    'publish_time:[* TO 2020]',
    'publish_time:[2020 TO *]',
  );
  const query = fc
    .array(fc.tuple(fc.constantFrom('', '+', '-'), leaf), { minLength: 1, maxLength: 4 })
    .map((clauses) => clauses.map(([sign, one]) => sign + one).join(' '));
  const page = fc.record({
    url: fc.constantFrom(
      'https://example.com/a',
      'https://example.com/tag/a',
      'https://other.com/a?b',
      'http://x.org/',
    ),
    category: fc.constantFrom('/Adult', '/News', undefined),
    days: fc.constantFrom(0, 6, 8, 4_000),
    word: fc.constantFrom('ferry', 'tram'),
  });

  it('is matched by no page that passes the filter', () => {
    fc.assert(
      fc.property(query, page, (text, { url, category, days, word }) => {
        const { query, diagnostics } = validate(text, { now: NOW });
        if (!query || !diagnostics.some(({ message }) => message.startsWith(WHOLE))) return;
        const local = new Date(NOW - days * 86_400_000).toISOString().slice(0, 19);
        const values: FieldValues = {
          texts: { added: [word], url: [url], publish_time: [local], page_category: category ? [category] : [] },
          numbers: { age: days * 86_400 },
        };
        const passes = lowQuality(values) === undefined && !isAdult(values);
        expect({ text, matches: passes && matchesValues(query, values) }).toEqual({ text, matches: false });
      }),
      { numRuns: 500 },
    );
  });

  it('is looked for with one budget for all patterns of a query', () => {
    const clauses = Array.from({ length: 200 }, (_, at) => `url:*\\/tag\\/${at}*`);
    const found = validate(clauses.join(' '), { now: NOW }).diagnostics.length;
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThan(50);
  });
});
