import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesValues } from '../../../src/shared/match/evaluate.ts';
import { qualityProblem } from '../../../src/shared/match/quality.ts';
import type { FieldValues } from '../../../src/shared/match/document.ts';
import { validate } from '../../../src/shared/query/validate.ts';
import { withRecent } from './with-recent.ts';

const effective = (settings: { quality: boolean; nsfw: boolean }): string =>
  validate('ferry AND title:tram', settings).compiled?.effective_lucene ?? '';

describe('effective_lucene', () => {
  it('is the query alone where nothing is added', () => {
    expect(effective({ quality: false, nsfw: true })).toBe('+added:ferry +title:tram');
  });

  it('keeps adult pages out unless they are wanted', () => {
    expect(effective({ quality: false, nsfw: false })).toBe('+(+added:ferry +title:tram) -page_category:"/Adult"');
  });

  it('has the quality filter, by default', () => {
    const text = effective({ quality: true, nsfw: true });
    expect(text).toMatch(/^\+\(\+added:ferry \+title:tram\) \+age:\[0 TO 604800\]( -url:\/\S+\/)+$/);
    expect(validate('ferry AND title:tram', { nsfw: true }).compiled?.effective_lucene).toBe(text);
  });

  it('can be validated itself', () => {
    expect(validate(withRecent(effective({ quality: true, nsfw: false }))).diagnostics).toEqual([]);
  });
});

describe('its clauses and the quality filter agree', () => {
  const { query } = validate(withRecent(validate('ferry', { nsfw: true }).compiled?.effective_lucene ?? ''));

  function expectAgreement(url: string, age: number | undefined): void {
    const values: FieldValues = {
      texts: { added: ['ferry'], url: [url] },
      numbers: age === undefined ? {} : { age },
    };
    expect(query && matchesValues(query, values), `${url} ${age}`).toBe(qualityProblem(values) === undefined);
  }

  it.each([undefined, -1, 0, 1, 604_800, 604_801])('on an age of %s', (age) => {
    expectAgreement('https://a.example/b', age);
  });

  it.each([
    '',
    '/',
    '/page/2',
    '/pages/12/x',
    '/blog/Page/2',
    '/page/',
    '/page/x',
    '/homepage/2',
    '/page-2',
    '/page2.html',
    '/page2.htmlx.y',
    '/a/page22.aspx/',
    '/pages-2',
    '/tag/x',
    '/tags',
    '/Tags/',
    '/vintage/x',
    '/category/news',
    '/categories',
    '/CATEGORY',
    '/subcategory/x',
    '?',
    '?a',
    '/a?b=c',
    '/a#?b',
    '/a?#b',
    '/page/2#x',
    '/page/2?',
    '/tag?#',
    '/tag/#',
    '#/tag/x',
    '/a?page/2',
    '/page2?',
    '/page2/?',
    '/x#/page/2',
    '/\n/page/2',
    '/a\n?b',
    '/topics',
    '/Topics/x',
    '/topics/x/',
    '/topics/x/2',
    '/topics/x/y',
    '/label/x#y',
    '/tagged/x?',
    '/author/x/1234',
    '/authors//',
    '/p/2',
    '/P/2/',
    '/p/1234',
    '/section/a/2',
    '/section/2',
    '/section/a/b/2/#c',
  ])('on the address https://a.example%j', (path) => {
    expectAgreement(`https://a.example${path}`, 60);
  });

  it('on addresses made of such parts', () => {
    const part = fc.constantFrom(
      '/',
      'page',
      'pages',
      '2',
      '-',
      '.html',
      'tag',
      'Category',
      'topics',
      'tagged',
      'section',
      'p',
      'ies',
      '?',
      '#',
      'x',
      '=',
      ':',
      '//',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 9 }), (parts) =>
        expectAgreement(`https://a.example/${parts.join('')}`, 60),
      ),
      { numRuns: 1_000 },
    );
  });

  it('a regex that ends in a backslash swallows nothing of what stands behind it', () => {
    const { compiled } = validate(String.raw`url:/.*\/a\\/`);
    expect(compiled?.lucene).toBe(String.raw`url:/.*\/a[\\]/`);
    expect(validate(withRecent(compiled?.effective_lucene ?? '')).diagnostics).toEqual([]);
    const values = { texts: { url: ['https://example.com/a\\'] }, numbers: {} };
    expect(matchesValues(validate(String.raw`url:/.*\/a\\/`).query!, values)).toBe(true);
  });
});
