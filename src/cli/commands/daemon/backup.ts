import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { withExamples } from '../help.ts';
import type { Action, Session } from '../session.ts';
import { mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline as pipe, Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { isAlive } from '../../../shared/daemon-notice.ts';
import type { BackupManifest } from '../../../shared/api/backup.ts';
import { localDirectory } from '../../runtime/connection.ts';
import type { Upkeep } from '../../runtime/context.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure, upkeepFailure, UsageError } from '../../runtime/failure.ts';
import { Progress } from '../../runtime/output.ts';
import { Ending, exitCodeOf } from '../../runtime/ending.ts';
import { count } from '../../../shared/text/plural.ts';
import { type Chunks, openFile, readable } from '../../runtime/input.ts';
import { quoted } from '../../../shared/text/printable.ts';
import { refuseInPostgres } from './in-postgres.ts';
import { grouped } from '../../../shared/grouped.ts';

export function backupCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('backup'),
    'hydrant backup hydrant.tar.zst',
    'hydrant backup "hydrant-$(date +%F).tar.zst" --quiet',
    'hydrant backup - | ssh attic "cat > hydrant.tar.zst"',
  )
    .description('write all data of the daemon to one file, also while it runs; the file contains keys')
    .argument('<file>', 'what to write: .tar.zst, .tar.gz or .tar; - is stdout, packed with zstd')
    .option('--force', 'replace an existing file once the new one is complete')
    .action(action(async (session, [file], { force }) => backUp(session, file, force === true)));
}

export function restoreCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('restore'),
    'hydrant restore hydrant.tar.zst --data-dir /var/lib/hydrant',
    'ssh attic "cat hydrant.tar.zst" | hydrant restore -',
  )
    .description('restore a backup into an empty directory')
    .argument('<file>', 'the backup; - reads stdin')
    .action(action(async (session, [file]) => restore(session, file)));
}

/**
 * `hydrant backup`: one file, made under another name in a directory of its own and renamed when it is whole and on
 * the disk. Interrupted or killed, it leaves what was there before. Answers the exit code.
 */
export async function backUp(session: Session, file: string, isForced: boolean): Promise<number> {
  const { context, flags, out } = session;
  const packing = packingOf(file);
  const dataDir = await localDirectory(flags, context.environment, 'backup');
  await refuseInPostgres(session, 'backup', dataDir);
  await refuseTarget(session, file, isForced);
  const ending = new Ending(process, context.closed);
  const progress = new Progress(context, { silent: flags.quiet === true || flags.json === true });
  try {
    const { backUp: begin } = await context.upkeep();
    const workDir = await makeWorkDir(file === '-' ? dataDir : path.dirname(path.resolve(file)));
    try {
      const made = await begin({ dataDir, workDir, onProgress: watched(progress, ending.signal) });
      const archive = told(made, progress);
      const form = [Readable.from(archive), ...packerOf(packing)] as const;
      // Stdout stays open: it is not ours to end.
      if (file === '-') await pipeline([...form, context.io.stdout], { signal: ending.signal, end: false });
      else await writeWhole(form, path.join(workDir, 'backup'), path.resolve(file), ending.signal);
      progress.end();
      say(session, file, made.manifest);
    } finally {
      progress.end();
      await rm(workDir, { recursive: true, force: true });
    }
  } catch (error) {
    if (!ending.signal.aborted) throw upkeepFailure(error);
    out.notice('stopped: no backup was made');
    // Elsewhere a reader that goes has seen enough; of a backup it has lost the rest.
    if (ending.cause === 'closed') return exitCode.no;
  } finally {
    ending.dispose();
  }
  return exitCodeOf(ending.cause);
}

