import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import {
  append,
  eventFor,
  identity,
  leadOf,
  pageAt,
  seed,
  seedLead,
  sourceOf,
  versionOf,
  visitOf,
} from '../../fixtures/visits.ts';
import { NEW_HOST } from '../../../src/daemon/storage/frontier.ts';
import { organization } from '../../contract/catalog.ts';
import { openIn, temporaryDir } from './data-dirs.ts';
import { migrations } from '../../../src/daemon/storage/sqlite/schema/migrations.ts';

/** In a process of its own: reading a file that SQLite has open in this one would let go of SQLite's locks. */
async function copyOf(dataDir: string): Promise<string> {
  const copy = join(temporaryDir(), 'copy');
  await execa('cp', ['-r', dataDir, copy]);
  return copy;
}

/** What an operator's sqlite3 would do to the file, while the daemon has it open. */
async function tamper(dataDir: string, sql: string): Promise<void> {
  const script = `const { DatabaseSync } = require('node:sqlite'); const [path, sql] = process.argv.slice(1);
    const database = new DatabaseSync(path); database.exec(sql); database.close();`;
  await execa(process.execPath, ['-e', script, join(dataDir, 'hydrant.db'), sql]);
}

describe('the database', () => {
  test('has all it had when it is opened again', async () => {
    const dataDir = temporaryDir();
    const before = await openIn(dataDir);
    const page = await seed(before.frontier, 's');
    const visit = visitOf(page, {
      version: versionOf('kept'),
      bodyHash: 'ab'.repeat(16),
      events: [eventFor('t'), eventFor('t')],
    });
    await before.pages.commit(visit);
    await before.catalog.update((draft) => draft.organizations.push(organization));
    const [known, events] = [
      await pageAt(before.frontier, page.url),
      await before.eventLog.read('t', 0, { events: 9, bytes: 9_999 }),
    ];
    await before.close();
    const after = await openIn(dataDir);
    expect(await pageAt(after.frontier, page.url)).toEqual(known);
    expect(await after.eventLog.read('t', 0, { events: 9, bytes: 9_999 })).toEqual(events);
    expect(await after.pages.version(page.id)).toEqual(versionOf('kept'));
    expect(after.catalog.data.organizations).toEqual([organization]);
    expect(await append(after, 2_000, 't')).toMatchObject([{ offset: 2 }]);
  });

  test('is closed as one file, without a journal beside it', async () => {
    const dataDir = temporaryDir();
    const storage = await openIn(dataDir);
    await append(storage, 1_000, 't');
    await storage.close();
    expect(() => statSync(join(dataDir, 'hydrant.db-wal'))).toThrow('ENOENT');
  });

  test('a copy of the directory, taken while it is open, has every commit that was answered', async () => {
    const dataDir = temporaryDir();
    const storage = await openIn(dataDir, { groupCommitMs: 5 });
    for (const at of [1, 2, 3]) {
      await append(storage, at, 't', 'u');
      await storage.catalog.update((draft) => draft.organizations.push({ ...organization, id: `o${at}` }));
      const copy = await openIn(await copyOf(dataDir));
      expect(await copy.eventLog.bounds('t')).toEqual({ partition: 0, floor: 0, head: at });
      expect(await copy.frontier.frontierTotals(0)).toMatchObject({ visits: at });
      expect(copy.catalog.data.organizations).toHaveLength(at);
      await copy.close();
    }
  });

  test('an offset is not given again when all events are trimmed and the daemon restarts', async () => {
    const dataDir = temporaryDir();
    const before = await openIn(dataDir);
    await append(before, 1_000, 't', 't', 't');
    expect(await before.eventLog.trim(2_000)).toBe(3);
    await before.close();
    const after = await openIn(dataDir);
    expect(await after.eventLog.bounds('t')).toEqual({ partition: 0, floor: 3, head: 3 });
    expect(await append(after, 10, 't')).toMatchObject([{ offset: 3, at: 1_000 }]);
  });

  test('a log that was lost begins a new partition, if there are taps that may know the old one', async () => {
    const dataDir = temporaryDir();
    const before = await openIn(dataDir);
    const createdAt = '2026-02-27T00:00:00.000Z';
    const token = { tokenPrefix: 'svc_', tokenHash: 'h', tokenSealed: 's' };
    const tap = { id: 't', organizationId: 'o1', name: 'n', status: 'active', createdAt, lastUsedAt: null } as const;
    await before.catalog.update((draft) => draft.taps.push({ ...tap, ...token }));
    await append(before, 1_000, 't');
    expect(await before.eventLog.bounds('t')).toMatchObject({ partition: 0 });
    await before.close();
    rmSync(join(dataDir, 'hydrant.db'));
    const after = await openIn(dataDir);
    const { partition, head } = await after.eventLog.bounds('t');
    expect(partition).toBeGreaterThan(0);
    expect(head).toBe(0);
    await after.close();
    expect(await (await openIn(dataDir)).eventLog.bounds('t')).toMatchObject({ partition });
  });

  test('gives the space of trimmed events back to the file system', async () => {
    const dataDir = temporaryDir();
    const path = join(dataDir, 'hydrant.db');
    const storage = await openIn(dataDir);
    const page = await seed(storage.frontier, 's');
    const events = Array.from({ length: 1_000 }, () => eventFor('t', 'x'.repeat(10_000)));
    await storage.pages.commit(visitOf(page, { at: 1_000, events }));
    await storage.pages.commit(visitOf(page, { at: 2_000, events: [eventFor('t')] }));
    await storage.eventLog.trim(1_500);
    await storage.close();
    expect(statSync(path).size).toBeLessThan(2_000_000);
    expect(await (await openIn(dataDir)).eventLog.bounds('t')).toMatchObject({ floor: 1_000, head: 1_001 });
  });

  test('trimming ends where a VACUUM has made a file that gives no space back', async () => {
    const dataDir = temporaryDir();
    const path = join(dataDir, 'hydrant.db');
    const storage = await openIn(dataDir);
    const page = await seed(storage.frontier, 's');
    await storage.pages.commit(
      visitOf(page, { events: Array.from({ length: 600 }, () => eventFor('t', 'x'.repeat(10_000))) }),
    );
    await storage.close();
    const operator = new DatabaseSync(path);
    operator.exec('PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM');
    operator.close();
    const again = await openIn(dataDir);
    expect(await again.eventLog.trim(Infinity)).toBe(600);
    expect(await again.eventLog.trim(Infinity)).toBe(0);
  });

  test('a removal that the end of the process cut short is hidden at once and finished by the next one', async () => {
    const dataDir = temporaryDir();
    const before = await openIn(dataDir);
    await before.frontier.putSource(sourceOf('large', { maxPages: 2_000 }), [seedLead('http://large.example/')], 0);
    const seedPage = await pageAt(before.frontier, 'http://large.example/');
    const leads = Array.from({ length: 1_500 }, (_, n) => leadOf(`http://large.example/${n}`, { pattern: n }));
    const discovered = [{ sourceId: 'large', leads }];
    await before.pages.commit(
      visitOf(seedPage, { discovered, events: Array.from({ length: 1_000 }, () => eventFor('t')) }),
    );
    const [removed, dropped, trimmed] = [
      before.frontier.removeSource('large'),
      before.eventLog.drop('t'),
      before.eventLog.trim(1),
    ];
    await before.close();
    await Promise.all([removed, dropped, trimmed]);

    const after = await openIn(dataDir);
    expect(await after.frontier.sources()).toEqual([]);
    expect(await after.eventLog.bounds('t')).toEqual({ partition: 0, floor: 0, head: 0 });
    expect(await after.frontier.take({ now: 1e12, atMost: 10, leaseMs: 1, except: [] })).toMatchObject({ pages: [] });
    // Each commit takes a step of what is left along; there are eight steps of pages and five of events.
    for (let commit = 0; commit < 20; commit += 1) await append(after, commit, 'new');
    expect(await after.frontier.frontierTotals(0)).toMatchObject({ pages: 1 });
    await after.close();
    const database = new DatabaseSync(join(dataDir, 'hydrant.db'));
    const rowsOf = (table: string): unknown =>
      database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.['rows'];
    const tables = ['events', 'taps', 'sources', 'hosts', 'pages', 'visited', 'holdings', 'patterns', 'versions'];
    expect(tables.map(rowsOf)).toEqual([20, 1, 1, 1, 1, 1, 0, 0, 0]);
    database.close();
  });

  test('an import that the end of the process cut short is swept by the next one, and the list before it holds', async () => {
    const dataDir = temporaryDir();
    const before = await openIn(dataDir);
    const first = await before.ratings.beginRatings('first.csv');
    await before.ratings.addRatings(first, [['a.example', 80]]);
    await before.ratings.publishRatings(first, 1_000);
    const second = await before.ratings.beginRatings('second.csv');
    const rated = Array.from({ length: 5_000 }, (_, index) => [`d${index}.example`, 1] as const);
    await before.ratings.addRatings(second, rated);
    await before.close();

    const after = await openIn(dataDir);
    expect(await after.ratings.addRatings(second, [['b.example', 1]])).toBeUndefined();
    expect(await after.ratings.standing('a.example')).toEqual({ imported: 80, referring: 0 });
    const third = await after.ratings.beginRatings('third.csv');
    await after.ratings.sweepRatings();
    expect(await after.ratings.addRatings(third, [['c.example', 3]])).toBe(1);
    await after.close();
    const database = new DatabaseSync(join(dataDir, 'hydrant.db'));
    expect(database.prepare('SELECT domain FROM ratings ORDER BY domain').all()).toEqual([
      { domain: 'a.example' },
      { domain: 'c.example' },
    ]);
    database.close();
  });

  test('visits go on while a long list is imported and swept', async () => {
    const storage = await openIn(temporaryDir());
    const page = await seed(storage.frontier, 's');
    const rated = Array.from({ length: 30_000 }, (_, index) => [`d${index}.example`, 1] as const);
    const list = await storage.ratings.beginRatings('list.csv');
    const order: string[] = [];
    const adding = storage.ratings.addRatings(list, rated).then(() => order.push('added'));
    await storage.pages.commit(visitOf(page)).then(() => order.push('committed'));
    await adding;
    await storage.ratings.giveUpRatings(list);
    const sweeping = storage.ratings.sweepRatings().then(() => order.push('swept'));
    await storage.pages.commit(visitOf(page)).then(() => order.push('committed'));
    await sweeping;
    expect(order).toEqual(['committed', 'added', 'committed', 'swept']);
  });

  test('streams and visits go on while a large source is removed', async () => {
    const storage = await openIn(temporaryDir());
    await storage.frontier.putSource(sourceOf('large', { maxPages: 20_000 }), [seedLead('http://large.example/')], 0);
    const seedPage = await pageAt(storage.frontier, 'http://large.example/');
    const leads = Array.from({ length: 5_000 }, (_, n) => leadOf(`http://large.example/${n}`, { pattern: n }));
    await storage.pages.commit(visitOf(seedPage, { discovered: [{ sourceId: 'large', leads }] }));
    const order: string[] = [];
    const removal = storage.frontier.removeSource('large').then(() => order.push('removed'));
    await append(storage, 1_000, 't').then(() => order.push('committed'));
    await storage.eventLog.read('t', 0, { events: 1, bytes: 1 }).then(() => order.push('read'));
    await removal;
    expect(order).toEqual(['committed', 'read', 'removed']);
  });

  test('is laid out for small steps: WAL, full sync, large pages, incremental vacuum', async () => {
    const dataDir = temporaryDir();
    await (await openIn(dataDir)).close();
    const database = new DatabaseSync(join(dataDir, 'hydrant.db'));
    const pragma = (name: string): unknown => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect(['journal_mode', 'page_size', 'auto_vacuum'].map(pragma)).toEqual(['wal', 8192, 2]);
    expect(pragma('user_version')).toBe(migrations.length);
    database.close();
  });

  /** A file as a former version left it, in a directory that is otherwise complete. */
  async function formerFile(schema: number, rows: string): Promise<string> {
    const dataDir = temporaryDir();
    await (await openIn(dataDir)).close();
    const path = join(dataDir, 'hydrant.db');
    rmSync(path);
    const old = new DatabaseSync(path);
    old.exec(migrations.slice(0, schema).join(''));
    old.exec(`INSERT INTO log (id, partition, last_at) VALUES (1, 7, 0);
      INSERT INTO sources (id, every_ms, max_pages, pages) VALUES ('s', 1000, 5, 1);
      INSERT INTO hosts (name, due) VALUES ('a.example', 0);
      INSERT INTO pages (host, url_hash, url, due) VALUES (1, 0, 'http://a.example/', 0);
      INSERT INTO holdings (source, page, due) VALUES (1, 1, 0);
      ${rows}
      PRAGMA user_version = ${schema}`);
    old.close();
    return dataDir;
  }

  test('a file of the first schema is brought up to date, and what it holds stays', async () => {
    const storage = await openIn(await formerFile(1, ''));
    const { pages } = await storage.frontier.take({ now: 1, atMost: 1, leaseMs: 1, except: [] });
    expect(pages).toMatchObject([{ url: 'http://a.example/', holders: [{ sourceId: 's' }], state: undefined }]);
    expect(await storage.eventLog.bounds('t')).toMatchObject({ partition: 7 });
  });

  test('pages of before the frontier are found by their URL, with their versions and what is known of them', async () => {
    const urlHash = createHash('sha256').update('https://b.example/x').digest().readUInt32BE();
    const dataDir = await formerFile(
      4,
      `INSERT INTO sources (id, every_ms, max_pages, pages) VALUES ('t', 500, 5, 1);
      INSERT INTO hosts (name, due) VALUES ('b.example', 900);
      INSERT INTO pages (host, url_hash, url, due, body_hash, failures, doubted_at)
        VALUES (2, ${urlHash}, 'https://b.example/x', 900, '${'ab'.repeat(32)}', 2, 77);
      INSERT INTO holdings (source, page, due) VALUES (1, 2, 900), (2, 2, 900);
      INSERT INTO versions (page, url, content_type, extractor, at, text, body) VALUES (2, 'u', 'text/html', 3, 800, x'01', x'02');
      UPDATE counters SET visits = 9;`,
    );
    const storage = await openIn(dataDir);
    expect(await storage.frontier.frontierTotals(0)).toMatchObject({ pages: 2, unvisited: 1, hosts: 2, visits: 9 });
    const url = 'https://b.example/x';
    expect(await storage.frontier.look(identity(url))).toBeUndefined();
    await storage.frontier.putSource(sourceOf('t', { everyMs: 500 }), [seedLead(url)], 1_000);
    expect(await pageAt(storage.frontier, url)).toMatchObject({
      id: 2,
      due: 900,
      holders: [
        { sourceId: 's', depth: 1 },
        { sourceId: 't', depth: 0 },
      ],
      state: { visitedAt: 800, bodyHash: 'ab'.repeat(16), failures: 2, doubtedAt: 77 },
    });
    expect(await storage.pages.version(2)).toMatchObject({
      extractor: 3,
      page: Uint8Array.of(1),
      body: Uint8Array.of(2),
    });
    await storage.frontier.putSource(sourceOf('s'), [seedLead('http://a.example/other')], 1_000);
    expect(await pageAt(storage.frontier, 'http://a.example/other')).toMatchObject({ id: 3 });
  });

  test('what hosts can bear is remembered, and no lease is', async () => {
    const dataDir = temporaryDir();
    const before = await openIn(dataDir);
    const [one, other] = [await seed(before.frontier, 'one'), await seed(before.frontier, 'other')];
    const resting = { ...NEW_HOST, notBefore: 5_000, backoff: 3, backoffAt: 9, backoffReason: '503', fetches: 7 };
    await before.frontier.release(one.id, resting);
    await before.frontier.take({ now: 10, atMost: 9, leaseMs: 1e9, except: [] });
    await before.close();
    const { frontier } = await openIn(dataDir);
    const taken = await frontier.take({ now: 10, atMost: 9, leaseMs: 1, except: [] });
    expect(taken).toMatchObject({ pages: [{ url: other.url }], nextAt: 11 });
    expect(await pageAt(frontier, one.url)).toMatchObject({ hostState: resting });
  });

  test('terms that the end of the process kept from all pages come to them with the next one', async () => {
    const dataDir = temporaryDir();
    const before = await openIn(dataDir);
    const leads = Array.from({ length: 1_000 }, (_, n) => leadOf(`http://h${n}.example/`));
    await before.frontier.putSource(sourceOf('s', { maxPages: 2_000 }), [], 0);
    await before.frontier.offer([{ sourceId: 's', leads }], 0);
    const pausing = before.frontier.putSource(sourceOf('s', { maxPages: 2_000, isPaused: true }), [], 0);
    await before.close();
    await pausing;
    const after = await openIn(dataDir);
    const question = { now: 10, atMost: 2_000, leaseMs: 1, except: [] };
    expect(await after.frontier.take(question)).toMatchObject({ pages: [] });
    // Each commit takes a step of what is left along; there are five.
    for (let commit = 0; commit < 8; commit += 1) await append(after, commit, 't');
    expect(await after.frontier.frontierTotals(10)).toMatchObject({ oldestDue: undefined, pages: 1_001 });
    await after.frontier.putSource(sourceOf('s', { maxPages: 2_000 }), [], 0);
    expect((await after.frontier.take(question)).pages).toHaveLength(1_000);
  });

  test('a newer one stops the start', async () => {
    const dataDir = temporaryDir();
    await (await openIn(dataDir)).close();
    await tamper(dataDir, 'PRAGMA user_version = 99');
    const opening = openIn(dataDir);
    await expect(opening).rejects.toThrow(`hydrant.db was written by a newer hydrantd (schema 99; this is`);
    await expect(opening).rejects.toMatchObject({ name: 'StartFailure', kind: 'configuration' });
  });

  test('a file that is no database stops the start, with the way out, and is not touched', async () => {
    const dataDir = temporaryDir();
    await (await openIn(dataDir)).close();
    const path = join(dataDir, 'hydrant.db');
    const noise = 'not a database at all. '.repeat(1_000);
    writeFileSync(path, noise);
    const opening = openIn(dataDir);
    await expect(opening).rejects.toThrow(`${path} is damaged: file is not a database; restore`);
    await expect(opening).rejects.toThrow(`mv ${path} ${path}.damaged`);
    await expect(opening).rejects.toMatchObject({ kind: 'configuration' });
    expect(readFileSync(path, 'utf8')).toBe(noise);
  });

  test('a catalog that is gone beside it stops the start', async () => {
    const dataDir = temporaryDir();
    await (await openIn(dataDir)).close();
    rmSync(join(dataDir, 'catalog.json'));
    await expect(openIn(dataDir)).rejects.toThrow('catalog.json is missing, although the database exists');
  });
});

