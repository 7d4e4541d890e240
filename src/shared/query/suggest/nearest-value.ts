import { CATEGORIES } from '../../vocabulary/categories.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../../vocabulary/languages.ts';
import { PAGE_TYPES } from '../../vocabulary/page-types.ts';
import type { VocabularyName } from '../fields.ts';
import { nearestLabel } from './nearest-label.ts';
import { type Meant, misspelled } from './misspelling.ts';

const VALUES: Readonly<Record<VocabularyName, readonly string[]>> = {
  page_category: CATEGORIES,
  page_type: PAGE_TYPES,
  language: LANGUAGES,
};

const SETS = Object.fromEntries(
  Object.entries(VALUES).map(([name, values]) => [name, new Set(values)]),
) as unknown as Readonly<Record<VocabularyName, ReadonlySet<string>>>;

export function valuesOf(vocabulary: VocabularyName): readonly string[] {
  return VALUES[vocabulary];
}

export function isValue(vocabulary: VocabularyName, value: string): boolean {
  return SETS[vocabulary].has(value);
}

/** What was probably meant by a value outside the vocabulary; undefined when nothing is near in meaning. */
export function nearestValue(vocabulary: VocabularyName, value: string): Meant | undefined {
  return vocabulary === 'language' ? nearestLanguage(value) : nearestLabel(vocabulary, value);
}

const LONGEST_LANGUAGE = 64;
/** Beginnings of fewer letters are codes of other lists. */
const SHORTEST_BEGINNING = 4;

/** `English`, `EN`, `en_GB` and `eng` are all `en`; two letters that are no code are nobody's. */
function nearestLanguage(written: string): Meant | undefined {
  const value = written.slice(0, LONGEST_LANGUAGE).trim().toLowerCase().replaceAll('_', '-');
  const words = value.split(/[^\p{L}\p{M}]+/u).filter((word) => word !== '');
  for (const name of [value, ...words]) {
    const code = isValue('language', name) ? name : LANGUAGE_NAMES.get(name);
    if (code !== undefined) return { value: code, isSure: true };
  }
  const [word = ''] = words;
  if (word.length < SHORTEST_BEGINNING) return undefined;
  const names = [...LANGUAGE_NAMES.keys()].filter((name) => name.length >= SHORTEST_BEGINNING);
  const begun = names.filter((name) => name.startsWith(word));
  const name = begun.length > 0 ? begun[0] : misspelled(word, names);
  const code = name === undefined ? undefined : LANGUAGE_NAMES.get(name);
  return code === undefined ? undefined : { value: code, isSure: begun.length === 0 };
}
