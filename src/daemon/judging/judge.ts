import { PAGE_BYTES } from '../../shared/limits.ts';
import { absence } from '../../shared/page/diff/absence.ts';
import type { Change, Ignored } from '../../shared/page/change.ts';
import { compare } from '../../shared/page/compare.ts';
import { mainText } from '../../shared/page/structure/content.ts';
import { credible } from '../../shared/page/metadata/credible.ts';
import { linkedDomains, ownedDomain } from '../../shared/page/domain.ts';
import { challenge, massDeletion } from '../../shared/page/diff/doubt.ts';
import type { Extraction } from '../../shared/page/read/extract.ts';
import { Furniture } from '../../shared/page/structure/boilerplate.ts';
import { NO_HISTORY, type PageHistory } from '../../shared/page/history.ts';
import { type Body, EXTRACTOR, type Page } from '../../shared/page/page.ts';
import { discover } from '../discovery/discover.ts';
import { type UrlList } from '../discovery/url-list.ts';
import { listOf } from '../discovery/feeds-and-sitemaps.ts';
import { simhash } from '../../shared/page/diff/simhash.ts';
import type { Fingerprint } from '../storage/pages.ts';
import type { Case, PageFinding } from './case.ts';
import { isMain, news, type NewsTools } from './news.ts';
import { analyzeList, listed, LISTING, originOf } from './plumbing.ts';
import { broken, doubtful, failed, isFirstWord, said } from './refusals.ts';
import { historyOf, pageOf, unpacked, versionOf } from './versions.ts';

/**
 * What one fetched page comes to: against its last version, and against the rules. A case comes in, with all that is
 * known of the page; a judgement goes out, with all that is to be kept and told:
 *
 *     extract ─► diff ─► label ─► match ─► discover ─► pack
 *
 * A function of its arguments, so that it sits in any thread (`judges.ts`) and an archive is judged like the web. Most
 * visits end at the diff, so labels come after it.
 *
 * Decided against: letting the thread ask for the last version itself. It would need a door to the storage, and a page
 * would wait for the disk where only the processor is short.
 */
export interface Tools extends NewsTools {
  /** The page that a body of any type holds. Never rejects. */
  readonly extract: (body: Body) => Promise<Extraction>;
}

/** Never rejects. */
export async function judge(given: Case, tools: Tools): Promise<PageFinding> {
  try {
    return await judgeBody(given, tools);
  } catch (fault) {
    return broken(said(fault));
  }
}

async function judgeBody(given: Case, tools: Tools): Promise<PageFinding> {
  const { fetched, kind, at } = given;
  const listing = listOf({ ...fetched, expected: kind });
  if (listing && !isPage(given)) return analyzeList(given, listing);
  // Its address comes from a robots.txt as a rule: nobody links to what stands there instead.
  if (!listing && !given.isNamed && kind === 'sitemap') {
    return failed('content_type', 'It was said to be a sitemap, and is none.');
  }
  const extraction = given.extraction ?? (await tools.extract(fetched));
  if (!extraction.ok) return failed(extraction.reason, extraction.detail);
  const page = credible(extraction.page, at);
  const asked = challenge(page);
  return asked === undefined ? judgePage(given, page, listing, tools) : failed('challenge', asked);
}

/** A list whose entries are not followed on the operator's account is read for what it says itself. */
function isPage({ isNamed, holders, fetched }: Case): boolean {
  const isFollowed = holders.some(({ depth, maxDepth }) => depth === 0 && maxDepth !== 0);
  return isNamed && !isFollowed && fetched.bytes.length <= PAGE_BYTES;
}

async function judgePage(given: Case, page: Page, listing: UrlList | undefined, tools: Tools): Promise<PageFinding> {
  const last = await lastPage(given, tools);
  const former = last === 'unreadable' ? undefined : last;
  const absent = listing ? undefined : absence(page, former?.page);
  if (absent !== undefined) return failed(absent.reason, absent.detail);
  const found = ledTo(given, page, listing);
  if (last === 'unreadable') return unchanged({ ...found, version: versionOf(given, page, NO_HISTORY) });
  return judgeChange(given, { page, last, found }, tools);
}

interface Readable {
  readonly page: Page;
  readonly last: LastPage | undefined;
  readonly found: Found;
}

async function judgeChange(given: Case, { page, last, found }: Readable, tools: Tools): Promise<PageFinding> {
  const furniture = Furniture.from(given.furniture);
  const isFurniture = furniture.has.bind(furniture);
  const doubt = massDeletion(last?.page, page, isFurniture);
  if (doubt !== undefined && isFirstWord(given)) return doubtful(given, doubt);

  const { change, ignored, history } = compare(last?.page, page, { ...last, isFurniture, visits: given.visits });
  if (!change && ignored.length === 0) return unchanged(found);
  furniture.learn(last?.isCounted === true ? last.page : undefined, page);
  const version = versionOf(given, page, history);
  const kept = { ...found, ...fingerprintOf(page), version, furniture: furniture.toBytes() };
  return change ? changed(given, { before: last?.page, page, change, kept }, tools) : leftOut(ignored, kept);
}

interface Changed {
  readonly before: Page | undefined;
  readonly page: Page;
  readonly change: Change;
  readonly kept: Found & Partial<PageFinding>;
}

async function changed(given: Case, { before, page, change, kept }: Changed, tools: Tools): Promise<PageFinding> {
  const told = await news(given, page, change, tools);
  return { outcome: 'changed', ...kept, isMainChange: isMain(before, page, change), ...told };
}

function leftOut(ignored: readonly Ignored[], kept: Found & Partial<PageFinding>): PageFinding {
  return unchanged({ ...kept, notes: { ignored: [...new Set(ignored.map(({ reason }) => reason))] } });
}

type Found = Pick<PageFinding, 'kind' | 'discovered' | 'linksTo' | 'sameAs' | 'hints'>;

/** Where the page leads: for the crawl, and for ratings. */
function ledTo(given: Case, page: Page, listing: UrlList | undefined): Found {
  const linksTo = linkedDomains(page);
  const published = page.publishTime?.instant;
  const led: Found = listing ? listed(given, listing) : discover(page, originOf(given));
  return {
    ...led,
    ...(linksTo && { linksTo }),
    ...(published !== undefined && { hints: { ...led.hints, publishedAt: published } }),
  };
}

interface LastPage {
  readonly page: Page;
  readonly history: PageHistory;
  /** Whether the furniture of its host, which another extractor would have known by other texts, knows the page. */
  readonly isCounted: boolean;
}

/**
 * The page as this extractor reads it: a version made by another one is read again from its bytes. What it refuses
 * (a limit that came with an update) is no ground for a comparison, and the page is not new either: a new baseline.
 */
async function lastPage({ last }: Case, { extract }: Tools): Promise<LastPage | 'unreadable' | undefined> {
  if (!last) return undefined;
  if (last.extractor === LISTING) return 'unreadable';
  const history = historyOf(last);
  if (last.extractor === EXTRACTOR) return { page: pageOf(last), history, isCounted: true };
  const again = await extract({ url: last.url, contentType: last.contentType, bytes: unpacked(last.body) });
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
