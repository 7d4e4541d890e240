import { describe, expect, test } from 'vitest';
import { discoverInList } from '../../../src/daemon/discovery/feeds-and-sitemaps.ts';
import { type Entry, type ListOrigin, type UrlList } from '../../../src/daemon/discovery/url-list.ts';
import { URGENT } from '../../../src/daemon/storage/frontier.ts';
import { terms } from './terms.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = Date.UTC(2026, 1, 13, 12);

const origin: ListOrigin = {
  url: 'https://example.com/feed',
  kind: 'feed',
  at: now,
  isFirstVisit: false,
  isBaseline: false,
  holders: [terms()],
};

const feed = (entries: readonly Entry[], more: Partial<UrlList> = {}): UrlList => ({
  kind: 'feed',
  entries,
  sitemaps: [],
  ...more,
});
const sitemap = (entries: readonly Entry[], more: Partial<UrlList> = {}): UrlList => ({
  ...feed(entries, more),
  kind: 'sitemap',
});
const entry = (path: string, changedAt?: number): Entry => ({
  url: new URL(path, 'https://example.com/').href,
  ...(changedAt !== undefined && { changedAt }),
});

describe('entries of a feed', () => {
  test('are urgent, the newest first', () => {
    const listing = feed([entry('/old', now - DAY), entry('/undated'), entry('/new', now - 1)]);
    const { discovered, newest } = discoverInList(listing, origin);
    expect(discovered).toMatchObject([
      {
        sourceId: 'src_1',
        leads: [
          { url: 'https://example.com/new', changedAt: now - 1, urgency: URGENT.feed, kind: 'article', depth: 1 },
          { url: 'https://example.com/old', changedAt: now - DAY, urgency: URGENT.feed },
          { url: 'https://example.com/undated', urgency: URGENT.feed },
        ],
      },
    ]);
    expect(newest).toBe(now - 1);
  });

  test('a date that has not come is none yet', () => {
    const { discovered, newest } = discoverInList(feed([entry('/a', now + 1)]), origin);
    expect(discovered[0]?.leads[0]).not.toHaveProperty('changedAt');
    expect(newest).toBeUndefined();
  });

  test('at the first visit only what came out within a week is urgent, and nothing is news of a source that begins', () => {
    const listing = feed([entry('/new', now - DAY), entry('/old', now - 8 * DAY), entry('/undated')]);
    const { discovered } = discoverInList(listing, { ...origin, isFirstVisit: true, isBaseline: true });
    expect(discovered[0]?.leads.map(({ urgency, isBaseline }) => [urgency, isBaseline])).toEqual([
      [URGENT.feed, true],
      [URGENT.none, true],
      [URGENT.none, true],
    ]);
    const later = discoverInList(listing, { ...origin, isBaseline: true });
    expect(later.discovered[0]?.leads.some(({ isBaseline }) => isBaseline)).toBe(false);
  });

  test('are followed within the scope', () => {
    const listing = feed([
      entry('/a'),
      entry('https://other.example/b'),
      entry('/c.mp3'),
      entry('mailto:a@example.com'),
    ]);
    const urlsOf = (holders: ListOrigin['holders']): string[][] =>
      discoverInList(listing, { ...origin, holders }).discovered.map(({ leads }) => leads.map(({ url }) => url));
    expect(urlsOf([terms(), terms({ scope: 'any' }), terms({ maxDepth: 0 })])).toEqual([
      ['https://example.com/a'],
      ['https://example.com/a', 'https://other.example/b'],
    ]);
  });

  test('of another site are visited when they are new, and not again because the feed says so', () => {
    const listing = feed([entry('https://other.example/b', now - 1), entry('/a', now - 2)]);
    const said = (from: Partial<ListOrigin>): unknown[] =>
      discoverInList(listing, { ...origin, ...from }).discovered[0]?.leads.map((lead) => [
        new URL(lead.url).pathname,
        lead.urgency,
        lead.changedAt,
      ]) ?? [];
    const any = [terms({ scope: 'any' })];
    expect(said({ holders: any })).toEqual([
      ['/b', URGENT.feed, undefined],
      ['/a', URGENT.feed, now - 2],
    ]);
    // A service for feeds speaks for the site that the source begins on.
    expect(said({ holders: any, url: 'https://feeds.example/x' })).toContainEqual(['/a', URGENT.feed, now - 2]);
  });

  test('of a feed that the operator gave alone are followed one step, wherever they are', () => {
    const listing = feed([entry('/a'), entry('https://other.example/b')]);
    const from = (given: Parameters<typeof terms>[0]): ListOrigin => ({
      ...origin,
      holders: [terms({ scope: 'page', url: origin.url, ...given })],
    });
    const { discovered } = discoverInList(listing, from({}));
    expect(discovered[0]?.leads.map(({ url, isForeign, depth }) => [url, isForeign, depth])).toEqual([
      ['https://example.com/a', false, 1],
      ['https://other.example/b', false, 1],
    ]);
    expect(discoverInList(listing, from({ maxDepth: 0 })).discovered).toEqual([]);
    expect(discoverInList(listing, from({ depth: 1 })).discovered).toEqual([]);
    expect(discoverInList(listing, from({ maxDepth: 2, depth: 1 })).discovered).toHaveLength(1);
  });
});

