import { describe, expect, it } from 'vitest';
import { passesQuality } from '../../../src/shared/match/quality.ts';
import { changedPage, NOW } from './changed-page.ts';

describe('the quality filter', () => {
  it.each([
    [0, true],
    [604_800, true],
    [604_801, false],
    [-86_400, true],
    [-86_401, false],
    [null, false],
  ])('a page published %s seconds ago passes: %s', (age, expected) => {
    expect(passesQuality(changedPage({ age }).page, NOW)).toBe(expected);
  });

  it.each([
    ['https://example.com/', true],
    ['https://example.com/news/2026/02/ferry', true],
    ['https://example.com/pages/ferry', true],
    ['https://example.com/homepage-2', true],
    ['https://tag.example.com/category-theory', true],
    ['https://example.com/news#page/2', true],
    ['https://example.com/news?', true],
    ['https://example.com/news/page/2', false],
    ['https://example.com/page/12/', false],
    ['https://example.com/news/page-3.html', false],
    ['https://example.com/Tag/ferry', false],
    ['https://example.com/tags', false],
    ['https://example.com/category/news/', false],
    ['https://example.com/news?id=1', false],
    ['https://example.com?id=1', false],
  ])('%s passes: %s', (url, expected) => {
    expect(passesQuality(changedPage({ url }).page, NOW)).toBe(expected);
  });
});
