import { leadTo, seedHostOf, targetOf } from './discovery/lead.ts';
import { inScope } from './discovery/scope.ts';
import type { MayFollow } from './fetch/fetched.ts';
import type { Case, Terms } from './judging/case.ts';
import { type Discovered, type DuePage, URGENT } from './storage/frontier.ts';
import type { Visit } from './storage/pages.ts';

/** Each hop of a redirect is a page like any other: its robots.txt has to allow it, and a source has to go there. */
export function followable(holders: readonly Terms[], isNamed: boolean, robots: MayFollow): MayFollow {
  return async (url, signal) => {
    // Where the operator's own URL leads is where he wants to go.
    if (isNamed || holders.some((terms) => isWithin(url, terms))) return robots(url, signal);
    const detail = `it redirects to ${url.host}${url.pathname}, which is outside of the sources that lead here`;
    return { outcome: 'failed', reason: 'redirects', detail };
  };
}

/** The entries of a feed or sitemap whose source is that one page lie outside of its scope already. */
function isWithin(url: URL, terms: Terms): boolean {
  return (terms.scope === 'page' && terms.depth > 0) || inScope(url.href, terms);
}

/**
 * What moved for good is the page at its new address, and that one tells the news from now on. A URL that the operator
 * gave stays the page that it is.
 */
export function moved(
  due: DuePage,
  { fetched, holders, isNamed, isFirstVisit }: Case,
): Pick<Visit, 'sameAs' | 'discovered'> {
  const target = isNamed || fetched.movedTo === undefined ? undefined : targetOf(fetched.movedTo);
  if (target === undefined || isSame(target, due)) return { discovered: [] };
  const said = { kind: due.kind, urgency: URGENT.feed, isBaseline: due.isBaseline && isFirstVisit };
  const discovered: Discovered[] = holders.map((terms) => ({
    sourceId: terms.id,
    leads: [leadTo(target, { ...said, seedHost: seedHostOf(terms), depth: terms.depth })],
  }));
  return { discovered, sameAs: { host: target.host, hash: target.hash } };
}

function isSame({ host, hash }: { readonly host: string; readonly hash: number }, due: DuePage): boolean {
  const own = targetOf(due.url);
  return own !== undefined && own.host === host && own.hash === hash;
}