describe('the rest a feed asks for', () => {
  test('is its pace, or until an hour that it does not leave out', () => {
    expect(discoverInList(feed([], { restMs: HOUR }), origin).restMs).toBe(HOUR);
    expect(discoverInList(feed([], { restMs: HOUR, skipHours: [12, 13, 15] }), origin).restMs).toBe(2 * HOUR);
    expect(discoverInList(feed([], { skipHours: [12] }), { ...origin, at: now + HOUR / 2 }).restMs).toBe(HOUR / 2);
    expect(discoverInList(feed([], { skipHours: [23, 0] }), { ...origin, at: now + 11 * HOUR }).restMs).toBe(2 * HOUR);
  });

  test('is none where it says nothing, or leaves out the whole day', () => {
    expect(discoverInList(feed([]), origin)).toEqual({ discovered: [] });
    const all = Array.from({ length: 24 }, (_, hour) => hour);
    expect(discoverInList(feed([], { skipHours: all }), origin).restMs).toBeUndefined();
  });
});

describe('entries of a sitemap', () => {
  const dated = [entry('/a', now - HOUR), entry('/b', now - 2 * DAY)];
  const urgencies = (listing: UrlList, given: Partial<ListOrigin> = {}): unknown[] =>
    discoverInList(listing, { ...origin, ...given }).discovered[0]?.leads.map(({ urgency, changedAt }) => [
      urgency,
      changedAt,
    ]) ?? [];

  test('are urgent as long as its word has come true', () => {
    const believed = [
      [URGENT.sitemap, now - HOUR],
      [URGENT.sitemap, now - 2 * DAY],
    ];
    expect(urgencies(sitemap(dated))).toEqual(believed);
    expect(urgencies(sitemap(dated), { trust: { right: 0, wrong: 9 } })).toEqual(believed);
    expect(urgencies(sitemap(dated), { trust: { right: 3, wrong: 7 } })).toEqual(believed);
    const doubted = [
      [URGENT.none, undefined],
      [URGENT.none, undefined],
    ];
    expect(urgencies(sitemap(dated), { trust: { right: 2, wrong: 8 } })).toEqual(doubted);
  });

  test('are not believed where all are of one hour, unless they are news', () => {
    const ofOneHour = Array.from({ length: 10 }, (_, index) => entry(`/${index}`, now - index * 60_000));
    expect(urgencies(sitemap(ofOneHour))[0]).toEqual([URGENT.none, undefined]);
    expect(urgencies(sitemap(ofOneHour, { isNews: true }))[0]).toEqual([URGENT.sitemap, now]);
    expect(urgencies(sitemap(ofOneHour.slice(1)))[0]).toEqual([URGENT.sitemap, now - 60_000]);
    const ofOneDay = ofOneHour.map(({ url }, index) => ({ url, changedAt: now - index * HOUR }));
    expect(urgencies(sitemap(ofOneDay))[0]).toEqual([URGENT.sitemap, now]);
    expect(urgencies(sitemap([...ofOneHour, entry('/x', now - 2 * DAY)]))[0]).toEqual([URGENT.sitemap, now]);
  });

  test("are its own site's, or the seed's", () => {
    const listing = sitemap([
      entry('https://example.com/a'),
      entry('https://cdn.example/b'),
      entry('https://other.example/c'),
    ]);
    const from = { ...origin, url: 'https://cdn.example/sitemap.xml' };
    const urlsOf = (given: Parameters<typeof terms>[0]): string[] =>
      discoverInList(listing, { ...from, holders: [terms({ scope: 'any', depth: 1, ...given })] }).discovered.flatMap(
        ({ leads }) => leads.map(({ url }) => url),
      );
    expect(urlsOf({})).toEqual(['https://example.com/a', 'https://cdn.example/b']);
    expect(urlsOf({ url: from.url, depth: 0 })).toHaveLength(3);
    expect(urlsOf({ url: from.url, scope: 'page', depth: 0 })).toHaveLength(3);
  });
});

