import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { outside } from '../../../../src/daemon/outside.ts';
import { tableMaps } from '../../../../src/daemon/storage/migrate/copy.ts';
import { moveFromPostgres } from '../../../../src/daemon/storage/migrate/from-postgres.ts';
import { isMadeFor, readingOf, tableIn } from '../../../../src/daemon/storage/migrate/table-map.ts';
import { moveToPostgres } from '../../../../src/daemon/storage/migrate/to-postgres.ts';
import { Database } from '../../../../src/daemon/storage/postgres/connection/database.ts';
import { migrate } from '../../../../src/daemon/storage/postgres/schema/migrations.ts';
import { DataDirLock } from '../../../../src/daemon/storage/sqlite/files/data-dir.ts';
import { openSqlite } from '../../../../src/daemon/storage/sqlite/sqlite-storage.ts';
import { fillEveryTable } from '../../../fixtures/every-table.ts';
import { append } from '../../../fixtures/visits.ts';
import { dropDatabase, emptyDatabase, hasPostgres, WITHOUT_POSTGRES } from '../../../postgres-cluster.ts';
import { openIn, temporaryDir } from '../data-dirs.ts';
import { openNode } from '../postgres/open-node.ts';
import { answersOf } from './answers.ts';

type Row = Record<string, unknown>;

/** Numbers that a move gives anew, and that nothing but rows of the same file refers to. */
const RENUMBERED = new Set(['events.seq', 'watch_checks.more', 'watch_failures.key']);

/** All tables, row for row, but for those numbers: what they stand for is beside them. */
function contentsOf(dataDir: string): Record<string, string[]> {
  const database = new DatabaseSync(join(dataDir, 'hydrant.db'), { readOnly: true });
  const all = (sql: string): Row[] => database.prepare(sql).all();
  const names = all(`SELECT name FROM sqlite_schema WHERE type = 'table'`).map(({ name }) => String(name));
  const contents: Record<string, string[]> = {};
  for (const name of names) {
    contents[name] = all(`SELECT * FROM ${name}`)
      .map((row) => textOf(name, row))
      .toSorted();
  }
  contents['failures of checks'] = all(
    `SELECT watch, n, watch_checks.more IS NULL AS none, iif(code % 4 = 3, NULL, more) AS more, reason, detail
     FROM watch_checks LEFT JOIN watch_failures ON code % 4 = 3 AND key = more`,
  )
    .map((row) => textOf('', row))
    .toSorted();
  contents['order of events'] = all('SELECT tap, offset FROM events ORDER BY at, seq').map((row) => textOf('', row));
  database.close();
  return contents;
}

function textOf(table: string, row: Row): string {
  const known = Object.entries(row).filter(([column]) => !RENUMBERED.has(`${table}.${column}`));
  return JSON.stringify(known, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );
}

