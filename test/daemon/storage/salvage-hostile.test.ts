import { ftruncateSync, openSync, closeSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { DamagedDatabase } from '../../../src/daemon/salvage/damaged-database.ts';
import { treeRows } from '../../../src/daemon/salvage/tree-rows.ts';
import { formatEventId, parseEventId } from '../../../src/shared/api/stream.ts';
import { answersOf, DamagedStore, PAGE_BYTES, salvaged, standstills } from '../../fixtures/damage.ts';
import { openIn } from './data-dirs.ts';

let store: DamagedStore;
beforeAll(async () => {
  store = await DamagedStore.make();
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => store.dispose());

/** A file of so many pages, all of them nothing but those that are given. */
function fileOf(pages: number, given: Iterable<readonly [page: number, bytes: Buffer]>): string {
  const path = join(store.place(), 'hydrant.db');
  const file = openSync(path, 'w');
  ftruncateSync(file, pages * PAGE_BYTES);
  for (const [page, bytes] of given) writeSync(file, bytes, 0, bytes.length, (page - 1) * PAGE_BYTES);
  closeSync(file);
  return path;
}

function walked(path: string, root: number): { readonly rows: number; readonly pages: number; readonly saved: number } {
  const database = new DamagedDatabase(path);
  const losses = { rows: 0, pages: 0 };
  const found = Array.from(treeRows(database, { page: root, isIndex: false }, losses));
  database.close();
  return { ...losses, saved: found.filter((row) => row !== undefined).length };
}

/** What stands in a map of pages for each page: that it is a node below this one. */
function mapTo(parent: number): Buffer {
  const map = Buffer.alloc(PAGE_BYTES);
  for (let at = 0; at + 5 <= PAGE_BYTES; at += 5) {
    map.writeUInt8(5, at);
    map.writeUInt32BE(parent, at + 1);
  }
  return map;
}

/** Pages that one page of the map tells of, and the page itself. */
const MAPPED = Math.floor(PAGE_BYTES / 5) + 1;

describe('a database file that was made to be walked without end', () => {
  test('by a map in which one page has all others as its children is walked once', () => {
    const maps = 80;
    const last = 1 + maps * MAPPED;
    const map = mapTo(3);
    const places = Array.from({ length: maps }, (_, index) => [2 + index * MAPPED, map] as const);
    expect(walked(fileOf(last, places), 3)).toEqual({ rows: 0, saved: 0, pages: last - maps - 1 });
  });

  test('by a row of a gigabyte whose end is its beginning is one broken row', () => {
    const leaf = Buffer.alloc(PAGE_BYTES);
    const bytes = 900_000_000;
    const most = PAGE_BYTES - 35;
    const least = Math.floor(((PAGE_BYTES - 12) * 32) / 255) - 23;
    const some = least + ((bytes - least) % (PAGE_BYTES - 4));
    const inPage = some <= most ? some : least;
    const start = PAGE_BYTES - 6 - inPage - 4;
    leaf.writeUInt8(13, 0);
    leaf.writeUInt16BE(1, 3);
    leaf.writeUInt16BE(start, 5);
    leaf.writeUInt16BE(start, 8);
    leaf.set([...varint(bytes), 1], start);
    leaf.writeUInt32BE(4, PAGE_BYTES - 4);
    const chain = Buffer.alloc(PAGE_BYTES);
    chain.writeUInt32BE(4, 0);
    const read = vi.spyOn(DamagedDatabase.prototype, 'page');
    const path = fileOf(120_000, [
      [3, leaf],
      [4, chain],
    ]);
    expect(walked(path, 3)).toEqual({ rows: 1, saved: 0, pages: 0 });
    expect(read.mock.calls.length).toBeLessThan(10);
  });

  test('by a journal that tells of four billion pages has as many as it may have lost', () => {
    const path = fileOf(3, []);
    writeFileSync(`${path}-wal`, journalOf(0xffffffff, 0xffffffff));
    expect(pagesOf(path)).toBe(1_024 * 4);
    writeFileSync(`${path}-wal`, journalOf(3, 0xffffffff));
    expect(pagesOf(path)).toBe(3);
  });
});

test('pages of the journal far behind the end of a file that was cut off are pages of the database', () => {
  const path = fileOf(3, []);
  writeFileSync(`${path}-wal`, journalOf(2_000, 2_100));
  expect(pagesOf(path)).toBe(2_000);
});

function varint(value: number): number[] {
  const digits: number[] = [];
  for (let left = value; left > 0; left = Math.floor(left / 128)) digits.unshift(left % 128);
  return digits.map((digit, index) => (index === digits.length - 1 ? digit : digit + 128));
}

function pagesOf(path: string): number {
  const database = new DamagedDatabase(path);
  database.close();
  return database.pages;
}

/** With one commit, of one page, after which the database has so many. */
function journalOf(page: number, pages: number): Buffer {
  const journal = Buffer.alloc(32 + 24 + PAGE_BYTES);
  journal.writeUInt32BE(0x377f0683, 0);
  journal.writeUInt32BE(3_007_000, 4);
  journal.writeUInt32BE(PAGE_BYTES, 8);
  const head = summed([0, 0], journal.subarray(0, 24));
  journal.writeUInt32BE(head[0], 24);
  journal.writeUInt32BE(head[1], 28);
  journal.writeUInt32BE(page, 32);
  journal.writeUInt32BE(pages, 36);
  const sum = summed(summed(head, journal.subarray(32, 40)), journal.subarray(56));
  journal.writeUInt32BE(sum[0], 48);
  journal.writeUInt32BE(sum[1], 52);
  return journal;
}

function summed([first, second]: readonly [number, number], bytes: Buffer): [number, number] {
  let [one, two] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    one = (one + bytes.readUInt32BE(at) + two) >>> 0;
    two = (two + bytes.readUInt32BE(at + 4) + one) >>> 0;
  }
  return [one, two];
}

/** A copy of the store in which this was done by SQLite, so that no page of it is damaged. */
function tampered(sql: string): string {
  const dataDir = store.copy((bytes) => bytes);
  const database = new DatabaseSync(join(dataDir, 'hydrant.db'), { defensive: false });
  database.exec(sql);
  database.close();
  return dataDir;
}

describe('a sound database with numbers that hydrant never writes', () => {
  test('for the time, the partition and the end of the log is one whose log goes on', async () => {
    const dataDir = tampered(`UPDATE log SET partition = 123456789012345, last_at = 1 << 50;
      UPDATE taps SET head = 1 << 52;
      UPDATE events SET at = 1 << 50 WHERE seq = 5;
      UPDATE events SET offset = offset + (1 << 51) WHERE seq = 7`);
    const { into, report } = await salvaged(dataDir, store.place());
    expect(report.tables.find(({ name }) => name === 'events')).toMatchObject({ dropped: 1 });
    const storage = await openIn(into);
    const { partition, head } = await storage.eventLog.bounds('t1');
    expect(parseEventId(formatEventId({ partition, offset: head }))).toEqual({ partition, offset: head });
    expect((await answersOf(storage)).faults).toEqual([]);
    expect(await standstills(storage)).toEqual([]);
    await storage.eventLog.trim(Date.now() + 2 * 24 * 3_600_000, 0);
    expect(await storage.eventLog.count()).toBe(0);
  });

  test('that are too large for JavaScript is read without these rows', async () => {
    const { into, report } = await salvaged(tampered('UPDATE counters SET visits = 1 << 60'), store.place());
    expect(report.tables.find(({ name }) => name === 'counters')).toMatchObject({ broken: 1 });
    expect(await (await openIn(into)).frontier.frontierTotals(0)).toMatchObject({ visits: 0 });
  });

  test('for the first page of a table is read where that has to be', async () => {
    const dataDir = tampered(`PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET rootpage = rootpage + 0.5 WHERE name = 'events'`);
    const { into } = await salvaged(dataDir, store.place());
    expect(await answersOf(await openIn(into))).toEqual(store.before);
  });
});
