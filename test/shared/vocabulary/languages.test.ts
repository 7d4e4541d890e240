import { describe, expect, it } from 'vitest';
import { nearestValue } from '../../../src/shared/query/suggest/nearest-value.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../../../src/shared/vocabulary/languages.ts';

describe('what people write for a language', () => {
  it('every other name stands for a code of the vocabulary', () => {
    expect([...LANGUAGE_NAMES.values()].filter((code) => !LANGUAGES.includes(code))).toEqual([]);
  });

  it.each([
    ['English', 'en'],
    ['EN', 'en'],
    ['en-GB', 'en'],
    ['en_us', 'en'],
    ['eng', 'en'],
    ['german', 'de'],
    ['Portugese', 'pt'],
    ['zh', 'zh-cn'],
    ['zh-Hant', 'zh-tw'],
    ['jp', 'ja'],
    ['nb', 'no'],
    ['xx', undefined],
    ['', undefined],
  ])('%s is %s', (written, code) => {
    expect(nearestValue('language', written)?.value).toBe(code);
  });
});
