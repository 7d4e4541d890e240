import { hash } from 'node:crypto';
import { PAGE_BYTES } from '../../shared/limits.ts';
import { isAskingNow, isSignInPage } from '../../shared/page/account.ts';
import { absence } from '../../shared/page/diff/absence.ts';
import type { Change, Comparison, Ignored } from '../../shared/page/change.ts';
import { compare } from '../../shared/page/compare.ts';
import { mainText } from '../../shared/page/structure/content.ts';
import { credible } from '../../shared/page/metadata/credible.ts';
import { linkedDomains, ownedDomain } from '../../shared/page/domain.ts';
import { challenge, massDeletion } from '../../shared/page/diff/doubt.ts';
import type { Extraction } from '../../shared/page/read/extract.ts';
import { Boilerplate, SHARED } from '../../shared/page/structure/boilerplate.ts';
import { cut } from '../../shared/page/read/fold.ts';
import { hashOf, NO_HISTORY, type PageHistory } from '../../shared/page/history.ts';
import { type Body, EXTRACTOR, type Page } from '../../shared/page/page.ts';
import { discover, type Origin } from '../discovery/discover.ts';
import { discoverInList, listOf } from '../discovery/feeds-and-sitemaps.ts';
import type { UrlList } from '../discovery/url-list.ts';
import { simhash } from '../../shared/page/diff/simhash.ts';
import type { Fingerprint, PackedVersion } from '../storage/pages.ts';
import { type PageFinding, type PageInput, failed, faultText, internalFailure, signedOutWords } from './findings.ts';
import { isMain, matchTaps, type MatchTools } from './matching.ts';
import { unzstd, zstd } from '../compression.ts';
import {
  doubtOf,
  historyOf,
  pageOf,
  type OfferedLeads,
  offeredLeadsOf,
  versionOf,
  wayOf,
  withDoubt,
} from './packing.ts';
import { doubtful, halfAPage, isFirstSight, unsettledWords, waiting } from './second-look.ts';

/**
 * What one fetched page comes to: against its last version, and against the rules. The input has all that is known
 * of the page; the finding has all that is to be kept and delivered:
 *
 *     extract ─► diff ─► label ─► match ─► discover ─► pack
 *
 * A function of its arguments, so that it sits in any thread (`analysis-pool.ts`) and an archive is analyzed like the web. Most
 * visits end at the diff, so labels come after it.
 *
 * Decided against: letting the thread ask for the last version itself. It would need access to the storage, and a page
 * would wait for the disk where only the processor is short.
 */
export interface Tools extends MatchTools {
  /** The page that a body of any type holds. Never rejects. */
  readonly extract: (body: Body) => Promise<Extraction>;
}

/** Never rejects. */
export async function analyzePage(given: PageInput, tools: Tools): Promise<PageFinding> {
  try {
    return await analyzeBody(given, tools);
  } catch (fault) {
    return internalFailure(faultText(fault));
  }
}

async function analyzeBody(given: PageInput, tools: Tools): Promise<PageFinding> {
  const { fetched, kind, at } = given;
  const listing = listOf({ ...fetched, expected: kind });
  if (listing && !isPage(given)) return analyzeList(given, listing);
  // Its address comes from a robots.txt as a rule: nobody links to what stands there instead.
  if (!listing && !given.isNamed && kind === 'sitemap') {
    return failed('content_type', 'The URL was announced as a sitemap, but its content is not one.');
  }
  const extraction = given.extraction ?? (await tools.extract(fetched));
  if (!extraction.ok) return failed(extraction.reason, extraction.detail);
  const page = credible(extraction.page, at);
  const asked = challenge(page);
  return asked === undefined ? readPage(given, page, listing, tools) : failed('challenge', asked);
}

/** A list whose entries are not followed on the operator's account is read for what it says itself. */
function isPage({ isNamed, holders, fetched }: PageInput): boolean {
  const isFollowed = holders.some(({ depth, maxDepth }) => depth === 0 && maxDepth !== 0);
  return isNamed && !isFollowed && fetched.bytes.length <= PAGE_BYTES;
}

async function readPage(
  given: PageInput,
  page: Page,
  listing: UrlList | undefined,
  tools: Tools,
): Promise<PageFinding> {
  const last = await lastPage(given, tools);
  const former = last === 'unreadable' ? undefined : last;
  if (given.isSignedIn === true && isAskingNow(page, former?.page) && isSignInPage(page)) {
    return failed('signed_out', signedOutWords('crawl'));
  }
  const absent = listing ? undefined : absence(page, former?.page);
  if (absent !== undefined) return failed(absent.reason, absent.detail);
  const half = former === undefined ? halfAPage(given) : undefined;
  if (half) return half;
  const { found, leads } = ledTo(given, page, listing);
  if (last === 'unreadable')
    return unchanged({ ...found, version: versionOf(given, page, { history: NO_HISTORY, leads }) });
  return compareVersions(given, { page, last, found, leads }, tools);
}

