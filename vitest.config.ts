import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const programs = { setupFiles: ['test/seed.ts'], testTimeout: 120_000, hookTimeout: 60_000 };

/** What looks at times of arrival, memory and what waits in a socket: with another file beside it, it would measure that. */
const measuring = ['polite', 'stalled-client', 'bad-pages', 'hostile-clients', 'hostile-pdf', 'list'].map(
  (name) => `test/acceptance/${name}.test.ts`,
);

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          // Threads of the daemon run the sources as they are: Node takes the types out of them with a program that each
          // thread compiles, unless what comes of it is kept. In a process with hundreds of threads V8 has died of that
          // (compare nodejs/node#64500); and it is more than half of what a thread costs.
          env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
          setupFiles: ['test/seed.ts'],
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/acceptance/**'],
          // A limit against what hangs, not a measure: property tests write to real disks on busy machines.
          testTimeout: 60_000,
          // Of two processors the default would use one.
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          // The real bin against real daemons: whole processes that mostly wait, so three files at a time on two processors,
          // and patient limits.
          name: 'acceptance',
          ...programs,
          include: ['test/acceptance/**/*.test.ts'],
          exclude: measuring,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'acceptance-alone',
          ...programs,
          include: measuring,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
