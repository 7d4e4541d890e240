import {
  type AtomFeed,
  parseAtomFeed,
  parseJsonFeed,
  parseRdfFeed,
  parseRssFeed,
  type RdfFeed,
  type RssFeed,
} from 'feedsmith';
import { FEED_ENTRIES } from '../../shared/limits.ts';
import { parsePublishTime } from '../../shared/page/metadata/dates.ts';
import { resolved } from '../../shared/page/read/targets.ts';
import type { Entry, UrlList } from './url-list.ts';

export type FeedFormat = 'rss' | 'rdf' | 'atom' | 'json';

/**
 * The entries of a feed, the first `FEED_ENTRIES` of them. One that breaks off is read up to its last whole entry. The
 * document type is cut off: the parser would refuse the feeds that name the entities of HTML there.
 */
export function readFeed(written: string, format: FeedFormat, url: string): UrlList {
  const text = written.slice(0, HEAD_LENGTH).replace(DOCTYPE, '') + written.slice(HEAD_LENGTH);
  if (format !== 'json' && hasEndlessTags(text)) {
    return { ...EMPTY, problem: 'The feed cannot be read: it has too many unclosed tags.' };
  }
  try {
    return READERS[format](text, url);
  } catch (failure) {
    return readBeginning(text, format, url) ?? { ...EMPTY, problem: `The feed cannot be read: ${reasonOf(failure)}` };
  }
}

const HEAD_LENGTH = 8_192;
const DOCTYPE = /<!doctype[^>[]*(?:\[[^\]]*\]\s*)?>/i;
const EMPTY = { kind: 'feed', entries: [], sitemaps: [] } as const;

const READERS: Readonly<Record<FeedFormat, (text: string, url: string) => UrlList>> = {
  rss: readRss,
  rdf: readRdf,
  atom: readAtom,
  json: readJsonFeed,
};

/** What dates become, and how many entries are made of the tree. Read with a calendar of our own: real ones are no ISO 8601. */
const OPTIONS = { maxItems: FEED_ENTRIES, parseDateFn: (raw: string): number => parsePublishTime(raw)?.instant ?? 0 };

function readRss(text: string, url: string): UrlList {
  const { items = [], xml, ttl, skipHours, sy } = parseRssFeed(text, OPTIONS);
  const base = based(xml?.base, based(rootBase(text), url));
  const entries = items.map((item) => rssEntry(item, base));
  return listing(entries, Math.max((ttl ?? 0) * 60_000, periodOf(sy)), skipHours);
}

function rssEntry(item: RssFeed.Item<number>, base: string): Entry | undefined {
  const { pubDate, dc, dcterms, atom, xml } = item;
  const dates = [atom?.updated, ...(dcterms?.modified ?? []), pubDate, ...(dc?.dates ?? [])];
  return entryOf(rssLink(item), based(xml?.base, base), dates);
}

function rssLink({ link, atom, guid }: RssFeed.Item<number>): string | undefined {
  return link ?? alternateOf(atom?.links) ?? (guid?.isPermaLink === false ? undefined : guid?.value);
}

function readRdf(text: string, url: string): UrlList {
  const { items = [], xml, sy } = parseRdfFeed(text, OPTIONS);
  const base = based(xml?.base, url);
  return listing(
    items.map((item) => rdfEntry(item, base)),
    periodOf(sy),
  );
}

function rdfEntry({ link, rdf, dc, dcterms, xml }: RdfFeed.Item<number>, base: string): Entry | undefined {
  return entryOf(link ?? rdf?.about, based(xml?.base, base), [...(dcterms?.modified ?? []), ...(dc?.dates ?? [])]);
}

function readAtom(text: string, url: string): UrlList {
  const { entries = [], xml, sy } = parseAtomFeed(text, OPTIONS);
  const base = based(xml?.base, url);
  return listing(
    entries.map((entry) => atomEntry(entry, base)),
    periodOf(sy),
  );
}

function atomEntry({ links, id, updated, published, xml }: AtomFeed.Entry<number>, base: string): Entry | undefined {
  const link = alternateOf(links) ?? ADDRESS.exec(id ?? '')?.[0];
  return entryOf(link, based(xml?.base, base), [updated, published]);
}

function alternateOf(links: AtomFeed.Entry<number>['links']): string | undefined {
  return links?.find(({ rel }) => rel === undefined || rel === 'alternate')?.href;
}

function readJsonFeed(text: string, url: string): UrlList {
  const { items = [] } = parseJsonFeed(text, OPTIONS);
  const entries = items.map(
    ({ url: own, external_url: external, id, date_modified: modified, date_published: published }) =>
      entryOf(own ?? external ?? ADDRESS.exec(id ?? '')?.[0], url, [modified, published]),
  );
  return listing(entries, 0);
}

const ADDRESS = /^https?:\/\/\S+$/;

