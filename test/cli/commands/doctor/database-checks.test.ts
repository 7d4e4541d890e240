import { describe, expect, test } from 'vitest';
import { database } from '../../../../src/cli/commands/doctor/database-checks.ts';
import type { Finding, Patient } from '../../../../src/cli/commands/doctor/finding.ts';
import type { KnownSettings, Upkeep } from '../../../../src/cli/runtime/context.ts';
import type { DatabaseHealth } from '../../../../src/shared/api/database-health.ts';

const replica = { name: 'two', state: 'streaming', sync: 'quorum' };
const sound: DatabaseHealth = {
  place: 'db.example:5432',
  release: 150_018,
  oldestRelease: 150_000,
  version: '15.18',
  schema: 1,
  knownSchema: 1,
  fsync: true,
  synchronousCommit: 'on',
  synchronousStandbys: 'ANY 1 (*)',
  replicas: [replica],
  isRemote: true,
  isEncrypted: true,
  clockAheadMs: -3,
  maxConnections: 97,
  connections: 23,
  connectionsOfNode: 11,
  nodes: 2,
  autovacuum: true,
  archiveMode: 'on',
  hotTables: [{ name: 'hosts', live: 10_000, dead: 1_200, vacuumedAgo: 60 }],
};

async function findings(
  change: Partial<DatabaseHealth> = {},
  store = 'postgres://db.example/hydrant',
): Promise<Finding[]> {
  const upkeep = { databaseHealth: async () => ({ ...sound, ...change }) } as unknown as Upkeep;
  const patient = { settings: { store } as KnownSettings, upkeep } as Patient;
  return [...(await database(patient))];
}

/** What is not in order. */
async function faults(change: Partial<DatabaseHealth>): Promise<string[]> {
  const found = await findings(change);
  return found.filter(({ state }) => state !== 'ok').map(({ name, state, says }) => `${state} ${name}: ${says}`);
}

describe('the database of hydrant doctor', () => {
  test('is not looked at where the data is in a directory', async () => {
    expect(await findings({}, '')).toEqual([]);
  });

  test('in order: each check says what it saw', async () => {
    const found = await findings();
    expect(found.map(({ name, state, says }) => `${state} ${name}: ${says}`)).toEqual([
      'ok database: PostgreSQL 15.18 at db.example:5432, schema 1',
      'ok durability: each commit waits for a replica: two',
      'ok shared clock: 3 ms from that of PostgreSQL',
      'ok connections: 23 of 97 connections in use; a daemon takes up to 11',
      'ok vacuum: 1,200 dead rows in the tables that are written most',
    ]);
  });

  test.each<[Partial<DatabaseHealth>, RegExp]>([
    [{ release: 140_010, version: '14.10' }, /^fail database: PostgreSQL 14\.10 at db\.example:5432 is too old$/],
    [{ schema: 3 }, /^fail database: schema 3 at .*, and this version of hydrant knows 1$/],
    [{ fsync: false }, /^fail durability: fsync is off/],
    [
      { synchronousCommit: 'off' },
      /^fail durability: synchronous_commit is off: .* events along that clients have seen$/,
    ],
    [{ synchronousStandbys: '', replicas: [] }, /^warn durability: nothing waits for a replica \(0 replicas\)/],
    [{ synchronousCommit: 'local' }, /^warn durability: synchronous_commit is local/],
    [{ replicas: [{ ...replica, sync: 'async' }] }, /^fail durability: .* no such replica is connected: commits wait/],
    [{ clockAheadMs: 61_000 }, /^warn shared clock: the clock of PostgreSQL is 1 m ahead of/],
    [{ connections: 90 }, /^warn connections: .* no room for one more beside 2 daemons$/],
    [{ nodes: 9 }, /^warn connections: /],
    [{ autovacuum: false }, /^fail vacuum: autovacuum is off/],
    [
      { hotTables: [{ name: 'events', live: 10, dead: 60_000, vacuumedAgo: null }] },
      /^warn vacuum: .* events \(60,000 dead, 10 living, never vacuumed\)$/,
    ],
  ])('%j', async (change, says) => {
    expect(await faults(change)).toEqual([expect.stringMatching(says)]);
  });

  test('a connection to another machine that is not encrypted is a warning', async () => {
    expect(await faults({ isEncrypted: false })).toEqual([
      expect.stringMatching(/^warn transport: .* is not encrypted/),
    ]);
  });

  test('each fault has a way out', async () => {
    const broken = { fsync: false, isEncrypted: false, clockAheadMs: 1e6, connections: 97, autovacuum: false };
    const found = await findings(broken);
    expect(found.filter(({ state, fix }) => state !== 'ok' && fix === undefined)).toEqual([]);
  });

  test('a loopback needs no TLS, and an empty database is one that the first start fills', async () => {
    expect(await faults({ isRemote: false, isEncrypted: false })).toEqual([]);
    const [first] = await findings({ schema: undefined, hotTables: [] });
    expect(first?.says).toContain('empty: the first start makes its tables');
  });

  test('that cannot be reached is a finding', async () => {
    const databaseHealth = () => Promise.reject(new Error('PostgreSQL cannot be reached: db.example:5432: refused'));
    const patient = { settings: { store: 'postgres://x' }, upkeep: { databaseHealth } } as unknown as Patient;
    expect(await database(patient)).toMatchObject([{ name: 'database', state: 'fail' }]);
  });
});
