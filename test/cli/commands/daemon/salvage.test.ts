import path from 'node:path';
import { expect, test } from 'vitest';
import type { Upkeep } from '../../../../src/cli/runtime/context.ts';
import type { SalvageReport } from '../../../../src/shared/api/backup.ts';
import { type Ran, run } from '../../harness.ts';

const report: SalvageReport = {
  catalog: '/old/catalog.json',
  renewed_taps: [],
  schema: 12,
  journal_cut: false,
  tables: [
    { name: 'events', saved: 1_200, dropped: 0, broken: 1, pages: 2 },
    { name: 'taps', saved: 3, dropped: 0, broken: 0, pages: 0 },
  ],
};

function salvage(words: readonly string[], make: Upkeep['salvage'], columns?: number): Promise<Ran> {
  const refuse = (): never => {
    throw new Error('not expected');
  };
  const upkeep = {
    backUp: refuse,
    restore: refuse,
    checkStore: refuse,
    settingsOf: refuse,
    rendererOf: refuse,
    salvage: make,
    migrate: refuse,
    inPostgres: async () => undefined,
    databaseHealth: refuse,
    leftBehind: async () => undefined,
  };
  return run(['salvage', ...words, '--data-dir', '/old'], {
    upkeep: async () => upkeep,
    ...(columns !== undefined && { columns, env: { NO_COLOR: '1' } }),
  });
}

test('hydrant salvage tells what is saved and lost of each table, and what to do next', async () => {
  const shown = await salvage(['/new'], async () => report, 80);
  expect(shown.code).toBe(0);
  expect(shown.stdout.split('\n').map((line) => line.trimEnd())).toEqual([
    'TABLE   SAVED  BROKEN  LOST PAGES',
    'events  1,200       1           2',
    'taps        3',
    '',
  ]);
  expect(shown.stderr).toContain(
    '/new made of /old: 1,203 rows saved; lost: 1 row, and the contents of 2 pages of\n8 KiB',
  );
  expect(shown.stderr).toContain('next: hydrant doctor --data-dir /new && hydrant serve --data-dir /new');
  expect((await salvage(['/new'], async () => report)).stdout).toBe('events\t1200\t1\t0\t2\ntaps\t3\t0\t0\t0\n');
});

test('hydrant salvage --json is one object, and --quiet the directory', async () => {
  const { stdout } = await salvage(['new', '--json'], async () => report);
  expect(JSON.parse(stdout)).toEqual({ data_dir: path.resolve('new'), from: '/old', ...report });
  expect((await salvage(['/new', '--quiet'], async () => report)).stdout).toBe('/new\n');
});

test('what one has to know of the result is said: an older catalog, new tokens, a journal that is cut, nothing that is missing', async () => {
  const seen: (string | undefined)[] = [];
  const { stderr } = await salvage(['/new', '--catalog', '/kept/catalog.json'], async ({ catalog }) => {
    seen.push(catalog);
    return { ...report, catalog: '/kept/catalog.json', renewed_taps: ['my news'], journal_cut: true, tables: [] };
  });
  expect(seen).toEqual(['/kept/catalog.json']);
  expect(stderr).toContain('come from /kept/catalog.json: later changes are not in it');
  expect(stderr).toContain("the token of my news is lost, and it has a new one: hydrant tap token 'my news'");
  expect(stderr).toContain('is damaged before its end: the last writes may be missing');
  expect(stderr).toContain('no row could be read');
  expect(stderr).toContain('0 rows saved, no known losses');
});

test('what stops it is told in one line', async () => {
  const failure = Object.assign(new Error('another hydrantd is using /old'), {
    name: 'StartFailure',
    kind: 'environment',
  });
  const { code, stderr } = await salvage(['/new'], () => Promise.reject(failure));
  expect([code, stderr]).toEqual([1, expect.stringContaining('error: another hydrantd is using /old')]);
});
