import { ROBOTS_SITEMAPS } from '../../shared/limits.ts';
import type { Terms } from '../judging/case.ts';
import { URGENT, type Discovered, type Lead } from '../storage/frontier.ts';
import { leadTo, seedHostOf, targetOf, type Target } from './lead.ts';

/**
 * Sitemaps that a robots.txt names, for the sources that hold a page of its host. They may stand on any host: who writes
 * a host's robots.txt speaks for it (sitemaps.org, "Sitemaps & Cross Submits"). `isBaseline`: as that page has it, since
 * a sitemap that is named later lists pages that were there before.
 */
export function robotsSitemaps(
  sitemaps: readonly string[],
  holders: readonly Terms[],
  isBaseline: boolean,
): Discovered[] {
  const targets = sitemaps
    .slice(0, ROBOTS_SITEMAPS)
    .map((sitemap) => targetOf(sitemap))
    .filter((target): target is Target => target !== undefined);
  return holders
    .filter(({ scope, depth, maxDepth }) => scope !== 'page' && (maxDepth === null || depth < maxDepth))
    .map((holder) => ({ sourceId: holder.id, leads: targets.map((target) => sitemapLead(target, holder, isBaseline)) }))
    .filter(({ leads }) => leads.length > 0);
}

function sitemapLead(target: Target, holder: Terms, isBaseline: boolean): Lead {
  const said = { depth: holder.depth, kind: 'sitemap', urgency: URGENT.none, isBaseline } as const;
  return leadTo(target, { seedHost: seedHostOf(holder), ...said });
}
