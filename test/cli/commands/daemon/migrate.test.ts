import { describe, expect, test } from 'vitest';
import type { KnownSettings, Upkeep } from '../../../../src/cli/runtime/context.ts';
import type { MigrateReport } from '../../../../src/shared/api/backup.ts';
import { type Ran, run } from '../../harness.ts';

const report: MigrateReport = {
  direction: 'to',
  data_dir: '/old',
  database: 'PostgreSQL at db.example, database hydrant',
  partition: 0,
  offsets: 1_200,
  tables: [
    { name: 'taps', rows: 3, checksum: '00000000000000aa' },
    { name: 'events', rows: 1_100, checksum: '00000000000000bb' },
  ],
};
type Plan = Parameters<Upkeep['migrate']>[0];

function migrate(
  words: readonly string[],
  make: (plan: Plan) => Promise<MigrateReport>,
  { store = '', columns }: { readonly store?: string; readonly columns?: number } = {},
): Promise<Ran> {
  const settingsOf = async (flags: Readonly<Record<string, unknown>>) => ({ store, ...flags }) as KnownSettings;
  return run(['migrate', ...words, '--data-dir', '/old'], {
    upkeep: async () => ({ settingsOf, migrate: make }) as unknown as Upkeep,
    ...(columns !== undefined && { columns, env: { NO_COLOR: '1' } }),
  });
}

describe('hydrant migrate', () => {
  test('shows each table, and says that both sides are equal and what to do next', async () => {
    const shown = await migrate(['--to', 'postgres://db.example/hydrant'], async () => report, { columns: 200 });
    expect(shown.code).toBe(0);
    expect(shown.stdout.split('\n').map((line) => line.trimEnd())).toEqual([
      'TABLE    ROWS  CHECKSUM',
      'taps        3  00000000000000aa',
      'events  1,100  00000000000000bb',
      '',
    ]);
    expect(shown.stderr).toContain(
      '/old moved to PostgreSQL at db.example, database hydrant: 1,103 rows in 2 tables, with equal counts and checksums on both sides',
    );
    expect(shown.stderr).toContain('ids of events go on in partition 0 after 1,200 offsets');
    expect(shown.stderr).toContain('each further daemon of the database needs the file secret of /old');
  });

  test('--from says that the database is not to be used again; --json is one object, --quiet where the data is', async () => {
    const from: MigrateReport = { ...report, direction: 'from' };
    const { stderr } = await migrate(['--from', 'postgres://db.example/hydrant'], async () => from);
    expect(stderr).toContain('start no daemon on PostgreSQL at db.example, database hydrant again');
    expect(stderr).toContain('next: hydrant doctor --data-dir /old && hydrant serve --data-dir /old');
    const { stdout } = await migrate(['--from', 'postgres://x', '--json'], async () => from);
    expect(JSON.parse(stdout)).toEqual(from);
    expect((await migrate(['--from', 'postgres://x', '--quiet'], async () => from)).stdout).toBe('/old\n');
  });

  test('takes the address that was typed, or that of the settings', async () => {
    const seen: Pick<Plan, 'direction' | 'url'>[] = [];
    const note = async ({ direction, url }: Plan): Promise<MigrateReport> => {
      seen.push({ direction, url });
      return report;
    };
    await migrate(['--to'], note, { store: 'postgres://by-setting/hydrant' });
    await migrate(['--from', 'postgres://typed/hydrant'], note, { store: 'postgres://by-setting/hydrant' });
    expect(seen).toEqual([
      { direction: 'to', url: 'postgres://by-setting/hydrant' },
      { direction: 'from', url: 'postgres://typed/hydrant' },
    ]);
  });

  test.each([
    [[], 'neither --to nor --from is given'],
    [['--to'], 'there is no address of a database'],
    [['--to', 'postgres://a', '--from', 'postgres://b'], 'cannot be used with'],
  ])('%j is refused', async (words, says) => {
    const { code, stderr } = await migrate(words, () => Promise.reject(new Error('not expected')));
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  });

  test('what stops it is told in one line', async () => {
    const failure = Object.assign(new Error('daemons are at work on it'), {
      name: 'StartFailure',
      kind: 'environment',
    });
    const { code, stderr } = await migrate(['--to', 'postgres://x'], () => Promise.reject(failure));
    expect([code, stderr]).toEqual([1, expect.stringContaining('error: daemons are at work on it')]);
  });
});
