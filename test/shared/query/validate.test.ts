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
    ['ferry) tram', 'unopened_group', ')', undefined],
    ['ferry ( ) tram', 'empty_group', '( )', undefined],
    ['AND ferry', 'misplaced_operator', 'AND', undefined],
    ['ferry OR', 'misplaced_operator', 'OR', undefined],
    ['ferry AND || tram', 'misplaced_operator', '||', undefined],
    ['ferry +-tram', 'misplaced_operator', '-', undefined],
    ['(ferry AND) tram', 'misplaced_operator', 'AND', undefined],
    ['title:NOT ferry', 'misplaced_operator', 'NOT', undefined],
    ['title:', 'syntax_error', ':', undefined],
    ['ferry ]', 'syntax_error', ']', '\\]'],
    ['url:[a TO]', 'syntax_error', '[a TO]', undefined],
    ['ferry/tram', 'unescaped_slash', '/', '\\/'],
    ['ferry\\', 'bad_escape', '\\', '\\\\'],
    ['ferry \\u12 tram', 'bad_escape', '\\u12', undefined],
    ['"ferry \\u12x4"', 'bad_escape', '\\u12x4', undefined],
    ['ferry ^x', 'bad_boost', '^', undefined],
    ['ferry tram^2^3', 'bad_boost', '^3', undefined],
    ['"a b"~-3', 'bad_slop', '~-3', '~3'],
    ['ferry AND TITLE:tram', 'unknown_field', 'TITLE', 'title'],
    ['(ferry OR tilte:tram)', 'unknown_field', 'tilte', 'title'],
    ['titel:(ferry tram)', 'unknown_field', 'titel', 'title'],
    ['domains:example.com', 'unknown_field', 'domains', 'domain'],
    ['ferry AND language:en', 'unsupported_syntax', 'language', undefined],
    ['ferry colour~1', 'unsupported_syntax', 'colour~1', 'colour'],
    ['ferry^2 tram', 'unsupported_syntax', '^2', ''],
    ['title:[a TO b]', 'unsupported_syntax', '[a TO b]', undefined],
    ['url:/https.*/', 'unsupported_syntax', '/https.*/', undefined],
    ['domain:/News/', 'regex_not_allowed', '/News/', '\\/News\\/'],
    ['/fo[o] (b*)/', 'regex_not_allowed', '/fo[o] (b*)/', '\\/fo\\[o\\] \\(b\\*\\)\\/'],
    ['/fer\\\\/', 'regex_not_allowed', '/fer\\\\/', '\\/fer\\\\\\/'],
    ['ferry 10:30', 'unknown_field', '10', '10\\'],
    ['tram ferr?', 'wildcard_not_allowed', 'ferr?', undefined],
    ['ferry AND *:*', 'match_all', '*:*', undefined],
    ['ferry OR domain:?*', 'match_all', 'domain:?*', undefined],
    ['-ferry -tram', 'only_negative', '-ferry -tram', undefined],
    ['the AND of', 'unmatchable_query', 'the AND of', undefined],
    ['ferry and tram', 'lowercase_operator', 'and', 'AND'],
    ['(ferry) or "tram"', 'lowercase_operator', 'or', 'OR'],
    ['url:(x OR y) not tram', 'lowercase_operator', 'not', 'NOT'],
    ['domain:(a.example b.example)', 'words_joined', 'a.example b.example', 'a.example OR b.example'],
  ])('%s', (query, code, place, replacement) => {
    expect(findings(query)).toEqual([[code, place, replacement]]);
  });

  it.each(['/fo[o] (b*)/', '/fer\\\\/', 'ferry 10:30', 'domain:/News/', 'ferry "tram\\', 'ferry/tram', 'fer ]'])(
    'and with the fix %s is valid',
    (query) => {
      const [{ span, hint } = {}] = validate(query).diagnostics;
      const fixed = query.slice(0, span?.start) + (hint?.replacement ?? '') + query.slice(span?.end);
      expect(validate(fixed)).toMatchObject({ valid: true, diagnostics: [] });
    },
  );

  it('several findings come in the order of the text', () => {
    expect(findings('titel:ferry^2 AND tram~1 and title:x*').map(([code]) => code)).toEqual([
      'unknown_field',
      'unsupported_syntax',
      'unsupported_syntax',
      'lowercase_operator',
      'wildcard_not_allowed',
    ]);
  });

  it('a required group that only says NOT is pointed out, and the query can never match', () => {
    expect(findings('ferry AND (NOT tram)').map(([code, place]) => [code, place])).toEqual([
      ['unmatchable_query', 'ferry AND (NOT tram)'],
      ['negative_group', '(NOT tram)'],
    ]);
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

  it('100 findings are told, errors before warnings', () => {
    const query = `${'ferry and '.repeat(1_000)}${'q:x '.repeat(40)}`;
    const { valid, diagnostics } = validate(query);
    expect(valid).toBe(false);
    expect(diagnostics).toHaveLength(100);
    expect(diagnostics.filter((found) => found.severity === 'error')).toHaveLength(40);
    expect(validate('q:x '.repeat(4_000)).diagnostics).toHaveLength(100);
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
