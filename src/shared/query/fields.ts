/**
 * The fields a query can name: one table that parser, checks, suggestions, the matcher and the documentation read.
 * How a page's value of a field is obtained is the matcher's business.
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

export type VocabularyName = 'page_category' | 'page_type' | 'language';

export interface Field {
  readonly name: FieldName;
  /** `text` is split into lower-cased words; `keyword` is compared whole, with its case. */
  readonly kind: 'text' | 'keyword';
  /** Titles are short: "The Who" must stay findable. */
  readonly keepsStopWords: boolean;
  readonly allowsWildcards: boolean;
  readonly allowsRegex: boolean;
  /** A page has one value at most, so two different ones at once are a contradiction. */
  readonly single: boolean;
  /** The closed set its values come from. */
  readonly vocabulary?: VocabularyName;
}

/** Where a word without a field is looked for (spec: Indexed query fields). */
export const DEFAULT_FIELD: FieldName = 'added';

const text = {
  kind: 'text',
  keepsStopWords: false,
  allowsWildcards: false,
  allowsRegex: false,
  single: false,
} as const;
const keyword = { ...text, kind: 'keyword', keepsStopWords: true } as const;

export const FIELDS: Readonly<Record<FieldName, Field>> = {
  added: { name: 'added', ...text },
  removed: { name: 'removed', ...text },
  added_anchor: { name: 'added_anchor', ...text },
  removed_anchor: { name: 'removed_anchor', ...text },
  title: { name: 'title', ...text, keepsStopWords: true, single: true },
  url: { name: 'url', ...keyword, allowsWildcards: true, allowsRegex: true, single: true },
  domain: { name: 'domain', ...keyword, allowsWildcards: true },
  publish_time: { name: 'publish_time', ...keyword, single: true },
  page_category: { name: 'page_category', ...keyword, vocabulary: 'page_category' },
  page_type: { name: 'page_type', ...keyword, vocabulary: 'page_type' },
  language: { name: 'language', ...keyword, single: true, vocabulary: 'language' },
};

export const FIELD_NAMES: readonly FieldName[] = Object.values(FIELDS).map((field) => field.name);

/** The fields of a rule. `age`, which stands in what `compiled` shows, is the engine's own and none of them. */
export const QUERY_FIELDS: readonly string[] = [...FIELD_NAMES, 'dr', 'recent'];

export function fieldNamed(name: string): Field | undefined {
  return Object.hasOwn(FIELDS, name) ? FIELDS[name as FieldName] : undefined;
}

export function isNumberField(name: string): name is NumberField {
  return name === 'dr' || name === 'age';
}

export function isKnownField(name: string): boolean {
  return fieldNamed(name) !== undefined || name === 'dr' || name === 'recent';
}

/** What the fields are called elsewhere; a suggestion by spelling would find another one. */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  lang: 'language',
  site: 'domain',
  host: 'domain',
  hostname: 'domain',
  link: 'url',
  uri: 'url',
  address: 'url',
  category: 'page_category',
  section: 'page_category',
  genre: 'page_category',
  categories: 'page_category',
  topic: 'page_category',
  type: 'page_type',
  age: 'recent',
  date: 'publish_time',
  published: 'publish_time',
  published_at: 'publish_time',
  publication_date: 'publish_time',
  pubdate: 'publish_time',
  created_at: 'publish_time',
  time: 'publish_time',
  format: 'page_type',
  locale: 'language',
  href: 'url',
  path: 'url',
  domain_rating: 'dr',
  domain_authority: 'dr',
  authority: 'dr',
  da: 'dr',
  rating: 'dr',
  text: 'added',
  body: 'added',
  content: 'added',
  markdown: 'added',
  deleted: 'removed',
  anchor: 'added_anchor',
  headline: 'title',
  heading: 'title',
  subject: 'title',
  inserted: 'added',
  ins: 'added',
  del: 'removed',
  anchor_text: 'added_anchor',
};
