import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { listOf } from '../../../src/daemon/discovery/feeds-and-sitemaps.ts';
import { type UrlList } from '../../../src/daemon/discovery/url-list.ts';

const corpus = join(import.meta.dirname, '../../../../shared/corpus/feeds');
const isHere = existsSync(join(corpus, 'manifest.jsonl'));

interface Item {
  readonly file: string;
  readonly kind: string;
  /** How often `<item` or `<entry` (`<url>`, `<sitemap>`) stands in it: the `<items>` and `<itemref>` of others too. */
  readonly items: number;
  readonly path: string;
}

function manifest(): Item[] {
  const lines = readFileSync(join(corpus, 'manifest.jsonl'), 'utf8').trim().split('\n');
  const items = lines.map((line) => JSON.parse(line) as Item);
  return items.filter(({ file }) => !file.startsWith('robots/'));
}

function read({ file, path }: Item): UrlList | undefined {
  let bytes: Uint8Array = readFileSync(join(corpus, file));
  while (bytes[0] === 0x1f && bytes[1] === 0x8b) bytes = gunzipSync(bytes);
  return listOf({ url: `http://host.example/${path}`, contentType: '', bytes });
}

/** Files that give other numbers than `items`, and why. `undefined`: no list at all. */
const REASONS = new Map<string, readonly [number | undefined, string]>([
  ['feeds/feedjira-DuplicateContentAtomFeed.xml.gz', [undefined, 'a feed inside of an HTML document']],
  ['feeds/rss-parser-unrecognized.rss.gz', [undefined, 'no feed, on purpose']],
  [
    'feeds/feedjira-ITunesWithSingleQuotedAttributes.xml.gz',
    [0, 'its entries stand inside of a category that is not closed'],
  ],
  ['feeds/rss-parser-incomplete-fields.atom.gz', [0, 'its entry has no address']],
  ['feeds/rss-parser-missing-fields.atom.gz', [0, 'its entry has no address']],
  ['feeds/feedsmith-atom-atom-ns.xml.gz', [0, 'its entry has no address']],
  ['feeds/feedsmith-atom-atom-03.xml.gz', [3, 'items counts other elements that begin so']],
  ['feeds/feedsmith-atom-atom-10.xml.gz', [2, 'items counts other elements that begin so']],
  ['sitemaps/crawler-comm-do-not-visit.txt.gz', [undefined, 'a text whose name does not say that it is a sitemap']],
  ['sitemaps/stormcrawler-stormcrawler.sitemap.extensions.all.xml.gz', [8, 'a page in other languages is an entry']],
  ['sitemaps/stormcrawler-stormcrawler.sitemap.extensions.links.xml.gz', [7, 'a page in other languages is an entry']],
  ['sitemaps/trafilatura-sitemap-hreflang.xml.gz', [6, 'a page in other languages is an entry']],
  ['sitemaps/news-crawl-sitemap-news.xml.gz', [2, 'a page in other languages is an entry']],
]);

describe.skipIf(!isHere)('real feeds and sitemaps (skipped where the corpus is not at hand)', () => {
  const items = isHere ? manifest() : [];

  test.each(items)('$file is read, or there is a reason', (item) => {
    const listing = read(item);
    expect(countsOf(item)).toContain(listing && listing.entries.length + listing.sitemaps.length);
    expect(listing?.problem).toBeUndefined();
  });

  test('the list of reasons is no longer than need be', () => {
    const known = new Set(items.map(({ file }) => file));
    expect([...REASONS.keys()].filter((file) => !known.has(file))).toEqual([]);
  });
});

function countsOf({ file, items }: Item): (number | undefined)[] {
  const reason = REASONS.get(file);
  if (reason) return [reason[0]];
  // The parser's own output, kept as JSON beside its input, is no JSON Feed.
  if (/^feeds\/feedsmith-(?!json-).*\.json/.test(file)) return [undefined];
  // The manifest did not look into what was gzip already, nor into lines.
  return items === 0 ? Array.from({ length: 100 }, (_, index) => index + 1) : [items, items - 1];
}
