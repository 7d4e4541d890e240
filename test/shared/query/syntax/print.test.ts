import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validate } from '../../../../src/shared/query/validate.ts';
import { anyQuery, vectors } from '../arbitrary-query.ts';
import { withRecent } from '../with-recent.ts';

/** Nothing to check where the query is invalid. */
function expectSameWhenReadAgain(text: string): void {
  const { compiled, query } = validate(text);
  if (!compiled) return;
  const again = validate(withRecent(compiled.lucene));
  expect(again.diagnostics.filter((found) => found.severity === 'error')).toEqual([]);
  expect(again.query).toEqual(query);
  expect(again.compiled?.lucene).toBe(compiled.lucene);
}

describe('a printed query', () => {
  it('read again is the same, for every query of the vectors', () => {
    for (const query of vectors) expectSameWhenReadAgain(query);
  });

  it('read again is the same, whatever was written', () => {
    fc.assert(fc.property(anyQuery, expectSameWhenReadAgain), { numRuns: 1_500 });
  });

  it('read again is the same, whatever the value', () => {
    const any = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
    const escape = (text: string): string =>
      text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
    fc.assert(
      fc.property(any, any, (one, other) => {
        expectSameWhenReadAgain(`domain:${escape(one)} OR title:${escape(other)}~1`);
        expectSameWhenReadAgain(`url:${escape(one)}*`);
        expectSameWhenReadAgain(`url:[${escape(one)} TO ${escape(other)}}`);
        expectSameWhenReadAgain(`"${escape(one)} of ${escape(other)}"~2 ferry`);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['ferry', 'added:ferry'],
    ['a AND b OR "the c"', '+added:b added:c'],
    ['title:The~', 'title:the~2'],
    ['domain:"AND"', 'domain:"AND"'],
    ['domain:"a b"', 'domain:"a b"'],
    ['url:""', 'url:""'],
    ['url:\\AND*', 'url:AND*'],
    ['"stop the clock the"', 'added:"stop the clock"'],
    ['title:["TO" TO "*"]', 'title:[to TO \\*]'],
    ['title:["a b]" TO "c\\"d"}', 'title:[a\\u0020b\\u005d TO c\\"d}'],
    ['url:["TO" TO "*"]', 'url:[\\TO TO \\*]'],
    ['dr:{5 TO 9} dr:7', 'dr:[6 TO 8] dr:[7 TO 7]'],
    ['ferry AND recent:1mo', '+added:ferry +age:[0 TO 2592000]'],
    ['title:ferry!tram', 'title:ferry -added:tram'],
    ['url:["a]" TO b]', 'url:[a\\u005d TO b]'],
    ['url:\\u0041* url:*\\u0041*', 'url:A* url:*u0041*'],
    ['NOT (a b) ferry', '-added:b added:ferry'],
  ])('%s is %s', (query, printed) => {
    expect(validate(query).compiled?.lucene).toBe(printed);
  });

  it('a slop of minus nothing is none, in the tree as on paper', () => {
    for (const query of ['"a ferry"~-0', '"a ferry"~-0.5']) {
      const { query: read, compiled } = validate(query);
      expect(validate(compiled?.lucene ?? '').query).toStrictEqual(read);
    }
  });

  it('a value that begins with a dollar sign is no reference when it is read again', () => {
    for (const query of [String.raw`$\1~`, String.raw`url:$\a*`, String.raw`domain:\$x`]) {
      const { query: read, compiled } = validate(query);
      expect(compiled).not.toBeNull();
      expect(validate(compiled?.lucene ?? '').query).toStrictEqual(read);
    }
  });
});
