import { canonicalUrl } from '../../shared/page/canonical-url.ts';
import { identityOf } from '../discovery/canonical.ts';
import { inScope } from '../discovery/scope.ts';
import { trapOf } from '../discovery/discover.ts';
import type { ReadingAccount } from '../../shared/page/account.ts';
import { quote } from '../fetch/printable.ts';
import { type Outside, timestamp } from '../outside.ts';
import { Problem } from '../problem.ts';
import type { SourceRecord } from '../storage/catalog.ts';
import { type Frontier, type HostState, type PageReport, type Urgency, URGENT } from '../storage/frontier.ts';
import { answerToWire } from './source-wire.ts';
import type { Sources } from './sources.ts';
import type { UrlHost, UrlPage, UrlReport, UrlSource, VisitOrder } from '../../shared/api/crawl.ts';
import { DAY_MS } from './rate.ts';

/** What the operator asks about one URL: why the crawl does with it what it does, and to visit it now. */
export class UrlService {
  readonly #deps: UrlServiceDeps;

  constructor(deps: UrlServiceDeps) {
    this.#deps = deps;
  }

  /** @throws {Problem} `invalid_field` */
  async why(text: string): Promise<UrlReport> {
    const { frontier, robots, outside } = this.#deps;
    const url = canonicalOf(text);
    const identity = identityOf(url);
    const report = await frontier.look(identity);
    const glance = await robots.peek(url);
    return {
      url: report?.page.url ?? url,
      host: identity.host,
      trap: trapOf(url) ?? null,
      sources: report ? this.#holders(report) : await this.#couldHold(url),
      robots: { verdict: glance.kind, detail: glance.kind === 'unknown' ? null : glance.detail },
      page: report ? pageToWire(report, await this.#account(report, identity.host), outside.now()) : null,
    };
  }

  async #account({ page }: PageReport, host: string): Promise<ReadingAccount | null> {
    return (await this.#deps.account(page, host)) ?? null;
  }

  /** The page is due now, ahead of all others of its host. @throws {Problem} `invalid_field`, `url_not_held` */
  async visit(text: string): Promise<VisitOrder> {
    const { frontier, outside, wake } = this.#deps;
    const url = canonicalOf(text);
    const identity = identityOf(url);
    const before = await frontier.look(identity);
    if (before === undefined || !(await frontier.prioritize(identity, outside.now()))) {
      throw new Problem('url_not_held', { url });
    }
    wake();
    const { page } = before;
    return {
      url: page.url,
      last_visit_ms: page.state?.visitedAt ?? null,
      paused: page.holders.length === 0,
    };
  }

  #holders({ page, pausedSourceIds }: PageReport): UrlSource[] {
    const ids = [...page.holders.map(({ sourceId }) => sourceId), ...pausedSourceIds];
    const records = ids.flatMap((id) => this.#deps.sources.find(id) ?? []);
    return records.slice(0, MOST_SOURCES).map((record) => sourceToWire(record, null));
  }

  /** No source holds it: those that reach it, then those of its host, each with what keeps it out. */
  async #couldHold(url: string): Promise<UrlSource[]> {
    const pages = new Map((await this.#deps.frontier.sources()).map((summary) => [summary.id, summary.pages]));
    const isTrap = trapOf(url) !== undefined;
    const reaching: UrlSource[] = [];
    const near: UrlSource[] = [];
    let looked = 0;
    for (const record of this.#deps.sources.records) {
      if (inScope(url, record)) {
        const isFull = (pages.get(record.id) ?? 0) >= record.maxPages;
        reaching.push(sourceToWire(record, because(record, { isTrap, isFull })));
      } else if (near.length < MOST_SOURCES && hostsAgree(record.url, url)) near.push(sourceToWire(record, 'scope'));
      if (reaching.length >= MOST_SOURCES) break;
      looked += 1;
      if (looked % A_TURN === 0) await nextTurn();
    }
    return [...reaching, ...near].slice(0, MOST_SOURCES);
  }
}

interface UrlServiceDeps {
  readonly frontier: Pick<Frontier, 'look' | 'prioritize' | 'sources'>;
  readonly sources: Pick<Sources, 'find' | 'records'>;
  readonly robots: { peek(url: string): Promise<RobotsGlance> };
  readonly outside: Pick<Outside, 'now'>;
  /** Of the last version of a page. */
  readonly account: (page: { readonly id: number }, host: string) => Promise<ReadingAccount | undefined>;
  /** Something may be due that was not. */
  readonly wake: () => void;
}

/** What a robots.txt that is known says of a URL. */
export type RobotsGlance =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'allowed' | 'refused'; readonly detail: string };

const MOST_SOURCES = 20;
/** Sources that are looked at before others have their turn: fifty thousand would hold up the crawl for a while. */
const A_TURN = 500;

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** @throws {Problem} `invalid_field` */
export function canonicalOf(text: string): string {
  const url = canonicalUrl(text);
  if (url !== undefined) return url;
  throw new Problem('invalid_field', { field: 'url', message: `${quote(text)} is not a URL that hydrant can crawl.` });
}

function because({ depth }: SourceRecord, is: { isTrap: boolean; isFull: boolean }): UrlSource['because'] {
  if (is.isTrap) return 'trap';
  if (depth === 0) return 'depth';
  return is.isFull ? 'budget' : 'not_found';
}

function sourceToWire({ id, url, scope, paused }: SourceRecord, reason: UrlSource['because']): UrlSource {
  return { id, url, scope, paused, holds: reason === null, because: reason };
}

function hostsAgree(one: string, other: string): boolean {
  return URL.parse(one)?.hostname === URL.parse(other)?.hostname;
}

/** A page of the frontier as the API tells it. */
function pageToWire(
  { page, answers, isHostLeased, ahead, sameAs }: PageReport,
  account: ReadingAccount | null,
  now: number,
): UrlPage {
  const { state, everyMs } = page;
  return {
    kind: page.kind,
    due_at: timestamp(page.due),
    urgency: urgencyNames[page.urgency],
    ahead,
    host: hostToWire(page.hostState, isHostLeased, now),
    every_seconds: everyMs === undefined ? null : Math.round(everyMs / 1_000),
    changes_every_seconds: changesEvery({ page, answers }),
    failures: state?.failures ?? 0,
    doubted_since: state?.doubtedAt === undefined ? null : timestamp(state.doubtedAt),
    conditional: state?.validators !== undefined,
    full_at: state?.bodyHash === undefined ? null : timestamp(state.fullAt),
    same_as: sameAs ?? null,
    account,
    last_visit_ms: state?.visitedAt ?? null,
    answers: answers.map(answerToWire),
  };
}

function hostToWire(state: HostState, leased: boolean, now: number): UrlHost {
  const isToday = state.day === Math.floor(now / DAY_MS);
  return {
    leased,
    rests_until: state.notBefore > now ? timestamp(state.notBefore) : null,
    backing_off:
      state.backoff === 0
        ? null
        : { since: timestamp(state.backoffAt), times: state.backoff, reason: state.backoffReason ?? 'unknown' },
    failures: state.failures,
    response_ms: state.responseMs === 0 ? null : Math.round(state.responseMs),
    today: { fetches: isToday ? state.fetches : 0, bytes: isToday ? state.bytes : 0 },
  };
}

/** Two looks say something of what is between them; before that the rate is what such pages have on the whole. */
function changesEvery({ page, answers }: Pick<PageReport, 'page' | 'answers'>): number | null {
  const looks = answers.filter(({ outcome }) => outcome !== 'failed').length;
  if (page.state === undefined || looks < 2) return null;
  return Math.round(DAY_MS / 1_000 / Math.exp(page.state.rate.theta));
}

const urgencyNames: Readonly<Record<Urgency, UrlPage['urgency']>> = {
  [URGENT.none]: 'none',
  [URGENT.sitemap]: 'sitemap',
  [URGENT.feed]: 'feed',
  [URGENT.asked]: 'asked',
};
