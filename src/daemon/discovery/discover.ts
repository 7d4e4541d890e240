import { PAGE_FEEDS } from '../../shared/limits.ts';
import { ownedDomain } from '../../shared/page/domain.ts';
import type { Anchor, Page } from '../../shared/page/page.ts';
import { type Discovered, type Identity, type Lead, type PageKind, URGENT } from '../storage/frontier.ts';
import { canonical, identityOf } from './canonical.ts';
import { isAction, isFile, kindOf, kindOfPage, leadTo, seedHostOf, type Target, targetOf } from './discovered-url.ts';
import { scopeOf, type Terms } from './scope.ts';

/** The visit that brought a body. */
export interface Origin {
  /** Where the body came from, after redirects. */
  readonly url: string;
  /** What its page is known as. */
  readonly kind: PageKind;
  readonly at: number;
  readonly isFirstVisit: boolean;
  readonly isBaseline: boolean;
  readonly holders: readonly Terms[];
}

export interface Discovery {
  /** One a holder that has something to follow; leads in the order of their worth. */
  readonly discovered: readonly Discovered[];
  /** What the page turned out to be. */
  readonly kind: PageKind;
  /** The page that it says it is: `rel=canonical` on its site. Of the identity that its lead has. */
  readonly sameAs?: { readonly host: string; readonly hash: number };
}

/** Where an ordinary page leads: itself under another name, feeds that it announces, its links. */
export function discover(page: Page, from: Origin): Discovery {
  const url = new URL(from.url);
  const self = identityOf(canonical(from.url) ?? url);
  const isSeed = from.holders.some(({ depth }) => depth === 0);
  const kind = kindOfPage(url, page, isSeed);
  const isClosed = page.facts.robots.includes('nofollow');
  const other = isClosed ? undefined : canonicalTarget(page, url, self);
  const found: Found = {
    other,
    feeds: isClosed ? [] : announcedFeeds(page, url, isSeed),
    links: isClosed ? [] : linkTargets(page, self),
  };
  const discovered = from.holders
    .map((holder) => ({ sourceId: holder.id, leads: leadsFor(holder, found, from) }))
    .filter(({ leads }) => leads.length > 0);
  const isAlias = other !== undefined && from.holders.every((holder) => scopeOf(holder)(other.url));
  return { discovered, kind, ...(isAlias && { sameAs: { host: other.host, hash: other.hash } }) };
}

interface Found {
  readonly other: Target | undefined;
  readonly feeds: readonly Target[];
  readonly links: readonly Target[];
}

/**
 * A feed is no link away: it has the depth of its page, and its entries one more. It may stand outside of the scope (of
 * a prefix, on a service for feeds); its entries may not.
 */
function leadsFor(holder: Terms, { other, feeds, links }: Found, from: Origin): Lead[] {
  const { depth, maxDepth, scope } = holder;
  if (scope === 'page') return [];
  const isInScope = scopeOf(holder);
  const given = {
    seedHost: seedHostOf(holder),
    isBaseline: from.isBaseline && from.isFirstVisit,
    urgency: URGENT.none,
  };
  const leads: Lead[] = [];
  if (other && isInScope(other.url)) {
    leads.push(leadTo(other, { ...given, depth, kind: kindOf(other.url), urgency: URGENT.feed }));
  }
  if (maxDepth !== null && depth >= maxDepth) return leads;
  for (const feed of feeds) leads.push(leadTo(feed, { ...given, depth, kind: 'feed' }));
  for (const link of links) {
    if (isInScope(link.url)) leads.push(leadTo(link, { ...given, depth: depth + 1, kind: kindOf(link.url) }));
  }
  return leads;
}

/**
 * Only on its own site, and no front page: the template of many sites names that one on all pages, and who believed it
 * would see one page there. A template that is older than the site's `https:` names what leads back here; that a page
 * without it names the one with it is no mistake.
 */
