import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outside } from '../../src/daemon/outside.ts';
import { openSqlite } from '../../src/daemon/storage/sqlite/sqlite-storage.ts';
import { type DuePage, type Frontier, type Lead, NEW_HOST } from '../../src/daemon/storage/frontier.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { type BareUrls, bareUrls } from './bare-store.ts';
import { ownCpuMs, processFigures } from './processes.ts';
import type { Asked, Figure, Outcome } from './row.ts';
import { median, quantile, slope } from './statistics.ts';

const PAGES_A_HOST = 100;
const LINKS_TOGETHER = 10;
const LEADS_A_CALL = 2_000;
const TAKEN_AT_ONCE = 8;
/** How long a host is left alone after a visit. */
const REST_MS = 1_000;
const FORMS = {
  whole: { sizes: [10_000, 100_000, 1_000_000], takes: 2_000 },
  short: { sizes: [1_000, 10_000], takes: 50 },
};
const START = Date.UTC(2026, 0, 1);
const BARE = 'bare SQLite';

interface Measured {
  readonly urls: number;
  /** The mean over all, and over the first and the last tenth. */
  readonly added: { readonly mean: number; readonly first: number; readonly last: number; readonly cpuMs: number };
  readonly bytesEach: number;
  readonly openMs: number;
  readonly takes: readonly number[];
  readonly commits: readonly number[];
  /** Of the whole process, storage thread, page cache and the made-up URLs included. */
  readonly peakMb: number;
  readonly bare: BareUrls;
}

/**
 * A frontier of URLs that nobody has visited, a hundred a host, found in the order of hosts that link to one another:
 * how fast they come in, what they weigh on the disk and in memory, and how long it takes to say what is next. Beside it
 * one table of bare SQLite with an index of what is due. `size` is the largest number of URLs; the smaller ones go before.
 */
export async function frontier({ isShort, size }: Asked): Promise<Outcome> {
  const { sizes, takes } = FORMS[isShort ? 'short' : 'whole'];
  const wanted = size === undefined ? sizes : [...sizes.filter((one) => one < size), size];
  const all: Measured[] = [];
  for (const count of wanted) all.push(await measured(count, takes));
  return {
    notes: [`URLs that nobody has visited, ${PAGES_A_HOST} a host`],
    figures: [...all.flatMap((one) => figuresOf(one)), ...(all.length > 1 ? growth(all) : [])],
  };
}

