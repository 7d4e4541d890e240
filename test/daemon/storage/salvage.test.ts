import { cpSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SalvagedTable, SalvageReport } from '../../../src/shared/api/backup.ts';
import { DataDirLock } from '../../../src/daemon/storage/sqlite/files/data-dir.ts';
import { paidAnew } from '../../../src/daemon/storage/sqlite/salvage/repair.ts';
import { salvage } from '../../../src/daemon/upkeep.ts';
import {
  answersOf,
  DamagedStore,
  isPartOf,
  PAGE_BYTES,
  randomDamages,
  salvaged,
  standstills,
} from '../../fixtures/damage.ts';
import { FULL } from '../../fixtures/full-store.ts';
import { OLD, writeOldStore } from '../../fixtures/old-store.ts';
import { seeded } from '../../fixtures/series.ts';
import { checkOf } from '../../fixtures/watches.ts';
import { openIn } from './data-dirs.ts';

let store: DamagedStore;
let pages: readonly PageFact[];
beforeAll(async () => {
  store = await DamagedStore.make();
  pages = factsOf(join(store.whole, 'hydrant.db'));
});
afterAll(() => store.dispose());

/** What SQLite says of a page of a sound file. */
interface PageFact {
  readonly pageno: number;
  readonly name: string;
  readonly pagetype: 'internal' | 'leaf' | 'overflow';
  readonly ncell: number;
}

function factsOf(path: string): readonly PageFact[] {
  const database = new DatabaseSync(path, { readOnly: true });
  const facts = database.prepare('SELECT pageno, name, pagetype, ncell FROM dbstat').all();
  database.close();
  return facts as unknown as PageFact[];
}

function pageOf(name: string, pagetype: PageFact['pagetype']): PageFact {
  const fact = pages.findLast((one) => one.name === name && one.pagetype === pagetype);
  if (!fact) throw new Error(`there is no ${pagetype} page of ${name}`);
  return fact;
}

/** A copy of the whole directory, its database with these pages damaged. */
function damaged(...facts: readonly PageFact[]): string {
  return store.copy((bytes) => {
    for (const { pageno } of facts) bytes.fill(0xa5, (pageno - 1) * PAGE_BYTES, pageno * PAGE_BYTES);
    return bytes;
  });
}

/** One in which nothing is lost but a root without rows. */
function bruised(): string {
  return damaged(pageOf('saved_matches', 'leaf'));
}

function saved(dataDir: string, catalog?: string): ReturnType<typeof salvaged> {
  return salvaged(dataDir, store.place(), catalog);
}

const noStep = (): Promise<void> => Promise.resolve();

function tableOf(report: SalvageReport, name: string): SalvagedTable {
  return report.tables.find((table) => table.name === name) ?? { name, saved: 0, dropped: 0, broken: 0, pages: 0 };
}

const ROWS = { events: 2 * FULL.pages, versions: FULL.pages, watch_checks: FULL.checks * FULL.watches } as const;

type Kind = readonly [name: string, pagetype: PageFact['pagetype']];
/** Rows that go with these pages. */
type Lost = (facts: readonly PageFact[]) => Partial<Record<keyof typeof ROWS, number>>;