function listing(entries: readonly (Entry | undefined)[], restMs: number, skipHours?: readonly number[]): UrlList {
  return {
    kind: 'feed',
    entries: entries.filter((entry) => entry !== undefined),
    sitemaps: [],
    ...(restMs > 0 && { restMs: Math.min(restMs, DAY_MS) }),
    ...(skipHours && skipHours.length > 0 && { skipHours }),
  };
}

const DAY_MS = 86_400_000;

/** The first date that can be read is the one that counts. */
function entryOf(link: string | undefined, base: string, dates: readonly (number | undefined)[]): Entry | undefined {
  const url = link === undefined ? undefined : resolved(link.trim(), base);
  const changedAt = dates.find((date) => date !== undefined && date > 0);
  return url === undefined ? undefined : { url, ...(changedAt !== undefined && { changedAt }) };
}

/** `xml:base` as it stands, on top of what was the base so far. */
function based(written: string | undefined, base: string): string {
  return (written === undefined ? undefined : resolved(written, base)) ?? base;
}

/** Of `<rss>`, which the parser leaves out. */
function rootBase(text: string): string | undefined {
  return /<rss\b[^>]{0,2000}?\sxml:base\s*=\s*["']([^"'>]*)/i.exec(text.slice(0, HEAD_LENGTH))?.[1];
}

/** RSS 1.0, module Syndication: so many times a period. */
function periodOf(sy: { readonly updatePeriod?: string; readonly updateFrequency?: number } | undefined): number {
  const period = PERIODS.get(sy?.updatePeriod?.trim().toLowerCase() ?? '') ?? 0;
  const frequency = sy?.updateFrequency ?? 1;
  return period / (frequency >= 1 ? frequency : 1);
}

const PERIODS: ReadonlyMap<string, number> = new Map([
  ['hourly', DAY_MS / 24],
  ['daily', DAY_MS],
  ['weekly', DAY_MS],
  ['monthly', DAY_MS],
  ['yearly', DAY_MS],
]);

function readBeginning(text: string, format: FeedFormat, url: string): UrlList | undefined {
  const end = Math.max(text.lastIndexOf('</item>'), text.lastIndexOf('</entry>'));
  if (end === -1) return undefined;
  const whole = text.slice(0, text.indexOf('>', end) + 1);
  try {
    const read = READERS[format](`${whole}${ENDS[format]}`, url);
    return { ...read, problem: `The feed breaks off after ${read.entries.length} entries.` };
  } catch {
    return undefined;
  }
}

const ENDS = { rss: '</channel></rss>', rdf: '</rdf:RDF>', atom: '</feed>', json: '' } as const;

function reasonOf(failure: unknown): string {
  const cause = failure instanceof Error ? (failure.cause ?? failure) : failure;
  // The parser shows a piece of the feed, which may hold whatever moves a cursor.
  return cause instanceof Error
    ? cause.message.slice(0, REASON_LENGTH).replaceAll(/\p{Cc}/gu, ' ')
    : 'the parser failed';
}

const REASON_LENGTH = 200;

/**
 * Whether a text of XML has so many tags without an end that looking for those ends would take the parser of feeds seconds,
 * or hours: inside of some elements it looks through all that follows for each of them. What is between quotes ends no
 * tag, and one quote that has no other takes all the rest. Gone through as the parser does: what is in a section or a
 * comment begins no tag.
 */
function hasEndlessTags(text: string): boolean {
  const isEndless = endless(text);
  if (isEndless.size * text.length < MOST_STEPS) return false;
  let steps = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    const closing = CLOSINGS.find(([opening]) => text.startsWith(opening, at))?.[1];
    if (closing !== undefined) {
      at = text.indexOf(closing, at);
      // The parser gives up here.
      if (at === -1) return false;
    } else if (isEndless.has(at)) {
      steps += text.length - at;
      if (steps > MOST_STEPS) return true;
    } else at = endOfTag(text, at);
  }
  return false;
}

/** Where tags would begin that have no end. From the back, since what ends one is the same for all before it. */
function endless(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  // Whether what is open here, outside of quotes or inside of either, comes to the end of its tag.
  let [ends, endsQuoted, endsApostrophed] = [false, false, false];
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const code = text.charCodeAt(at);
    if (code === GREATER) ends = true;
    else if (code === QUOTE) [ends, endsQuoted] = [endsQuoted, ends];
    else if (code === APOSTROPHE) [ends, endsApostrophed] = [endsApostrophed, ends];
    else if (code === LESS && !ends) found.add(at);
  }
  return found;
}

function endOfTag(text: string, start: number): number {
  let quote = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (quote !== 0) quote = code === quote ? 0 : quote;
    else if (code === QUOTE || code === APOSTROPHE) quote = code;
    else if (code === GREATER) return at;
  }
  return text.length;
}

const [QUOTE, APOSTROPHE, LESS, GREATER] = [0x22, 0x27, 0x3c, 0x3e];
const CLOSINGS = [
  ['<![CDATA[', ']]>'],
  ['<!--', '-->'],
  ['<?', '?>'],
] as const;
/** Characters that the parser looks at once more; a hundred million take it a second. */
const MOST_STEPS = 50_000_000;