function canonicalTarget({ facts }: Page, url: URL, self: Identity): Target | undefined {
  const target = facts.canonical === undefined ? undefined : targetOf(facts.canonical);
  if (!target || (target.hash === self.hash && target.host === self.host)) return undefined;
  if (target.url.pathname === '/' && target.url.search === '') return undefined;
  if (url.protocol === 'https:' && withoutScheme(target.url) === withoutScheme(url)) return undefined;
  return ownedDomain(target.url.hostname) === ownedDomain(url.hostname) ? target : undefined;
}

function withoutScheme({ href, protocol }: URL): string {
  return href.slice(protocol.length);
}

/**
 * A blog announces a feed of comments on each of its pages: those below a page's own path are left out. Another site's
 * feed is taken from a seed's word only.
 */
function announcedFeeds({ facts }: Page, url: URL, isSeed: boolean): Target[] {
  const own = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`;
  const site = ownedDomain(url.hostname);
  return facts.alternates
    .filter(({ type }) => type !== undefined && FEED_TYPE.test(type))
    .slice(0, PAGE_FEEDS)
    .map(({ href }) => targetOf(href))
    .filter((target): target is Target => {
      if (target === undefined || /\/comments?\//i.test(target.url.pathname)) return false;
      if (isSeed) return true;
      const isOfThisPage = own !== '/' && target.url.pathname.startsWith(own);
      return !isOfThisPage && ownedDomain(target.url.hostname) === site;
    });
}

const FEED_TYPE = /^\s*application\/(?:rss\+xml|atom\+xml|rdf\+xml|feed\+json)\b/i;

/** Links in the order of their worth, each target once; then the page in other languages. */
function linkTargets(page: Page, self: Identity): Target[] {
  const { facts } = page;
  const translations = facts.alternates.filter(
    ({ hreflang, type }) => hreflang !== undefined && !FEED_TYPE.test(type ?? ''),
  );
  const hrefs = [...linksInOrder(page), ...translations.map(({ href }) => href)];
  const targets = new Map<string, Target>();
  for (const href of new Set(hrefs)) {
    const target = targetOf(href);
    if (
      !target ||
      isFile(target.url) ||
      isAction(target.url) ||
      (target.hash === self.hash && target.host === self.host)
    )
      continue;
    const key = `${target.host} ${target.hash}`;
    if (!targets.has(key)) targets.set(key, target);
  }
  return viewsLast([...targets.values()]);
}

/**
 * The links of a page in the order of their worth, since a source may have no room for all: headlines, then what reads
 * like one (lists of articles), then what else is in its content, then the navigation. Later pages of lists, other orders
 * and filters come last, wherever they stand.
 */
function linksInOrder({ anchors, links, segments }: Page): string[] {
  const headlines = new Set(segments.filter(({ kind }) => kind === 'heading').map(({ text }) => text));
  const ranked: string[][] = [[], [], [], [], []];
  for (const anchor of anchors) ranked[rankOf(anchor, headlines)]?.push(anchor.href);
  return [...ranked.flat(), ...links];
}

/** What is one more view of a list comes behind everything else. */
function viewsLast(targets: readonly Target[]): Target[] {
  const isView = ({ url }: Target): boolean => kindOf(url) === 'minor';
  return [...targets.filter((target) => !isView(target)), ...targets.filter(isView)];
}

function rankOf({ text, zone }: Anchor, headlines: ReadonlySet<string>): number {
  const isLong = isTitle(text);
  if (isLong && headlines.has(text)) return 0;
  if (zone === 'chrome') return isLong ? 3 : 4;
  if (isLong) return 1;
  return zone === 'main' ? 2 : 3;
}

/** Sections of a site have short names; an ideograph says as much as a word. */
function isTitle(text: string): boolean {
  return text.length >= TITLE_LENGTH || (IDEOGRAPHS.test(text) && text.length >= TITLE_LENGTH / 3);
}

const TITLE_LENGTH = 25;
const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{4}/u;
