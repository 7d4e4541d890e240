import { leadTo, seedHostOf, type Target, targetOf } from '../discovery/discover.ts';
import { inScope, type Terms } from '../discovery/scope.ts';
import type { FetchedBody, MayFollow } from '../fetch/fetched.ts';
import type { PageInput } from '../analysis/findings.ts';
import { type Discovered, type DuePage, type Lead, URGENT } from '../storage/frontier.ts';
import type { Visit } from '../storage/pages.ts';

/**
 * Each hop of a redirect is a page like any other: its robots.txt has to allow it, and a source has to go there. On
 * another host it waits in that host's queue: followed at once, it would come within that one's crawl delay, and a
 * thousand links of one host could keep another one busy. But where the operator's own URL leads is where he wants to go.
 */
export function followable(
  { host }: Pick<DuePage, 'host'>,
  { holders, isNamed }: Pick<PageInput, 'holders' | 'isNamed'>,
  robots: MayFollow,
): MayFollow {
  return async (url, signal) => {
    if (isNamed) return robots(url, signal);
    if (!holders.some((terms) => isWithin(url, terms))) {
      return {
        outcome: 'failed',
        reason: 'redirects',
        detail: 'the target is outside the scope of the sources of this page',
      };
    }
    if (url.host === host) return robots(url, signal);
    return {
      outcome: 'failed',
      reason: 'moved',
      detail: 'that host has its own queue: the target is visited when its turn comes',
      leadsTo: url.href,
    };
  };
}

/** Where a redirect led that was not followed, for each source that goes there. */
export function movedElsewhere(due: DuePage, holders: readonly Terms[], leadsTo: string): Discovered[] {
  const target = targetOf(leadsTo);
  if (target === undefined) return [];
  // Nothing was seen of it: what it is has to be guessed anew where all that is known is that it was moved.
  const kind = due.kind === 'minor' ? target.kind : due.kind;
  const said = { kind, urgency: due.urgency, isBaseline: due.isBaseline };
  return leadsOf(
    target,
    holders.filter((terms) => isWithin(target.url, terms)),
    said,
  );
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
  { fetched, holders, isNamed, isFirstVisit }: PageInput,
): Pick<Visit, 'sameAs' | 'discovered'> {
  const target = isNamed || fetched.movedTo === undefined ? undefined : targetOf(fetched.movedTo);
  if (target === undefined || isSame(target, due)) return { discovered: [] };
  const said = { kind: due.kind, urgency: URGENT.feed, isBaseline: due.isBaseline && isFirstVisit };
  return { discovered: leadsOf(target, holders, said), sameAs: { host: target.host, hash: target.hash } };
}

/** Of a URL that the operator gave, and so stays the page that it is: where it has moved for good, which is to be said. */
export function newAddress(
  due: DuePage,
  { movedTo }: Pick<FetchedBody, 'movedTo'>,
  isNamed: boolean,
): Pick<Visit, 'movedTo'> {
  const target = movedTo === undefined || !isNamed ? undefined : targetOf(movedTo);
  return movedTo === undefined || target === undefined || isSame(target, due) ? {} : { movedTo };
}

function leadsOf(
  target: Target,
  holders: readonly Terms[],
  said: Pick<Lead, 'kind' | 'urgency' | 'isBaseline'>,
): Discovered[] {
  return holders.map((terms) => ({
    sourceId: terms.id,
    leads: [leadTo(target, { ...said, seedHost: seedHostOf(terms), depth: terms.depth })],
  }));
}

function isSame({ host, hash }: { readonly host: string; readonly hash: number }, due: DuePage): boolean {
  const own = targetOf(due.url);
  return own !== undefined && own.host === host && own.hash === hash;
}