interface Readable extends Led {
  readonly page: Page;
  readonly last: LastPage | undefined;
}

async function compareVersions(given: PageInput, readable: Readable, tools: Tools): Promise<PageFinding> {
  const { page, last } = readable;
  const boilerplate = Boilerplate.from(given.boilerplate, given.at);
  const isBoilerplate = boilerplate.has.bind(boilerplate);
  const doubt = massDeletion(last?.page, page, isBoilerplate);
  if (doubt !== undefined && isFirstSight(given)) return doubtful(given, doubt);

  const comparison = compare(last?.page, page, { ...last, isBoilerplate, visits: given.visits });
  const unconfirmed = doubt === undefined ? unbelieved(given, comparison.change) : undefined;
  return unconfirmed ?? settled(given, { ...readable, boilerplate, comparison }, tools);
}

interface Compared extends Readable {
  readonly boilerplate: Boilerplate;
  readonly comparison: Comparison;
}

/** What counts of a comparison, and what is kept of it. */
async function settled(given: PageInput, compared: Compared, tools: Tools): Promise<PageFinding> {
  const { page, last, found, leads, boilerplate } = compared;
  const { change, ignored, history } = compared.comparison;
  if (!change && ignored.length === 0) return unchanged(found);
  boilerplate.learn(last?.isCounted === true ? last.page : undefined, page);
  const version = versionOf(given, page, { history, leads });
  const detail = sharedNote(ignored);
  const kept = {
    ...found,
    ...(detail !== undefined && { detail }),
    ...fingerprintOf(page),
    version,
    boilerplate: boilerplate.toBytes(),
  };
  return change ? changed(given, { before: last?.page, page, change, kept }, tools) : leftOut(ignored, kept);
}

/** A change of a page that may not have been complete is believed once a second look has found the same one. */
function unbelieved(given: PageInput, change: Change | undefined): PageFinding | undefined {
  const { fetched, last, doubtedAt, at } = given;
  if (!change || fetched.unsettled === undefined || !last) return undefined;
  const about = hash('sha256', JSON.stringify(change)).slice(0, 16);
  const waits = waiting({ doubtedAt, at, doubt: doubtOf(last, doubtedAt) }, about);
  if (!waits) return undefined;
  const { doubtedAt: since } = waits;
  return {
    ...doubtful(given, unsettledWords(fetched.unsettled)),
    doubtedAt: since,
    version: withDoubt(last, waits),
  };
}

/** That sentences of the main text were left out, since a rule may have been waiting for one. */
function sharedNote(ignored: readonly Ignored[]): string | undefined {
  const sentences = ignored.flatMap(({ reason, before, after }) => (reason === SHARED ? [before || after] : []));
  const [first] = sentences;
  if (first === undefined) return undefined;
  const many = sentences.length === 1 ? 'A sentence' : `${sentences.length} sentences`;
  return `${many} of the main text did not count, being on many pages of the host: "${cut(first, EXCERPT)}".`;
}

/** Characters of a sentence that is named. */
const EXCERPT = 80;

interface Changed {
  readonly before: Page | undefined;
  readonly page: Page;
  readonly change: Change;
  readonly kept: Found & Partial<PageFinding>;
}

async function changed(given: PageInput, { before, page, change, kept }: Changed, tools: Tools): Promise<PageFinding> {
  const matched = await matchTaps(given, page, change, tools);
  return { outcome: 'changed', ...kept, isMainChange: isMain(before, page, change), ...matched };
}

function leftOut(ignored: readonly Ignored[], kept: Found & Partial<PageFinding>): PageFinding {
  return unchanged({ ...kept, notes: { ignored: [...new Set(ignored.map(({ reason }) => reason))] } });
}

type Found = Pick<PageFinding, 'kind' | 'discovered' | 'linksTo' | 'sameAs' | 'hints'>;

interface Led {
  readonly found: Found;
  /** Undefined of a list, which is offered each time. */
  readonly leads: OfferedLeads | undefined;
}

/** Where the page leads: for the crawl, and for ratings. */
function ledTo(given: PageInput, page: Page, listing: UrlList | undefined): Led {
  const linksTo = linkedDomains(page);
  const published = page.publishTime?.instant;
  const { leads, ...led }: Found & Partial<Pick<Led, 'leads'>> = listing
    ? listed(given, listing)
    : newlyLedTo(given, page);
  const found = {
    ...led,
    ...(linksTo && { linksTo }),
    ...(published !== undefined && { hints: { ...led.hints, publishedAt: published } }),
  };
  return { found, leads };
}

function newlyLedTo(given: PageInput, page: Page): Found & Pick<Led, 'leads'> {
  const known = knownLeadsOf(given);
  const { leadsKey, ...found } = discover(page, { ...originOf(given), knownLeads: known?.key });
  return { ...found, leads: leadsKey === known?.key ? known : { key: leadsKey, at: given.at } };
}

