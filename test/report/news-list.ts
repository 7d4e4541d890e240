import { revisit, SchedulingFactor, type Seen } from '../../src/daemon/crawl/revisit.ts';
import { type DuePage, type Lead, type PageKind, URGENT } from '../../src/daemon/storage/frontier.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { poisson } from './revisit-web.ts';

/**
 * A list of news sites with a clock that is moved by hand, through the real frontier, revisit rule and scheduling factor. A site has a
 * front page and a feed, and articles that were there before; 4 to 96 a day come anew, at times that know nothing of each
 * other. The front page has each at once, the feed four of five. A third of the articles is edited once, in its first day,
 * sooner rather than later. A host has one visit in each step of the clock.
 */
export interface NewsOptions {
  readonly storage: Pick<Storage, 'frontier' | 'pages'>;
  readonly sites: number;
  /** Articles that a site has at the beginning. */
  readonly articles: number;
  readonly hours: number;
  /** Revisits a second that are planned for: `crawl-rate`. */
  readonly rate: number;
  readonly random: () => number;
}

/** What came after the first hour, in which what was there is read. Delays in ms, in order. */
export interface NewsFigures {
  /** From the moment an article is there to its first visit. */
  readonly found: readonly number[];
  /** From an edit to the visit that sees it. */
  readonly edits: readonly number[];
  /** Requests that the site with the most of them had, a day. */
  readonly mostOfASite: number;
  readonly perSecond: number;
}

export async function readNews({ storage, sites, articles, hours, rate, random }: NewsOptions): Promise<NewsFigures> {
  const { frontier, pages } = storage;
  const web = new NewsWeb(sites, articles, hours, random);
  const schedulingFactor = new SchedulingFactor(rate);
  await frontier.putSource({ id: SOURCE, everyMs: undefined, maxPages: Infinity, isPaused: false }, web.seeds(), START);
  for (let now = START; now < START + hours * HOUR_MS; now += STEP_MS) {
    for (;;) {
      const { pages: taken, pull } = await frontier.take({ now, atMost: 64, leaseMs: MINUTE_MS, except: [] });
      schedulingFactor.steer(now, pull);
      if (taken.length === 0) break;
      await Promise.all(taken.map((due) => visit(due, now)));
    }
  }
  return web.figures(hours);

  async function visit(due: DuePage, at: number): Promise<void> {
    const { isMainChange, publishedAt, leads } = web.visit(due, at);
    const outcome = isMainChange ? 'changed' : 'unchanged';
    const seen: Seen = { at, outcome, kind: due.kind, isMainChange, matches: 0, ...(publishedAt && { publishedAt }) };
    const next = revisit(due, seen, schedulingFactor.ms, random);
    if (due.state) schedulingFactor.revisited(next.nextDue - at);
    const day = Math.floor(at / (24 * HOUR_MS));
    const fetches = due.hostState.day === day ? due.hostState.fetches + 1 : 1;
    const host = { ...due.hostState, notBefore: at + 1_000, day, fetches };
    const made = { pageId: due.id, sourceIds: [SOURCE], at, outcome, ...next, host } as const;
    const discovered = [{ sourceId: SOURCE, leads }];
    await pages.commit({ ...made, bodyHash: HASH, isNamed: false, isMainChange, events: [], discovered });
  }
}

interface Article {
  readonly url: string;
  readonly publishedAt: number;
  readonly isInFeed: boolean;
  editedAt: number | undefined;
  isKnown: boolean;
}

class NewsWeb {
  readonly #sites: { readonly articles: Article[]; readonly seen: Map<string, number>; requests: number }[] = [];
  readonly #found: number[] = [];
  readonly #edits: number[] = [];
  #requests = 0;

