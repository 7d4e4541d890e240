import { ownRequests } from '../requests/own-requests.ts';
import { SignIns } from '../../../src/daemon/requests/sign-ins.ts';
import { analysisOptions } from '../../../src/daemon/watch/watches.ts';
import { emptyCatalog } from '../../../src/daemon/storage/catalog.ts';
import { createHash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { afterRequest } from '../../../src/daemon/crawl/politeness.ts';
import type { Fetched, FetchedBody, HttpAnswer, PageRequest } from '../../../src/daemon/fetch/fetched.ts';
import { Triggers } from '../../../src/daemon/analysis/matching.ts';
import type { CheckFinding } from '../../../src/daemon/analysis/findings.ts';
import { analyzeWatch } from '../../../src/daemon/analysis/analyze-watch.ts';
import type { Permission } from '../../../src/daemon/robots/robots.ts';
import { openMemory } from '../../reference/storage/memory.ts';
import type { CheckRecord, NewWatch, WatchRecord } from '../../../src/daemon/storage/watches.ts';
import { check, type CheckStages } from '../../../src/daemon/watch/check.ts';
import { type Due, WatchSupply } from '../../../src/daemon/watch/supply.ts';
import type { PlacedHunk } from '../../../src/shared/api/watch.ts';
import { NO_LABELS } from '../../../src/shared/label/label.ts';
import { read } from '../../../src/shared/page/read.ts';
import { addWatch } from '../../fixtures/watches.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const url = 'http://shop.example/prices';

type Answering = (request: PageRequest, signal: AbortSignal) => Fetched | Promise<Fetched>;

/**
 * Checks on storage in memory, by the clock of the process, which the test holds: what the web answers, what robots.txt
 * says and how many checks are left are the test's to say.
 */
export class WatchWorld {
  answer: Answering = () => failure('dns');
  permission: Permission | (() => Promise<Permission>) = { kind: 'allowed', crawlDelayMs: 0 };
  readonly requests: PageRequest[] = [];
  readonly storage = openMemory();
  readonly told: string[] = [];
  /** What is left of the month, and what became of each reservation. */
  left = Infinity;
  readonly quota: string[] = [];
  fastestMinutes = 5;
  ratings: Readonly<Record<string, number>> = {};
  analyze: CheckStages['analyze'] = (given) =>
    analyzeWatch(given, { extract: read, labeller: async () => () => NO_LABELS, triggers: new Triggers() });
  readonly concurrency: number;
  readonly supply: WatchSupply;

  constructor(concurrency = 4) {
    this.concurrency = concurrency;
    this.supply = new WatchSupply({
      frontier: this.storage.frontier,
      watches: this.storage.watches,
      quota: {
        reserve: () => {
          if (this.left <= 0) return false;
          this.left -= 1;
          this.quota.push('reserved');
          return true;
        },
        settle: (_organization, month, counted) => void this.quota.push(`counted ${month}: ${counted}`),
        giveBack: () => {
          this.left += 1;
          this.quota.push('given back');
        },
        recount: async () => {
          this.left += 1;
          this.quota.push('given back');
        },
      },
      concurrency,
    });
  }

  async add(id = 'w', different: Partial<NewWatch> = {}): Promise<void> {
    await addWatch(this.storage.watches, id, { url, createdAt: Date.now(), ...different });
  }

  serve(text: string | Uint8Array, different: Partial<FetchedBody> = {}): void {
    this.answer = () => body(text, different);
  }

  readonly signIns = new SignIns(ownRequests(), { PATH: process.env['PATH'] ?? '' });

  stages(): CheckStages {
    const { permission } = this;
    return {
      robots: {
        ask: async () => (typeof permission === 'function' ? permission() : permission),
        mayFollow: async () => undefined,
        mayLoad: async () => 0,
      },
      fetcher: {
        fetch: async (request, signal) => {
          this.requests.push(request);
          return this.answer(request, signal);
        },
        rest: () => undefined,
      },
      outside: { now: () => Date.now() },
      host: (due, asked) => afterRequest(due, asked, { delayMs: 0 }, () => 0),
      supply: this.supply,
      watches: this.storage.watches,
      ratings: { of: async (domain) => this.ratings[domain] },
      analyze: (given) => this.analyze(given),
      signIns: this.signIns,
      optionsOf: ({ options }) => analysisOptions(options, emptyCatalog(), 'organization'),
      planOf: () => ({ fastestMinutes: this.fastestMinutes, checksAMonth: Infinity }),
      history: 1_000,
      tell: (organizationId) => this.told.push(organizationId),
    };
  }

  async take(atMost = 10): Promise<readonly Due[]> {
    this.supply.lookNow();
    const { pages } = await this.supply.take({ now: Date.now(), atMost, leaseMs: HOUR, except: [] });
    return pages;
  }

  /** The check of the one watch that is due now. */
  async check(signal: AbortSignal = new AbortController().signal): Promise<CheckFinding | undefined> {
    const [due] = await this.take(1);
    if (due?.kind !== 'watch') throw new Error('no watch is due');
    const { report } = await check(due, this.stages(), signal);
    return report;
  }

  async entries(id = 'w'): Promise<readonly CheckRecord[]> {
    return this.storage.watches.checks(id, { atMost: 100, withDiffs: true });
  }

  /** What the newest check says has come and gone. */
  async change(id = 'w'): Promise<{ readonly ins: string[]; readonly del: string[] } | undefined> {
    const [newest] = await this.entries(id);
    if (!newest?.diff) return undefined;
    const hunks = JSON.parse(zstdDecompressSync(newest.diff.packed).toString()) as PlacedHunk[];
    const blocks = hunks.flatMap((hunk) => hunk.blocks);
    return { ins: blocks.flatMap(({ ins }) => ins ?? []), del: blocks.flatMap(({ del }) => del ?? []) };
  }

  async known(id = 'w'): Promise<WatchRecord> {
    const watch = await this.storage.watches.watch(id);
    if (!watch) throw new Error(`there is no watch ${id}`);
    return watch;
  }

  async explained(id = 'w'): Promise<unknown> {
    const told = await this.storage.watches.watchExplanation(id);
    return told && JSON.parse(told.explanation);
  }
}

export function body(text: string | Uint8Array, different: Partial<FetchedBody> = {}): FetchedBody {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  const said = { url, status: 200, contentType: 'text/html', answer: answer(200) } as const;
  return { outcome: 'fetched', ...said, bytes, hash, ...different };
}

export function answer(status: number, different: Partial<HttpAnswer> = {}): HttpAnswer {
  return { host: 'shop.example', status, ms: 10, bytes: 1_000, address: '192.0.2.1', ...different };
}

export function failure(reason: Extract<Fetched, { outcome: 'failed' }>['reason']): Fetched {
  return { outcome: 'failed', reason, detail: `it failed: ${reason}` };
}

export function status(code: number, different: Partial<HttpAnswer> = {}): Fetched {
  return {
    outcome: 'failed',
    reason: 'status',
    detail: `the server answered ${code}`,
    answer: answer(code, different),
  };
}

export const page = (...sentences: string[]): string =>
  `<title>Prices</title><main>${sentences.map((text) => `<p>${text}</p>`).join('')}</main>`;
