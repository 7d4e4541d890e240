import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Broken, Stopwatch } from './fuzz-attempt.ts';
import { minimize } from './fuzz-minimize.ts';
import { type Target, TARGETS } from './fuzz-targets.ts';

/**
 * A part of the product against inputs that nobody thought of: the query language against random bytes, mutated vectors
 * and queries made from the grammar; the reading of pages, lists, archives and files against mutated documents. What has
 * to hold is in the checks of each. Input number n of a seed is always the same, whatever the number of threads, so that a
 * failure can be had again: `npm run fuzz -- query 1 SEED --from N`.
 */
export interface FuzzOptions {
  /** A name of `TARGETS`. */
  readonly target: string;
  readonly count: number;
  readonly seed: number;
  /** Number of the first input. */
  readonly from: number;
  /** Go on after a failure, and show one input for each promise that is broken. */
  readonly keepGoing: boolean;
}

interface Share extends FuzzOptions {
  readonly thread: number;
  readonly threads: number;
  /** For each thread, the number of inputs it has begun: how a hang is found. */
  readonly begun: Int32Array;
}

interface Finding extends Broken {
  readonly number: number;
  readonly input: string;
}

/** The longest that any step of an input took at its first run. */
interface Slowest {
  readonly number: number;
  readonly what: string;
  /** Of processor time. */
  readonly ms: number;
  readonly length: number;
}

type Message = { readonly finding: Finding } | { readonly slowest: Slowest };

const HANG_MS = 20_000;
const MINIMISE_MS = 20_000;

/** @returns whether everything held */
export async function fuzz(options: FuzzOptions): Promise<boolean> {
  const { inputOf } = await targetNamed(options.target);
  const threads = Math.min(availableParallelism(), options.count);
  const begun = new Int32Array(new SharedArrayBuffer(4 * threads));
  const started = performance.now();
  const progress = setInterval(() => say(standing(begun, options, started)), 10_000);
  const seen = new Set<string>();
  const report = (finding: Finding): void => {
    if (seen.has(reasonOf(finding))) return;
    seen.add(reasonOf(finding));
    say(`input ${finding.number} of seed ${options.seed} breaks "${finding.check}"`);
    say(`  ${JSON.stringify(finding.input)}\n  ${finding.detail.slice(0, DETAIL_LENGTH)}`);
    if (!options.keepGoing) for (const worker of workers) void worker.terminate();
  };
  let slowest: Slowest | undefined;
  const hear = (message: Message): void => {
    if ('finding' in message) report(message.finding);
    else if (message.slowest.ms > (slowest?.ms ?? 0)) slowest = message.slowest;
  };
  const workers = Array.from({ length: threads }, (_, thread) => start({ ...options, thread, threads, begun }, hear));
  await Promise.all(
    workers.map(async (worker, thread) => {
      const hung = (begunThere: number): void => {
        const number = options.from + thread + (begunThere - 1) * threads;
        const input = inputOf(options.seed, number);
        report({ check: 'slow', detail: `no answer in ${HANG_MS} ms`, number, input });
      };
      await ended(worker, () => begun[thread] ?? 0, hung);
    }),
  );
  clearInterval(progress);
  say(standing(begun, options, started));
  if (slowest) say(speedOf(slowest));
  return seen.size === 0;
}

/** Characters of what is told of a finding: the input itself is told whole. */
const DETAIL_LENGTH = 2_000;

/** Alike failures are one finding. */
function reasonOf({ check, detail }: Broken): string {
  return `${check} ${/^[a-z_]+:? ?[a-z ]*/i.exec(detail)?.[0] ?? ''}`;
}

function start(share: Share, hear: (message: Message) => void): Worker {
  const worker = new Worker(new URL(import.meta.url), { workerData: share });
  worker.on('message', hear);
  return worker;
}

/** The end of a thread, its own or ours when one input keeps it too long. */
async function ended(worker: Worker, begun: () => number, hung: (begun: number) => void): Promise<void> {
  let last = -1;
  const watch = setInterval(() => {
    const now = begun();
    if (now === last) {
      hung(now);
      void worker.terminate();
    }
    last = now;
  }, HANG_MS + MINIMISE_MS);
  await new Promise<void>((resolve, reject) => {
    worker.once('exit', () => resolve());
    worker.once('error', reject);
  });
  clearInterval(watch);
}

function standing(begun: Int32Array, { count, seed }: FuzzOptions, started: number): string {
  const done = begun.reduce((sum, one) => sum + one, 0);
  const seconds = (performance.now() - started) / 1_000;
  const rate = Math.round(done / seconds).toLocaleString('en');
  return `${done.toLocaleString('en')} of ${count.toLocaleString('en')} inputs of seed ${seed}, ${rate} a second`;
}

function speedOf({ number, what, ms, length }: Slowest): string {
  const size = `${length.toLocaleString('en')} characters`;
  return `slowest: ${what} of input ${number}, ${size}, ${ms.toFixed(1)} ms of processor time at the first run`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function work({ target, count, seed, from, keepGoing, thread, threads, begun }: Share): Promise<void> {
  const { inputOf, check } = await targetNamed(target);
  const known = new Set<string>();
  const tell = (message: Message): void => parentPort?.postMessage(message, []);
  let most = 0;
  for (let index = thread; index < count; index += threads) {
    begun[thread] = (begun[thread] ?? 0) + 1;
    const number = from + index;
    const input = inputOf(seed, number);
    const stopwatch: Stopwatch = (what, ms) => {
      if (ms <= most) return;
      most = ms;
      tell({ slowest: { number, what, ms, length: input.length } });
    };
    const broken = await check(input, stopwatch);
    if (!broken || known.has(reasonOf(broken))) continue;
    known.add(reasonOf(broken));
    tell({ finding: await smallest(input, number, broken, check) });
    if (!keepGoing) return;
  }
}

async function targetNamed(name: string): Promise<Target> {
  const load = TARGETS[name];
  if (!load) throw new Error(`There is nothing called ${name} to fuzz.`);
  return load();
}

async function smallest(input: string, number: number, broken: Broken, check: Target['check']): Promise<Finding> {
  const until = performance.now() + MINIMISE_MS;
  const reason = reasonOf(broken);
  const fails = async (text: string): Promise<boolean> => {
    const found = await check(text);
    return found !== undefined && reasonOf(found) === reason;
  };
  const text = await minimize(input, fails, () => performance.now() < until);
  return { ...((await check(text)) ?? broken), number, input: text };
}

if (!isMainThread) await work(workerData as Share);
