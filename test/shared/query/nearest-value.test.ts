import { describe, expect, it } from 'vitest';
import { nearestValue } from '../../../src/shared/query/nearest-value.ts';
import { nearest } from '../../../src/shared/query/suggest.ts';

describe('the label that was meant', () => {
  it.each([
    ['page_category', '/news', '/News'],
    ['page_category', 'News/', '/News'],
    ['page_category', '/News/Tecnology_News', '/News/Technology_News'],
    ['page_category', '/Nwes/Technology News', '/News/Technology_News'],
    ['page_category', 'Technology_News', '/News/Technology_News'],
    ['page_category', '/Sports/Skiing_and_Snowboarding', '/Sports/Winter_Sports/Skiing_and_Snowboarding'],
    ['page_type', 'Recipe', '/Article/Recipe'],
    ['page_type', '/Video/Receipe', '/Video/Recipe'],
    ['page_type', '/Article/Reciepes', '/Article/Recipe'],
    ['page_type', '/Core/Homepage', '/Core_Page/Homepage'],
    ['page_type', '', undefined],
    ['page_type', '///', undefined],
    ['page_type', 'qqqqqqqq', undefined],
  ] as const)('%s %s is %s', (vocabulary, written, label) => {
    expect(nearestValue(vocabulary, written)).toBe(label);
  });
});

describe('the nearest word', () => {
  it.each([
    ['tilte', ['title', 'url'], 'title'],
    ['TITLE', ['title', 'url'], 'title'],
    ['ab', ['ba', 'abc'], 'ba'],
    ['', ['abc', 'de'], 'de'],
  ])('to %s among %j is %s', (word, candidates, wanted) => {
    expect(nearest(word, candidates)).toBe(wanted);
  });
});
