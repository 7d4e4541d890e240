import { describe, expect, it } from 'vitest';
import { qualityProblem } from '../../../src/shared/match/quality.ts';
import { valuesOf } from '../../../src/shared/match/document.ts';
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
    ['https://example.com/topics/ferries', 'the URL is a topic page'],
    ['https://example.com/news/Topic/ferries/', 'the URL is a topic page'],
    ['https://example.com/topics/ferries/3', 'the URL is a topic page'],
    ['https://example.com/search/label/ferries', 'the URL is a topic page'],
    ['https://example.com/labels/ferries/', 'the URL is a topic page'],
    ['https://example.com/questions/tagged/ferries', 'the URL is a tag page'],
    ['https://example.com/author/anna-berg/', 'the URL is an author page'],
    ['https://example.com/authors/anna-berg/2', 'the URL is an author page'],
    ['https://example.com/p/2', 'the URL is a further page of a list'],
    ['https://example.com/news/p/12/', 'the URL is a further page of a list'],
    ['https://example.com/section/world/2/', 'the URL is a further page of a list'],
    ['https://example.com/section/world/europe/13', 'the URL is a further page of a list'],
    // Articles, products and the like that stand below such a part, or look like it.
    ['https://example.com/topics/ferries/a-new-line-opens', undefined],
    ['https://example.com/topics/2026/11/22/a-new-line-opens', undefined],
    ['https://example.com/author/anna-berg/a-new-line-opens', undefined],
    ['https://example.com/p/a-new-line-opens', undefined],
    ['https://example.com/p/48213377', undefined],
    ['https://example.com/section/world', undefined],
    ['https://example.com/section/world/a-new-line-opens', undefined],
    ['https://example.com/section/world/2026/', undefined],
    ['https://example.com/hot-topics/ferries', undefined],
    ['https://example.com/record-label/ferries', undefined],
    ['https://topics.example.com/ferries', undefined],
  ])('%s: %s', (url, expected) => {
    expect(qualityProblem(valuesOf(changedPage({ url }), NOW))).toBe(expected);
  });
});
