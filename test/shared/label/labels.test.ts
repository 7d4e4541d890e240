import { describe, expect, test } from 'vitest';
import { labels } from '../../../src/shared/label/labels.ts';
import { CATEGORIES } from '../../../src/shared/vocabulary/categories.ts';
import { LANGUAGES } from '../../../src/shared/vocabulary/languages.ts';
import { PAGE_TYPES } from '../../../src/shared/vocabulary/page-types.ts';
import { pageOf } from '../page/reading.ts';

const recipe = `<html lang="en"><head><title>Barley bread with seeds</title>
  <script type="application/ld+json">{"@context":"https://schema.org","@type":"Recipe","name":"Barley bread"}</script></head>
  <body><main><h1>Barley bread with seeds</h1>
  <p>Knead the dough of barley flour, water, yeast and salt for ten minutes, then let it rise beside the oven.</p>
  <p>Bake the bread at a high heat and let it cool before you slice it; serve with butter, cheese or soup.</p>
  <h2>Ingredients</h2><ul><li>500 g barley flour</li><li>7 g yeast</li><li>10 g salt</li></ul></main></body></html>`;

const values = (list: readonly { readonly value: string }[]): string[] => list.map(({ value }) => value);

describe('the labels of a page', () => {
  test('are its language, kinds and subjects, each with its parents and a reason', async () => {
    const found = await labels(pageOf(recipe, { url: 'https://example.com/barley-bread' }));
    expect(found.language?.value).toBe('en');
    expect(values(found.pageTypes)).toEqual(expect.arrayContaining(['/Article/Recipe', '/Article']));
    expect(values(found.categories)).toContain('/Food_and_Drink');
    const all = [...found.pageTypes, ...found.categories, ...(found.language ? [found.language] : [])];
    expect(all.every(({ reason }) => reason.length > 0)).toBe(true);
  });

  test('are values of the vocabularies, and with each value come all above it', async () => {
    const { language, pageTypes, categories } = await labels(pageOf(recipe));
    expect(LANGUAGES).toContain(language?.value);
    for (const [found, vocabulary] of [
      [values(pageTypes), PAGE_TYPES],
      [values(categories), CATEGORIES],
    ] as const) {
      expect(vocabulary).toEqual(expect.arrayContaining(found));
      const parents = found.map((value) => value.slice(0, value.lastIndexOf('/'))).filter((parent) => parent !== '');
      expect(found).toEqual(expect.arrayContaining(parents));
      expect(new Set(found).size).toBe(found.length);
    }
  });

  test('an adult signal of any kind is the category /Adult, before all others', async () => {
    const rated = recipe.replace('<head>', '<head><meta name="rating" content="RTA-5042-1996-1400-1577-RTA">');
    const { categories } = await labels(pageOf(rated));
    expect(categories[0]).toMatchObject({ value: '/Adult', reason: expect.stringMatching(/rating/) as string });
    expect(values(categories)).toContain('/Food_and_Drink');
  });

  test('are absent where the page does not tell', async () => {
    const { language, categories } = await labels(pageOf('<p>12 + 7 = 19</p>', { url: 'https://example.com/x/9' }));
    expect([language, categories]).toEqual([undefined, []]);
  });
});
