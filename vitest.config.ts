import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Threads of the daemon run the sources as they are: Node takes the types out of them with a program that each thread
 * compiles, unless what comes of it is kept. In a process with many threads V8 has died of that, with SIGILL (compare
 * nodejs/node#64500); and it is more than half of what a thread costs.
 */
const compiled = { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') };

/** Limits against what hangs, not measures: three files at a time have two processors, some with a browser or a database each. */
const programs = { setupFiles: ['test/seed.ts'], env: compiled, testTimeout: 300_000, hookTimeout: 120_000 };

/** What looks at times of arrival, memory and what waits in a socket: with another file beside it, it would measure that. */
const measuring = ['polite', 'stalled-client', 'bad-pages', 'hostile-clients', 'hostile-pdf', 'list'].map(
  (name) => `test/acceptance/${name}.test.ts`,
);

/** Longest first: a fresh checkout knows no earlier times, and by size, which is taken then, these came last. */
const longest = [
  'daemon/render/renderer',
  'daemon/storage/postgres/events',
  'daemon/storage/postgres/watches',
  'daemon/storage/postgres/crawl',
  'shared/page/pdf/pdf-unpacking',
  'daemon/storage/sqlite',
  'daemon/storage/postgres/catalog',
  'daemon/storage/migrate/migrate',
  'model/model',
  'daemon/storage/sqlite-crawl',
  'conformance/stream',
  'acceptance/render',
  'acceptance/postgres',
  'acceptance/view/view',
  'acceptance/crash-points',
  'acceptance/news-pace',
  'acceptance/retention',
  'acceptance/render-frameworks',
  'acceptance/dead-hosts',
  'acceptance/tasks',
  'acceptance/forms/forms',
  'acceptance/versions',
  'acceptance/lost-data',
  'acceptance/sink-crash',
  'acceptance/migrate',
  'acceptance/ssh',
  'acceptance/watch-versions',
  'acceptance/rules',
  'acceptance/watch-crash',
  'acceptance/wrong-invocations',
].map((name) => `test/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const group = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = longest.findIndex((file) => moduleId.endsWith(file));
      return index === -1 ? longest.length : index;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => group(one) - group(other) || rank(one) - rank(other));
  }
}

/**
 * Functions, the command line on streams of its own, parts of the daemon on the storage in memory: nothing that one file leaves
 * behind is another's. What starts threads by the hundred, or replaces a module, stands apart.
 */
const parts =
  'accounts admin archive backup composition crawl discovery fetch filters metrics process ratings robots salvage saved stream taps watch';
const plain = [
  'test/{shared,cli}/**/*.test.{ts,tsx}',
  `test/daemon/{${parts.replaceAll(' ', ',')}}/*.test.ts`,
  'test/daemon/http/!(broken-engine).test.ts',
  'test/daemon/pipeline*.test.ts',
];

const units = {
  setupFiles: ['test/seed.ts'],
  globalSetup: ['test/postgres-run.ts'],
  env: compiled,
  // A limit against what hangs, not a measure: property tests write to real disks on busy machines.
  testTimeout: 60_000,
  // The first hook that needs a database starts the cluster of the run.
  hookTimeout: 60_000,
  // Of two processors the default would use one.
  maxWorkers: 2,
  sequence: { groupOrder: 0 },
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          ...units,
          include: plain,
          // A process for each of these files, and all their modules read again, took as long as their tests.
          isolate: false,
        },
      },
      {
        test: {
          name: 'unit-apart',
          ...units,
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/acceptance/**', ...plain],
        },
      },
      {
        test: {
          // The real bin against real daemons: whole processes that mostly wait, so three files at a time on two processors,
          // and patient limits.
          name: 'acceptance',
          ...programs,
          globalSetup: ['test/postgres-run.ts'],
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