  constructor(sites: number, articles: number, hours: number, random: () => number) {
    for (let site = 0; site < sites; site += 1) {
      const old = Array.from({ length: articles }, () => START - random() * 30 * 24 * HOUR_MS);
      const perDay = 4 * 24 ** random();
      const born = [...old, ...poisson(perDay, hours * HOUR_MS, random).map((ms) => START + ms)].toSorted(
        (a, b) => a - b,
      );
      const list = born.map((publishedAt, number): Article => {
        const editedAt = random() < 1 / 3 ? publishedAt + MINUTE_MS * 1_440 ** random() : undefined;
        const isInFeed = random() < 0.8;
        return { url: `https://s${site}.example/${number}`, publishedAt, isInFeed, editedAt, isKnown: false };
      });
      this.#sites.push({ articles: list, seen: new Map(), requests: 0 });
    }
  }

  seeds(): Lead[] {
    return this.#sites.flatMap((_, site) => [
      lead(site, `https://s${site}.example/`, 'hub'),
      lead(site, `https://s${site}.example/feed`, 'feed'),
    ]);
  }

  visit(
    { url, kind }: Pick<DuePage, 'url' | 'kind'>,
    at: number,
  ): { readonly isMainChange: boolean; readonly publishedAt?: number; readonly leads: readonly Lead[] } {
    const index = Number(/s(\d+)\.example/.exec(url)?.[1]);
    const site = this.#sites[index]!;
    if (at >= MEASURED) [site.requests, this.#requests] = [site.requests + 1, this.#requests + 1];
    if (kind === 'article') return this.#read(site.articles[Number(url.slice(url.lastIndexOf('/') + 1))]!, at);
    const before = site.seen.get(kind) ?? 0;
    site.seen.set(kind, at);
    const listed = site.articles.filter(
      ({ publishedAt, isInFeed }) => publishedAt > before && publishedAt <= at && (kind === 'hub' || isInFeed),
    );
    const leads = listed.map((article): Lead => {
      const plain = { ...lead(index, article.url, 'article'), depth: 1, isBaseline: before === 0 };
      return kind === 'hub' ? plain : { ...plain, urgency: URGENT.feed, changedAt: article.publishedAt };
    });
    return { isMainChange: listed.length > 0, leads };
  }

  #read(article: Article, at: number): { isMainChange: boolean; publishedAt: number; leads: readonly Lead[] } {
    const { publishedAt, editedAt, isKnown } = article;
    const isEdited = editedAt !== undefined && editedAt <= at;
    if (!isKnown && publishedAt >= MEASURED) this.#found.push(at - publishedAt);
    if (isKnown && isEdited && editedAt >= MEASURED) this.#edits.push(at - editedAt);
    article.isKnown = true;
    if (isEdited) article.editedAt = undefined;
    return { isMainChange: !isKnown || isEdited, publishedAt, leads: [] };
  }

  figures(hours: number): NewsFigures {
    const days = (hours - 1) / 24;
    const inOrder = (times: readonly number[]): number[] => times.toSorted((a, b) => a - b);
    // What nobody has seen by the end is as late as the end.
    const end = START + hours * HOUR_MS;
    const unseen = this.#sites.flatMap(({ articles }) =>
      articles.filter(({ publishedAt, isKnown }) => publishedAt >= MEASURED && publishedAt < end && !isKnown),
    );
    return {
      found: inOrder([...this.#found, ...unseen.map(({ publishedAt }) => end - publishedAt)]),
      edits: inOrder(this.#edits),
      mostOfASite: Math.max(...this.#sites.map(({ requests }) => requests)) / days,
      perSecond: this.#requests / (days * 86_400),
    };
  }
}

/** Of values in order. */
export function quantile(values: readonly number[], share: number): number {
  return values[Math.min(values.length - 1, Math.floor(share * values.length))] ?? NaN;
}

function lead(site: number, url: string, kind: PageKind): Lead {
  const host = `s${site}.example`;
  const hash = 1 + Number(/\d+$/.exec(url)?.[0] ?? (kind === 'hub' ? 1e6 : 2e6));
  const plain = { depth: 0, urgency: URGENT.none, isForeign: false, isBaseline: true, pattern: hash } as const;
  return { ...plain, host, hash, url, kind };
}

const SOURCE = 'src_news';
const HASH = '00'.repeat(16);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const STEP_MS = 5_000;
/** Midnight (UTC), a thousand days after 1970. */
const START = 24_000 * HOUR_MS;
const MEASURED = START + HOUR_MS;
