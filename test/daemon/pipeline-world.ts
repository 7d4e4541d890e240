import { createHash } from 'node:crypto';
import type { OwnPage } from '../../src/daemon/crawl/own-page.ts';
import { afterRequest } from '../../src/daemon/crawl/politeness.ts';
import { revisit, type Seen } from '../../src/daemon/crawl/revisit.ts';
import { identityOf } from '../../src/daemon/discovery/canonical.ts';
import { seedLead } from '../../src/daemon/discovery/discover.ts';
import type { Fetched, FetchedBody, HttpAnswer, PageRequest } from '../../src/daemon/fetch/fetched.ts';
import type { Terms } from '../../src/daemon/discovery/scope.ts';
import { LocalAnalysis } from '../reference/local-analysis.ts';
import { type Stages, type VisitEnd, visitPage, type VisitReport } from '../../src/daemon/pipeline.ts';
import type { NamedSitemaps, Permission } from '../../src/daemon/robots/robots.ts';
import { SessionForms } from '../../src/daemon/crawl/session-forms.ts';
import type { AppendedEvent } from '../../src/daemon/storage/event-log.ts';
import type { Discovered, DuePage } from '../../src/daemon/storage/frontier.ts';
import { openMemory } from '../reference/storage/memory.ts';
import type { Visit } from '../../src/daemon/storage/pages.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { type Labels, NO_LABELS } from '../../src/shared/label/label.ts';
import { validate } from '../../src/shared/query/validate.ts';

export const url = 'http://news.example.com/today';
export const minute = 60_000;
export const hour = 60 * minute;

type Counted = Omit<VisitReport, 'events'> & { readonly events: number };

interface Added {
  readonly everyMs?: number;
  readonly isBaseline?: boolean;
}

/** The whole path on storage in memory: what the web answers and what time it is are the test's to say. */
export class World {
  now = 1_000_000_000_000;
  answer: Fetched | (() => Fetched) = failure('dns');
  readonly requests: PageRequest[] = [];
  /** Hosts whose connection is not kept. */
  readonly closed: string[] = [];
  readonly delivered: AppendedEvent[] = [];
  readonly analysis = new LocalAnalysis({ labeller: async () => () => this.labels });
  readonly storage: Storage = openMemory();
  readonly commits: Visit[] = [];
  readonly seen: Seen[] = [];
  readonly offered: Discovered[] = [];
  readonly revoked = new Set<string>();
  labels: Labels = NO_LABELS;
  isNamed = false;
  keepsChanges = false;
  terms: Omit<Terms, 'depth'> = { id: 'source', url, scope: 'host', maxDepth: null, maxPages: 1_000 };
  permission: Permission = { kind: 'allowed', crawlDelayMs: 0 };
  /** Those of a robots.txt that is known already. */
  sitemaps: NamedSitemaps | undefined;
  readonly sessions = new SessionForms();
  readonly ratings = new Map<string, number>();

  async add(id = 'source', seed = url, different: Added = {}): Promise<void> {
    const { everyMs = 10 * minute, isBaseline = false } = different;
    const lead = seedLead(seed, isBaseline);
    if (!lead) throw new Error(`the test's own URL is none: ${seed}`);
    await this.storage.frontier.putSource({ id, everyMs, maxPages: 100, isPaused: false }, [lead], this.now);
  }

  rule(id: string, query: string, tapId = 'tap'): void {
    const parsed = validate(query).query;
    if (!parsed) throw new Error(`the test's own query is refused: ${query}`);
    this.analysis.register({ id, tapId, query: parsed, quality: false, nsfw: false });
  }

  serve(text: string, different: Partial<FetchedBody> = {}): void {
    this.answer = body(text, different);
  }

  async due(): Promise<DuePage> {
    const { pages } = await this.storage.frontier.take({ now: this.now, atMost: 1, leaseMs: hour, except: [] });
    const [page] = pages;
    if (!page) throw new Error('nothing is due');
    return page;
  }

  /** What the frontier knows of a page; the one of `url` unless another is asked for. */
  async known(href = url): Promise<DuePage> {
    const report = await this.storage.frontier.look(identityOf(href));
    if (!report) throw new Error(`${href} is not known`);
    return report.page;
  }

  ownPage: OwnPage | undefined;
  signIns: Stages['signIns'] = { of: () => Promise.reject(new Error('nobody signs in')) };

  stages(): Stages {
    const { pages, frontier } = this.storage;
    return {
      ownPage: () => this.ownPage,
      signIns: this.signIns,
      robots: {
        ask: async () => this.permission,
        mayFollow: async () => undefined,
        mayLoad: async () => 0,
        sitemaps: async () => this.sitemaps,
      },
      fetcher: {
        fetch: async (request) => {
          this.requests.push(request);
          return typeof this.answer === 'function' ? this.answer() : this.answer;
        },
        rest: (host) => void this.closed.push(host),
      },
      frontier: {
        release: frontier.release.bind(frontier),
        offer: (found, at) => {
          this.offered.push(...found);
          return frontier.offer(found, at);
        },
      },
      pages: {
        version: pages.version.bind(pages),
        boilerplate: pages.boilerplate.bind(pages),
        commit: (visit) => {
          this.commits.push(visit);
          return pages.commit(visit);
        },
      },
      outside: { now: () => this.now },
      sessions: this.sessions,
      analyze: this.analysis.analyze.bind(this.analysis),
      ratings: { of: async (domain) => this.ratings.get(domain) },
      terms: (holders) => holders.map(({ sourceId, depth }) => ({ ...this.terms, id: sourceId, depth })),
      isNamed: () => this.isNamed,
      keepsChanges: this.keepsChanges,
      tapExists: (id) => !this.revoked.has(id),
      deliver: (events) => this.delivered.push(...events),
      host: (due, asked) => afterRequest(due, asked, { delayMs: 0 }, () => 0),
      next: (due, seen) => {
        this.seen.push(seen);
        return revisit(due, seen, hour, () => 0.5);
      },
    };
  }

  async turn(signal: AbortSignal = new AbortController().signal): Promise<VisitEnd> {
    return visitPage(await this.due(), this.stages(), signal);
  }

  /** With the number of events in the place of them. */
  async visit(signal?: AbortSignal): Promise<Counted | undefined> {
    const { report } = await this.turn(signal);
    return report && { ...report, events: report.events.length };
  }

  /** Ten minutes later. */
  later(ms = 10 * minute): void {
    this.now += ms;
  }
}

export function body(text: string, different: Partial<FetchedBody> = {}): FetchedBody {
  const bytes = new TextEncoder().encode(text);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  return {
    outcome: 'fetched',
    url,
    status: 200,
    contentType: 'text/html',
    bytes,
    hash,
    answer: answer(200),
    ...different,
  };
}

export function answer(status: number): HttpAnswer {
  return { host: 'news.example.com', status, ms: 10, bytes: 1_000, address: '192.0.2.1' };
}

export function failure(reason: 'dns' | 'aborted' | 'stale'): Fetched {
  return { outcome: 'failed', reason, detail: 'news.example.com has no address' };
}

export async function world(): Promise<World> {
  const made = new World();
  await made.add();
  return made;
}

export const page = (...sentences: string[]): string =>
  `<title>Today</title><main>${sentences.map((text) => `<p>${text}</p>`).join('')}</main>`;
