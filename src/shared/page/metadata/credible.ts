import { PUBLISHED_AHEAD_SECONDS } from '../../limits.ts';
import type { Page } from '../page.ts';

/**
 * The page, with a publish time that cannot be kept apart: a date more than a day after the visit is a mistake or a trick
 * to stay "recent"; a day allows for zones and clocks.
 * @param at when the page was visited, milliseconds since 1970
 */
export function credible(page: Page, at: number): Page {
  if (page.publishTime === undefined || page.publishTime.instant <= at + PUBLISHED_AHEAD_SECONDS * 1_000) return page;
  const { publishTime: futureTime, ...rest } = page;
  return { ...rest, futureTime };
}
