import type { Terms } from '../judging/case.ts';
import type { Discovered } from '../storage/frontier.ts';

/** Sitemaps that a robots.txt names, for the sources that hold a page of its host. */
export function robotsSitemaps(
  sitemaps: readonly string[],
  holders: readonly Terms[],
  isBaseline: boolean,
): Discovered[] {
  return isBaseline && sitemaps.length > holders.length ? [] : [];
}
