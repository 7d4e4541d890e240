/** What is wrong with the answer to an input; `check` names the promise that was broken. */
export interface Broken {
  readonly check: string;
  readonly detail: string;
}

/** Hears how long each step of an input took at its first run, in milliseconds of processor time. */
export type Stopwatch = (what: string, ms: number) => void;

export type Attempt<Result> = { readonly result: Result } | Broken;

export function attempt<Result>(check: string, run: () => Attempt<Result>): Attempt<Result> {
  try {
    return run();
  } catch (error) {
    return { check, detail: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/**
 * Runs within a limit of processor time of this thread, so that what else runs on the machine does not count. Slow is
 * what is slow each time: once may be the compiler or the garbage collector.
 */
export function timed<Result>(what: string, limitMs: number, stopwatch: Stopwatch, run: () => Result): Attempt<Result> {
  let least = Infinity;
  for (let round = 0; round < 4; round++) {
    const start = process.threadCpuUsage();
    const result = run();
    const { user, system } = process.threadCpuUsage(start);
    const ms = (user + system) / 1_000;
    if (round === 0) stopwatch(what, ms);
    least = Math.min(least, ms);
    if (least < limitMs) return { result };
  }
  return { check: 'slow', detail: `${what} takes ${Math.round(least)} ms` };
}

export async function attemptLater<Result>(
  check: string,
  run: () => Promise<Attempt<Result>>,
): Promise<Attempt<Result>> {
  try {
    return await run();
  } catch (error) {
    return { check, detail: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** As `timed`, of what waits: its thread has nothing else to do meanwhile. */
export async function timedLater<Result>(
  what: string,
  limitMs: number,
  stopwatch: Stopwatch,
  run: () => Promise<Result>,
): Promise<Attempt<Result>> {
  let least = Infinity;
  for (let round = 0; round < 4; round++) {
    const start = process.threadCpuUsage();
    const result = await run();
    const { user, system } = process.threadCpuUsage(start);
    const ms = (user + system) / 1_000;
    if (round === 0) stopwatch(what, ms);
    least = Math.min(least, ms);
    if (least < limitMs) return { result };
  }
  return { check: 'slow', detail: `${what} takes ${Math.round(least)} ms` };
}
