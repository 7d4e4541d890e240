import { createHash } from 'node:crypto';
import type { Fetched } from '../../src/daemon/fetch/fetched.ts';
import { type Stages, visit, type VisitReport } from '../../src/daemon/pipeline.ts';
import { openMemory } from '../../src/daemon/storage/memory/memory.ts';
import type { AppendedEvent } from '../../src/daemon/storage/event-log.ts';
import type { DuePage, Visit } from '../../src/daemon/storage/pages.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { RuleIndex } from '../../src/shared/match/rule-index.ts';
import { type Labels, NO_LABELS } from '../../src/shared/label/label.ts';
import { read } from '../../src/shared/page/read.ts';
import { validate } from '../../src/shared/query/validate.ts';

export const url = 'http://news.example.com/today';
export const minute = 60_000;

/** The whole path on storage in memory: what the web answers and what time it is are the test's to say. */
class World {
  now = 1_000_000_000_000;
  answer: Fetched | (() => Fetched) = failure('dns');
  readonly delivered: AppendedEvent[] = [];
  readonly index = new RuleIndex();
  readonly storage: Storage;
  readonly commits: Visit[] = [];
  readonly revoked = new Set<string>();
  labels: Labels = NO_LABELS;
  readonly ratings = new Map<string, number>();

  constructor() {
    this.storage = openMemory();
  }

  rule(id: string, query: string, tapId = 'tap'): void {
    const parsed = validate(query).query;
    if (!parsed) throw new Error(`the test's own query is refused: ${query}`);
    this.index.arm({ id, tapId, query: parsed, quality: false, nsfw: false });
  }

  serve(html: string, at = url): void {
    const bytes = new TextEncoder().encode(html);
    const hash = createHash('sha256').update(bytes).digest('hex');
    this.answer = { outcome: 'fetched', url: at, status: 200, contentType: 'text/html', bytes, hash };
  }

  async due(): Promise<DuePage> {
    const { pages } = await this.storage.pages.due({ now: this.now, atMost: 1, busyHosts: [] });
    const [page] = pages;
    if (!page) throw new Error('nothing is due');
    return page;
  }

  async visit(signal: AbortSignal = new AbortController().signal): Promise<VisitReport | undefined> {
    const { pages } = this.storage;
    const stages: Stages = {
      fetcher: {
        fetch: async () => (typeof this.answer === 'function' ? this.answer() : this.answer),
        close: async () => {},
      },
      extract: read,
      rules: this.index,
      pages: {
        ...bound(pages),
        commit: (visit) => {
          this.commits.push(visit);
          return pages.commit(visit);
        },
      },
      outside: { now: () => this.now, randomBytes: (size) => new Uint8Array(size), uuid: () => 'id' },
      label: async () => this.labels,
      ratings: { of: async (domain) => this.ratings.get(domain) },
      discover: (_, page) => [{ sourceId: 'source', urls: page.links }],
      tapExists: (id) => !this.revoked.has(id),
      deliver: (events) => this.delivered.push(...events),
    };
    return visit(await this.due(), stages, signal);
  }
}

function bound(pages: Storage['pages']): Storage['pages'] {
  return {
    addSource: pages.addSource.bind(pages),
    removeSource: pages.removeSource.bind(pages),
    sources: pages.sources.bind(pages),
    due: pages.due.bind(pages),
    bringForward: pages.bringForward.bind(pages),
    version: pages.version.bind(pages),
    furniture: pages.furniture.bind(pages),
    commit: pages.commit.bind(pages),
    totals: pages.totals.bind(pages),
  };
}

export function failure(reason: 'dns'): Fetched {
  return { outcome: 'failed', reason, detail: 'news.example.com has no address' };
}

export async function world(): Promise<World> {
  const made = new World();
  await made.storage.pages.addSource({ id: 'source', everyMs: 10 * minute, maxPages: 100 }, url, made.now);
  return made;
}

export const page = (...sentences: string[]): string =>
  `<title>Today</title><main>${sentences.map((text) => `<p>${text}</p>`).join('')}</main>`;
