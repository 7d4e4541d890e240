import type { Broken, Stopwatch } from './fuzz-attempt.ts';

/** What is fuzzed: where its inputs come from, and what has to hold of each. */
export interface Target {
  /** Input number n of a seed is always the same. */
  readonly inputOf: (seed: number, number: number) => string;
  /** Undefined when everything promised holds. */
  readonly check: (input: string, stopwatch?: Stopwatch) => Broken | undefined | Promise<Broken | undefined>;
}

/** Each has data of its own to load. */
export const TARGETS: Readonly<Record<string, () => Promise<Target>>> = {
  query: async () => ({ ...(await import('./fuzz-query-inputs.ts')), ...(await import('./fuzz-query-checks.ts')) }),
  warc: () => import('./fuzz-warc.ts'),
  feed: async () => {
    const { check, feedOf } = await import('./fuzz-listing.ts');
    return { check, inputOf: feedOf };
  },
  sitemap: async () => {
    const { check, sitemapOf } = await import('./fuzz-listing.ts');
    return { check, inputOf: sitemapOf };
  },
  robots: () => import('./fuzz-robots.ts'),
  stream: () => import('./fuzz-stream.ts'),
  catalog: () => import('./fuzz-catalog.ts'),
  config: () => import('./fuzz-config.ts'),
  watch: () => import('./fuzz-watch.ts'),
  backup: () => import('./fuzz-backup.ts'),
  contexts: () => import('./fuzz-contexts.ts'),
  apply: () => import('./fuzz-apply.ts'),
  database: () => import('./fuzz-database.ts'),
  bomb: () => import('./fuzz-bomb.ts'),
  page: async () => ({ ...(await import('./fuzz-page-inputs.ts')), ...(await import('./fuzz-page-checks.ts')) }),
};
