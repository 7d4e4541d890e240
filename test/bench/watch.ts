import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RealDaemon } from '../acceptance/real-daemon.ts';
import { EVERY_MS } from '../fixtures/watches.ts';
import { beside } from './peers/beside.ts';
import { plainFetch } from './peers/plain.ts';
import type { Fetched } from './peers/plain-fetcher.ts';
import { urlwatchIsHere, urlwatchPace } from './peers/urlwatch.ts';
import { processFigures } from './processes.ts';
import type { Asked, Figure, Outcome } from './row.ts';
import { type Pace, paceOf, type Reading } from './site/served.ts';
import type { SiteProcess } from './site/site-process.ts';
import { median, slope } from './statistics.ts';
import { reads, takes } from './watch/growth.ts';
import { etagOf } from './watch/room.ts';
import { type FirstChecks, sow, startSite, urlOf } from './watch/seed.ts';
import { status } from './watch/status.ts';

/**
 * Before the first watch is due: the daemon is up, and what it did to come up is no check. Then until it checks as it
 * will for hours: what is compiled is compiled, and of most hosts a page was asked for, so that their robots.txt is known.
 */
const FORMS = {
  whole: { watches: 10_000, first: 1_000, peers: 1_000, settleMs: 10_000, warmMs: 60_000, measuredMs: 60_000, runs: 3 },
  short: { watches: 1_000, first: 100, peers: 50, settleMs: 1_000, warmMs: 2_000, measuredMs: 5_000, runs: 1 },
};
const GROWTH = {
  whole: { watches: [100, 1_000, 10_000], history: [10, 100, 1_000, 10_000] },
  short: { watches: [10, 100], history: [50, 200] },
};
/** Requests after which what is compiled is compiled, and how many at once: as many as the daemon has for watches. */
const PLAIN_WARM = 500;
const PLAIN_AT_ONCE = 28;
const MOST_CPU_MS = 0.4;
const MOST_OF_URLWATCH = 0.4;
const MOST_LATE_MS = 2_000;
const MOST_MB = 120;
const MOST_FIRST_MB = 250;
const MOST_BYTES = 100;
const MOST_READ_MS = 5;
const FLAGS = ['--allow-private', '127.0.0.0/8', '--crawl-host-delay', '0', '--log-level', 'warn'];

type Form = (typeof FORMS)['whole'];

/**
 * Watches at the 5-minute cadence on loopback hosts, ten a host, half of which answer 304 and half with the same 20 kB,
 * packed. The real daemon and the site are processes of their own. First a thousand are checked for the first time, all at
 * once; then the daemon checks all of them for a minute, each at its time. What counts is processor time; the clock tells
 * about the machine's other work, too. Each run is a new daemon on an empty directory, and beside it the same requests by
 * plain undici, by bare sockets and by urlwatch. `size` is the number of watches.
 */
export async function watch({ isShort, size, runs: asked }: Asked): Promise<Outcome> {
  const kind = isShort ? 'short' : 'whole';
  const form = { ...FORMS[kind], watches: size ?? FORMS[kind].watches };
  const site = await startSite(form.watches);
  try {
    const runs: Run[] = [];
    while (runs.length < (asked ?? form.runs)) runs.push(await measured(site, form));
    const checks = runs.reduce((sum, run) => sum + run.checks, 0);
    return {
      notes: [
        `${form.watches.toLocaleString('en')} watches every 5 minutes, ${checks.toLocaleString('en')} checks, all unchanged, half of them 304`,
        runs.length === 1 ? 'one run' : `medians of ${runs.length} runs`,
        ...(runs[0]?.urlwatch ? [] : ['urlwatch is not installed (`apt install urlwatch`)']),
      ],
      figures: [...figuresOf(runs, form), ...(await grown(GROWTH[kind]))],
    };
  } finally {
    site.close();
  }
}

interface Run {
  readonly first: FirstChecks;
  /** Checks that found nothing new: how many, and milliseconds of the daemon's processor time for one, all threads. */
  readonly checks: number;
  readonly cpuMs: number;
  readonly lateP50Ms: number;
  readonly lateP99Ms: number;
  /** Before the first check, and after the last. */
  readonly idleMb: number;
  readonly rssMb: number;
  readonly peakMb: number;
  /** Of `hydrant.db` when it is closed. */
  readonly bytes: number;
  readonly plain: PlainFetches;
  /** The same pages by urlwatch, as fast as it can. */
  readonly urlwatch: Pace | undefined;
}

/** The same requests, as many a second, by programs that do nothing else: evenly, and a second's together. */
interface PlainFetches {
  readonly undici: Fetched;
  readonly undiciTogether: Fetched;
  readonly socket: Fetched;
  readonly socketTogether: Fetched;
}