describe('of damaged pages nothing is lost but what was in them:', () => {
  test.each<[string, readonly Kind[], Lost]>([
    [
      'inner pages',
      [
        ['events', 'internal'],
        ['versions', 'internal'],
        ['watch_checks', 'internal'],
        ['events_offset', 'leaf'],
      ],
      // Of a table without rowids, inner pages have rows.
      ([, , checks]) => ({ watch_checks: checks?.ncell ?? 0 }),
    ],
    [
      'leaves, and the first page',
      [
        ['events', 'leaf'],
        ['watch_checks', 'leaf'],
        ['sqlite_schema', 'internal'],
      ],
      ([events, checks]) => ({ events: events?.ncell ?? 0, watch_checks: checks?.ncell ?? 0 }),
    ],
    [
      'a page of a long row, and of the list of tables',
      [
        ['versions', 'overflow'],
        ['sqlite_schema', 'leaf'],
      ],
      () => ({ versions: 1 }),
    ],
  ])('%s', async (_, kinds, lost) => {
    const facts = kinds.map(([name, pagetype]) => pageOf(name, pagetype));
    const { into, report } = await saved(damaged(...facts));
    const expected = {
      ...ROWS,
      ...Object.fromEntries(
        Object.entries(lost(facts)).map(([name, rows]) => [name, ROWS[name as keyof typeof ROWS] - rows]),
      ),
    };
    const found = Object.keys(ROWS).map((name) => [name, tableOf(report, name)] as const);
    expect(Object.fromEntries(found.map(([name, { saved: rows, dropped }]) => [name, rows + dropped]))).toEqual(
      expected,
    );
    const names = new Set(kinds.map(([name]) => name));
    expect(report.tables.filter(({ name, pages: gone, broken }) => !names.has(name) && gone + broken > 0)).toEqual([]);
    const after = await answersOf(await openIn(into));
    expect(after.faults).toEqual([]);
    expect(after.events.every((some, tap) => isPartOf(some, store.before.events[tap] ?? []))).toBe(true);
  });

  test('without the map of pages nothing is', async () => {
    const { into } = await saved(store.copy((bytes) => bytes.fill(0, PAGE_BYTES, 2 * PAGE_BYTES)));
    expect(await answersOf(await openIn(into))).toEqual(store.before);
  });

  test('a file that was cut off keeps what is left of it', async () => {
    const { into, report } = await saved(store.copy((bytes) => bytes.subarray(0, Math.floor(bytes.length * 0.6) + 77)));
    const { saved: rows } = tableOf(report, 'events');
    expect(rows).toBeGreaterThan(20);
    expect(rows).toBeLessThan(ROWS.events);
    expect((await answersOf(await openIn(into))).faults).toEqual([]);
  });
});

test(
  'what was damaged at random is opened, says nothing that was not so, and goes on',
  { timeout: 60_000 },
  async () => {
    // More of it: npm run soak -- salvage
    const damages = randomDamages(seeded(20_260_222), 60, store.pages);
    expect(await store.complaints(damages)).toEqual([]);
  },
);

describe('rows that are lost are found out by others:', () => {
  test.each(['taps', 'sources', 'hosts'])('those of %s', async (name) => {
    const { into, report } = await saved(damaged(pageOf(name, 'leaf')));
    expect(tableOf(report, name)).toMatchObject({ pages: 1 });
    expect(tableOf(report, 'pages')).toMatchObject({ saved: FULL.pages, dropped: 0 });
    const storage = await openIn(into);
    expect(await answersOf(storage)).toEqual(store.before);
    expect(await storage.frontier.frontierTotals(0)).toMatchObject({ pages: FULL.pages });
    expect(await standstills(storage)).toEqual([]);
  });

  test('states of watches: they are due at once, and go on with the next number', async () => {
    const { into } = await saved(damaged(pageOf('watch_states', 'leaf')));
    const { watches } = await openIn(into);
    const found = await watches.watches({ organizationId: 'o1', atMost: 99 });
    expect(found.map(({ checks }) => checks)).toEqual(Array.from({ length: FULL.watches }, () => FULL.checks));
    expect(await watches.commitCheck(checkOf('w0', { at: 9_000_000 }))).toMatchObject({ n: FULL.checks + 1 });
  });

  test('which events were paid for, by their new offsets', () => {
    // 4 and 5 are lost, of 0 to 9; 2 to 6 were paid, and 8.
    const left = [9, 8, 7, 6, 3, 2, 1, 0];
    const paid = [
      { first: 2, next: 7 },
      { first: 8, next: 9 },
    ];
    expect(paidAnew(paid, left, 10)).toEqual([
      { first: 4, next: 7 },
      { first: 8, next: 9 },
    ]);
    expect(paidAnew([], left, 10)).toEqual([]);
  });
});

