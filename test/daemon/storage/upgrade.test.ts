import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { UPGRADE_FAULT_POINTS } from '../../../src/daemon/fault-points.ts';
import { CATALOG_SCHEMA } from '../../../src/daemon/storage/catalog-schema.ts';
import { migrations } from '../../../src/daemon/storage/sqlite/schema/migrations.ts';
import { upgradeCopyIn } from '../../../src/daemon/storage/sqlite/files/data-copy.ts';
import { NO_OPTIONS } from '../../../src/shared/api/watch-values.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import { OLD, writeOldStore } from '../../fixtures/old-store.ts';
import { append, pageAt, seedLead, sourceOf } from '../../fixtures/visits.ts';
import { openIn, temporaryDir } from './data-dirs.ts';

const opener = join(import.meta.dirname, '../../fixtures/storage-opener.ts');
const older = migrations.slice(0, -1).map((_, index) => index + 1);

function schemaOf(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  const { user_version: schema } = database.prepare('PRAGMA user_version').get() ?? {};
  database.close();
  return schema;
}

async function hasAll(storage: Storage): Promise<void> {
  expect(await storage.eventLog.bounds(OLD.tap)).toMatchObject({ partition: OLD.partition, floor: 0, head: 2 });
  const events = await storage.eventLog.read(OLD.tap, 0, { events: 9, bytes: 9_999 });
  expect(events.map(({ document }) => document)).toEqual(OLD.events);
  // Pages of before the frontier are found once their source names them again, as it does at each start.
  await storage.frontier.putSource(sourceOf(OLD.source), [seedLead(OLD.page)], 1_000);
  const page = await pageAt(storage.frontier, OLD.page);
  expect(page).toMatchObject({ id: 1, holders: [{ sourceId: OLD.source }], state: { bodyHash: 'ab'.repeat(16) } });
  expect(await storage.pages.version(page.id)).toMatchObject({ page: Uint8Array.of(1), body: Uint8Array.of(2) });
  expect(await storage.frontier.frontierTotals(0)).toMatchObject({ pages: 2, visits: 1 });
}