/** What is known is offered once a day all the same: a source that was full may have room by now. */
function knownLeadsOf({ last, areLeadsKnown, at }: PageInput): OfferedLeads | undefined {
  const offered = last && areLeadsKnown ? offeredLeadsOf(last) : undefined;
  return offered && Math.abs(at - offered.at) < REOFFERED_MS ? offered : undefined;
}

const REOFFERED_MS = 24 * 3_600_000;

interface LastPage {
  readonly page: Page;
  readonly history: PageHistory;
  /** Whether the boilerplate of its host, which another extractor would have known by other texts, knows the page. */
  readonly isCounted: boolean;
}

/**
 * The page as this extractor reads it: a version made by another one is read again from its bytes. What it refuses
 * (a limit that came with an update) is no ground for a comparison, and the page is not new either: a new baseline.
 */
async function lastPage({ last, way }: PageInput, { extract }: Tools): Promise<LastPage | 'unreadable' | undefined> {
  if (!last) return undefined;
  if (last.extractor === LISTING || wayOf(last) !== way) return 'unreadable';
  const history = historyOf(last);
  if (last.extractor === EXTRACTOR) return { page: pageOf(last), history, isCounted: true };
  const again = await extract({ url: last.url, contentType: last.contentType, bytes: unzstd(last.body) });
  return again.ok ? { page: again.page, history, isCounted: false } : 'unreadable';
}

/** Pages of one template may differ in a name and a price, and those are news: what is not called the same is no copy. */
function fingerprintOf(page: Page): { readonly fingerprint?: Fingerprint } {
  const hash = simhash(mainText(page));
  const { hostname, port } = new URL(page.url);
  // What another port serves is another site, as for robots.txt and politeness.
  const group = `${ownedDomain(hostname)}${port === '' ? '' : `:${port}`} ${page.title?.toLowerCase() ?? ''}`;
  return hash === undefined ? {} : { fingerprint: { group, simhash: hash } };
}

function unchanged(found: Found & Partial<PageFinding>): PageFinding {
  return { outcome: 'unchanged', ...found };
}

/**
 * A feed or a sitemap that tells the crawl where to go, and nobody else anything: its entries are visited, and those
 * visits are the news. Of its last version no more is kept than tells whether an entry is new. One that breaks off is
 * read as far as it goes; one of which nothing can be read is a failed visit, and the first that can is the first.
 */
function analyzeList(given: PageInput, listing: UrlList): PageFinding {
  const { problem } = listing;
  if (problem !== undefined && listing.entries.length + listing.sitemaps.length === 0)
    return failed('malformed', problem);
  const known = knownOf(given.last);
  const entries = lowest([...listing.entries, ...listing.sitemaps].map(({ url }) => url));
  const isNew = hasNew(entries, known);
  const isKept = known !== undefined && !isNew && entries.length === known.length;
  return {
    outcome: isNew ? 'changed' : 'unchanged',
    ...listed(given, listing),
    ...(problem !== undefined && { detail: problem }),
    ...(!isKept && { version: listVersionOf(given, entries) }),
    isMainChange: isNew,
  };
}

/** Where a list leads. */
function listed(given: PageInput, listing: UrlList): Pick<PageFinding, 'kind' | 'discovered' | 'hints'> {
  const { discovered, restMs } = discoverInList(listing, { ...originOf(given), trust: given.trust });
  return { kind: listing.kind, discovered, ...(restMs !== undefined && { hints: { restMs } }) };
}

function originOf({ fetched, kind, at, isFirstVisit, isBaseline, holders }: PageInput): Origin {
  return { url: fetched.url, kind, at, isFirstVisit, isBaseline, holders };
}

/** In the place of an extractor: the version of a page has one from 1 on, and none of them reads this. */
export const LISTING = 0;

/**
 * Hashes of entries that are kept: the lowest of them all. A list with more is known by a sample, and a sample shows in
 * what is new how often something is.
 */
const KNOWN = 1_024;

function lowest(urls: readonly string[]): readonly number[] {
  const hashes = Uint32Array.from(urls, hashOf).toSorted();
  return [...new Set(hashes)].slice(0, KNOWN);
}

/** What came in below the highest that is known; beyond it something may only have moved up. */
function hasNew(entries: readonly number[], known: readonly number[] | undefined): boolean {
  if (known === undefined) return true;
  const all = new Set(known);
  const highest = known.length < KNOWN ? Infinity : (known.at(-1) ?? Infinity);
  return entries.some((entry) => entry <= highest && !all.has(entry));
}

function listVersionOf({ fetched: { url, contentType }, at }: PageInput, entries: readonly number[]): PackedVersion {
  const page = zstd(JSON.stringify(entries));
  return { url, contentType, extractor: LISTING, at, page, history: '{}', body: new Uint8Array() };
}

function knownOf(last: PackedVersion | undefined): readonly number[] | undefined {
  return last?.extractor === LISTING ? (JSON.parse(unzstd(last.page).toString()) as readonly number[]) : undefined;
}
