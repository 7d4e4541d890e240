import { copyFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CrawlStatus } from '../../../src/shared/api/crawl.ts';
import type { Status } from '../../../src/shared/api/status.ts';
import type { Tap } from '../../../src/shared/api/tap.ts';
import { RealDaemon } from '../../acceptance/real-daemon.ts';
import { SseReader } from '../../acceptance/sse-reader.ts';
import type { AnswerAs, Answers } from '../crawl/web.ts';
import { familyCpuMs, processFigures } from '../processes.ts';
import type { SiteProcess } from '../site/site-process.ts';

/** What a time of visits of one kind came to. */
export interface Phase {
  /** Visits in a second. */
  readonly speed: number;
  /** Milliseconds of processor time for a visit: of the daemons together, and of the database, if there is one. */
  readonly daemonMs: number;
  readonly databaseMs: number;
  /** Milliseconds from the answer of a host to its match on a stream, of all streams. */
  readonly delays: readonly number[];
}

export interface ServiceTerms {
  readonly site: SiteProcess<readonly string[]>;
  readonly pagesPerHost: number;
  readonly slots: number;
  readonly warmMs: number;
  readonly measuredMs: number;
  /** Of visits before the first measurement, in which the daemons' code is optimized: a node makes thirty visits a second. */
  readonly optimizedMs: number;
}

const FLAGS = [
  '--allow-private',
  '127.0.0.0/8',
  '--crawl-host-delay',
  '0',
  '--log-level',
  'warn',
  '--crawl-threads',
  '1',
];

/** Daemons that are one service, with a rule that every change matches, and a stream of its matches on each of them. */
export class Service {
  readonly #terms: ServiceTerms;
  readonly #server: number | undefined;
  readonly #daemons: RealDaemon[] = [];
  readonly #readers = new Map<RealDaemon, SseReader>();
  #delays: number[] = [];
  #token = '';

  private constructor(terms: ServiceTerms, server: number | undefined) {
    this.#terms = terms;
    this.#server = server;
  }

  /** `database`: of PostgreSQL, with the process of its server; without one there is one daemon, on SQLite. */
  static async start(
    terms: ServiceTerms,
    nodes: number,
    database?: { readonly url: string; readonly server: number },
  ): Promise<Service> {
    const service = new Service(terms, database?.server);
    try {
      for (let node = 0; node < nodes; node += 1) await service.#add(database?.url);
      await service.#furnish();
      for (const daemon of service.#daemons) await service.#read(daemon);
      return service;
    } catch (error) {
      await service.close();
      throw error;
    }
  }

  /** All pages are known and were visited, and changed, for some time. */
  async visitAll(): Promise<void> {
    const { site, pagesPerHost, optimizedMs } = this.#terms;
    const pages = site.ready.length * pagesPerHost;
    for (;;) {
      const { pages: known } = await this.#asked<CrawlStatus>('/admin/crawl');
      if (known.known === pages && known.unvisited === 0) break;
      await sleep(500);
    }
    await site.tell({ kind: 'answer', answers: 'changed' } satisfies AnswerAs);
    await sleep(optimizedMs);
  }

  /** All pages are due at all times. */
  async measure(answers: Answers): Promise<Phase> {
    const { site, warmMs, measuredMs } = this.#terms;
    await site.tell({ kind: 'answer', answers } satisfies AnswerAs);
    await sleep(warmMs);
    this.#delays = [];
    const before = await this.#reading();
    await sleep(measuredMs);
    const after = await this.#reading();
    const visits = after.visits - before.visits;
    const others = answers === 'changed' ? visits - after.changes + before.changes : after.changes - before.changes;
    // Those that were under way when the answers became others. A figure of visits that were something else says nothing.
    if (others > this.#daemons.length * this.#terms.slots + visits / 20)
      throw new Error(`${others} of ${visits} visits were not answered "${answers}"`);
    return {
      speed: (visits * 1_000) / (after.at - before.at),
      daemonMs: (after.daemonMs - before.daemonMs) / visits,
      databaseMs: (after.databaseMs - before.databaseMs) / visits,
      delays: this.#delays,
    };
  }

  /** All but the first node end as an operator would end them: what they had is free at once. */
  async keepOne(): Promise<void> {
    for (const daemon of this.#daemons.splice(1)) {
      this.#readers.get(daemon)?.close();
      await daemon.stop();
      await daemon.dispose();
    }
  }

  async close(): Promise<void> {
    for (const reader of this.#readers.values()) reader.close();
    for (const daemon of this.#daemons) await daemon.dispose();
  }

  async #add(url: string | undefined): Promise<void> {
    const daemon = new RealDaemon([...FLAGS, '--crawl-concurrency', String(this.#terms.slots)]);
    const [first] = this.#daemons;
    this.#daemons.push(daemon);
    if (url !== undefined) daemon.environment = { HYDRANT_STORE: url };
    if (first) copyFileSync(`${first.dataDir}/secret`, `${daemon.dataDir}/secret`);
    await daemon.start();
  }

  async #furnish(): Promise<void> {
    const [first] = this.#daemons;
    if (!first) throw new Error('a service has a daemon');
    const { site, pagesPerHost } = this.#terms;
    await site.tell({ kind: 'answer', answers: 'same' } satisfies AnswerAs);
    await first.hydrant(['tap', 'create', 'bench']);
    await first.hydrant(['rule', 'add', 'bench', 'bulletin', '--no-quality']);
    this.#token = (await first.operator<{ data: [Tap] }>('GET', '/v1/taps')).data[0].token;
    const words = ['crawl', 'add', '-', '--scope', 'host', '--max-pages', String(pagesPerHost), '--every', '1s'];
    await first.hydrant(words, site.ready.map((origin) => `${origin}/`).join('\n'));
  }

  async #read(daemon: RealDaemon): Promise<void> {
    const reader = new SseReader();
    reader.onEvent = ({ event, data }) => {
      const [, at] = /"matched_at":"([^"]+)"/.exec(data) ?? [];
      if (event === 'update' && at !== undefined) this.#delays.push(Date.now() - Date.parse(at));
    };
    this.#readers.set(daemon, reader);
    const status = await reader.open(`${daemon.notice.url}/v1/stream`, this.#token);
    if (status !== 200) throw new Error(`a stream was refused with ${status}`);
  }

  async #asked<Data>(path: string): Promise<Data> {
    const [first] = this.#daemons;
    if (!first) throw new Error('a service has a daemon');
    return (await first.operator<{ data: Data }>('GET', path)).data;
  }

  async #reading(): Promise<Reading> {
    const { crawl } = await this.#asked<Status>('/admin/status');
    return {
      at: performance.now(),
      visits: crawl.visits,
      changes: crawl.changes,
      daemonMs: this.#daemons.reduce((sum, { pid }) => sum + processFigures(pid).cpuMs, 0),
      databaseMs: this.#server === undefined ? 0 : familyCpuMs(this.#server),
    };
  }
}

interface Reading {
  readonly at: number;
  readonly visits: number;
  readonly changes: number;
  readonly daemonMs: number;
  readonly databaseMs: number;
}
