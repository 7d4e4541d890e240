import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '../../../src/daemon/storage/sqlite/schema/database.ts';
import { storesOn } from '../../../src/daemon/storage/sqlite/worker/engine.ts';
import { temporaryDir } from './data-dirs.ts';

/** Read whole: one row for each organization that watches, or one row at all. */
const SHORT = /^SCAN (watch_organizations|counters|sqlite_sequence)$/;
/** Indexes of nothing but what is counted, or handed out in their order. */
const EXACT = /^SCAN (watch_states|hosts) USING (COVERING )?INDEX (watch_states_(due|failing|held)|hosts_\w+)$/;

/** The tags of one watch, which are few. */
const TAGS = /^SCAN json_each\b/;

/**
 * What `status` asks for: the hosts that fail or are slow, found by the index of their class, which are then sorted by when
 * they are tried next. It is not asked on the way of a page or a check.
 */
const UNHEALTHY_HOSTS = /^SELECT name, backoff, backoff_reason AS backoffReason\b/;

/** How SQLite goes about each statement about watches. */
function plans(): { readonly sql: string; readonly steps: readonly string[] }[] {
  const database = openDatabase(join(temporaryDir(), 'hydrant.db'), 0);
  onTestFinished(() => database.close());
  const prepare = vi.spyOn(database, 'prepare');
  storesOn(database);
  const asked = prepare.mock.calls.map(([sql]) => sql).filter((sql) => /\bwatch(es|_\w+)\b/.test(sql));
  prepare.mockRestore();
  return asked.map((sql) => {
    const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    return { sql, steps: rows.map((row) => row.detail) };
  });
}

test('no statement about watches reads a table whole, or sorts what it has read', () => {
  const all = plans();
  expect(all.length).toBeGreaterThan(50);
  const slow = all.flatMap(({ sql, steps }) =>
    steps
      .filter((step) => !(UNHEALTHY_HOSTS.test(sql) && step === 'USE TEMP B-TREE FOR ORDER BY'))
      .filter((step) => /^SCAN|TEMP B-TREE/.test(step) && !SHORT.test(step) && !EXACT.test(step) && !TAGS.test(step))
      .map((step) => [step, sql]),
  );
  expect(slow).toEqual([]);
});