describe('a group of commits', () => {
  const poison = `CREATE TRIGGER poison BEFORE INSERT ON events WHEN NEW.document = 'poison'
    BEGIN SELECT RAISE(ABORT, 'poisoned'); END`;

  test('one that fails is rejected alone, and nothing of it is left', async () => {
    const dataDir = temporaryDir();
    const storage = await openIn(dataDir, { groupCommitMs: 20 });
    const [good, bad] = [await seed(storage.frontier, 'good'), await seed(storage.frontier, 'bad')];
    await tamper(dataDir, poison);
    const discovered = [{ sourceId: 'bad', leads: [leadOf('http://new.example/')] }];
    const poisoned = { version: versionOf('x'), discovered, events: [eventFor('t'), eventFor('t', 'poison')] };
    const settled = await Promise.allSettled([
      storage.pages.commit(visitOf(good, { events: [eventFor('t')] })),
      storage.pages.commit(visitOf(bad, poisoned)),
      storage.pages.commit(visitOf(good, { events: [eventFor('t')] })),
    ]);
    expect(settled).toMatchObject([
      { status: 'fulfilled', value: { events: [{ offset: 0 }] } },
      { status: 'rejected', reason: { message: 'poisoned', code: 'ERR_SQLITE_ERROR' } },
      { status: 'fulfilled', value: { events: [{ offset: 1 }] } },
    ]);
    expect(await storage.frontier.frontierTotals(0)).toMatchObject({ pages: 2, visits: 2 });
    expect(await storage.pages.version(bad.id)).toBeUndefined();
    expect(await pageAt(storage.frontier, bad.url)).toEqual(bad);
    expect(await storage.eventLog.bounds('t')).toMatchObject({ head: 2 });
  });

  test('when COMMIT fails, all of the group are rejected and nothing is to be seen; the next group works', async () => {
    const dataDir = temporaryDir();
    const storage = await openIn(dataDir, { groupCommitMs: 20 });
    const page = await seed(storage.frontier, 's');
    // A constraint that SQLite looks at only when the whole transaction commits.
    await tamper(
      dataDir,
      `CREATE TABLE parent (x PRIMARY KEY); CREATE TABLE child (x REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
       CREATE TRIGGER late AFTER INSERT ON events WHEN NEW.document = 'poison' BEGIN INSERT INTO child VALUES (1); END`,
    );
    const commit = (document: string) => storage.pages.commit(visitOf(page, { events: [eventFor('t', document)] }));
    const settled = await Promise.allSettled([commit('good'), commit('poison'), commit('good')]);
    for (const one of settled) expect(one).toMatchObject({ reason: { message: 'FOREIGN KEY constraint failed' } });
    expect(await storage.frontier.frontierTotals(0)).toMatchObject({ visits: 0 });
    expect(await storage.eventLog.bounds('t')).toMatchObject({ head: 0 });
    expect(await commit('good')).toMatchObject({ events: [{ offset: 0 }] });
  });

  test('is not visible before it is committed, and close commits it', async () => {
    const dataDir = temporaryDir();
    const storage = await openIn(dataDir, { groupCommitMs: 0 });
    const page = await seed(storage.frontier, 's');
    await storage.close();

    const patient = await openIn(dataDir, { groupCommitMs: 3_600_000 });
    const answered: string[] = [];
    const commits = ['a', 'b', 'c'].map(async (tapId) => {
      const { events } = await patient.pages.commit(visitOf(page, { events: [eventFor(tapId), eventFor('all')] }));
      answered.push(tapId);
      return events[0];
    });
    expect(await patient.eventLog.bounds('all')).toMatchObject({ head: 0 });
    expect(await patient.frontier.frontierTotals(0)).toMatchObject({ visits: 0 });
    expect(answered).toEqual([]);
    await patient.close();
    expect(await Promise.all(commits)).toMatchObject([{ offset: 0 }, { offset: 0 }, { offset: 0 }]);
    const after = await openIn(dataDir);
    expect(await after.eventLog.bounds('all')).toMatchObject({ head: 3 });
    expect(await after.frontier.frontierTotals(0)).toMatchObject({ visits: 3 });
  });

  test('that is full does not wait for its time', async () => {
    const storage = await openIn(temporaryDir(), { groupCommitMs: 3_600_000 });
    const sources = Array.from({ length: 256 }, (_, index) => `s${index}`);
    await Promise.all(
      sources.map((id) => storage.frontier.putSource(sourceOf(id), [seedLead(`http://${id}.example/`)], 0)),
    );
    expect(await storage.frontier.frontierTotals(0)).toMatchObject({ pages: 256 });
  });
});
