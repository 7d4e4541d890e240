import { JA, KO, ZH } from './words-cjk.ts';
import { DE } from './words-de.ts';
import { EN } from './words-en.ts';
import { DA, NL, SV } from './words-germanic.ts';
import { FI, ID, TR } from './words-others.ts';
import { ES, FR, IT, PT } from './words-romance.ts';
import { CS, PL, RU, UK } from './words-slavic.ts';

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
