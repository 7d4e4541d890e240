import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RealDaemon } from '../acceptance/real-daemon.ts';
import { figures } from './watch/figures.ts';
import { reads, takes } from './watch/growth.ts';
import { sow, type Sown } from './watch/seed.ts';

const WATCHES_A_HOST = 10;
/** Before the first watch is due: the daemon is up, and what it did to come up is no check. */
const SETTLE_MS = 10_000;
/** Until it checks as it will for hours: what is compiled is compiled. */
const WARM_MS = 20_000;
const MEASURED_MS = 60_000;
const FLAGS = ['--allow-private', '127.0.0.0/8', '--crawl-host-delay', '0', '--log-level', 'warn'];

/** The first check of some, whose page is read and judged; and how many followed that found nothing new. */
interface WatchRow extends Sown {
  readonly watches: number;
  readonly seconds: number;
  readonly checks: number;
  /** Processor time of the daemon, all threads and the system's share, whatever else it did included. */
  readonly cpuMs: number;
  readonly lateP50Ms: number;
  readonly lateP99Ms: number;
  /** Before the first check, and after the last. */
  readonly idleMb: number;
  readonly rssMb: number;
  readonly peakMb: number;
  /** Of `hydrant.db` when it is closed. */
  readonly bytes: number;
}

/**
 * Watches at the 5-minute cadence on loopback hosts, ten a host, half of which answer 304 and half with the same 20 kB,
 * packed. The real daemon and the site are processes of their own. The daemon checks them for a minute, each at its time.
 * What counts is processor time; the clock tells about the machine's other work, too.
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
    const first = await sow(daemon, count, port, SETTLE_MS);
    const bytes = sizeOf(daemon);
    await daemon.start();
    await sleep(SETTLE_MS);
    const idle = await figures(daemon);
    await sleep(WARM_MS);
    const from = await figures(daemon);
    const beginning = performance.now();
    await sleep(MEASURED_MS);
    const to = await figures(daemon);
    const seconds = (performance.now() - beginning) / 1_000;
    await daemon.stop();
    const checks = to.checks - from.checks;
    return {
      ...first,
      watches: count,
      seconds,
      checks,
      cpuMs: (to.cpuMs - from.cpuMs) / checks,
      lateP50Ms: to.late.p50 ?? Number.NaN,
      lateP99Ms: to.late.p99 ?? Number.NaN,
      idleMb: idle.rssMb,
      rssMb: to.rssMb,
      peakMb: to.peakMb,
      bytes: (sizeOf(daemon) - bytes) / (to.checks - idle.checks),
    };
  } finally {
    await daemon.dispose();
    child.disconnect();
  }
}

function sizeOf(daemon: RealDaemon): number {
  return statSync(join(daemon.dataDir, 'hydrant.db')).size;
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
    `${row.rssMb.toFixed(0)} MB of memory, at most ${row.peakMb.toFixed(0)} (${row.idleMb.toFixed(0)} before the first check, ${row.firstPeakMb.toFixed(0)} while pages were read)`,
    `${row.bytes.toFixed(0)} bytes on disk a check`,
    ...all.takes.map(
      (one) => `storage, ${one.watches} watches: ${one.cpuMs.toFixed(3)} ms of CPU to take and commit one`,
    ),
    ...all.reads.map(
      (one) => `newest 50 of ${one.history} entries: p50 ${one.p50Ms.toFixed(2)} ms, p99 ${one.p99Ms.toFixed(2)} ms`,
    ),
  ];
}
