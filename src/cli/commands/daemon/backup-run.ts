import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BackupManifest } from '../../../shared/api/backup.ts';
import { localDirectory } from '../../connection.ts';
import type { Upkeep } from '../../context.ts';
import { exitCode } from '../../exit-code.ts';
import { UsageError } from '../../failure.ts';
import { Progress } from '../../progress.ts';
import { packerOf, packingOf } from './backup-packing.ts';
import { Ending, exitCodeOf } from '../ending.ts';
import type { Session } from '../session.ts';
import { count } from '../count.ts';
import { upkeepFailure } from './upkeep-failure.ts';
import { makeWorkDir } from '../work-dir.ts';

/**
 * `hydrant backup`: one file, made under another name in a directory of its own and renamed when it is whole and on
 * the disk. Interrupted or killed, it leaves what was there before. Answers the exit code.
 */
export async function backUp(session: Session, file: string, isForced: boolean): Promise<number> {
  const { context, flags, out } = session;
  const packing = packingOf(file);
  const dataDir = await localDirectory(flags, context.environment, 'backup');
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
    throw new UsageError('a backup is not for a terminal', {
      try: 'hydrant backup - | ssh elsewhere "cat > hydrant.tar.zst"',
    });
  }
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory() === true) throw new UsageError(`${file} is a directory: name a file in it`);
  if (found !== undefined && !isForced) {
    throw new UsageError(`${file} is there already`, { hint: 'give --force to replace it, once the new one is whole' });
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
  out.notice('it holds keys: the tokens of all taps can be read from it, so keep it as you keep passwords');
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
  return `${Math.ceil(bytes / (1_024 * 1_024)).toLocaleString('en')} MiB`;
}
