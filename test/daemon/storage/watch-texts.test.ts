import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/daemon/storage/sqlite/schema/database.ts';
import { directPorts } from './direct-ports.ts';
import { monthOf } from '../../../src/daemon/storage/ledger.ts';
import { addWatch, baselineCheckOf, changedCheckOf, EVERY_MS } from '../../fixtures/watches.ts';
import { temporaryDir } from './data-dirs.ts';
import { watchHistory, type WatchPorts } from './watch-histories.ts';

/** What no row of another table has to do with, and what counts something else than there is; nothing of it may be there. */
const FLAWS = {
  textsOfNoVersion: `SELECT hex(hash) FROM watch_texts WHERE key NOT IN (SELECT text FROM watch_versions)`,
  versionsOfNoText: `SELECT watch, n FROM watch_versions WHERE text NOT IN (SELECT key FROM watch_texts)`,
  textCounts: `SELECT 1 FROM counters WHERE watch_texts <> (SELECT count(*) FROM watch_texts)
    OR watch_text_bytes <> (SELECT coalesce(sum(length(packed)), 0) FROM watch_texts)`,
  failureCounts: `SELECT failure.key, failure.refs FROM watch_failures AS failure WHERE refs <>
    (SELECT count(*) FROM watch_checks WHERE code % 4 = 3 AND more = failure.key)`,
  failuresOfNoWords: `SELECT watch, n FROM watch_checks
    WHERE code % 4 = 3 AND (more IS NULL OR more NOT IN (SELECT key FROM watch_failures))`,
  // The version that stood at the oldest entry is there as long as that is, and none before it.
  versionsTooOld: `SELECT watch, n FROM watch_versions AS version WHERE EXISTS (SELECT 1 FROM watch_versions AS next
    WHERE next.watch = version.watch AND next.n > version.n
      AND next.n <= (SELECT min(n) FROM watch_checks WHERE watch = version.watch))`,
  changesOfNoEntry: `SELECT watch, n FROM watch_changes AS change WHERE NOT EXISTS
    (SELECT 1 FROM watch_checks AS entry WHERE entry.watch = change.watch AND entry.n = change.n AND code % 4 = 2)`,
  changesWithoutDiff: `SELECT watch, n FROM watch_checks AS entry WHERE code % 4 = 2 AND NOT EXISTS
    (SELECT 1 FROM watch_changes AS change WHERE change.watch = entry.watch AND change.n = entry.n)`,
  ofNoWatch: ['checks', 'changes', 'versions', 'baselines', 'explanations', 'states']
    .map((table) => `SELECT '${table}', watch FROM watch_${table}`)
    .map((rows) => `${rows} WHERE watch NOT IN (SELECT key FROM watches WHERE id IS NOT NULL)`)
    .join(' UNION ALL '),
  forgotten: `SELECT key FROM watches WHERE id IS NULL`,
  watchesOfHosts: `SELECT key FROM hosts WHERE watches <> (SELECT count(*) FROM watch_states WHERE host = hosts.key)`,
  watchesOfOrganizations: `SELECT id FROM watch_organizations AS one WHERE todo <> 0
    OR watches <> (SELECT count(*) FROM watches WHERE organization = one.id)`,
  readyHosts: `SELECT key FROM hosts WHERE watch_ready IS NOT
    (SELECT max(min(due), hosts.not_before) FROM watch_states WHERE host = hosts.key AND parked = 0)`,
};

/** A look for flaws; the queries are read once. */
function inspector(database: DatabaseSync): () => Record<string, unknown[]> {
  const queries = Object.entries(FLAWS).map(([name, query]) => [name, database.prepare(query)] as const);
  return () => {
    const found = queries.map(([name, query]) => [name, query.all()] as const);
    return Object.fromEntries(found.filter(([, rows]) => rows.length > 0));
  };
}

function openFast(): DatabaseSync {
  const database = openDatabase(join(temporaryDir(), 'hydrant.db'), 0);
  // What a power cut would do is not the question here, and hundreds of histories are many commits.
  database.exec('PRAGMA synchronous = OFF');
  return database;
}

/** Every row of every table. */
function contents(database: DatabaseSync): Record<string, unknown[]> {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[];
  return Object.fromEntries(tables.map(({ name }) => [name, database.prepare(`SELECT * FROM ${name}`).all()]));
}

const [A, B] = [['one', 'two'], ['three']] as const;

describe('what checks leave on the disk', () => {
  test('is exactly what its watches refer to, after any history of checks, trims and removals', async () => {
    await fc.assert(
      fc.asyncProperty(watchHistory, async (commands) => {
        const database = openFast();
        const flaws = inspector(database);
        const ports: WatchPorts = { ...directPorts(database), ids: [] };
        for (const [name, run] of commands) {
          await run(ports);
          expect([name, flaws()]).toEqual([name, {}]);
        }
        for (const organizationId of ['o1', 'o2']) await ports.watches.removeWatchesOf({ organizationId });
        expect(flaws()).toEqual({});
        expect(await ports.watches.watchTotals(0)).toMatchObject({ watches: 0, texts: 0, textBytes: 0 });
        expect(database.prepare('SELECT * FROM watch_failures').all()).toEqual([]);
        database.close();
      }),
      { numRuns: 30 },
    );
  }, 60_000);

  test.each([
    ['INSERT', 'watch_checks'],
    ['INSERT', 'watch_texts'],
    ['INSERT', 'watch_versions'],
    ['INSERT', 'watch_changes'],
    ['INSERT', 'watch_baselines'],
    ['INSERT', 'watch_explanations'],
    ['UPDATE', 'watch_states'],
    ['UPDATE', 'hosts'],
    ['UPDATE', 'counters'],
    ['DELETE', 'watch_checks'],
    ['DELETE', 'watch_versions'],
    ['UPDATE', 'checks'],
  ])(
    'is nothing of a check that fails at %s %s, and the check is entered once when it is repeated',
    async (on, table) => {
      const database = openFast();
      const { ledger, watches } = directPorts(database);
      await addWatch(watches, 'w');
      await watches.commitCheck(baselineCheckOf('w', A));
      await watches.takeWatches({ now: EVERY_MS * 2, atMost: 1, leaseMs: 1, except: [] });
      await watches.changeWatch('w', { due: 7 });
      const change = { at: EVERY_MS * 2, keep: 1, explanation: '{}', month: monthOf(1_000), title: 'Three' };
      const check = changedCheckOf('w', A, B, change);
      const before = contents(database);
      database.exec(
        `CREATE TEMP TRIGGER broken BEFORE ${on} ON ${table} BEGIN SELECT RAISE(ABORT, 'broken here'); END`,
      );
      await expect(watches.commitCheck(check)).rejects.toThrow('broken here');
      expect(contents(database)).toEqual(before);
      database.exec('DROP TRIGGER broken');
      expect(await watches.commitCheck(check)).toEqual({ n: 2, checksThisMonth: 2, change: 1 });
      expect(await ledger.checks('org', check.month)).toBe(2);
      expect(await watches.watch('w')).toMatchObject({ due: 7 });
      expect(inspector(database)()).toEqual({});
      database.close();
    },
  );
});
