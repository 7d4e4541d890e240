import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QUERY_LENGTH } from '../../../src/shared/limits.ts';
import { validate } from '../../../src/shared/query/validate.ts';
import { anyQuery } from './arbitrary-query.ts';

const PIECES = [
  '(',
  ')',
  '"',
  '/',
  '\\/',
  '[',
  '[a "',
  '~',
  '^1',
  'a:',
  'NOT ',
  'a b:',
  '*',
  '_',
  '-a',
  '{a TO b}',
  '$a ',
  'x:(',
  'language:xx ',
  'page_category:"/Nws/Tecnolgy" ',
  'page_category:/News/Tecnolgy ',
  'titel:a ',
  'a and ',
  'a^2 ',
  'url:/a{3}b/ ',
  'url:/(.*a.{9}b)/ ',
  'url:/(.*a.{20}b|.*c.{20}d)/ ',
  'url:/\\d\\d/ ',
  'url:/[a/ ',
  'url:/"a/ ',
  'dr:5 AND ',
  'language:en AND ',
  'publish_time:[1 TO 2] AND ',
  '+a -a ',
  '(-a) ',
  'dr:>5 ',
  'recent:1w ',
  'url:*/a ',
  'http://a ',
  'language:(a b c) ',
  'language:qqq~2 ',
  '((((a))))',
  '\ud800',
  '\0',
  '\\u12',
  '\\',
];

describe('a hostile query of the full length', () => {
  it.each(PIECES)('full of %j gets an answer of a size that can be read', (piece) => {
    const { diagnostics } = validate(piece.repeat(QUERY_LENGTH).slice(0, QUERY_LENGTH));
    expect(diagnostics.length).toBeLessThanOrEqual(100);
    expect(diagnostics.every((found) => found.message.length < 1_000)).toBe(true);
  });

  it('made of several such pieces gets one too', () => {
    const pieces = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('').repeat(2_000).slice(0, 4_096);
        expect(validate(text).diagnostics.length).toBeLessThanOrEqual(100);
      }),
      { numRuns: 40 },
    );
  });

  it('with a thousand warnings in front of an error is still told the error', () => {
    const { valid, diagnostics } = validate(`${'a^2 b '.repeat(900)} dr:high`);
    expect(valid).toBe(false);
    expect(diagnostics.map((found) => found.code)).toContain('bad_number');
  });
});

describe('nesting', () => {
  it('of mistakes inside mistakes is judged once each', () => {
    const nested = `${'titel:('.repeat(60)}x*${')'.repeat(60)}`;
    expect(validate(nested).diagnostics.length).toBeLessThanOrEqual(100);
  });
});

describe('the same text', () => {
  it('gets the same answer twice', () => {
    fc.assert(
      fc.property(anyQuery, (text) => {
        expect(validate(text)).toEqual(validate(text));
      }),
      { numRuns: 300 },
    );
  });
});