describe('a journal', () => {
  /** A directory as kill -9 leaves it: the newest count of visits stands in the journal alone. */
  function killed(): string {
    const [source, dataDir] = [store.place(), store.place()];
    cpSync(store.whole, source, { recursive: true });
    const database = new DatabaseSync(join(source, 'hydrant.db'));
    database.exec('PRAGMA journal_mode = WAL; UPDATE counters SET visits = 98');
    database.exec('UPDATE counters SET visits = 99');
    cpSync(source, dataDir, { recursive: true });
    database.close();
    return dataDir;
  }

  const visitsOf = async (into: string): Promise<number> =>
    (await (await openIn(into)).frontier.frontierTotals(0)).visits;

  test('is read, up to the last commit whose sum is right', async () => {
    const dataDir = killed();
    expect(await visitsOf((await saved(dataDir)).into)).toBe(99);
    const journal = join(dataDir, 'hydrant.db-wal');
    const copy = readFileSync(journal);
    copy.writeUInt8(copy.readUInt8(copy.length - 100) ^ 1, copy.length - 100);
    writeFileSync(journal, copy);
    expect(await visitsOf((await saved(dataDir)).into)).toBe(98);
    copy.fill(0, 0, 32);
    writeFileSync(journal, copy);
    expect(await visitsOf((await saved(dataDir)).into)).toBe(FULL.pages);
  });

  test('that is damaged before its end is reported, and not one whose end is torn', async () => {
    const dataDir = killed();
    const journal = join(dataDir, 'hydrant.db-wal');
    const whole = readFileSync(journal);
    const isCut = async (at: number): Promise<boolean> => {
      const copy = Buffer.from(whole);
      copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
      writeFileSync(journal, copy);
      return (await saved(dataDir)).report.journal_cut;
    };
    expect([await isCut(whole.length - 100), await isCut(100), await isCut(0)]).toEqual([false, true, true]);
  });

  test('has the pages that are damaged in the file', async () => {
    const dataDir = killed();
    cpSync(join(damaged(pageOf('counters', 'leaf')), 'hydrant.db'), join(dataDir, 'hydrant.db'));
    const { into, report } = await saved(dataDir);
    expect(tableOf(report, 'counters').pages).toBe(0);
    expect(await visitsOf(into)).toBe(99);
  });
});

