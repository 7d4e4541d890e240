import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BLOCK, paddingOf, TAR_END, tarHeader } from '../src/daemon/backup/backup.ts';
import { StartFailure } from '../src/daemon/start-failure.ts';
import { restore } from '../src/daemon/upkeep.ts';
import { attemptLater, type Broken, type Stopwatch, timedLater } from './fuzz-attempt.ts';
import { ownDirectory } from './fuzz-directory.ts';
import { inputFrom } from './fuzz-mutation.ts';

/** Where this thread restores to: one directory, and nothing beside it. */
const root = ownDirectory();
const into = join(root, 'into');

/** A database as small as one can be that is begun anew: what is in one is for the schema's own checks. */
const DATABASE = ((): string => {
  const database = new DatabaseSync(':memory:');
  database.exec('PRAGMA page_size = 512; CREATE TABLE log (partition INTEGER); INSERT INTO log VALUES (0)');
  const path = join(root, 'made.db');
  database.prepare('VACUUM INTO ?').run(path);
  database.close();
  const bytes = readFileSync(path);
  rmSync(path);
  return bytes.toString('latin1');
})();

const MANIFEST =
  '{"format":1,"version":"0.1.0","created_at":"2026-02-27T00:00:00+00:00","schema":{"catalog":3,"database":9},"files":[{"name":"hydrant.db","bytes":BYTES1,"sha256":"SUM1"},{"name":"catalog.json","bytes":BYTES2,"sha256":"SUM2"},{"name":"secret","bytes":BYTES3,"sha256":"SUM3"}],"holds":{"organizations":1,"keys":1,"taps":1,"rules":1,"filters":0,"sources":0}}';
const REST = '\ncatalog.json\t0\t\t{"schema":3}\nsecret\t0\t\tssssssssssssssssssssssssssssssss';

const MATERIAL = {
  documents: [
    `manifest.json\t0\t\t${MANIFEST}\nhydrant.db\t0\t\tDATABASE${REST}`,
    `manifest.json\t0\t\t${MANIFEST}\nhydrant.db\t0\t\tno database${REST}\nhydrant.db\t0\t\tDATABASE`,
    `manifest.json\t0\t\t${MANIFEST}\nhydrant.db\t0\t\t${REST}`,
    `manifest.json\t0\t\t${MANIFEST.replaceAll(/hydrant\.db|secret/g, '../outside')}\n../outside\t0\t\tDATABASE${REST}`,
  ],
  pieces: [
    ...'0 1 2 3 5 7 g x L K SUM1 SUM3 BYTES1 BYTES2 DATABASE CUT -1 77777777777 99999999999999999999 1e999 null {} [] " \\u0000 \\u001b[2J 0000600'.split(
      ' ',
    ),
    '\t',
    '\n',
    '../outside',
    '/etc/x',
    'into/../../outside',
    'hydrant.db-wal',
    'manifest.json\t0\t\t',
    '\n../outside\t0\t\tx',
    '\nhydrant.db\t2\t\t/etc/x',
    '\nx\t5\t\t',
    '"format":2',
    '"files":[]',
    '"__proto__":{"format":1}',
    '"catalog":99',
    '\u0080\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff',
  ],
  heavyLength: 200_000,
};

/** Of processor time: a database is opened and written. */
const LIMIT_MS = 250;
const MS_A_CHARACTER = 0.002;

export function inputOf(seed: number, number: number): string {
  return inputFrom(MATERIAL, seed, number);
}

/**
 * A file of an archive a line: name, type, size where it is not the true one, content. It is restored as a whole, or
 * refused in a line and nothing of it is there; in neither case is there anything beside the directory.
 */