describe('a sitemap index', () => {
  const index = (urls: readonly string[]): UrlList => sitemap([], { sitemaps: urls.map((url) => ({ url })) });
  const from = { ...origin, url: 'https://example.com/sitemap.xml' };

  test('leads to the sitemaps of its site, as near as itself', () => {
    const listing = index(['https://www.example.com/1.xml.gz', 'https://other.example/2.xml']);
    const { discovered } = discoverInList(listing, { ...from, holders: [terms({ depth: 1 })] });
    expect(discovered).toMatchObject([
      { leads: [{ url: 'https://www.example.com/1.xml.gz', kind: 'sitemap', depth: 1, urgency: URGENT.sitemap }] },
    ]);
  });

  test('with thousands leaves most of what a source may have to pages', () => {
    const many = Array.from({ length: 2_000 }, (_, day) => entry(`/${day}.xml`, now - (2_000 - day) * DAY));
    const leadsOf = (sitemaps: readonly Entry[], maxPages: number): string[] =>
      discoverInList(sitemap([], { sitemaps }), { ...from, holders: [terms({ maxPages })] }).discovered.flatMap(
        ({ leads }) => leads.map(({ url }) => new URL(url).pathname),
      );
    expect(leadsOf(many, 1_000)).toHaveLength(100);
    expect(leadsOf(many, 1_000)[0]).toBe('/1999.xml');
    expect(leadsOf(many, 5)).toHaveLength(10);
    expect(leadsOf(many, 1_000_000)).toHaveLength(2_000);
    const undated = leadsOf(
      many.map(({ url }) => ({ url })),
      1_000,
    );
    expect(undated).toHaveLength(100);
    expect([undated[0], undated.at(-1)]).toEqual(['/0.xml', '/1999.xml']);
  });

  test('says which of its sitemaps has changed', () => {
    const listing = sitemap([], { sitemaps: [entry('/1.xml.gz', now - DAY), entry('/2.xml.gz', now - 1)] });
    const [first] = discoverInList(listing, from).discovered;
    expect(first?.leads.map(({ url, changedAt }) => [url, changedAt])).toEqual([
      ['https://example.com/2.xml.gz', now - 1],
      ['https://example.com/1.xml.gz', now - DAY],
    ]);
  });

  test('that the operator gave alone leads to its sitemaps, and those to their entries', () => {
    const seed = { scope: 'page', url: from.url } as const;
    const at = (depth: number): ListOrigin => ({ ...from, holders: [terms({ ...seed, depth })] });
    const sub = index(['https://example.com/1.xml']);
    expect(discoverInList(sub, at(0)).discovered[0]?.leads[0]?.depth).toBe(1);
    expect(discoverInList(sub, at(1)).discovered[0]?.leads[0]?.depth).toBe(2);
    expect(discoverInList(sitemap([entry('/a')]), at(2)).discovered[0]?.leads[0]?.depth).toBe(3);
    expect(discoverInList(sub, at(3)).discovered).toEqual([]);
  });
});