async function measured(site: SiteProcess<number>, form: Form): Promise<Run> {
  const { watches: count, first: atOnce, settleMs, warmMs, measuredMs } = form;
  const checksIn = (ms: number): number => Math.ceil((ms * count) / EVERY_MS);
  const daemon = new RealDaemon(FLAGS);
  try {
    const first = await sow(daemon, site, {
      count,
      first: Math.min(atOnce, count),
      beginMs: settleMs,
      everyMs: EVERY_MS,
    });
    const bytes = sizeOf(daemon);
    await daemon.start();
    const before = await status(daemon);
    const marks = [{ pages: checksIn(warmMs) }, { pages: checksIn(warmMs + measuredMs) }];
    const reached = site.readings(daemon.pid, marks);
    await sleep(settleMs - 500);
    const { rssMb: idleMb } = processFigures(daemon.pid);
    const [from, to] = (await reached) as [Reading, Reading];
    const { late_ms: late, checks } = await status(daemon);
    await daemon.stop();
    return {
      first,
      checks: to.pages - from.pages,
      cpuMs: paceOf(from, to).cpu,
      lateP50Ms: late.p50 ?? Number.NaN,
      lateP99Ms: late.p99 ?? Number.NaN,
      idleMb,
      rssMb: to.rssMb,
      peakMb: to.peakMb,
      bytes: (sizeOf(daemon) - bytes) / (checks - before.checks),
      plain: await plain(count, site.ready, measuredMs / 3_000),
      urlwatch: await urlwatch(site, Math.min(count, form.peers)),
    };
  } finally {
    await daemon.dispose();
  }
}

/** A third as long as the daemon: each request costs the same. */
async function plain(count: number, port: number, seconds: number): Promise<PlainFetches> {
  const perSecond = (count * 1_000) / EVERY_MS;
  const requests = Array.from({ length: PLAIN_WARM + Math.ceil(perSecond * seconds) }, (_, index) => {
    const page = Math.floor(((index * 0.618_033_988_75) % 1) * count);
    const etag = etagOf(page);
    return { url: urlOf(page, port), ...(etag !== undefined && { etag }) };
  });
  const asked = { requests, concurrency: PLAIN_AT_ONCE, perSecond, unmeasured: PLAIN_WARM };
  return {
    undici: await plainFetch({ over: 'undici', ...asked }),
    undiciTogether: await plainFetch({ over: 'undici', togetherMs: 1_000, ...asked }),
    socket: await plainFetch({ over: 'socket', ...asked }),
    socketTogether: await plainFetch({ over: 'socket', togetherMs: 1_000, ...asked }),
  };
}

async function urlwatch(site: SiteProcess<number>, count: number): Promise<Pace | undefined> {
  if (!urlwatchIsHere()) return undefined;
  const urls = Array.from({ length: count }, (_, page) => urlOf(page, site.ready));
  return urlwatchPace(site, urls, [{ pages: Math.ceil(count / 5) }, { pages: count }]);
}

function sizeOf(daemon: RealDaemon): number {
  return statSync(join(daemon.dataDir, 'hydrant.db')).size;
}

function figuresOf(runs: readonly Run[], { watches, first }: Form): Figure[] {
  const of = (value: (run: Run) => number): number => median(runs.map((run) => value(run)));
  const least = (value: (run: Run) => number): number => Math.min(...runs.map((run) => value(run)));
  const plainMs = (which: keyof PlainFetches) => (run: Run) => run.plain[which].cpuMs / run.plain[which].requests;
  const memory = { unit: 'MB', baseline: of((run) => run.plain.undici.peakMb), against: 'plain undici' };
  return [
    {
      name: 'CPU of an unchanged check',
      value: of(({ cpuMs }) => cpuMs),
      unit: 'ms',
      ...beside(
        'urlwatch',
        runs.map((run) => run.urlwatch?.cpu),
      ),
      goal: { atMost: MOST_CPU_MS },
    },
    {
      name: 'CPU of an unchanged check, least',
      value: least(({ cpuMs }) => cpuMs),
      unit: 'ms',
      baseline: least(plainMs('undiciTogether')),
      against: 'plain undici, a second’s together',
    },
    ...(
      [
        ['CPU of a bare request, evenly', 'socket', 'undici'],
        ['CPU of a bare request, a second’s together', 'socketTogether', 'undiciTogether'],
      ] as const
    ).map(([name, socket, undici]) => ({
      name,
      value: of(plainMs(socket)),
      unit: 'ms',
      baseline: of(plainMs(undici)),
      against: 'plain undici',
    })),
    ...(runs.some((run) => run.urlwatch === undefined)
      ? []
      : [
          {
            name: 'CPU of an unchanged check, of urlwatch',
            value: of((run) => run.cpuMs / (run.urlwatch?.cpu ?? Number.NaN)),
            unit: '',
            goal: { atMost: MOST_OF_URLWATCH },
          },
        ]),
    { name: 'CPU of a first check', value: of((run) => run.first.cpuMs), unit: 'ms' },
    { name: 'late, p50', value: of(({ lateP50Ms }) => lateP50Ms), unit: 'ms' },
    { name: 'late, p99', value: of(({ lateP99Ms }) => lateP99Ms), unit: 'ms', goal: { atMost: MOST_LATE_MS } },
    { name: 'memory before the first check', value: of(({ idleMb }) => idleMb), ...memory },
    { name: 'memory at work', value: of(({ rssMb }) => rssMb), ...memory, goal: { atMost: MOST_MB } },
    { name: 'memory at most', value: of(({ peakMb }) => peakMb), ...memory },
    {
      name: 'memory at most, first checks at once',
      size: Math.min(first, watches),
      value: of((run) => run.first.peakMb),
      ...memory,
      goal: { atMost: MOST_FIRST_MB },
    },
    { name: 'on disk, a check', value: of(({ bytes }) => bytes), unit: 'bytes', goal: { atMost: MOST_BYTES } },
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
