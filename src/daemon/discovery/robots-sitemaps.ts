import { ROBOTS_SITEMAPS } from '../../shared/limits.ts';
import { canonicalUrl } from '../../shared/page/canonical-url.ts';
import { type Discovered, type DuePage, type Lead, URGENT } from '../storage/frontier.ts';
import { identityOf } from './canonical.ts';
import { leadTo, seedHostOf, type Target, targetOf } from './discover.ts';
import type { Terms } from './scope.ts';

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
    .filter(reachesSitemaps)
    .map((holder) => ({ sourceId: holder.id, leads: targets.map((target) => sitemapLead(target, holder, isBaseline)) }))
    .filter(({ leads }) => leads.length > 0);
}

/** Whether the page brings the sitemaps of its host to the source: its own URL does, and any page of another host. */
export function bringsSitemaps({ url, host }: Pick<DuePage, 'url' | 'host'>, holder: Terms): boolean {
  if (!reachesSitemaps(holder)) return false;
  return host !== seedHostOf(holder) || (holder.depth === 0 && isSamePage(url, holder.url));
}

function isSamePage(one: string, other: string): boolean {
  const [its, others] = [identityOf(one), identityOf(canonicalUrl(other) ?? other)];
  return its.host === others.host && its.hash === others.hash;
}

function reachesSitemaps({ scope, depth, maxDepth }: Terms): boolean {
  return scope !== 'page' && (maxDepth === null || depth < maxDepth);
}

function sitemapLead(target: Target, holder: Terms, isBaseline: boolean): Lead {
  const said = { depth: holder.depth, kind: 'sitemap', urgency: URGENT.none, isBaseline } as const;
  return leadTo(target, { seedHost: seedHostOf(holder), ...said });
}
