/**
 * The fields a query can name: one table that lexer, checks, suggestions, the matcher and the documentation read.
 * How a page's value of a field is obtained is the matcher's business (match/page-terms.ts).
 */
export type FieldName =
  | 'added'
  | 'removed'
  | 'added_anchor'
  | 'removed_anchor'
  | 'title'
  | 'url'
  | 'domain'
  | 'publish_time'
  | 'page_category'
  | 'page_type'
  | 'language';

/** `age` is internal: seconds since publication, at match time. `recent` is written, and becomes an `age`. */
export type NumberField = 'dr' | 'age';

export interface Field {
  readonly name: FieldName;
  /** `text` is split into lower-cased words; `keyword` is compared whole, with its case. */
  readonly kind: 'text' | 'keyword';
  /** Titles are short: "The Who" must stay findable. */
  readonly keepsStopWords: boolean;
  readonly allowsWildcards: boolean;
  readonly allowsRegex: boolean;
}

/** Where a word without a field is looked for (spec: Indexed query fields). */
export const DEFAULT_FIELD: FieldName = 'added';

const text = { kind: 'text', keepsStopWords: false, allowsWildcards: false, allowsRegex: false } as const;
const keyword = { kind: 'keyword', keepsStopWords: true, allowsWildcards: true, allowsRegex: false } as const;

export const FIELDS: Readonly<Record<FieldName, Field>> = {
  added: { name: 'added', ...text },
  removed: { name: 'removed', ...text },
  title: { name: 'title', ...text, keepsStopWords: true },
  url: { name: 'url', ...keyword, allowsRegex: true },
  domain: { name: 'domain', ...keyword },
};

/** Fields of the specification that the pages do not carry yet: named as such, not as a spelling mistake. */
export const PLANNED_FIELDS: readonly string[] = [
  'added_anchor',
  'removed_anchor',
  'publish_time',
  'page_category',
  'page_type',
  'language',
  'dr',
  'recent',
];

export const FIELD_NAMES = Object.values(FIELDS).map((field) => field.name);

export function fieldNamed(name: string): Field | undefined {
  return Object.values(FIELDS).find((field) => field.name === name);
}
