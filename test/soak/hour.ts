import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Figures, figuresOf } from './hour/figures.ts';
import { Load } from './hour/load.ts';
import { quantile, slopeOf } from './slope.ts';
import { RealDaemon } from '../acceptance/real-daemon.ts';

const SAMPLES_EVERY_MS = 10_000;
/** What is compiled is compiled, every page has been visited, the caches are full. */
const WARM_MINUTES = 15;
/** The log of events is full within minutes, so that what is on disk has to stay as it is. */
const FLAGS = Object.entries({
  'allow-private': '127.0.0.0/8',
  'crawl-host-delay': 0,
  'crawl-rate': 50,
  'log-bytes': 64 * 1_024 * 1_024,
  'recent-bytes': 32 * 1_024 * 1_024,
  'log-level': 'warn',
}).flatMap(([name, value]) => [`--${name}`, String(value)]);
const MB = 1_024 * 1_024;
/** Longer than from one visit of all pages to the next. */
const REST_MINUTES = 5;

/** What an hour may show when it is warm: growth in ten minutes, and how late the event loop is, beyond an idle one. */
const LIMITS = { rssMb: 1, fds: 1, handles: 1, lagP99Ms: 20, diskMb: 2 } as const;

interface Sample extends Figures {
  /** Minutes since the load began. */
  readonly at: number;
  /** p99 of a loop that does nothing on the same machine, in milliseconds. */
  readonly idleP99: number;
}

/** The real programs under a moderate load for so many minutes; slopes of what must not grow, each against its limit. */
export async function hour(minutes: number): Promise<string[]> {
  const daemon = await RealDaemon.start(FLAGS);
  const load = await Load.start(daemon);
  const idle = new Worker(join(import.meta.dirname, 'hour/idle-loop.ts'));
  try {
    const samples: Sample[] = [];
    const begin = performance.now();
    const age = (): number => (performance.now() - begin) / 60_000;
    while (age() < minutes) {
      await sleep(SAMPLES_EVERY_MS);
      const sample = { at: age(), idleP99: await idleP99(idle), ...(await figuresOf(daemon)) };
      samples.push(sample);
      if (samples.length % 6 === 0) process.stderr.write(`${lineOf(sample)}\n`);
    }
    const faults = await load.settle();
    const made = `${load.published} pages published, ${load.ruleChanges} rules changed, ${load.openings} streams opened`;
    return [`${minutes} minutes: ${made}`, ...verdicts(samples), ...faults.map((fault) => `FAULT: ${fault}`)];
  } finally {
    await idle.terminate();
    await load.close();
    await daemon.dispose();
  }
}

async function idleP99(idle: Worker): Promise<number> {
  const answer = once(idle, 'message') as Promise<[number]>;
  idle.postMessage('p99', []);
  return (await answer)[0];
}

function lineOf({ at, idleP99: idle, lagP50, lagP99, visits, ...rest }: Sample): string {
  const memory = `rss ${mb(rest.rss)} MB, heap ${mb(rest.heap)}, external ${mb(rest.external)}`;
  const loop = `lag p50 ${lagP50.toFixed(1)} ms, p99 ${lagP99.toFixed(1)}, idle loop ${idle.toFixed(1)}`;
  const work = `${visits} visits, ${rest.checks} checks, ${rest.events} events, ${rest.streams} streams`;
  const held = `${rest.fds} fds, ${rest.handles} handles; disk ${mb(rest.disk)} MB`;
  return `${at.toFixed(1)} min: ${memory}; ${loop}; ${held}; ${work}; cpu ${rest.cpuSeconds.toFixed(0)} s`;
}