describe('salvage', () => {
  test.each([1, 5])('reads a database of schema %i, and brings it up to date', async (schema) => {
    const dataDir = store.place();
    writeOldStore(dataDir, schema);
    const { into, report } = await saved(dataDir);
    expect(report.schema).toBe(schema);
    const storage = await openIn(into);
    // Nobody has these taps any more in the catalog of the fixture, so they go like those of any that was revoked.
    expect(tableOf(report, 'events')).toMatchObject({ saved: 2, broken: 0 });
    expect(await storage.frontier.look({ host: 'a.example', hash: 0 })).toBeUndefined();
    expect(await storage.frontier.frontierTotals(0)).toMatchObject({ pages: 2, visits: 1 });
    expect(OLD.events).toHaveLength(2);
  });

  test('writes nothing into the damaged directory, and what it makes is its owner’s alone', async () => {
    const dataDir = damaged(pageOf('events', 'leaf'));
    const contents = (): unknown =>
      readdirSync(dataDir).map((name) => [
        name,
        statSync(join(dataDir, name)).mtimeMs,
        readFileSync(join(dataDir, name), 'hex').length,
      ]);
    const former = contents();
    const umask = process.umask(0);
    const { into } = await saved(dataDir).finally(() => process.umask(umask));
    expect(contents()).toEqual(former);
    const names = readdirSync(into).sort();
    expect(names).toEqual(['catalog.json', 'hydrant.db', 'lock', 'secret']);
    expect(['.', ...names].map((name) => statSync(join(into, name)).mode & 0o077)).toEqual([0, 0, 0, 0, 0]);
  });

  test('begins a new partition: ids of before are recognized, and none is given again', async () => {
    const { into } = await saved(damaged(pageOf('events', 'leaf')));
    const { partition, head } = await (await openIn(into)).eventLog.bounds('t1');
    expect(partition).toBeGreaterThan(1_000_000);
    expect(head).toBe(FULL.pages);
  });

  test('is refused while a daemon runs, into a directory that is not empty, and into the damaged one', async () => {
    const dataDir = bruised();
    await expect(salvage({ dataDir, into: dataDir, catalog: undefined, onStep: noStep })).rejects.toThrow(
      'is inside the damaged directory',
    );
    await expect(salvage({ dataDir, into: store.whole, catalog: undefined, onStep: noStep })).rejects.toThrow(
      /is not empty .*the target must be an empty directory/,
    );
    const lock = DataDirLock.take(dataDir);
    await expect(saved(dataDir)).rejects.toThrow(`is using ${dataDir}`);
    lock.release();
  });

  test('is refused into the damaged directory by whatever name, and where another one is at work', async () => {
    const dataDir = bruised();
    const link = join(store.place(), 'link');
    symlinkSync(dataDir, link);
    for (const [from, into] of [
      [link, join(dataDir, 'saved')],
      [dataDir, join(link, 'saved')],
      [dataDir, join(dataDir, '..saved')],
    ] as const) {
      const refused = salvage({ dataDir: from, into, catalog: undefined, onStep: noStep });
      await expect(refused).rejects.toThrow('is inside the damaged directory');
    }
    const into = join(store.place(), 'saved');
    const another = bruised();
    let refusals = 0;
    const onStep = async (): Promise<void> => {
      const second = salvage({ dataDir: another, into, catalog: undefined, onStep: noStep });
      await second.catch(({ message }: Error) => (refusals += Number(message.includes(`is using ${into}`))));
    };
    const report = await salvage({ dataDir, into, catalog: undefined, onStep });
    expect(refusals).toBeGreaterThan(0);
    expect(tableOf(report, 'events').saved).toBe(ROWS.events);
  });

  test('that is stopped leaves nothing, and can be begun again', async () => {
    const dataDir = bruised();
    const into = join(store.place(), 'saved');
    const onStep = async (): Promise<void> => {
      throw new Error('stopped');
    };
    await expect(salvage({ dataDir, into, catalog: undefined, onStep })).rejects.toThrow('stopped');
    expect(readdirSync(into)).toEqual(['lock']);
    expect(tableOf(await salvage({ dataDir, into, catalog: undefined, onStep: noStep }), 'taps').saved).toBe(2);
  });

  test('takes the last catalog that is whole, or the one it is given, and says so where there is none', async () => {
    const dataDir = bruised();
    const catalog = join(dataDir, 'catalog.json');
    cpSync(catalog, `${catalog}.bak`);
    writeFileSync(catalog, '{"schema": 3, "organ');
    expect((await saved(dataDir)).report.catalog).toBe(`${catalog}.bak`);
    rmSync(`${catalog}.bak`);
    await expect(saved(dataDir)).rejects.toThrow(/no catalog can be read.*catalog\.json\.bak: is not there.*--catalog/);
    const given = join(store.whole, 'catalog.json');
    expect((await saved(dataDir, given)).report.catalog).toBe(given);
  });

  test('gives taps new tokens where theirs can be read by nobody any more', async () => {
    const { into, report } = await saved(bruised());
    // Those of the fixture are sealed with nothing.
    expect(report.renewed_taps).toEqual(FULL.taps);
    expect((await saved(into)).report.renewed_taps).toEqual([]);
    rmSync(join(into, 'secret'));
    expect((await saved(into)).report.renewed_taps).toEqual(FULL.taps);
  });
});
