import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RealDaemon } from '../acceptance/real-daemon.ts';
import { farmAddress } from '../fixtures/farm/farm.ts';
import { EVERY_MS, newWatchOf } from '../fixtures/watches.ts';
import { reads, takes } from './watch/growth.ts';
import { processFigures, type ProcessFigures } from './watch/process-figures.ts';
import { outside } from '../../src/daemon/outside.ts';
import { openEmbedded } from '../../src/daemon/storage/embedded/embedded.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';

import type { Member, Organization } from '../../src/shared/api/organization.ts';
import type { Status } from '../../src/shared/api/status.ts';

const WATCHES_A_HOST = 10;
/** Where there are fewer watches than this, half a minute has to do. */
const MANY = 5_000;
/** Before the first watch is due: the daemon is up, and what it did to come up is no check. */
const SETTLE_MS = 15_000;
const WARM_MS = 10_000;
const FLAGS = ['--allow-private', '127.0.0.0/8', '--crawl-host-delay', '0', '--log-level', 'warn'];

/** The first check of each watch, whose page is read and judged; and how many followed that found nothing new. */
interface WatchRow {
  readonly watches: number;
  readonly firstCpuMs: number;
  readonly firstPeakMb: number;
  readonly seconds: number;
  readonly checks: number;
  /** Processor time of the daemon, all threads and the system's share, whatever else it did included. */
  readonly cpuMs: number;
  readonly lateP50Ms: number;
  readonly lateP99Ms: number;
  readonly rssMb: number;
  readonly peakMb: number;
  /** Of `hydrant.db` when it is closed. */
  readonly bytes: number;
}

/**
 * Watches at the 5-minute cadence on loopback hosts, ten a host, half of which answer 304 and half with the same 20 kB,
 * packed. The real daemon and the site are processes of their own. All watches are read once; then a new daemon checks
 * them for two minutes, each at its time. What counts is processor time; the clock tells about the machine's other work, too.
 */
export async function watch(count = 10_000): Promise<string[]> {
  return linesOf(await measured(count), await grown());
}

/** The same for a machine: one object, as it was measured. */
export async function watchRows(count = 10_000): Promise<object[]> {
  return [{ ...(await measured(count)), ...(await grown()) }];
}

type Grown = {
  readonly takes: Awaited<ReturnType<typeof takes>>[];
  readonly reads: Awaited<ReturnType<typeof reads>>[];
};

async function grown(): Promise<Grown> {
  const all: Grown = { takes: [], reads: [] };
  for (const watches of [100, 1_000, 10_000]) all.takes.push(await takes(watches));
  for (const history of [10, 1_000, 10_000]) all.reads.push(await reads(history));
  return all;
}

async function measured(count: number): Promise<WatchRow> {
  const { child, port } = await startSite(Math.ceil(count / WATCHES_A_HOST));
  const daemon = new RealDaemon(FLAGS);
  try {
    const ids = await seed(daemon, count, port);
    const first = await firstChecks(daemon, ids);
    await spread(daemon, ids);
    const bytes = sizeOf(daemon);
    await daemon.start();
    await sleep(SETTLE_MS + WARM_MS);
    const from = await figures(daemon);
    const beginning = performance.now();
    await sleep(count >= MANY ? 120_000 : 30_000);
    const to = await figures(daemon);
    const seconds = (performance.now() - beginning) / 1_000;
    await daemon.stop();
    const checks = to.checks - from.checks;
    return {
      watches: count,
      firstCpuMs: first.cpuMs / count,
      firstPeakMb: first.peakMb,
      seconds,
      checks,
      cpuMs: (to.cpuMs - from.cpuMs) / checks,
      lateP50Ms: to.late.p50 ?? Number.NaN,
      lateP99Ms: to.late.p99 ?? Number.NaN,
      rssMb: to.rssMb,
      peakMb: to.peakMb,
      bytes: (sizeOf(daemon) - bytes) / (to.checks - count),
    };
  } finally {
    await daemon.dispose();
    child.disconnect();
  }
}

