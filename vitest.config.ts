import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: ['test/seed.ts'],
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/acceptance/**'],
          // A limit against what hangs, not a measure: property tests write to real disks on busy machines.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          // The real bin against real daemons: whole processes, so one file at a time and patient limits.
          name: 'acceptance',
          setupFiles: ['test/seed.ts'],
          include: ['test/acceptance/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
