import { describe, expect, it } from 'vitest';
import { CATEGORIES } from '../../../src/shared/vocabulary/categories.ts';
import { LANGUAGES } from '../../../src/shared/vocabulary/languages.ts';
import { PAGE_TYPES } from '../../../src/shared/vocabulary/page-types.ts';

const depth = (label: string): number => label.split('/').length - 1;

describe('the vocabularies are those of the specification', () => {
  it('53 languages, sorted, with two kinds of Chinese and no bare one', () => {
    expect(LANGUAGES).toHaveLength(53);
    expect(LANGUAGES).toEqual(LANGUAGES.toSorted());
    expect(LANGUAGES.filter((code) => code.startsWith('zh'))).toEqual(['zh-cn', 'zh-tw']);
  });

  it('the languages are those of the specification, code for code', () => {
    const codes =
      'af ar bg bn cs da de el en es et fa fi fr gu he hi hr hu id it ja kn ko lt lv mk ml mr ne nl no ' +
      'pa pl pt ro ru sk sl so sq sv sw ta te th tl tr uk ur vi zh-cn zh-tw';
    expect(LANGUAGES).toEqual(codes.split(' '));
  });

  it('110 page types: 11 roots and 99 children', () => {
    expect(PAGE_TYPES).toHaveLength(110);
    expect(PAGE_TYPES.filter((label) => depth(label) === 1)).toHaveLength(11);
    expect(PAGE_TYPES).toEqual(expect.arrayContaining(['/User_Generated_Content/Q&A', '/Core_Page/T&C_Page']));
  });

  it('1,094 categories: 27 at the top', () => {
    expect(CATEGORIES).toHaveLength(1_094);
    expect(CATEGORIES.filter((label) => depth(label) === 1)).toHaveLength(27);
    expect(CATEGORIES).toEqual(
      expect.arrayContaining([
        '/Adult',
        '/News/Technology_News',
        '/Sports/Winter_Sports/Skiing_and_Snowboarding',
        "/Food_and_Drink/Food_and_Grocery_Retailers/Farmers'_Markets",
        '/Computers_and_Electronics/Programming/C_and_C++',
      ]),
    );
  });

  it.each([
    ['categories', CATEGORIES],
    ['page types', PAGE_TYPES],
  ])('%s: each label once, after its parent', (_name, labels) => {
    expect(new Set(labels).size).toBe(labels.length);
    const children = labels.filter((label) => depth(label) > 1);
    const orphans = children.filter((label) => {
      const parent = labels.indexOf(label.slice(0, label.lastIndexOf('/')));
      return parent < 0 || parent > labels.indexOf(label);
    });
    expect(orphans).toEqual([]);
  });
});