/** A line each, with FAULT before those that are beyond their limit. */
function verdicts(samples: readonly Sample[]): string[] {
  const last = samples.at(-1)?.at ?? 0;
  const warm = samples.filter(({ at }) => at >= Math.min(WARM_MINUTES, last / 2));
  const [first, end] = [warm[0], warm.at(-1)];
  if (first === undefined || end === undefined) return ['FAULT: there are no samples'];
  const growth = (of: (sample: Sample) => number): number =>
    10 * slopeOf(warm.map((sample) => ({ at: sample.at, value: of(sample) })));
  const [rss, disk] = [growth((sample) => sample.rss) / MB, growth((sample) => sample.disk) / MB];
  const [fds, handles] = [growth((sample) => sample.fds), growth((sample) => sample.handles)];
  return [
    workOf(first, end),
    judged(`RSS ${mb(first.rss)} to ${mb(end.rss)} MB, ${rss.toFixed(2)} MB in ten minutes`, rss, LIMITS.rssMb),
    atRest(warm),
    `heap ${mb(growth(({ heap }) => heap))} MB, external ${mb(growth(({ external }) => external))} MB in ten minutes`,
    judged(`files ${first.fds} to ${end.fds}, ${fds.toFixed(1)} in ten minutes`, fds, LIMITS.fds),
    judged(`handles ${first.handles} to ${end.handles}, ${handles.toFixed(1)} in ten minutes`, handles, LIMITS.handles),
    judged(`disk ${mb(first.disk)} to ${mb(end.disk)} MB, ${disk.toFixed(2)} MB in ten minutes`, disk, LIMITS.diskMb),
    lagOf(warm),
  ];
}

/**
 * RSS between the visits of the pages, which all fall due at once, each 200 s and a little: which part of a burst the samples meet
 * bends the slope of all. What leaks is there when it is over, too. The last window is cut short, and left out.
 */
function atRest(samples: readonly Sample[]): string {
  const windows = Map.groupBy(samples, ({ at }) => Math.floor(at / REST_MINUTES));
  const whole = [...windows].slice(0, -1);
  const lowest = whole.map(([window, all]) => ({
    at: window * REST_MINUTES,
    value: Math.min(...all.map(({ rss }) => rss)),
  }));
  const [first, end] = [lowest[0], lowest.at(-1)];
  if (first === undefined || end === undefined) return 'too short for what RSS is at rest';
  const growth = ((10 * slopeOf(lowest)) / MB).toFixed(2);
  return `lowest RSS of ${REST_MINUTES} minutes ${mb(first.value)} to ${mb(end.value)} MB, ${growth} MB in ten minutes`;
}

function workOf(first: Sample, end: Sample): string {
  const seconds = (end.at - first.at) * 60;
  const each = (of: (sample: Sample) => number): string => ((of(end) - of(first)) / seconds).toFixed(2);
  const work = `${each(({ visits }) => visits)} visits, ${each(({ checks }) => checks)} checks a second`;
  const cpu = `${((100 * (end.cpuSeconds - first.cpuSeconds)) / seconds).toFixed(0)} % of a processor`;
  return `from minute ${first.at.toFixed(0)} to ${end.at.toFixed(0)}: ${work}, ${cpu}`;
}

/** Both loops are measured by a timer of 10 ms, which is in each of their figures. */
function lagOf(warm: readonly Sample[]): string {
  const middle = (of: (sample: Sample) => number): number => quantile(warm.map(of), 0.5);
  const [p99, idle] = [middle(({ lagP99 }) => lagP99), middle((sample) => sample.idleP99)];
  const worst = Math.max(...warm.map(({ lagP99 }) => lagP99));
  const own = p99 - idle;
  const told = `p50 ${middle(({ lagP50 }) => lagP50).toFixed(1)} ms, p99 ${p99.toFixed(1)} (worst of ${warm.length} samples ${worst.toFixed(1)})`;
  return judged(
    `event loop: ${told}, of an idle loop ${idle.toFixed(1)}: ${own.toFixed(1)} ms later`,
    own,
    LIMITS.lagP99Ms,
  );
}

function judged(text: string, value: number, limit: number): string {
  return `${value < limit ? '' : 'FAULT: '}${text} (limit ${limit})`;
}

function mb(bytes: number): string {
  return (bytes / MB).toFixed(1);
}