describe('a data directory of an older version', () => {
  test.each(older)('of schema %i has all it had, and takes more', async (schema) => {
    const dataDir = temporaryDir();
    writeOldStore(dataDir, schema);
    const storage = await openIn(dataDir);
    await hasAll(storage);
    expect(await append(storage, 1_000, OLD.tap)).toMatchObject([{ offset: 2 }]);
    await storage.close();
    expect(schemaOf(join(dataDir, 'hydrant.db'))).toBe(migrations.length);
    const other = await openIn(dataDir);
    expect(await other.eventLog.bounds(OLD.tap)).toMatchObject({ head: 3 });
  });

  test('from before watches had a title and tags has its watches without them, and gives them some', async () => {
    const dataDir = temporaryDir();
    writeOldStore(
      dataDir,
      migrations.findIndex((step) => step.includes('watches ADD COLUMN title')),
    );
    const old = new DatabaseSync(join(dataDir, 'hydrant.db'));
    old.exec(`INSERT INTO watches (key, id, organization, member, url, target, every_ms, jitter_ms, created_at, options)
        VALUES (1, 'w', 'o', 'm', 'http://a.example/', 'http://a.example/', 300000, 7, 5, '${JSON.stringify(NO_OPTIONS)}');
      INSERT INTO watch_organizations (id, watches) VALUES ('o', 1);
      INSERT INTO watch_states (watch, host, due, checks) VALUES (1, 1, 9, 4);
      UPDATE hosts SET watches = 1 WHERE key = 1;`);
    old.close();
    const { watches } = await openIn(dataDir);
    const watch = await watches.watch('w');
    expect(watch).toMatchObject({ url: 'http://a.example/', jitterMs: 7, due: 9, checks: 4, options: NO_OPTIONS });
    expect(watch).not.toHaveProperty('title');
    expect(watch).not.toHaveProperty('tags');
    const labels = { title: 'A', tags: ['x'] };
    expect(await watches.changeWatch('w', labels)).toEqual({ ...watch, ...labels });
  });

  test('is copied before the first step, whole and for its owner alone, and the copy of the upgrade before goes', async () => {
    const dataDir = temporaryDir();
    writeOldStore(dataDir, 3);
    mkdirSync(join(dataDir, 'before-upgrade-1.3'));
    const before = ['catalog.json', 'hydrant.db', 'secret'].map((name) => readFileSync(join(dataDir, name)));
    chmodSync(join(dataDir, 'hydrant.db'), 0o644);
    await (await openIn(dataDir)).close();
    const copies = readdirSync(dataDir).filter((name) => name.startsWith('before-upgrade'));
    const copy = upgradeCopyIn(dataDir);
    expect(copies.map((name) => join(dataDir, name))).toEqual([copy]);
    expect(statSync(copy).mode & 0o777).toBe(0o700);
    const names = readdirSync(copy).sort();
    expect(names).toEqual(['catalog.json', 'hydrant.db', 'secret']);
    expect(names.map((name) => readFileSync(join(copy, name)))).toEqual(before);
    expect(names.map((name) => statSync(join(copy, name)).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
  });

  test('what stands in the journal of a killed daemon is in the copy, too', async () => {
    const dataDir = temporaryDir();
    writeOldStore(dataDir, 3);
    const script = `const { DatabaseSync } = require('node:sqlite'); const database = new DatabaseSync(process.argv[1]);
      database.exec("UPDATE counters SET visits = 99"); process.kill(process.pid, 'SIGKILL')`;
    await execa(process.execPath, ['-e', script, join(dataDir, 'hydrant.db')], { reject: false });
    expect(statSync(join(dataDir, 'hydrant.db-wal')).size).toBeGreaterThan(0);
    await (await openIn(dataDir)).close();
    const copy = new DatabaseSync(join(upgradeCopyIn(dataDir), 'hydrant.db'), { readOnly: true });
    expect(copy.prepare('SELECT visits FROM counters').get()).toEqual({ visits: 99 });
    copy.close();
  });

  test('an older catalog alone is reason enough, and neither a present nor a new directory is copied', async () => {
    const [dataDir, fresh] = [temporaryDir(), temporaryDir()];
    await (await openIn(fresh)).close();
    await (await openIn(fresh)).close();
    expect(existsSync(upgradeCopyIn(fresh))).toBe(false);
    const { filters: _, ...rest } = JSON.parse(readFileSync(join(fresh, 'catalog.json'), 'utf8')) as {
      filters: unknown;
    };
    writeOldStore(dataDir, migrations.length, { ...rest, schema: 2 });
    await (await openIn(dataDir)).close();
    expect(JSON.parse(readFileSync(join(upgradeCopyIn(dataDir), 'catalog.json'), 'utf8'))).toMatchObject({ schema: 2 });
  });

  test.each([...UPGRADE_FAULT_POINTS, 'upgrade:stepped:3'])(
    'an upgrade that kill -9 ends at %s goes on with the next start, and the copy is of before its first step',
    async (fault) => {
      const dataDir = temporaryDir();
      writeOldStore(dataDir, 2);
      const before = readFileSync(join(dataDir, 'hydrant.db'));
      const ended = await execa(process.execPath, [opener, dataDir], { reject: false, env: { HYDRANT_FAULT: fault } });
      expect([ended.signal, ended.stderr]).toEqual(['SIGKILL', '']);
      const storage = await openIn(dataDir);
      await hasAll(storage);
      await storage.close();
      expect(readFileSync(join(upgradeCopyIn(dataDir), 'hydrant.db')).equals(before)).toBe(true);
      expect(readdirSync(dataDir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    },
  );
});

describe('a data directory of a newer version', () => {
  test('is refused by its database and by its catalog, with both schemas, this version and the way back', async () => {
    const dataDir = temporaryDir();
    writeOldStore(dataDir, 3);
    await (await openIn(dataDir)).close();
    const database = new DatabaseSync(join(dataDir, 'hydrant.db'));
    database.exec('PRAGMA user_version = 99');
    database.close();
    const known = `which knows up to ${migrations.length}); start that version, or go back to the copy from before the upgrade, in ${upgradeCopyIn(dataDir)}`;
    await expect(openIn(dataDir)).rejects.toThrow(`hydrant.db was written by a newer hydrantd (schema 99; this is 0.`);
    await expect(openIn(dataDir)).rejects.toThrow(known);
    expect(schemaOf(join(dataDir, 'hydrant.db'))).toBe(99);
    const catalog = join(dataDir, 'catalog.json');
    writeFileSync(catalog, '{"schema":98}');
    await expect(openIn(dataDir)).rejects.toThrow(`(schema 98; this is 0.`);
    await expect(openIn(dataDir)).rejects.toMatchObject({ kind: 'configuration' });
    expect(readFileSync(catalog, 'utf8')).toBe('{"schema":98}');
    expect(CATALOG_SCHEMA).toBeLessThan(98);
  });
});
