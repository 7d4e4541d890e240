import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outside } from '../../src/daemon/outside.ts';
import { openEmbedded } from '../../src/daemon/storage/embedded/embedded.ts';
import { type DuePage, type Frontier, type Lead, NEW_HOST } from '../../src/daemon/storage/frontier.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';

const PAGES_A_HOST = 100;
const LINKS_TOGETHER = 10;
const LEADS_A_CALL = 2_000;
const TAKES = 2_000;
const START = Date.UTC(2026, 0, 1);

/**
 * A frontier of `count` URLs that nobody has visited, a hundred a host, found in the order of hosts that link to one
 * another: how fast they come in, what they weigh on the disk and in memory, and how long it takes to say what is next.
 */
export async function frontier(count = 200_000): Promise<string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-bench-'));
  const path = join(dataDir, 'hydrant.db');
  try {
    const storage = await openEmbedded({ dataDir, outside });
    const empty = statSync(path).size;
    await storage.frontier.putSource({ id: 's', everyMs: undefined, maxPages: 1e9, isPaused: false }, [], START);
    const filled = await fill(storage.frontier, count);
    await storage.close();
    const bytes = (statSync(path).size - empty) / count;
    const begin = performance.now();
    const again = await openEmbedded({ dataDir, outside });
    const opened = performance.now() - begin;
    const lines = [
      `${count} URLs on ${Math.ceil(count / PAGES_A_HOST)} hosts: ${filled.first} added/s at first, ${filled.last} at last`,
      `${bytes.toFixed(0)} bytes each on disk; opened in ${opened.toFixed(0)} ms`,
      await turns(again),
      `resident memory ${filled.memory.join(', ')} MB at each fifth, peak ${peakMb()} MB`,
    ];
    await again.close();
    return lines;
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

async function fill(target: Frontier, count: number): Promise<{ first: number; last: number; memory: string[] }> {
  const rates: number[] = [];
  const memory: string[] = [];
  for (let from = 0; from < count; from += LEADS_A_CALL) {
    const until = Math.min(count, from + LEADS_A_CALL);
    const leads = Array.from({ length: until - from }, (_, index) => lead(from + index, count));
    const begin = performance.now();
    await target.offer([{ sourceId: 's', leads }], START + from);
    rates.push(((until - from) / (performance.now() - begin)) * 1_000);
    if (Math.floor((until * 5) / count) > memory.length) memory.push(megabytes(process.memoryUsage.rss()));
  }
  const mean = (some: number[]): number => Math.round(some.reduce((sum, rate) => sum + rate, 0) / some.length);
  const part = Math.max(1, Math.floor(rates.length / 10));
  return { first: mean(rates.slice(0, part)), last: mean(rates.slice(-part)), memory };
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

/** Takes and commits, one after the other: a turn of the crawl without the fetch. */
async function turns({ frontier: target, pages }: Storage): Promise<string> {
  const takes: number[] = [];
  const commits: number[] = [];
  for (let turn = 0; turn < TAKES; turn += 1) {
    const now = START + 86_400_000 + turn * 10;
    const begin = performance.now();
    const taken = await target.take({ now, atMost: 8, leaseMs: 300_000, except: [] });
    const end = performance.now();
    takes.push(end - begin);
    await Promise.all(taken.pages.map((page) => pages.commit(visit(page, now))));
    commits.push(performance.now() - end);
  }
  return `take ${percentiles(takes)}, 8 commits at once ${percentiles(commits)}`;
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
    host: { ...NEW_HOST, notBefore: at + 1_000 },
    bodyHash: '0123456789abcdef0123456789abcdef',
    isNamed: false,
    isMainChange: false,
    events: [],
    discovered: [],
  };
}

function percentiles(delays: readonly number[]): string {
  const sorted = delays.toSorted((one, other) => one - other);
  const at = (part: number): string => `${(sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1)} ms`;
  return `p50 ${at(0.5)} p99 ${at(0.99)}`;
}

/** Of the whole process, storage thread and page cache included. */
function peakMb(): string {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return kilobytes === undefined ? '?' : megabytes(Number(kilobytes) * 1_024);
}

function megabytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(0);
}