/** More than a plan allows: they are written into the database of a stopped daemon. */
async function seed(daemon: RealDaemon, count: number, port: number): Promise<string[]> {
  await daemon.start();
  const { data: organizations } = await daemon.operator<{ data: Organization[] }>('GET', '/admin/organizations');
  const { data: members } = await daemon.operator<{ data: Member[] }>('GET', '/admin/members');
  const owner = { organizationId: organizations[0]?.id ?? '', memberId: members[0]?.id ?? '' };
  await daemon.stop();
  const ids = Array.from({ length: count }, () => outside.uuid());
  const now = Date.now();
  await within(daemon, async ({ watches }) => {
    const add = async (id: string, index: number): Promise<void> => {
      const url = `http://${farmAddress(Math.floor(index / WATCHES_A_HOST))}:${port}/p/${index}`;
      await watches.addWatch(newWatchOf(id, { ...owner, url, createdAt: now - EVERY_MS }), count);
    };
    for (let from = 0; from < count; from += 200) {
      await Promise.all(ids.slice(from, from + 200).map((id, index) => add(id, from + index)));
    }
  });
  return ids;
}

async function firstChecks(daemon: RealDaemon, ids: readonly string[]): Promise<ProcessFigures> {
  await daemon.start();
  for (const id of ids) await daemon.operator('POST', `/admin/watches/${id}/check`);
  let found = await figures(daemon);
  // Not more often: what it is asked for is work, too.
  for (; found.checks < ids.length; found = await figures(daemon)) await sleep(1_000);
  await daemon.stop();
  return found;
}

/** Evenly over one interval, in an order that has nothing to do with their hosts. */
async function spread(daemon: RealDaemon, ids: readonly string[]): Promise<void> {
  await within(daemon, async ({ watches }) => {
    const begin = Date.now() + SETTLE_MS;
    const due = (index: number): number => begin + Math.floor(((index * 0.618_033_988_75) % 1) * EVERY_MS);
    for (let from = 0; from < ids.length; from += 200) {
      const some = ids.slice(from, from + 200);
      await Promise.all(some.map((id, index) => watches.changeWatch(id, { due: due(from + index) })));
    }
  });
}

async function figures(
  daemon: RealDaemon,
): Promise<ProcessFigures & { checks: number; late: Status['watch']['late_ms'] }> {
  const { data: status } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
  return { ...processFigures(daemon.pid), checks: status.watch.checks, late: status.watch.late_ms };
}

function sizeOf(daemon: RealDaemon): number {
  return statSync(join(daemon.dataDir, 'hydrant.db')).size;
}

async function within(daemon: RealDaemon, look: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = await openEmbedded({ dataDir: daemon.dataDir, outside });
  try {
    await look(storage);
  } finally {
    await storage.close();
  }
}

async function startSite(hosts: number): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(join(import.meta.dirname, 'watch/site.ts'), [String(hosts)]);
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}

function linesOf(row: WatchRow, all: Grown): string[] {
  const { watches, checks, seconds } = row;
  return [
    `${watches} watches every 5 minutes, ${checks} checks in ${seconds.toFixed(0)} s, all unchanged, half of them 304`,
    `${row.cpuMs.toFixed(2)} ms of CPU a check (of all threads); a first check ${row.firstCpuMs.toFixed(2)} ms`,
    `late ${row.lateP50Ms} ms at p50, ${row.lateP99Ms} ms at p99`,
    `${row.rssMb.toFixed(0)} MB of memory, at most ${row.peakMb.toFixed(0)} (${row.firstPeakMb.toFixed(0)} while all were read)`,
    `${row.bytes.toFixed(0)} bytes on disk a check`,
    ...all.takes.map(
      (one) => `storage, ${one.watches} watches: ${one.cpuMs.toFixed(3)} ms of CPU to take and commit one`,
    ),
    ...all.reads.map(
      (one) => `newest 50 of ${one.history} entries: p50 ${one.p50Ms.toFixed(2)} ms, p99 ${one.p99Ms.toFixed(2)} ms`,
    ),
  ];
}
