import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { outside } from '../../src/daemon/outside.ts';
import type { Moved } from '../../src/daemon/storage/migrate/copy.ts';
import { moveFromPostgres } from '../../src/daemon/storage/migrate/from-postgres.ts';
import { type Row, RowSum } from '../../src/daemon/storage/migrate/rows.ts';
import { moveToPostgres } from '../../src/daemon/storage/migrate/to-postgres.ts';
import { openSqlite } from '../../src/daemon/storage/sqlite/sqlite-storage.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';
import { organization } from '../contract/catalog.ts';
import { leadOf, pageAt, sourceOf, versionOf, visitOf } from '../fixtures/visits.ts';
import { addWatch, baselineCheckOf, changedCheckOf } from '../fixtures/watches.ts';
import { dropDatabase, emptyDatabase, hasPostgres, prepareCluster, WITHOUT_POSTGRES } from '../postgres-cluster.ts';
import type { Asked, Figure, Outcome } from './row.ts';

const PAGES = { whole: 100_000, short: 200 };
const EVENTS_A_PAGE = 10;
const PAGES_A_WATCH = 10;
const PAGES_A_HOST = 20;
const TAPS = 100;
const AT_ONCE = 128;
const MB = 1_000_000;

/**
 * A store of `size` pages, ten events of each, and a watch with a change for every tenth, moved to PostgreSQL and back; both moves compare
 * what they have written, and here the file that comes back is compared with the one that went. PostgreSQL is one of the tests,
 * which does not wait for its disk.
 */
export async function migrate({ isShort, size = PAGES[isShort ? 'short' : 'whole'] }: Asked): Promise<Outcome> {
  if (!hasPostgres) return { notes: [WITHOUT_POSTGRES], figures: [] };
  const dataDir = await mkdtemp(join(tmpdir(), 'hydrant-bench-'));
  const removeCluster = prepareCluster();
  try {
    await fill(dataDir, size);
    const before = sumsOf(dataDir);
    const { size: bytes } = await stat(join(dataDir, 'hydrant.db'));
    const url = await emptyDatabase();
    const there = await timed(() => moveToPostgres({ dataDir, url, outside, onStep }));
    const back = await timed(() => moveFromPostgres({ dataDir, url, outside, onStep }));
    await dropDatabase(url);
    const after = sumsOf(dataDir);
    const different = Object.keys(before).filter((name) => before[name] !== after[name]);
    if (different.length > 0) throw new Error(`what came back is not what went: ${different.join(', ')}`);
    const rows = there.moved.tables.reduce((sum, table) => sum + table.rows, 0);
    return {
      notes: [
        `${size} pages, ${size * EVENTS_A_PAGE} events, ${size / PAGES_A_WATCH} watches: ${rows} rows, a file of ${Math.round(bytes / MB)} MB`,
        'each move writes, reads again and compares; what came back is equal to what went',
      ],
      figures: [...figuresOf('to PostgreSQL', there, rows, size), ...figuresOf('back', back, rows, size)],
    };
  } finally {
    await removeCluster();
    await rm(dataDir, { recursive: true });
  }
}

const onStep = async (): Promise<void> => undefined;

interface Timed {
  readonly moved: Moved;
  readonly seconds: number;
  readonly memoryMb: number;
}

async function timed(move: () => Promise<Moved>): Promise<Timed> {
  let most = process.memoryUsage.rss();
  const looking = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 250);
  const begin = performance.now();
  try {
    return { moved: await move(), seconds: (performance.now() - begin) / 1_000, memoryMb: most / MB };
  } finally {
    clearInterval(looking);
  }
}

function figuresOf(name: string, { seconds, memoryMb }: Timed, rows: number, size: number): Figure[] {
  return [
    { name: `${name}, whole`, size, value: seconds, unit: 's' },
    { name: `${name}: rows`, size, value: rows / seconds, unit: '/s' },
    { name: `${name}: memory at most`, size, value: memoryMb, unit: 'MB' },
  ];
}

async function fill(dataDir: string, pages: number): Promise<void> {
  const storage = await openSqlite({ dataDir, outside });
  await writeFile(join(dataDir, 'secret'), new Uint8Array(32), { mode: 0o600 });
  await storage.catalog.update((draft) => {
    draft.organizations.push(organization);
    const token = { tokenPrefix: 'x', tokenHash: 'x', tokenSealed: 'x', lastUsedAt: null };
    for (let n = 0; n < TAPS; n += 1) {
      const tap = { id: `t${n}`, name: `tap ${n}`, createdAt: organization.createdAt };
      draft.taps.push({ ...tap, organizationId: 'o1', status: 'active', ...token });
    }
  });
  await storage.frontier.putSource(sourceOf('s', { maxPages: 1e9 }), [], 0);
  for (let from = 0; from < pages; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, pages - from) }, (_, at) => from + at);
    await storage.frontier.offer([{ sourceId: 's', leads: some.map((n) => leadOf(urlOf(n))) }], 0);
    await Promise.all(some.map((n) => fillPage(storage, n)));
    await Promise.all(some.filter((n) => n % PAGES_A_WATCH === 0).map((n) => fillWatch(storage, n)));
  }
  await storage.close();
}

const urlOf = (n: number): string => `https://h${Math.floor(n / PAGES_A_HOST)}.example/page-${n}`;

async function fillPage({ frontier, pages }: Storage, n: number): Promise<void> {
  const page = await pageAt(frontier, urlOf(n));
  const events = Array.from({ length: EVENTS_A_PAGE }, (_, at) => ({
    tapId: `t${(n + at * 7) % TAPS}`,
    queryIds: `["r${at}"]`,
    document: JSON.stringify({ url: urlOf(n), title: `Page ${n}`, diff: `${words(n + at)} `.repeat(4) }),
  }));
  await pages.commit(visitOf(page, { at: 1_000 + n, version: versionOf(words(n).repeat(8)), events }));
}

async function fillWatch({ watches }: Storage, n: number): Promise<void> {
  const id = `w${n}`;
  await addWatch(watches, id, { url: `https://w${n % 500}.example/${n}`, organizationId: 'o1' });
  await watches.commitCheck(baselineCheckOf(id, [words(n)], { at: 1_000 }));
  await watches.commitCheck(changedCheckOf(id, [words(n)], [words(n + 1)], { at: 2_000 + n }));
}

/** A hundred bytes that are another text for each number. */
function words(n: number): string {
  return Array.from({ length: 12 }, (_, at) => ((n + 1) * (at + 3) * 2_654_435_761).toString(36).slice(-8)).join(' ');
}

/** Numbers that a move gives anew, for rows that nothing but the file itself refers to. */
const RENUMBERED: Readonly<Record<string, string>> = { events: 'seq', watch_checks: 'more', watch_failures: 'key' };

function sumsOf(dataDir: string): Record<string, string> {
  const database = new DatabaseSync(join(dataDir, 'hydrant.db'), { readOnly: true });
  try {
    const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
    return Object.fromEntries(
      tables.map(({ name }) => {
        const sum = new RowSum();
        for (const row of database.prepare(`SELECT * FROM "${String(name)}"`).iterate()) {
          const known = Object.entries(row).filter(([column]) => column !== RENUMBERED[String(name)]);
          sum.add(known.map(([, value]) => value) as Row);
        }
        return [name, `${sum.rows} ${sum.checksum}`];
      }),
    );
  } finally {
    database.close();
  }
}
