import { hash } from 'node:crypto';
import { PAGE_FEEDS, TRAP_DEPTH, TRAP_PARAMETERS, TRAP_REPETITIONS } from '../../shared/limits.ts';
import { ownedDomain } from '../../shared/page/domain.ts';
import type { Anchor, Page } from '../../shared/page/page.ts';
import { type Discovered, type Identity, type Lead, type PageKind, type Urgency, URGENT } from '../storage/frontier.ts';
import { canonical, canonicalUrl } from '../../shared/page/canonical-url.ts';
import { hostOf, identityOf, withoutWww } from './canonical.ts';
import { scopeOf, type Terms } from './scope.ts';
import { hashOf } from '../../shared/page/history.ts';

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
  /** The `leadsKey` of the leads that the frontier has from this page. */
  readonly knownLeads?: string | undefined;
}

export interface Discovery {
  /** One a holder that has something to follow; leads in the order of their worth. None where the frontier has them. */
  readonly discovered: readonly Discovered[];
  /** A hash of all that decides which leads there are, though not of their order. */
  readonly leadsKey: string;
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
  const leadsKey = leadsKeyOf(page, from);
  const found = (): Found => ({
    other,
    feeds: isClosed ? [] : announcedFeeds(page, url, isSeed),
    links: isClosed ? [] : linkTargets(page, self),
  });
  const discovered = leadsKey === from.knownLeads ? [] : discoveredBy(found(), from);
  const isAlias = other !== undefined && from.holders.every((holder) => scopeOf(holder)(other.url));
  return { discovered, leadsKey, kind, ...(isAlias && { sameAs: { host: other.host, hash: other.hash } }) };
}

/** To read the addresses of links and to look each up takes a fifth of a changed page's visit, and most changes leave them as they were. */
function leadsKeyOf({ facts, anchors, links }: Page, { url, holders }: Origin): string {
  const hrefs = anchors.map(({ href }) => href);
  const all = [url, holders, facts.robots, facts.canonical, facts.alternates, hrefs, links];
  return hash('sha256', JSON.stringify(all)).slice(0, 16);
}

