import { describe, expect, it } from 'vitest';
import { qualityProblem } from '../../../src/shared/match/quality.ts';
import { valuesOf } from '../../../src/shared/match/values.ts';
import { changedPage, NOW } from './changed-page.ts';

describe('the quality filter', () => {
  it.each([
    [0, undefined],
    [604_800, undefined],
    [604_800.5, 'published 7 days ago, and 7 days are allowed'],
    [-86_400, undefined],
    [-86_401, 'published 24 hours from now'],
    [null, 'no publish date'],
  ])('a page published %s seconds ago: %s', (age, expected) => {
    expect(qualityProblem(valuesOf(changedPage({ age }), NOW))).toBe(expected);
  });

  it.each([
    ['https://example.com/', undefined],
    ['https://example.com/news/2026/02/ferry', undefined],
    ['https://example.com/pages/ferry', undefined],
    ['https://example.com/homepage-2', undefined],
    ['https://tag.example.com/category-theory', undefined],
    ['https://example.com/news#page/2', undefined],
    ['https://example.com/news?', undefined],
    ['https://example.com/news/page/2', 'the URL is a further page of a list'],
    ['https://example.com/page/12/', 'the URL is a further page of a list'],
    ['https://example.com/news/page-3.html', 'the URL is a further page of a list'],
    ['https://example.com/Tag/ferry', 'the URL is a tag page'],
    ['https://example.com/tags', 'the URL is a tag page'],
    ['https://example.com/category/news/', 'the URL is a category page'],
    ['https://example.com/news?id=1', 'the URL has a query string'],
    ['https://example.com?id=1', 'the URL has a query string'],
  ])('%s: %s', (url, expected) => {
    expect(qualityProblem(valuesOf(changedPage({ url }), NOW))).toBe(expected);
  });
});
