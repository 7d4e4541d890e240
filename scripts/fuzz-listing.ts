import { isDeepStrictEqual } from 'node:util';
import { FEED_ENTRIES, SITEMAP_ENTRIES, URL_LENGTH } from '../src/shared/limits.ts';
import { discoverInList, listOf } from '../src/daemon/discovery/feeds-and-sitemaps.ts';
import { type Entry, type UrlList } from '../src/daemon/discovery/url-list.ts';
import { attempt, type Broken, type Stopwatch, timed } from './fuzz-attempt.ts';
import { inputFrom } from './fuzz-mutation.ts';

const ADDRESS = 'https://www.example.com/list.xml';

const FEEDS = {
  documents: [
    '<?xml version="1.0"?><rss version="2.0" xml:base="/a/"><channel><title>Notes</title><ttl>60</ttl><skipHours><hour>3</hour></skipHours><item><title>One</title><link>/1</link><pubDate>Fri, 13 Feb 2026 08:06:32 +0100</pubDate></item><item><guid isPermaLink="false">x</guid></item></channel></rss>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/base/"><entry xml:base="e/"><link rel="alternate" href="x"/><updated>2026-02-13T08:06:32Z</updated><id>https://example.com/2</id></entry></feed>',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"><channel><sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency></channel><item rdf:about="/x"><link>/x</link><dc:date>2026</dc:date></item></rdf:RDF>',
    '{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"https://example.com/1","url":"/1","date_modified":"2026-02-13T08:06:32Z"},{"external_url":"/2"}]}',
  ],
  pieces:
    '<item> </item> <entry> </entry> <link> </link> <link/href="//x"> <guid> <pubDate>Mon</pubDate> <updated>2026 <ttl>-1</ttl> <ttl>1e99</ttl> <sy:updateFrequency>0</sy:updateFrequency> <hour>99</hour> xml:base="javascript:" xmlns:x="y" <!DOCTYPE rss [<!ENTITY a "b">]> <!ENTITY &a; &amp; &#0; &#x110000; & ]]> <![CDATA[ <!-- --> <?x ?> </rss> </feed> </channel> {"items":[ null 1e999 "url":{} "items":{} [[[[ \\u0000 __proto__ https:// http://[::1]:99999/ \\ data:, #a ?b'.split(
      ' ',
    ),
  heavyLength: 200_000,
};

const SITEMAPS = {
  documents: [
    '<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"><url><loc>https://www.example.com/a?x=1&y=2</loc><lastmod>2026-02-13</lastmod><news:news><news:publication_date>2026-02-13T08:00Z</news:publication_date></news:news></url><url><loc>/b</loc><xhtml:link rel="alternate" hreflang="de" href="/de/b"/></url></urlset>',
    '<sitemapindex><sitemap><loc>https://www.example.com/s1.xml.gz</loc><lastmod>2026-02-13T08:06:32+01:00</lastmod></sitemap><sitemap>https://www.example.com/s2.xml</sitemap></sitemapindex>',
    '<ns:urlset><ns:url><ns:loc><![CDATA[https://example.com/1]]></ns:loc><image:image><image:loc>https://example.com/i.jpg</image:loc></image:image></ns:url></ns:urlset>',
    'https://www.example.com/1\r\nhttps://www.example.com/2\n\nnonsense\nhttp://www.example.com/3 \n',
  ],
  pieces:
    '<url> </url> <loc> </loc> <sitemap> </sitemap> <urlset> </urlset> <lastmod> </lastmod> <lastmod>0000-00-00 <xhtml:link/rel="alternate"/hreflang="x"/href="y"/> & &amp; &amp &#1; &#x0; &bogus; ]]> <![CDATA[ <!-- -- --> <!DOCTYPE [ <!ENTITY ]> <?xml encoding="utf-16"?> <?xml encoding="x-none"?> < > <a <a/> </ </a> " \' = ns: :url https:// http:// https://www.example.com/ //x/ \\ %zz \ufeff http://\u0000/ \r\n'.split(
      ' ',
    ),
  heavyLength: 200_000,
};

/** Of processor time: for whatever is small, ten thousand mistakes included, and more for each character. */
const LIMIT_MS = 500;
const MS_A_CHARACTER = 0.004;

export function feedOf(seed: number, number: number): string {
  return inputFrom(FEEDS, seed, number);
}

export function sitemapOf(seed: number, number: number): string {
  return inputFrom(SITEMAPS, seed, number);
}

/** A feed or sitemap: is always read, the same each time, within its limits, and leads to addresses of the web only. */
export function check(input: string, stopwatch: Stopwatch = () => undefined): Broken | undefined {
  const body = { url: ADDRESS, contentType: 'text/xml', bytes: Buffer.from(input), expected: 'sitemap' } as const;
  const limit = LIMIT_MS + input.length * MS_A_CHARACTER;
  const read = attempt('throws', () => timed('read', limit, stopwatch, () => listOf(body)));
  if ('check' in read) return read;
  if (!isDeepStrictEqual(read.result, listOf(body))) return { check: 'twice', detail: 'another listing' };
  return read.result && (limits(read.result) ?? leads(read.result, limit, stopwatch));
}

function limits({ kind, entries, sitemaps, restMs = 1, skipHours = [], problem = '' }: UrlList): Broken | undefined {
  const most = kind === 'feed' ? FEED_ENTRIES : SITEMAP_ENTRIES;
  if (entries.length > most || sitemaps.length > SITEMAP_ENTRIES) return { check: 'limits', detail: 'too many' };
  const stray = [...entries, ...sitemaps].find(isStray);
  if (stray) return { check: 'entry', detail: JSON.stringify(stray).slice(0, 500) };
  const isRest = restMs > 0 && restMs <= 86_400_000 && skipHours.length <= 1_000;
  return isRest ? shown(problem) : { check: 'rest', detail: `${restMs}, ${skipHours.length} hours` };
}

/** To people, in a terminal and in a log. */
function shown(problem: string): Broken | undefined {
  const isFit = problem.length <= 400 && !/\p{Cc}/u.test(problem);
  return isFit ? undefined : { check: 'problem', detail: problem.slice(0, 500) };
}

function isStray({ url, changedAt = 0 }: Entry): boolean {
  const isWeb = /^https?:\/\//.test(url) && URL.parse(url)?.href === url && url.length <= URL_LENGTH;
  return !isWeb || !Number.isFinite(changedAt);
}

function leads(listing: UrlList, limit: number, stopwatch: Stopwatch): Broken | undefined {
  const at = Date.UTC(2026, 1, 27);
  const holder = { id: 's', url: ADDRESS, scope: 'page', maxDepth: null, maxPages: 1_000, depth: 0 } as const;
  const origin = { url: ADDRESS, kind: 'feed', at, isFirstVisit: true, isBaseline: true, holders: [holder] } as const;
  const found = attempt('throws', () => timed('leads', limit, stopwatch, () => discoverInList(listing, origin)));
  if ('check' in found) return found;
  const { discovered, restMs = 0, newest = 0 } = found.result;
  const all = discovered.flatMap((one) => one.leads);
  if (all.some(({ url }) => !/^https?:\/\//.test(url) || url.length > URL_LENGTH))
    return { check: 'lead', detail: 'url' };
  const isFit = restMs >= 0 && restMs <= 2 * 86_400_000 && Number.isFinite(newest);
  return isFit ? undefined : { check: 'rest', detail: `${restMs} ${newest}` };
}