async function refuseTarget({ context }: Session, file: string, isForced: boolean): Promise<void> {
  if (file === '-') {
    if (context.io.stdout.isTTY !== true) return;
    throw new UsageError('a backup cannot be written to a terminal', {
      try: 'hydrant backup - | ssh elsewhere "cat > hydrant.tar.zst"',
    });
  }
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory() === true) throw new UsageError(`${file} is a directory: give the name of a file in it`);
  if (found !== undefined && !isForced) {
    throw new UsageError(`${file} already exists`, {
      hint: 'give --force to replace it; the old file stays until the new one is complete',
    });
  }
}

/** SQLite asks after each step, and takes an error for a stop. */
function watched(progress: Progress, signal: AbortSignal): (done: number, total: number) => void {
  return (done, total) => {
    signal.throwIfAborted();
    progress.tell(() => `copying the database: ${Math.floor((100 * done) / Math.max(total, 1))} %`);
  };
}

async function* told(made: Awaited<ReturnType<Upkeep['backUp']>>, progress: Progress): AsyncGenerator<Uint8Array> {
  const total = bytesOf(made.manifest);
  let done = 0;
  for await (const chunk of made.archive) {
    done += chunk.length;
    progress.tell(() => `packing: ${Math.min(100, Math.floor((100 * done) / total))} % of ${size(total)}`);
    yield chunk;
  }
}

async function writeWhole(
  from: readonly [Readable, ...NodeJS.ReadWriteStream[]],
  partial: string,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const handle = await open(partial, 'wx', 0o600);
  // Flushed before it is closed: a name must not lead to a file that is not on the disk yet.
  await pipeline([...from, handle.createWriteStream({ flush: true })], { signal });
  await rename(partial, file);
  // Windows refuses to flush a directory, and journals names itself.
  if (process.platform === 'win32') return;
  const directory = await open(path.dirname(file), 'r');
  await directory.sync();
  await directory.close();
}

function say({ out }: Session, file: string, manifest: BackupManifest): void {
  const value = { file, ...manifest };
  const form = {
    id: file,
    notice: `${file === '-' ? 'backup written' : `${file} written`}: ${contentsOf(manifest)}`,
    next: file === '-' ? 'hydrant restore - --data-dir <dir>' : `hydrant restore ${file} --data-dir <dir>`,
  };
  // With `-`, stdout is the backup.
  if (file === '-') out.notice(form.notice, form.next);
  else out.done(value, form);
  out.notice(
    'it contains the tokens of all taps and the logins of watches, sources and sinks, with the secret that opens them: store it as you store passwords',
  );
}

/** `1 organization, 2 taps, …; 12 MiB by hydrant 0.1.0`. */
export function contentsOf(manifest: BackupManifest): string {
  const { organizations, taps, rules, sources, keys } = manifest.holds;
  const parts = [
    count(organizations, 'organization'),
    count(taps, 'tap'),
    count(rules, 'rule'),
    count(sources, 'source'),
    count(keys, 'key'),
  ];
  return `${parts.join(', ')}, all watches, events and pages; ${size(bytesOf(manifest))} unpacked, of ${manifest.created_at}`;
}

function bytesOf({ files }: BackupManifest): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function size(bytes: number): string {
  return `${grouped(Math.ceil(bytes / (1_024 * 1_024)))} MiB`;
}

/** `hydrant restore`: an empty directory becomes a data directory, or stays as it was. */
export async function restore(session: Session, file: string): Promise<void> {
  const { context, flags, out } = session;
  const dataDir = await localDirectory(flags, context.environment, 'restore');
  await refuseInPostgres(session, 'restore', dataDir);
  const { restore: begin } = await context.upkeep();
  const progress = new Progress(context, { silent: flags.quiet === true || flags.json === true });
  const input = file === '-' ? context.readBytes('the backup') : openFile(file);
  let done = 0;
  let total = 1;
  async function* watched(): AsyncGenerator<Uint8Array> {
    for await (const chunk of unpackedBackup(readable(input, file === '-' ? 'stdin' : file))) {
      done += chunk.length;
      progress.tell(() => `unpacking: ${Math.min(100, Math.floor((100 * done) / total))} %`);
      yield chunk;
    }
  }
  try {
    const manifest = await begin({
      archive: watched(),
      dataDir,
      onBegin: ({ files }) => {
        total = files.reduce((sum, { bytes }) => sum + bytes, 1);
      },
    });
    progress.end();
    out.done(
      { data_dir: dataDir, ...manifest },
      {
        id: dataDir,
        notice: `${dataDir} restored: ${contentsOf(manifest)}`,
        next: `hydrant serve --data-dir ${quoted(dataDir)}`,
      },
    );
    out.notice(
      'stop the daemon that the backup came from: otherwise both visit the same pages and accept the same keys',
    );
  } catch (error) {
    throw upkeepFailure(error);
  } finally {
    progress.end();
    input.destroy();
  }
}