function discoveredBy(found: Found, from: Origin): Discovered[] {
  return from.holders
    .map((holder) => ({ sourceId: holder.id, leads: leadsFor(holder, found, from) }))
    .filter(({ leads }) => leads.length > 0);
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
    leads.push(leadTo(other, { ...given, depth, kind: other.kind, urgency: URGENT.feed }));
  }
  if (maxDepth !== null && depth >= maxDepth) return leads;
  for (const feed of feeds) leads.push(leadTo(feed, { ...given, depth, kind: 'feed' }));
  for (const link of links) {
    if (isInScope(link.url)) leads.push(leadTo(link, { ...given, depth: depth + 1, kind: link.kind }));
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
  const targets: Target[] = [];
  const hashes = new Map<string, Set<number>>();
  for (const href of new Set(hrefs)) {
    const target = targetOf(href);
    if (
      !target ||
      isFile(target.url) ||
      isAction(target.url) ||
      (target.hash === self.hash && target.host === self.host)
    )
      continue;
    const ofHost = hashes.get(target.host) ?? new Set();
    if (ofHost.has(target.hash)) continue;
    hashes.set(target.host, ofHost.add(target.hash));
    targets.push(target);
  }
  return viewsLast(targets);
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
  const isView = ({ kind }: Target): boolean => kind === 'minor';
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

/** What a lead says beside its URL. */
export interface Given {
  /** The host of the seed of its source. */
  readonly seedHost: string;
  readonly depth: number;
  readonly kind: PageKind;
  readonly urgency: Urgency;
  readonly changedAt?: number | undefined;
  readonly isBaseline: boolean;
}

/** A URL that could be visited, with all that does not depend on who found it. */
export interface Target extends Identity {
  readonly url: URL;
  /** What its URL looks like. */
  readonly kind: PageKind;
  readonly pattern: number;
}

/** Undefined for what is no page to visit, and for what looks like a trap. */
export function targetOf(text: string): Target | undefined {
  const url = canonical(text);
  if (url === undefined || trapOf(url) !== undefined) return undefined;
  return { url, ...identityOf(url), kind: kindOf(url), pattern: patternOf(url) };
}

export function leadTo(target: Target, given: Given): Lead {
  const { seedHost, changedAt, ...said } = given;
  const { url, host, hash, pattern } = target;
  const changed = changedAt === undefined ? {} : { changedAt };
  return {
    url: url.href,
    host,
    hash,
    pattern,
    ...said,
    ...changed,
    isForeign: withoutWww(host) !== withoutWww(seedHost),
  };
}

/** A URL that the operator gave: no trap, however it looks. Undefined for what is no page to visit. */
export function seedLead(url: string, isBaseline: boolean): Lead | undefined {
  const seed = canonical(url);
  if (seed === undefined) return undefined;
  const said = { depth: 0, kind: 'hub', urgency: URGENT.none, isForeign: false, isBaseline } as const;
  return { url: seed.href, ...identityOf(seed), pattern: patternOf(seed), ...said };
}

/** The host of a source's seed, for `Given`. */
export function seedHostOf(terms: { readonly url: string }): string {
  return hostOf(canonicalUrl(terms.url) ?? terms.url);
}

/**
 * Why a URL looks like one of those that a site makes without end, as a sentence's rest: `its path has 17 segments`.
 * Undefined for an ordinary one. What only numbers tell (a calendar, a list of a million pages) is for the budget of its
 * pattern.
 */
export function trapOf(url: string | URL): string | undefined {
  const { pathname, search } = typeof url === 'string' ? new URL(url) : url;
  const segments = pathname.split('/').filter(Boolean);
  if (segments.length > TRAP_DEPTH) return `its path has ${segments.length} segments`;
  const parameters = search === '' ? 0 : search.slice(1).split('&').filter(Boolean).length;
  if (parameters > TRAP_PARAMETERS) return `it has ${parameters} query parameters`;
  return repeated(segments);
}

/**
 * URLs that one template makes have one pattern: a 32-bit FNV-1a hash of the host, of the path with what counts on in it
 * folded, and of the names of the parameters, sorted.
 */
export function patternOf(url: string | URL): number {
  const { host, pathname, search } = typeof url === 'string' ? new URL(url) : url;
  return hashOf(`${host}${folded(pathname)}?${search === '' ? '' : namesIn(search)}`);
}

function namesIn(search: string): string {
  const names = search.slice(1).split('&').filter(Boolean);
  return [...new Set(names.map((pair) => folded(pair.split('=', 1)[0] ?? '')))].sort().join('&');
}

/** A run of segments that comes again and again has one that does. `/1/1/1` is a numbering, or a date. */
function repeated(segments: readonly string[]): string | undefined {
  if (segments.length < TRAP_REPETITIONS) return undefined;
  const counts = new Map<string, number>();
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1;
    if (count >= TRAP_REPETITIONS && !/^\d{1,4}$/.test(segment))
      return `"${segment}" stands in its path ${count} times`;
    counts.set(segment, count);
  }
  return undefined;
}

/** Runs of digits, and hexadecimal ids, those of a UUID among them. */
function folded(text: string): string {
  if (!/\d/.test(text)) return text;
  return text.replace(/[\da-z]*\d[\da-z]*/gi, (word) => (HEX_ID.test(word) ? '#' : word.replace(/\d+/g, '#')));
}

const HEX_ID = /^(?:[\da-f]{8,}|[\da-f]{4})$/i;

/** What a URL is likely to be, before anyone has seen it. */
export function kindOf({ pathname, search }: URL): PageKind {
  if (FEED.test(pathname)) return 'feed';
  if (SITEMAP.test(pathname)) return 'sitemap';
  if (isOneOfMany(pathname, search)) return 'minor';
  return pathname === '/' && search === '' ? 'hub' : 'article';
}

