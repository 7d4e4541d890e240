import type { Benchmark } from './row.ts';

/** All benchmarks, in the order they are run; each is loaded in a process of its own. */
export const ROSTER: Readonly<Record<string, () => Promise<Benchmark>>> = {
  match: async () => (await import('./match.ts')).match,
  page: async () => (await import('./page.ts')).page,
  crawl: async () => (await import('./crawl.ts')).crawl,
  cluster: async () => (await import('./cluster.ts')).cluster,
  frontier: async () => (await import('./frontier.ts')).frontier,
  removal: async () => (await import('./removal.ts')).removal,
  migrate: async () => (await import('./migrate.ts')).migrate,
  storage: async () => (await import('./storage.ts')).storage,
  stream: async () => (await import('./stream.ts')).stream,
  watch: async () => (await import('./watch.ts')).watch,
  idle: async () => (await import('./idle.ts')).idle,
  render: async () => (await import('./render.ts')).render,
  start: async () => (await import('./start.ts')).start,
  tail: async () => (await import('./tail.ts')).tail,
  ui: async () => (await import('./ui.ts')).ui,
};
