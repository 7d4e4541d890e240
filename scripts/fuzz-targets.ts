import type { Broken, Stopwatch } from './fuzz-attempt.ts';

/** What is fuzzed: where its inputs come from, and what has to hold of each. */
export interface Target {
  /** Input number n of a seed is always the same. */
  readonly inputOf: (seed: number, number: number) => string;
  /** Undefined when everything promised holds. */
  readonly check: (input: string, stopwatch?: Stopwatch) => Broken | undefined;
}

/** Each has data of its own to load. */
export const TARGETS: Readonly<Record<string, () => Promise<Target>>> = {
  query: async () => ({ ...(await import('./fuzz-query-inputs.ts')), ...(await import('./fuzz-query-checks.ts')) }),
  page: async () => ({ ...(await import('./fuzz-page-inputs.ts')), ...(await import('./fuzz-page-checks.ts')) }),
};
