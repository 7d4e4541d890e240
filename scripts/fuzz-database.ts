import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DamagedDatabase, PAGE_BYTES } from '../src/daemon/salvage/damaged-database.ts';
import { treeRows } from '../src/daemon/salvage/tree-rows.ts';
import { findSchema } from '../src/daemon/storage/sqlite/salvage/salvage-schema.ts';
import { attempt, type Broken, type Stopwatch, timed } from './fuzz-attempt.ts';
import { ownDirectory } from './fuzz-directory.ts';
import { inputFrom } from './fuzz-mutation.ts';

/** Where the files of this thread are written: one at a time. */
const directory = ownDirectory();
const path = join(directory, 'damaged.db');

const ROWS = { few: 400, keyed: 300, long: 8 };
const [FILE, JOURNAL] = ((): [Buffer, Buffer] => {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL`);
  database.exec(`CREATE TABLE few (id INTEGER PRIMARY KEY, text TEXT);
    CREATE TABLE keyed (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
    CREATE TABLE long (id INTEGER PRIMARY KEY, text TEXT)`);
  const fill = (table: string, from: number, to: number, bytes: number): void => {
    for (let row = from; row < to; row += 1)
      database.exec(`INSERT INTO ${table} VALUES (${row}, printf('%.*c', ${bytes}, 'x'))`);
  };
  database.exec('BEGIN');
  fill('few', 0, ROWS.few, 200);
  fill('keyed', 0, ROWS.keyed, 150);
  fill('long', 0, ROWS.long - 2, 30_000);
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  // These are in the journal alone.
  fill('long', ROWS.long - 2, ROWS.long, 30_000);
  const files: [Buffer, Buffer] = [readFileSync(path), readFileSync(`${path}-wal`)];
  database.close();
  return files;
})();

const MATERIAL = {
  documents: [
    '',
    'file 1 100 0d',
    'file 2 0 0300000001\nfile 4 3 ffff',
    'file 8 0 05\nfile 9 8 00000009',
    // Counted from its end: the head of the last frame, and of one before.
    'journal 8215 00000003ffffffff',
    'journal 16431 0000000300000000\nfile 3 5 0000',
    'fill 2 00\nfill 5 ff\ncut 11',
    'file 20 0 00000014\nfile 21 0 00000014',
  ],
  pieces: [
    ...'\n 0 1 2 3 4 5 7 8 12 100 8191 8188 4096 00 01 02 05 0a 0d 7f 80 ff ffffffff 00000002 fffffffffffffffff 8080808080808080 82ac60 file fill journal cut copy'.split(
      ' ',
    ),
    ' ',
    '\nfile 3 ',
    '\nfile 7 ',
    '\nfill 2 ',
    '\ncopy 3 4',
    '\njournal 8215 ',
    '\nfile 12 0 ',
  ],
};

/** Of processor time: each page is read a few times at most. */
const LIMIT_MS = 100;
const TREES = [
  ['few', false],
  ['keyed', true],
  ['long', false],
] as const;

export function inputOf(seed: number, number: number): string {
  return inputFrom(MATERIAL, seed, number);
}

/**
 * What is done to a database file and its journal, a line a place: its rows are read to an end in time, no more of them
 * than there is room for, and of a whole one every row.
 */
export function check(input: string, stopwatch: Stopwatch = () => undefined): Broken | undefined {
  const damage = damageOf(input);
  const [file, journal] = spoilt(damage);
  writeFileSync(path, file);
  writeFileSync(`${path}-wal`, journal);
  const read = attempt('throws', () => timed('rows', LIMIT_MS, stopwatch, allRows));
  if ('check' in read) return read;
  const { rows, bytes, pages } = read.result;
  const most = MOST_LOST * ((file.length + journal.length) / PAGE_BYTES + 1);
  if (pages > most) return { check: 'pages', detail: `${pages} of ${most}` };
  const isTooMuch = TREES.some(([name]) => (rows.get(name) ?? 0) > pages * CELLS) || bytes > MOST_BYTES;
  if (isTooMuch) return { check: 'rows', detail: `${JSON.stringify([...rows])}, ${bytes} bytes` };
  const isWhole = TREES.every(([name]) => rows.get(name) === ROWS[name]);
  return isWhole || damage.length > 0 ? undefined : { check: 'whole', detail: JSON.stringify([...rows]) };
}

/** A file that was cut off may have had so many times what is left of it. */
const MOST_LOST = 1_024;
/** A cell is four bytes and its place two. */
const CELLS = PAGE_BYTES / 6;
/** Of values: several times what is there. */
const MOST_BYTES = 20 * (FILE.length + JOURNAL.length);

function allRows(): { rows: ReadonlyMap<string, number>; bytes: number; pages: number } {
  const database = new DamagedDatabase(path);
  try {
    const { roots } = findSchema(database);
    const rows = new Map<string, number>();
    let bytes = 0;
    for (const [index, [name, isIndex]] of TREES.entries()) {
      const root = { page: roots.get(name) ?? FIRST_ROOT + index, isIndex };
      for (const row of treeRows(database, root, { pages: 0, rows: 0 })) {
        if (row === undefined) continue;
        rows.set(name, (rows.get(name) ?? 0) + 1);
        for (const value of row.values)
          bytes += typeof value === 'object' ? (value?.length ?? 0) : String(value).length;
      }
    }
    return { rows, bytes, pages: database.pages };
  } finally {
    database.close();
  }
}

/** The first page is the list of tables, the second the map of pages. */
const FIRST_ROOT = 3;

type Damage = readonly [verb: string, place: number, at: number, bytes: Buffer];

function damageOf(input: string): Damage[] {
  return input.split('\n').flatMap((line): Damage[] => {
    const [verb = '', place = '', at = '', hex = ''] = line.split(' ');
    if (!/^(?:file|fill|journal|cut|copy)$/.test(verb) || !/^\d{1,9}$/.test(place)) return [];
    const digits = verb === 'file' ? hex : at;
    return [[verb, Number(place), Number.parseInt(at, 10) || 0, Buffer.from(digits, 'hex')]];
  });
}

function spoilt(damage: readonly Damage[]): [Buffer, Buffer] {
  const file = Buffer.from(FILE);
  const journal = Buffer.from(JOURNAL);
  const pages = FILE.length / PAGE_BYTES;
  let end = FILE.length;
  for (const [verb, place, at, bytes] of damage) {
    const page = (place % pages) * PAGE_BYTES;
    const inPage = at % PAGE_BYTES;
    if (verb === 'file') file.set(bytes.subarray(0, PAGE_BYTES - inPage), page + inPage);
    else if (verb === 'fill') file.fill(bytes[0] ?? 0, page, page + PAGE_BYTES);
    else if (verb === 'copy') file.copyWithin(page, (at % pages) * PAGE_BYTES, ((at % pages) + 1) * PAGE_BYTES);
    else if (verb === 'cut') end = page + inPage;
    else bytes.copy(journal, JOURNAL.length - 1 - (place % JOURNAL.length));
  }
  return [file.subarray(0, end), summed(journal)];
}

const [HEADER, FRAME] = [32, 24];

/** With the sums that belong to it, so that what is in it is read (https://sqlite.org/fileformat.html, 4.2). */
function summed(journal: Buffer): Buffer {
  const isBig = (journal.readUInt32BE(0) & 1) === 1;
  let [one, two] = [0, 0];
  const add = (from: number, to: number): void => {
    for (let at = from; at + 8 <= to; at += 8) {
      one = (one + (isBig ? journal.readUInt32BE(at) : journal.readUInt32LE(at)) + two) >>> 0;
      two = (two + (isBig ? journal.readUInt32BE(at + 4) : journal.readUInt32LE(at + 4)) + one) >>> 0;
    }
  };
  const write = (at: number): void => {
    journal.writeUInt32BE(one, at);
    journal.writeUInt32BE(two, at + 4);
  };
  add(0, 24);
  write(24);
  for (let at = HEADER; at + FRAME + PAGE_BYTES <= journal.length; at += FRAME + PAGE_BYTES) {
    add(at, at + 8);
    add(at + FRAME, at + FRAME + PAGE_BYTES);
    write(at + 16);
  }
  return journal;
}