async function measured(count: number, turnsWanted: number): Promise<Measured> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-bench-'));
  const path = join(dataDir, 'hydrant.db');
  try {
    const storage = await openSqlite({ dataDir, outside });
    const empty = statSync(path).size;
    await storage.frontier.putSource({ id: 's', everyMs: undefined, maxPages: 1e9, isPaused: false }, [], START);
    const added = await fill(storage.frontier, count);
    await storage.close();
    const bytesEach = (statSync(path).size - empty) / count;
    const begin = performance.now();
    const again = await openSqlite({ dataDir, outside });
    const openMs = performance.now() - begin;
    const turned = await turns(again, count, turnsWanted);
    await again.close();
    const { peakMb } = processFigures('self');
    const asBare = { grouped: LEADS_A_CALL, takes: turnsWanted, lead: (index: number) => lead(index, count) };
    return { urls: count, added, bytesEach, openMs, ...turned, peakMb, bare: await bareUrls(count, asBare) };
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

function figuresOf({ urls: size, added, bytesEach, openMs, takes, commits, peakMb, bare }: Measured): Figure[] {
  const [rate, ms] = [
    { size, unit: '/s' },
    { size, unit: 'ms' },
  ];
  return [
    { name: 'added', ...rate, value: added.mean, baseline: bare.addedPerSecond, against: BARE },
    { name: 'CPU of adding one', ...ms, value: added.cpuMs, baseline: bare.cpuMs, against: BARE },
    { name: 'added, first tenth', ...rate, value: added.first },
    { name: 'added, last tenth', ...rate, value: added.last },
    { name: 'on disk, each', size, value: bytesEach, unit: 'bytes', baseline: bare.bytesEach, against: BARE },
    { name: 'opening', ...ms, value: openMs },
    { name: 'what is next, p50', ...ms, value: median(takes), baseline: median(bare.takes), against: BARE },
    { name: 'what is next, p99', ...ms, value: quantile(takes, 0.99) },
    { name: '8 commits at once, p50', ...ms, value: median(commits), baseline: median(bare.commits), against: BARE },
    { name: '8 commits at once, p99', ...ms, value: quantile(commits, 0.99) },
    { name: 'memory at most', size, value: peakMb, unit: 'MB' },
  ];
}

function growth(all: readonly Measured[]): Figure[] {
  const of = (value: (one: Measured) => number): number =>
    slope(all.map((one) => ({ size: one.urls, value: value(one) })));
  const exponent = { unit: 'exponent', against: BARE };
  return [
    {
      name: 'growth of adding one',
      value: of((one) => one.added.cpuMs),
      baseline: of((one) => one.bare.cpuMs),
      ...exponent,
    },
    {
      name: 'growth of what is next',
      value: of((one) => median(one.takes)),
      baseline: of((one) => median(one.bare.takes)),
      ...exponent,
    },
    { name: 'growth of opening', value: of((one) => one.openMs), unit: 'exponent' },
    { name: 'growth of memory', value: of((one) => one.peakMb), unit: 'exponent' },
  ];
}

async function fill(target: Frontier, count: number): Promise<Measured['added']> {
  const rates: number[] = [];
  let cpuMs = 0;
  for (let from = 0; from < count; from += LEADS_A_CALL) {
    const until = Math.min(count, from + LEADS_A_CALL);
    const leads = Array.from({ length: until - from }, (_, index) => lead(from + index, count));
    const [begin, cpu] = [performance.now(), ownCpuMs()];
    await target.offer([{ sourceId: 's', leads }], START + from);
    cpuMs += ownCpuMs() - cpu;
    rates.push(((until - from) / (performance.now() - begin)) * 1_000);
  }
  // Of rates over equal numbers the harmonic mean is the rate of all.
  const mean = (some: number[]): number => some.length / some.reduce((sum, rate) => sum + 1 / rate, 0);
  const part = Math.max(1, Math.floor(rates.length / 10));
  return { mean: mean(rates), first: mean(rates.slice(0, part)), last: mean(rates.slice(-part)), cpuMs: cpuMs / count };
}

/** Ten links to a host at a time, and again all over the time: neighbours in the index are not neighbours in time. */
function lead(index: number, count: number): Lead {
  const hosts = Math.ceil(count / PAGES_A_HOST);
  const host = `www.site-${(Math.floor(index / LINKS_TOGETHER) * 7_919) % hosts}.example`;
  const url = `https://${host}/news/${index}/the-ferry-sails-at-nine`;
  const hash = createHash('sha256').update(url).digest().readUIntBE(0, 6);
  const kind = 'article';
  return { host, hash, url, depth: 2, kind, urgency: 0, pattern: index, isForeign: false, isBaseline: false };
}

/**
 * Takes and commits, one after the other: a turn of the crawl without the fetch. Time passes as fast as hosts are rested,
 * and no more than half of the pages are taken, so that there is always something to take.
 */
async function turns(
  { frontier: target, pages }: Storage,
  count: number,
  wanted: number,
): Promise<Pick<Measured, 'takes' | 'commits'>> {
  const takes: number[] = [];
  const commits: number[] = [];
  const hosts = Math.ceil(count / PAGES_A_HOST);
  const stepMs = Math.max(10, Math.ceil((2 * TAKEN_AT_ONCE * REST_MS) / hosts));
  for (let turn = 0; turn < Math.min(wanted, count / TAKEN_AT_ONCE / 2); turn += 1) {
    const now = START + 86_400_000 + turn * stepMs;
    const begin = performance.now();
    const taken = await target.take({ now, atMost: TAKEN_AT_ONCE, leaseMs: 300_000, except: [] });
    const end = performance.now();
    takes.push(end - begin);
    await Promise.all(taken.pages.map((page) => pages.commit(visit(page, now))));
    commits.push(performance.now() - end);
  }
  return { takes, commits };
}

function visit(page: DuePage, at: number): Parameters<Storage['pages']['commit']>[0] {
  return {
    pageId: page.id,
    sourceIds: ['s'],
    at,
    outcome: 'unchanged',
    status: 200,
    nextDue: at + 86_400_000,
    rate: { theta: -1, info: 1, pull: 0.5 },
    host: { ...NEW_HOST, notBefore: at + REST_MS },
    bodyHash: '0123456789abcdef0123456789abcdef',
    isNamed: false,
    isMainChange: false,
    events: [],
    discovered: [],
  };
}
