import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Crawler, type CrawlerDeps } from '../../../src/daemon/crawl/crawler.ts';
import type { Asked } from '../../../src/daemon/crawl/host-request.ts';
import { IpGate } from '../../../src/daemon/crawl/ip-gate.ts';
import { afterRequest } from '../../../src/daemon/crawl/politeness.ts';
import type { FetchFailureReason, HttpAnswer } from '../../../src/daemon/fetch/fetched.ts';
import type { DuePage, Lead } from '../../../src/daemon/storage/frontier.ts';
import { openMemory } from '../../reference/storage/memory.ts';
import { IP_IN_FLIGHT } from '../../../src/shared/limits.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;
const HOSTS = 12;
const PAGES = 5;
const DELAY_MS = SECOND;

/** What the world answers, one after the other, whoever asks. */
type Reply = Pick<Asked, 'answer' | 'failure'> & { readonly ms: number; readonly faulty?: boolean };

const answers: fc.Arbitrary<Reply> = fc
  .record({
    ms: fc.nat(3_000),
    status: fc.constantFrom(200, 200, 200, 304, 404, 429, 500, 503),
    retryAfterMs: fc.option(fc.nat(60 * SECOND), { nil: undefined }),
  })
  .map(({ ms, status, retryAfterMs }) => {
    const given = { host: '', status, ms, bytes: 100, address: '' };
    return { ms, answer: retryAfterMs === undefined ? given : { ...given, retryAfterMs } };
  });
const failures: fc.Arbitrary<Reply> = fc
  .record({ ms: fc.nat(30_000), reason: fc.constantFrom<FetchFailureReason>('dns', 'connect', 'timeout', 'reset') })
  .map(({ ms, reason }) => ({ ms, failure: { reason } }));
const faults: fc.Arbitrary<Reply> = fc.nat(3_000).map((ms) => ({ ms, faulty: true }));
const replies = fc.array(fc.oneof({ weight: 8, arbitrary: answers }, failures, faults), {
  minLength: 20,
  maxLength: 60,
});

interface Seen {
  readonly host: string;
  readonly address: string;
  readonly url: string;
  readonly begin: number;
  readonly end: number;
  readonly leastRestMs: number;
}

function leadOf(host: string, page: number, hash: number): Lead {
  const url = `http://${host}/${page}`;
  const plain = { depth: 0, kind: 'article', urgency: 0, isForeign: false, isBaseline: false } as const;
  return { host, hash, url, pattern: hash, ...plain };
}

/** Three hosts share an address. */
function addressOf(host: string): string {
  return `192.0.2.${Math.floor(Number(host.slice(1).split('.', 1)[0]) / 3)}`;
}

async function crawl(script: readonly Reply[]): Promise<Seen[]> {
  const { frontier, pages } = openMemory();
  const names = Array.from({ length: HOSTS }, (_, host) => `h${host}.test`);
  const leads = names.flatMap((host, at) =>
    Array.from({ length: PAGES }, (_, page) => leadOf(host, page, at * PAGES + page)),
  );
  const source = { id: 's', everyMs: undefined, maxPages: 1_000, isPaused: false };
  await frontier.putSource(source, leads, Date.now());
  const seen: Seen[] = [];
  const outside = { now: () => Date.now() };
  let turn = 0;
  const visit: CrawlerDeps['visit'] = async (due) => {
    const begin = Date.now();
    const { ms, faulty = false, ...said } = script[turn++ % script.length] ?? { ms: 0 };
    await new Promise((resolve) => setTimeout(resolve, ms));
    const answer: HttpAnswer | undefined = said.answer && { ...said.answer, host: due.host };
    const end = Date.now();
    const leastRestMs = Math.max(DELAY_MS, (answer?.status ?? 0) >= 400 && !faulty ? (answer?.retryAfterMs ?? 0) : 0);
    seen.push({ host: due.host, address: addressOf(due.host), url: due.url, begin, end, leastRestMs });
    if (faulty) throw new Error('the disk is full');
    await commit(due, { at: end, answer, failure: said.failure, crawlDelayMs: 0 });
    return {};
  };
  const commit = (due: DuePage, asked: Asked): Promise<unknown> =>
    pages.commit({
      pageId: due.id,
      sourceIds: due.holders.map(({ sourceId }) => sourceId),
      at: asked.at,
      outcome: 'unchanged',
      nextDue: asked.at + 6 * HOUR,
      rate: { theta: 0, info: 0, pull: 0 },
      host: afterRequest(due, asked, { delayMs: DELAY_MS }, () => 0),
      isNamed: false,
      isMainChange: false,
      events: [],
      discovered: [],
    });
  const locate = async (host: string): Promise<string[]> => [addressOf(host)];
  const crawler = new Crawler({
    supply: {
      take: (question) => frontier.take(question),
      release: ({ id, lease }, host) => frontier.release(id, host, lease),
      bringForward: (now) => frontier.bringForward(now),
      // It keeps no places of its own.
      releaseSlot: () => undefined,
    },
    visit,
    gate: new IpGate({ locate, isOpened: () => false, sharedIps: [], outside }),
    network: { doubtedSince: undefined },
    concurrency: 8,
    outside,
    onError: () => undefined,
  });
  crawler.wake();
  await vi.advanceTimersByTimeAsync(4 * HOUR);
  const stopped = crawler.stop(0);
  await vi.advanceTimersByTimeAsync(HOUR);
  await stopped;
  return seen;
}

function groups(seen: readonly Seen[], by: (one: Seen) => string): Seen[][] {
  return [...Map.groupBy(seen, by).values()].map((group) => group.toSorted((a, b) => a.begin - b.begin));
}

describe('a crawl of hosts that answer as they like', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000 * HOUR }));
  afterEach(() => void vi.useRealTimers());

  test('never asks a host twice at a time or before its rest is over, nor an address too often, and misses no host', async () => {
    await fc.assert(
      fc.asyncProperty(replies, async (script) => {
        vi.setSystemTime(1_000 * HOUR);
        const seen = await crawl(script);
        for (const visits of groups(seen, ({ host }) => host)) {
          for (const [index, { begin }] of visits.slice(1).entries()) {
            const before = visits[index]!;
            expect(begin).toBeGreaterThanOrEqual(before.end + before.leastRestMs);
          }
        }
        for (const visits of groups(seen, ({ address }) => address)) {
          for (const [index, { begin }] of visits.entries()) {
            const others = visits.slice(0, index);
            expect(others.filter(({ end }) => end > begin).length).toBeLessThan(IP_IN_FLIGHT);
            expect(begin - (others.at(-1)?.begin ?? -Infinity)).toBeGreaterThanOrEqual(250);
          }
        }
        expect(new Set(seen.map(({ host }) => host)).size).toBe(HOSTS);
      }),
      { numRuns: 15 },
    );
  });

  test('visits every page of hosts that are well, once', async () => {
    const seen = await crawl([{ ms: 100, answer: { host: '', status: 200, ms: 100, bytes: 100, address: '' } }]);
    expect(new Set(seen.map(({ url }) => url)).size).toBe(HOSTS * PAGES);
    expect(seen).toHaveLength(HOSTS * PAGES);
  });
});