export type Packing = 'zstd' | 'gzip' | 'none';

const endings: readonly (readonly [string, Packing])[] = [
  ['.tar.zst', 'zstd'],
  ['.tar.gz', 'gzip'],
  ['.tgz', 'gzip'],
  ['.tar', 'none'],
];

/** By the end of the name; stdout has none. @throws {UsageError} for another end, which would promise another form */
export function packingOf(file: string): Packing {
  if (file === '-') return 'zstd';
  const found = endings.find(([ending]) => file.toLowerCase().endsWith(ending));
  if (found) return found[1];
  throw new UsageError(`${file}: a backup is called .tar.zst, .tar.gz or .tar`, {
    try: `hydrant backup ${file}.tar.zst`,
  });
}

/** What packs it; nothing for a plain archive. */
export function packerOf(packing: Packing): Transform[] {
  if (packing === 'none') return [];
  return [packing === 'zstd' ? createZstdCompress() : createGzip()];
}

const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

/** A backup, unpacked by what its first bytes say. @throws {Failure} when the packing is damaged or cut off */
export async function* unpackedBackup(from: Chunks): AsyncGenerator<Uint8Array> {
  const chunks = from[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < ZSTD.length) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    head = Buffer.concat([head, Buffer.from(value)]);
  }
  const whole = continued(head, chunks);
  const isAt = (magic: readonly number[]): boolean => magic.every((byte, index) => head[index] === byte);
  if (isAt(ZSTD)) yield* through(whole, createZstdDecompress());
  else if (isAt(GZIP)) yield* through(whole, createGunzip());
  else yield* whole;
}

async function* continued(head: Buffer, rest: AsyncIterator<Buffer | string>): AsyncGenerator<Buffer> {
  yield head;
  for (;;) {
    const { value, done } = await rest.next();
    if (done === true) return;
    yield Buffer.from(value);
  }
}

async function* through(packed: AsyncGenerator<Buffer>, unpack: Transform): AsyncGenerator<Uint8Array> {
  // What fails ends the last of the streams, which is the one that is read.
  pipe(Readable.from(packed), unpack, () => {});
  try {
    yield* unpack as AsyncIterable<Uint8Array>;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!/^(Z_|ZSTD_)/.test(code)) throw error;
    throw new Failure(
      'refused',
      exitCode.no,
      'this is not a complete backup: its compression is damaged, or it ends too early',
    );
  }
}

const NAME = '.hydrant-backup-';
const PATTERN = /^\.hydrant-backup-(\d+)-\w+$/;

/**
 * A directory of our own in `parent`, for the parts of something that is renamed into place when it is whole; nobody
 * else can read it. What a run that was killed has left in the same place goes first: its process is no more.
 */
export async function makeWorkDir(parent: string): Promise<string> {
  for (const name of await readdir(parent)) {
    const pid = Number(PATTERN.exec(name)?.[1]);
    if (Number.isInteger(pid) && !isAlive(pid)) await rm(path.join(parent, name), { recursive: true, force: true });
  }
  return mkdtemp(path.join(parent, `${NAME}${process.pid}-`));
}