describe.skipIf(!hasPostgres)(
  `a store that moves to PostgreSQL and back${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`,
  () => {
    let original: string;
    let dataDir: string;
    let url: string;
    const nothing = async (): Promise<void> => undefined;
    const there = (onStep = nothing, more = {}) => moveToPostgres({ dataDir, url, outside, onStep, ...more });
    const back = (into = dataDir, onStep = nothing) => moveFromPostgres({ dataDir: into, url, outside, onStep });

    /** Throws when it hears of this, as a Ctrl-C does. */
    const stopAt = (what: string) => async (step?: string) => {
      if (step === what) throw new Error('stopped');
    };
    /** One that has the nodes' secret and no data. */
    const emptyDir = (): string => {
      const path = join(temporaryDir(), 'empty');
      mkdirSync(path, { mode: 0o700 });
      cpSync(join(original, 'secret'), join(path, 'secret'));
      return path;
    };
    async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
      const database = new Database({ url, connections: 1 });
      try {
        return await work(database);
      } finally {
        await database.close();
      }
    }
    const asked = <T extends object>(sql: string): Promise<T[]> => withDatabase((database) => database.query<T>(sql));

    beforeAll(async () => {
      original = mkdtempSync(join(tmpdir(), 'hydrant-migrate-'));
      const storage = await openSqlite({ dataDir: original, outside, groupCommitMs: 0 });
      await fillEveryTable(storage);
      await storage.close();
      writeFileSync(join(original, 'secret'), new Uint8Array(32), { mode: 0o600 });
    });
    afterAll(() => rmSync(original, { recursive: true, force: true }));
    beforeEach(async () => {
      dataDir = temporaryDir();
      cpSync(original, dataDir, { recursive: true });
      url = await emptyDatabase();
      return () => dropDatabase(url);
    });

    test('has every row again, and every key and number that was given', async () => {
      const before = contentsOf(dataDir);
      const empty = Object.keys(before).filter((name) => before[name]?.length === 0);
      // Only pages that a full source has let go are in it.
      expect(empty.filter((name) => name !== 'retired')).toEqual([]);
      const moved = await there();
      const rowsOf = (name: string): number | undefined => moved.tables.find((table) => table.name === name)?.rows;
      expect([rowsOf('pages'), rowsOf('watch_checks')]).toEqual([
        before['pages']?.length,
        before['watch_checks']?.length,
      ]);
      const [heads] = await asked<{ offsets: number }>('SELECT sum(head) AS offsets FROM taps');
      expect(moved.offsets).toBe(heads?.offsets);
      const returned = await back();
      expect(contentsOf(dataDir)).toEqual(before);
      expect(readFileSync(join(dataDir, 'catalog.json'), 'utf8')).toBe(
        readFileSync(join(original, 'catalog.json'), 'utf8'),
      );
      expect([returned.partition, returned.offsets]).toEqual([moved.partition, moved.offsets]);
    });

    test('answers the same to all ports on either side, and goes on with the next offset', async () => {
      const first = await openIn(dataDir);
      const before = await answersOf(first);
      await first.close();
      await there();
      const node = await openNode(url);
      expect(await answersOf(node)).toEqual(before);
      const [event] = await append(node, 9e12, 't1');
      expect(event?.offset).toBe(before.bounds['t1']?.head);
      const moved = await answersOf(node);
      await node.close();
      await back();
      const last = await openIn(dataDir);
      expect(await answersOf(last)).toEqual(moved);
      const [next] = await append(last, 9e12, 't1');
      expect(next?.offset).toBe((event?.offset ?? 0) + 1);
    });

    test('leaves out no column of either database', async () => {
      await there();
      const inPostgres = await asked<{ table: string; column: string }>(
        `SELECT table_name AS table, column_name AS column FROM information_schema.columns WHERE table_schema = 'public'`,
      );
      const database = new DatabaseSync(join(dataDir, 'hydrant.db'), { readOnly: true });
      const inSqlite = database
        .prepare(
          `SELECT tables.name AS "table", columns.name AS "column" FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
         WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'`,
        )
        .all() as { table: string; column: string }[];
      database.close();
      const missing = (
        engine: 'postgres' | 'sqlite',
        columns: readonly { table: string; column: string }[],
      ): string[] => {
        const made = tableMaps.filter((map) => isMadeFor(map, engine));
        const known = new Set(
          made.flatMap((map) => readingOf(map, engine).columns.map((column) => `${tableIn(map, engine)}.${column}`)),
        );
        return columns.map(({ table, column }) => `${table}.${column}`).filter((name) => !known.has(name));
      };
      // Given by SQLite as they come, in the order of the log.
      expect(missing('sqlite', inSqlite)).toEqual(['events.seq']);
      const own =
        /^(?:catalog|catalog_log|catalog_state|address_places|instance|node_work|nodes|problem_log|request_counts|schema_version|watch_cursors)\./;
      expect(
        missing('postgres', inPostgres)
          .filter((name) => !own.test(name))
          .toSorted(),
      ).toEqual([
        'crawl_counters.last_group',
        'domains.idle_since',
        ...['contest', 'owner', 'since', 'token', 'until'].map((part) => `hosts.lease_${part}`),
        'hosts.watch_due',
        'rating_lists.touched_at',
        'source_counts.apart',
        'sources.version',
        'taps.dropped_at',
        'watch_states.asked_due',
        'watch_states.is_superseded',
      ]);
    });

    test('is refused where a daemon has the directory, or the database', async () => {
      const lock = DataDirLock.take(dataDir);
      await expect(there()).rejects.toThrow(/another hydrantd is using/);
      lock.release();
      await there();
      await asked(
        `INSERT INTO nodes (id, epoch, seen_at, catalog_version) VALUES ('crawl-1:/srv', 1, clock_timestamp(), 1)`,
      );
      await expect(back(emptyDir())).rejects.toThrow(
        /daemons are at work on .*: crawl-1:\/srv \(seen \d s ago\); stop it; one/,
      );
      await asked(`UPDATE nodes SET seen_at = clock_timestamp() - interval '11 seconds'`);
      await back(emptyDir());
    });

    test('is refused by a target that is not empty, and one that is not hydrant’s', async () => {
      await there();
      const other = temporaryDir();
      cpSync(original, other, { recursive: true });
      await expect(there(nothing, { dataDir: other })).rejects.toThrow(
        /is not empty \(catalog, .*\); move into an empty one/,
      );
      await expect(back(other)).rejects.toThrow(/has data already \(catalog\.json, .*hydrant\.db/);
      await asked('DROP SCHEMA public CASCADE');
      await asked('CREATE SCHEMA public');
      await expect(back(emptyDir())).rejects.toThrow(/has no data of hydrant: check its address/);
      await asked('CREATE TABLE orders (id integer)');
      await expect(there(nothing, { dataDir: other })).rejects.toThrow(/has 1 table of another program/);
    });

    test('is refused without the secret that the other side is sealed with', async () => {
      rmSync(join(dataDir, 'secret'));
      await expect(there()).rejects.toThrow(/has no file secret/);
      writeFileSync(join(dataDir, 'secret'), new Uint8Array(32));
      await there();
      const into = emptyDir();
      writeFileSync(join(into, 'secret'), new Uint8Array(32).fill(1));
      await expect(back(into)).rejects.toThrow(/has another secret than the other daemons of this database/);
      rmSync(join(into, 'secret'));
      await expect(back(into)).rejects.toThrow(/has no file secret, .*; copy it from the data directory of a node/);
      expect(readdirSync(into)).toEqual(['lock']);
    });

    test('can be stopped at any step: the source is untouched, and the next attempt has it all', async () => {
      const before = contentsOf(dataDir);
      for (const step of ['copying events', 'comparing pages', 'committing']) {
        await expect(there(stopAt(step))).rejects.toThrow('stopped');
        expect(contentsOf(dataDir)).toEqual(before);
        expect(readdirSync(dataDir)).not.toContain('moved-to-postgres.json');
        expect(await asked('SELECT FROM pages')).toEqual([]);
      }
      await there();
      for (const step of ['copying events', 'comparing pages', 'moving the files in']) {
        const into = emptyDir();
        await expect(back(into, stopAt(step))).rejects.toThrow('stopped');
        expect(readdirSync(into).toSorted()).toEqual(['lock', 'secret']);
      }
      await back(emptyDir());
    });

    test('is not started on where it has gone from, unless somebody says so: then in a new partition', async () => {
      await there();
      await expect(openIn(dataDir)).rejects.toThrow(
        /was moved to PostgreSQL at 127\.0\.0\.1.*: start hydrant with --store/,
      );
      await expect(there()).rejects.toThrow(/was moved to .* already/);
      cpSync(join(dataDir, 'moved-to-postgres.json'), join(dataDir, 'moved-to-postgres.json.undone'));
      rmSync(join(dataDir, 'moved-to-postgres.json'));
      const storage = await openIn(dataDir);
      expect((await storage.eventLog.bounds('t1')).partition).toBeGreaterThan(1_000_000);
      await storage.close();
      const again = await openIn(dataDir);
      expect(again.losses).toEqual([]);
    });

    test('is set aside, not overwritten, where it comes back to', async () => {
      await there();
      await back();
      const aside = readdirSync(dataDir).find((name) => name.startsWith('before-migration-')) ?? '';
      expect(readdirSync(join(dataDir, aside)).toSorted()).toEqual(
        expect.arrayContaining(['catalog.json', 'hydrant.db']),
      );
      expect(contentsOf(join(dataDir, aside))).toEqual(contentsOf(original));
    });

    test('is compared: where rows do not arrive as they were read, nothing is kept', async () => {
      await withDatabase((database) => migrate(database));
      const spoiled = async (table: string, what: string): Promise<void> => {
        await asked(`CREATE OR REPLACE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN ${what} END'`);
        await asked(`CREATE TRIGGER spoil BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION spoil()`);
        await expect(there()).rejects.toThrow(
          new RegExp(`what was written differs from what was read: ${table} .*; nothing was kept`),
        );
        await asked(`DROP TRIGGER spoil ON ${table}`);
        expect(await asked(`SELECT FROM ${table}`)).toEqual([]);
      };
      await spoiled('taps', 'NEW.head = NEW.head + 1; RETURN NEW;');
      await spoiled('events', 'IF NEW.off = 3 THEN RETURN NULL; END IF; RETURN NEW;');
      await there();
    });
  },
);
