import { Worker } from 'node:worker_threads';
import { TRIAL_MS } from '../../shared/limits.ts';
import type { RegisteredRule } from '../../shared/match/rule-index.ts';
import type { Outside } from '../outside.ts';
import type { RecentChange, RecentChanges } from '../storage/recent-changes.ts';
import type { Tried, TriedPart } from './trial.ts';
import type { TrialRequest } from './trial-thread.ts';

/** Beside this file, in the form this file is in: `.ts` when run from the sources, `.js` when built. */
const entry = new URL(`./trial-thread${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

export interface TrialOrder {
  readonly rule: RegisteredRule;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** How many of the newest matches are wanted whole. */
  readonly documents: number;
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

  async #run({ rule, since, documents }: TrialOrder): Promise<Trial> {
    const worker = new Worker(this.#entry, { workerData: rule, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } });
    worker.unref();
    const fitting: Tried[] = [];
    let [changes, failed, whole, isComplete] = [0, 0, 0, false];
    let oldest: RecentChange | undefined;
    const end = this.#outside.now() + TRIAL_MS;
    try {
      while (this.#outside.now() < end) {
        const before = oldest && { before: oldest.seq };
        const part = await this.#changes.recentChanges({ since, ...before, atMost: PORTION });
        const last = part.at(-1);
        isComplete = last === undefined;
        if (!last) break;
        const tried = await ask(worker, { changes: part, documents: documents - whole });
        // No spread: a portion may hold more than a call may have arguments.
        for (const one of tried.fitting) fitting.push(one);
        whole += tried.fitting.filter(({ document }) => document !== undefined).length;
        changes += part.length;
        failed += tried.failed;
        oldest = last;
      }
    } finally {
      await worker.terminate();
    }
    return { fitting, changes, failed, oldestAt: oldest?.at, isComplete };
  }
}

const HEAP_MB = 512;
/** Some ten milliseconds of work, and as much memory as a few pages. */
const PORTION = { changes: 64, bytes: 1_048_576 };
/** Of a portion. A query cannot run away, but whoever waits for the answer would wait without end. */
const PORTION_MS = 15_000;

function ask(worker: Worker, request: TrialRequest): Promise<TriedPart> {
  const { promise, resolve, reject } = Promise.withResolvers<TriedPart>();
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
