import { JA, KO, ZH } from './category-words-cjk.ts';
import { DE } from './category-words-de.ts';
import { EN } from './category-words-en.ts';
import { DA, NL, SV } from './category-words-germanic.ts';
import { FI, ID, TR } from './category-words-others.ts';
import { ES, FR, IT, PT } from './category-words-romance.ts';
import { CS, PL, RU, UK } from './category-words-slavic.ts';

/** The lexicon that each language is read with, by code; languages close enough to read share one. */
export const CATEGORY_WORDS: Readonly<Record<string, string>> = {
  cs: CS,
  da: DA,
  de: DE,
  en: EN,
  es: ES,
  fi: FI,
  fr: FR,
  id: ID,
  it: IT,
  ja: JA,
  ko: KO,
  nl: NL,
  no: DA,
  pl: PL,
  pt: PT,
  ru: RU,
  sk: CS,
  sv: SV,
  tr: TR,
  uk: UK,
  'zh-cn': ZH,
  'zh-tw': ZH,
};