export async function check(input: string, stopwatch: Stopwatch = () => undefined): Promise<Broken | undefined> {
  const archive = archiveOf(input);
  const limit = LIMIT_MS + input.length * MS_A_CHARACTER;
  const done = await attemptLater('throws', () => timedLater('restore', limit, stopwatch, () => restored(archive)));
  if ('check' in done) return done;
  const beside = readdirSync(root).filter((name) => name !== 'into');
  if (beside.length > 0) return { check: 'outside', detail: beside.join(', ') };
  const { refusal, sums } = done.result;
  const found = readdirSync(into).filter((name) => name !== 'lock');
  if (refusal !== undefined) {
    if (found.length > 0) return { check: 'left', detail: found.join(', ') };
    return isPlain(refusal) ? undefined : { check: 'refusal', detail: JSON.stringify(refusal.slice(0, 800)) };
  }
  return whole(found, sums);
}

interface Restored {
  readonly refusal?: string;
  /** By the manifest, of the files in its order. */
  readonly sums: readonly string[];
}

async function restored(archive: Buffer): Promise<Restored> {
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { mode: 0o700 });
  try {
    const { files } = await restore({ archive: piecesOf(archive), dataDir: into, onBegin: () => undefined });
    return { sums: files.map(({ sha256 }) => sha256) };
  } catch (error) {
    if (error instanceof StartFailure) return { refusal: error.message, sums: [] };
    throw error;
  }
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 700) yield bytes.subarray(at, at + 700);
}

/** The database has begun another life, and is not what the sum was of. */
function whole(found: readonly string[], [, ...sums]: readonly string[]): Broken | undefined {
  const names = ['catalog.json', 'hydrant.db', 'secret'];
  if (found.toSorted().join() !== names.join()) return { check: 'files', detail: found.join(', ') };
  const open = names.filter((name) => (statSync(join(into, name)).mode & 0o777) !== 0o600);
  if (open.length > 0) return { check: 'mode', detail: open.join(', ') };
  const there = ['catalog.json', 'secret'].map((name) => sumOf(readFileSync(join(into, name))));
  return there.join() === sums.join() ? undefined : { check: 'content', detail: there.join() };
}

function isPlain(text: string): boolean {
  return text.length > 0 && text.length < 1_000 && !/\p{Cc}/u.test(text);
}

/** The sums of headers are true, so that what is in them is read at all. */
function archiveOf(input: string): Buffer {
  const files = input
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([name = '', type = '', size = '', ...content]) => ({
      name,
      type,
      size,
      content: Buffer.from(content.join('\t').replaceAll('DATABASE', DATABASE), 'latin1'),
    }));
  const [first, ...rest] = files;
  if (first) first.content = Buffer.from(filled(first.content.toString('latin1'), rest), 'latin1');
  const blocks = files.flatMap((file) => [headerOf(file), file.content, Buffer.alloc(paddingOf(file.content.length))]);
  const bytes = Buffer.concat([...blocks, TAR_END]);
  // An archive that ends within a file: there where its input says so.
  const cut = bytes.indexOf('CUT');
  return cut < 0 ? bytes : bytes.subarray(0, cut);
}

function filled(manifest: string, files: readonly { readonly content: Buffer }[]): string {
  return manifest
    .replaceAll(/SUM(\d)/g, (_, number: string) => sumOf(files[Number(number) - 1]?.content ?? Buffer.alloc(0)))
    .replaceAll(/BYTES(\d)/g, (_, number: string) => String(files[Number(number) - 1]?.content.length ?? 0));
}

interface Entry {
  readonly name: string;
  readonly type: string;
  readonly size: string;
  readonly content: Buffer;
}

/** Places are those of POSIX.1-1988. */
function headerOf({ name, type, size, content }: Entry): Buffer {
  const block = Buffer.from(tarHeader({ name: '', bytes: content.length }, 0));
  block.write(name, 0, 100, 'latin1');
  block.write(type.slice(0, 1) || '\0', 156, 'latin1');
  if (size !== '') block.write(size.slice(0, 12).padEnd(12, '\0'), 124, 'latin1');
  block.write(' '.repeat(8), 148, 'latin1');
  const sum = block.subarray(0, BLOCK).reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

function sumOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
