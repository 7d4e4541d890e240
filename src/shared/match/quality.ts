import { QUALITY_AGE_SECONDS } from '../limits.ts';
import type { FieldValues } from './values.ts';

/**
 * The `quality` filter (spec, Rule): published within the last seven days, and no pagination, tag or category index
 * or query string in the address. A page without a date, or with one in the future, has no age and does not pass.
 * Undefined when the page passes, else what is in the way, to be read after "quality: ".
 */
export function qualityProblem(values: FieldValues): string | undefined {
  const { age } = values.numbers;
  if (age === undefined) return 'no publish date';
  if (age < 0) return 'the publish date lies ahead';
  if (age > QUALITY_AGE_SECONDS) return 'published more than 7 days ago';
  return addressProblem(values.texts.url?.[0] ?? '');
}

/** `/page/2`, and its other spellings `/page-2` and `/page2.html`. */
const PAGINATION = /\/pages?\/\d+(?:\/|$)|\/page-?\d+(?:\.[a-z]{3,5})?\/?$/i;
const TAG_INDEX = /\/tags?(?:\/|$)/i;
const CATEGORY_INDEX = /\/(?:category|categories)(?:\/|$)/i;

function addressProblem(url: string): string | undefined {
  const address = url.replace(/#.*$/s, '');
  const query = address.indexOf('?');
  if (query >= 0 && query < address.length - 1) return 'the URL has a query string';
  const path = address.replace(/\?$/, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  if (PAGINATION.test(path)) return 'the URL is a further page of a list';
  if (TAG_INDEX.test(path)) return 'the URL is a tag page';
  return CATEGORY_INDEX.test(path) ? 'the URL is a category page' : undefined;
}
