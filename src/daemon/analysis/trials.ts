import { Worker } from 'node:worker_threads';
import { TRIAL_MS } from '../../shared/limits.ts';
import type { RegisteredRule } from '../../shared/match/rule-index.ts';
import type { Outside } from '../outside.ts';
import type { RecentChange, RecentChanges } from '../storage/recent-changes.ts';
import type { SeenChange, Tried, TriedPart, Whole } from './trial.ts';
import type { TrialRequest, TrialTask } from './trial-thread.ts';

/** Beside this file, in the form this file is in: `.ts` when run from the sources, `.js` when built. */
const entry = new URL(`./trial-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

export interface TrialOrder {
  readonly rule: RegisteredRule;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Goes on before this change, with which a former trial ended. */
  readonly before?: number | undefined;
  /** How many of the newest are wanted whole. */
  readonly whole: Whole;
  /** Whether it ends when it has found all the matches that are wanted whole: who reads on counts nothing. */
  readonly endsWhenWhole?: boolean | undefined;
}

export interface LookOrder {
  /** A page is found under any of these. */
  readonly urls: readonly string[];
  readonly rules: readonly RegisteredRule[];
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly until?: number | undefined;
}

export interface Look {
  /** Undefined: no change of the page is kept, as far as was looked. */
  readonly seen: SeenChange | undefined;
  /** False where the time was up before all were looked at. */
  readonly isComplete: boolean;
}

export interface Trial {
  /** Changes that fit the query, newest first. */
  readonly fitting: readonly Tried[];
  /** Changes that were looked at, and those of them that could not be read. */
  readonly changes: number;
  readonly failed: number;
  /** When the oldest of them was told; undefined where there was none. */
  readonly oldestAt: number | undefined;
  /** False where the time was up before all were looked at. */
  readonly isComplete: boolean;
  /** The change that a further trial goes on before; undefined where there is no older one to look at. */
  readonly next: number | undefined;
}

/**
 * Tries a rule on the changes of the last day, newest first, as far as it comes in `TRIAL_MS`. One trial at a time, in a
 * thread that ends with it: they are asked for by hand, a start costs 0.2 s, and neither the streams nor the analysis of
 * pages wait for one. No more than a portion of changes is in memory.
 */
export class Trials {
  readonly #changes: Pick<RecentChanges, 'recentChanges'>;
  readonly #outside: Pick<Outside, 'now'>;
  readonly #entry: URL;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: { changes: Pick<RecentChanges, 'recentChanges'>; outside: Pick<Outside, 'now'> }, file = entry) {
    this.#changes = deps.changes;
    this.#outside = deps.outside;
    this.#entry = file;
  }

  /** Rejects where the thread dies, or the storage does. */
  try(order: TrialOrder): Promise<Trial> {
    const trial = this.#last.then(() => this.#run(order));
    this.#last = trial.catch(() => undefined);
    return trial;
  }

  /** The newest change of a page, and what rules make of it; in the same queue. Rejects as `try`. */
  look(order: LookOrder): Promise<Look> {
    const look = this.#last.then(() => this.#look(order));
    this.#last = look.catch(() => undefined);
    return look;
  }

  async #run({ rule, since, before, whole, endsWhenWhole = false }: TrialOrder): Promise<Trial> {
    const fitting: Tried[] = [];
    let [changes, failed] = [0, 0];
    let left = whole;
    let oldest: RecentChange | undefined;
    const end = await this.#walk({ kind: 'try', rule }, { since, before }, async (part, worker) => {
      const tried = (await ask(worker, { changes: part, whole: left })) as TriedPart;
      // No spread: a portion may hold more than a call may have arguments.
      for (const one of tried.fitting) fitting.push(one);
      left = without(left, tried.fitting);
      changes += part.length;
      failed += tried.failed;
      oldest = part.at(-1);
      return endsWhenWhole && left.matches <= 0;
    });
    // Of the last portion, those behind the last one that is wanted whole have not been told.
    const last = fitting.findLast((one) => one.withheld === undefined && one.document !== undefined);
    const next = end === 'all' ? undefined : end === 'enough' ? last?.seq : oldest?.seq;
    return { fitting, changes, failed, oldestAt: oldest?.at, isComplete: end !== 'time', next };
  }

  async #look({ urls, rules, since, until }: LookOrder): Promise<Look> {
    let seen: SeenChange | undefined;
    const end = await this.#walk({ kind: 'look', urls, rules }, { since, until }, async (part, worker) => {
      seen = (await ask(worker, { changes: part, whole: NONE })) as SeenChange | undefined;
      return seen !== undefined;
    });
    return { seen, isComplete: end !== 'time' };
  }

  /** Gives portion after portion to a thread, the newest first, until `take` has enough. */
  async #walk(task: TrialTask, span: Span, take: Take): Promise<'all' | 'enough' | 'time'> {
    const worker = new Worker(this.#entry, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
    worker.unref();
    const end = this.#outside.now() + TRIAL_MS;
    const { since, until } = span;
    let { before } = span;
    try {
      while (this.#outside.now() < end) {
        const from = { since, ...(until !== undefined && { until }), ...(before !== undefined && { before }) };
        const part = await this.#changes.recentChanges({ ...from, atMost: PORTION });
        const last = part.at(-1);
        if (!last) return 'all';
        if (await take(part, worker)) return 'enough';
        before = last.seq;
      }
      return 'time';
    } finally {
      await worker.terminate();
    }
  }
}

interface Span {
  readonly since: number;
  readonly until?: number | undefined;
  readonly before?: number | undefined;
}

/** True: enough. */
type Take = (part: readonly RecentChange[], worker: Worker) => Promise<boolean>;

const NONE: Whole = { matches: 0, withheld: 0 };

function without(whole: Whole, fitting: readonly Tried[]): Whole {
  const found = fitting.filter(({ document }) => document !== undefined);
  const withheld = found.filter((one) => one.withheld !== undefined).length;
  return { matches: whole.matches - (found.length - withheld), withheld: whole.withheld - withheld };
}

const HEAP_MB = 512;
/** Some ten milliseconds of work, and as much memory as a few pages. */
const PORTION = { changes: 64, bytes: 1_048_576 };
/** Of a portion. A query cannot run away, but whoever waits for the answer would wait without end. */
const PORTION_MS = 15_000;

function ask(worker: Worker, request: TrialRequest): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const fail = (error: Error): void => reject(new Error('the thread of a trial has died', { cause: error }));
  const exit = (): void => fail(new Error('it ended without an error message'));
  const timer = setTimeout(() => fail(new Error('it took too long')), PORTION_MS);
  worker.once('message', resolve).once('error', fail).once('exit', exit);
  worker.postMessage(request, []);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off('message', resolve).off('error', fail).off('exit', exit);
  });
}