/** What a page is, now that it has been read. */
function kindOfPage(url: URL, page: Page, isSeed: boolean): PageKind {
  if (isSeed) return 'hub';
  const guess = kindOf(url);
  if (guess === 'minor' || guess === 'hub') return guess;
  return leadsElsewhere(page) ? 'hub' : 'article';
}

/** A picture, a film, an archive, a style sheet: nothing that is read here. `File:a.jpg` of a wiki is a page. */
export function isFile({ pathname }: URL): boolean {
  return FILE.test(pathname);
}

/**
 * Something to do and nothing to read: to share a page, to print it, to answer it, to log in, to buy. Followed, it would be
 * the page once more, a form, or a redirect. A URL that somebody gave or lists is visited all the same.
 */
function isAction({ pathname, search }: URL): boolean {
  return ACTION_PATH.test(pathname) || (search !== '' && ACTION.test(search));
}

const ACTION_PATH =
  /\/(?:wp-login\.php|wp-admin|xmlrpc\.php|trackback|log-?(?:in|out)|sign-?(?:in|up|out)|register|anmelden|einloggen|abmelden|connexion|cart|checkout|warenkorb|print|drucken|imprimir|share|tell-?a-?friend|send-?to-?friend|reply)(?:\.\w{2,5})?\/?$/i;
const ACTION =
  /[?&](?:share|replytocom|add-to-cart|print(?:able|er|_?view|_?friendly)?|reply|nb)=|[?&](?:format|view|layout|mode|output|type)=print|[?&](?:do|action|op|act|cmd)=(?:log_?(?:in|out)|sign_?(?:in|up|out)|register|edit|history|print|reply|share|add_?to_?cart|lostpassword)\b|[?&]print(?:&|$)/i;
const FEED = /^(?:\/[^/]+)?\/(?:feeds?|rss|atom)(?:\.(?:xml|rss|atom|rdf)|\/)?$/i;
const SITEMAP = /^\/(?:[^/]+\/)?(?:wp-|news-?|google-?)?sitemaps?[\w.-]*\.(?:xml|txt)(?:\.gz)?$/i;
const FILE =
  /\/[^/:]*\.(?:jpe?g|png|gif|webp|avif|svgz?|ico|bmp|tiff?|css|m?js|map|woff2?|ttf|otf|eot|mp[34]|m4[abv]|mov|avi|wmv|webm|mkv|ogg|og[av]|wav|flac|aac|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|dmg|msi|apk|iso|deb|rpm|jar|docx?|xlsx?|pptx?|od[tsp]|epub|mobi|psd|swf)$/i;

/**
 * One more view of a list: a later page, another order, a filter, a version for the printer. `p=12` is a permanent
 * address of WordPress, and `start` or `view` alone may choose a page.
 */
function isOneOfMany(pathname: string, search: string): boolean {
  return LATER_PAGE.test(pathname) || VIEW.test(search) || NUMBERED.test(search);
}

const LATER_PAGE = /\/(?:page|seite|pagina)[/-]?\d{1,6}\/?$/i;
const VIEW =
  /[?&](?:sort(?:_?by|_?order|_?dir)?|order(?:_?by|_?dir)?|dir|filters?(?:\[[^\]=]*\]|_\w+)?|per_?page|page_?size|replytocom|print(?:able)?|share)=/i;
const NUMBERED = /[?&](?:page|paged|pg|page_?(?:no|num|number)|seite|pagina|offset|start|limit)=\d{1,6}(?:&|$)/i;

/** Most of its content is the words of its links, and there are many. */
function leadsElsewhere({ anchors, segments }: Page): boolean {
  const links = anchors.filter(({ zone }) => zone !== 'chrome');
  if (links.length < HUB_LINKS) return false;
  const linked = links.reduce((sum, { text }) => sum + text.length, 0);
  const all = segments.reduce((sum, { text, zone }) => sum + (zone === 'chrome' ? 0 : text.length), 0);
  return linked >= all / 2;
}

const HUB_LINKS = 20;
