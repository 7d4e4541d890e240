import { CATEGORIES } from '../vocabulary/categories.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../vocabulary/languages.ts';
import { PAGE_TYPES } from '../vocabulary/page-types.ts';
import type { VocabularyName } from './fields.ts';
import { distance, nearest } from './suggest.ts';

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

/** What was probably meant by a value outside the vocabulary; undefined when nothing is near. */
export function nearestValue(vocabulary: VocabularyName, value: string): string | undefined {
  return vocabulary === 'language' ? nearestLanguage(value) : nearestLabel(vocabulary, value);
}

/** `English`, `EN`, `en_GB` and `eng` are all `en`. */
function nearestLanguage(written: string): string | undefined {
  const value = written.trim().toLowerCase().replaceAll('_', '-');
  if (isValue('language', value)) return value;
  const [base = value] = value.split('-');
  const named = LANGUAGE_NAMES.get(value) ?? LANGUAGE_NAMES.get(base);
  if (named !== undefined) return named;
  if (isValue('language', base)) return base;
  const name = nearest(base, [...LANGUAGE_NAMES.keys()]);
  if (name !== undefined && base.length > 3 && distance(base, name) <= 2) return LANGUAGE_NAMES.get(name);
  return LANGUAGES.find((code) => base.length > 1 && base.startsWith(code)) ?? nearestCode(base);
}

function nearestCode(base: string): string | undefined {
  const code = nearest(base, LANGUAGES);
  return code !== undefined && base.length <= 3 && distance(base, code) < 2 ? code : undefined;
}

/**
 * A label of the same family (first part) is preferred, then the fewest edits of the whole path, or of its last part
 * where the path is left out: `/News/Tecnology`, `Technology_News` and `/technology_news/` are `/News/Technology_News`.
 */
function nearestLabel(vocabulary: 'page_category' | 'page_type', written: string): string | undefined {
  const path = written
    .slice(0, 160)
    .replace(/\/?\*?$/, '')
    .replaceAll(' ', '_')
    .toLowerCase();
  if (!/[^/_]/.test(path)) return undefined;
  const value = path.startsWith('/') ? path : `/${path}`;
  const lowered = LOWERED[vocabulary];
  const exact = lowered.indexOf(value);
  if (exact >= 0) return VALUES[vocabulary][exact];
  const family = familyOf(value, ROOTS[vocabulary]);
  const candidates = family === undefined ? lowered : lowered.filter((label) => `${label}/`.startsWith(`${family}/`));
  // In its family something is always meant; among all labels only what is near.
  const label = nearestOf(
    value,
    candidates,
    family === undefined ? Math.max(3, Math.ceil(value.length / 2)) : Infinity,
  );
  const meant = label ?? mostWordsOf(value, candidates);
  return meant && VALUES[vocabulary][lowered.indexOf(meant)];
}

/** `/Job Posting` is `/Listing/Job`: the label all of whose words are written, the one with most of them. */
function mostWordsOf(value: string, labels: readonly string[]): string | undefined {
  const written = new Set(lastPart(value).split('_'));
  let best: string | undefined;
  let most = 0;
  for (const label of labels) {
    const words = lastPart(label).split('_');
    if (words.length <= most || !words.every((word) => written.has(word))) continue;
    best = label;
    most = words.length;
  }
  return best;
}

/** The root that the first part of the path was meant as; undefined when it is none of them. */
function familyOf(value: string, roots: readonly string[]): string | undefined {
  const root = `/${value.split('/', 2)[1] ?? ''}`;
  const family = nearest(root, roots);
  return family !== undefined && distance(root, family) <= Math.max(1, root.length / 4) ? family : undefined;
}

/** Undefined when none is less than `limit` edits away. */
function nearestOf(value: string, labels: readonly string[], limit: number): string | undefined {
  let best: string | undefined;
  let fewest = limit;
  for (const label of labels) {
    const edits = labelDistance(value, label, fewest);
    if (edits >= fewest) continue;
    best = label;
    fewest = edits;
  }
  return best;
}

function labelDistance(value: string, label: string, limit: number): number {
  const whole = distance(value, label, limit);
  const last = distance(lastPart(value), lastPart(label), limit - 1) + 1;
  return Math.min(whole, last);
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const LOWERED = {
  page_category: CATEGORIES.map((label) => label.toLowerCase()),
  page_type: PAGE_TYPES.map((label) => label.toLowerCase()),
} as const;

const ROOTS = {
  page_category: LOWERED.page_category.filter((label) => !label.includes('/', 1)),
  page_type: LOWERED.page_type.filter((label) => !label.includes('/', 1)),
} as const;
