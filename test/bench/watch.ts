import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RealDaemon } from '../acceptance/real-daemon.ts';
import { farmAddress } from '../fixtures/farm/farm.ts';
import { plainFetch } from './peers/plain.ts';
import type { Fetched } from './peers/plain-fetcher.ts';
import type { Asked, Figure, Outcome } from './row.ts';
import { slope } from './statistics.ts';
import { figures } from './watch/figures.ts';
import { reads, takes } from './watch/growth.ts';
import { etagOf } from './watch/room.ts';
import { sow, type Sown } from './watch/seed.ts';

const WATCHES_A_HOST = 10;
/**
 * Before the first watch is due: the daemon is up, and what it did to come up is no check. Then until it checks as it
 * will for hours: what is compiled is compiled.
 */
const FORMS = {
  whole: { watches: 10_000, settleMs: 10_000, warmMs: 20_000, measuredMs: 60_000 },
  short: { watches: 1_000, settleMs: 1_000, warmMs: 2_000, measuredMs: 5_000 },
};
const GROWTH = {
  whole: { watches: [100, 1_000, 10_000], history: [10, 100, 1_000, 10_000] },
  short: { watches: [10, 100], history: [50, 200] },
};
const CADENCE_SECONDS = 300;
const MOST_CPU_MS = 0.4;
const MOST_LATE_MS = 2_000;
const MOST_MB = 120;
const MOST_BYTES = 100;
const MOST_READ_MS = 5;
const FLAGS = ['--allow-private', '127.0.0.0/8', '--crawl-host-delay', '0', '--log-level', 'warn'];

/** The first check of some, whose page is read and judged; and how many followed that found nothing new. */
interface Measured extends Sown {
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
  /** The same requests at the same pace by plain undici. */
  readonly plain: Fetched;
}

type Form = (typeof FORMS)['whole'];

/**
 * Watches at the 5-minute cadence on loopback hosts, ten a host, half of which answer 304 and half with the same 20 kB,
 * packed. The real daemon and the site are processes of their own. The daemon checks them for a minute, each at its time.
 * What counts is processor time; the clock tells about the machine's other work, too. `size` is the number of watches.
 */
export async function watch({ isShort, size }: Asked): Promise<Outcome> {
  const kind = isShort ? 'short' : 'whole';
  const form = { ...FORMS[kind], watches: size ?? FORMS[kind].watches };
  const row = await measured(form);
  const { watches, checks, seconds } = row;
  return {
    notes: [
      `${watches.toLocaleString('en')} watches every 5 minutes, ${checks} checks in ${seconds.toFixed(0)} s, all unchanged, half of them 304`,
    ],
    figures: [...figuresOf(row), ...(await grown(GROWTH[kind]))],
  };
}

function figuresOf(row: Measured): Figure[] {
  const { plain } = row;
  const against = 'plain undici';
  const memory = { unit: 'MB', baseline: plain.peakMb, against };
  return [
    {
      name: 'CPU of an unchanged check',
      value: row.cpuMs,
      unit: 'ms',
      baseline: plain.cpuMs / plain.requests,
      against,
      goal: { atMost: MOST_CPU_MS },
    },
    { name: 'CPU of a first check', value: row.firstCpuMs, unit: 'ms' },
    { name: 'late, p50', value: row.lateP50Ms, unit: 'ms' },
    { name: 'late, p99', value: row.lateP99Ms, unit: 'ms', goal: { atMost: MOST_LATE_MS } },
    { name: 'memory before the first check', value: row.idleMb, ...memory },
    { name: 'memory at work', value: row.rssMb, ...memory, goal: { atMost: MOST_MB } },
    { name: 'memory at most', value: row.peakMb, ...memory },
    { name: 'memory while pages are read', value: row.firstPeakMb, ...memory },
    { name: 'on disk, a check', value: row.bytes, unit: 'bytes', goal: { atMost: MOST_BYTES } },
  ];
}

async function grown({ watches, history }: (typeof GROWTH)['whole']): Promise<Figure[]> {
  const turns = [];
  for (const size of watches) turns.push({ size, value: (await takes(size)).cpuMs });
  const read = [];
  for (const size of history) read.push({ size, ...(await reads(size)) });
  const slow = read.at(-1);
  return [
    ...turns.map((one) => ({ name: 'CPU to take and commit one', unit: 'ms', ...one })),
    { name: 'growth by watches', value: slope(turns), unit: 'exponent' },
    ...read.map(({ size, p50Ms }) => ({ name: 'newest 50 entries, p50', size, value: p50Ms, unit: 'ms' })),
    ...(slow
      ? [
          {
            name: 'newest 50 entries, p99',
            size: slow.size,
            value: slow.p99Ms,
            unit: 'ms',
            goal: { atMost: MOST_READ_MS },
          },
        ]
      : []),
    {
      name: 'growth by history',
      // Of less than 50 there are fewer to read.
      value: slope(read.filter(({ size }) => size >= 50).map(({ size, p50Ms }) => ({ size, value: p50Ms }))),
      unit: 'exponent',
    },
  ];
}

async function measured({ watches: count, settleMs, warmMs, measuredMs }: Form): Promise<Measured> {
  const { child, port } = await startSite(Math.ceil(count / WATCHES_A_HOST));
  const daemon = new RealDaemon(FLAGS);
  try {
    const first = await sow(daemon, count, port, settleMs);
    const bytes = sizeOf(daemon);
    await daemon.start();
    await sleep(settleMs);
    const idle = await figures(daemon);
    await sleep(warmMs);
    const from = await figures(daemon);
    const beginning = performance.now();
    await sleep(measuredMs);
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
      plain: await plain(count, port, measuredMs / 1_000),
    };
  } finally {
    await daemon.dispose();
    child.disconnect();
  }
}

/** A quarter as long to warm up, a third as long as the daemon: each request costs the same. */
function plain(count: number, port: number, seconds: number): Promise<Fetched> {
  const perSecond = count / CADENCE_SECONDS;
  const unmeasured = Math.ceil((perSecond * seconds) / 4);
  const requests = Array.from({ length: unmeasured + Math.ceil((perSecond * seconds) / 3) }, (_, index) => {
    const page = Math.floor(((index * 0.618_033_988_75) % 1) * count);
    const etag = etagOf(page);
    const url = `http://${farmAddress(Math.floor(page / WATCHES_A_HOST))}:${port}/p/${page}`;
    return { url, ...(etag !== undefined && { etag }) };
  });
  return plainFetch({ requests, concurrency: 8, perSecond, unmeasured });
}

function sizeOf(daemon: RealDaemon): number {
  return statSync(join(daemon.dataDir, 'hydrant.db')).size;
}

async function startSite(hosts: number): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(join(import.meta.dirname, 'watch/site.ts'), [String(hosts)]);
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}
