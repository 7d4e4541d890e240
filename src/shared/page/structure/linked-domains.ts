import { PAGE_LINKED_DOMAINS } from '../../limits.ts';
import { siteOf } from '../domain.ts';
import type { Page } from '../page.ts';

/** What a page says of other sites: the registrable domain it was read at, and those its content links to. */
export interface DomainLinks {
  readonly from: string;
  /** Each once, `from` left out, at most `PAGE_LINKED_DOMAINS`, in reading order. */
  readonly to: readonly string[];
}

/**
 * The sites that a page speaks for. A link counts when it has a text and stands in the content: the furniture of a site
 * repeats the same few links on each page, and nobody wrote them about what the page is about. A page that asks robots
 * not to follow its links speaks for nobody. Undefined for a page without a host.
 */
export function linkedDomains(page: Page): DomainLinks | undefined {
  const from = siteOf(page.url);
  if (from === undefined) return undefined;
  if (page.facts.robots.some((directive) => directive === 'nofollow' || directive === 'none')) return { from, to: [] };
  const to = new Set<string>();
  const seen = new Set<string>();
  for (const { href, zone } of page.anchors) {
    if (zone === 'chrome') continue;
    const { origin } = new URL(href);
    if (seen.has(origin)) continue;
    seen.add(origin);
    const site = siteOf(href);
    if (site !== undefined && site !== from) to.add(site);
    if (to.size === PAGE_LINKED_DOMAINS) break;
  }
  return { from, to: [...to] };
}
