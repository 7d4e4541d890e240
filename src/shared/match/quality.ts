import { PUBLISHED_AHEAD_SECONDS, QUALITY_AGE_SECONDS } from '../limits.ts';
import type { Page } from '../page/page.ts';

/**
 * The `quality` filter (spec, Rule): published within the last seven days, and no pagination, tag or category index
 * or query string in the address. A page without a date has no age and does not pass.
 */
export function passesQuality(page: Page, now: number): boolean {
  if (!page.publishTime) return false;
  const age = (now - page.publishTime.instant) / 1_000;
  return age >= -PUBLISHED_AHEAD_SECONDS && age <= QUALITY_AGE_SECONDS && !isIndexAddress(page.url);
}

/** `/page/2`, and its other spellings `/page-2` and `/page2.html`. */
const PAGINATION = /\/pages?\/\d+(?:\/|$)|\/page-?\d+(?:\.[a-z]{3,5})?\/?$/i;
const LABEL_INDEX = /\/(?:tags?|category|categories)(?:\/|$)/i;

function isIndexAddress(url: string): boolean {
  const address = url.replace(/#.*$/s, '');
  const query = address.indexOf('?');
  if (query >= 0 && query < address.length - 1) return true;
  const path = address.replace(/\?$/, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  return PAGINATION.test(path) || LABEL_INDEX.test(path);
}
