import { closeSync, openSync, readdirSync } from 'node:fs';
import type * as Sqlite from 'node:sqlite';
import { dirname } from 'node:path';
import { version } from '../../../process/version.ts';

const sqlite = loadQuietly();

/**
 * A database file that only its owner can read; its journal files take over the mode. Made by hand before SQLite
 * opens it, because SQLite itself goes by the umask, and a page of someone's intranet is nobody else's.
 */
export function openFile(path: string, options: Sqlite.DatabaseSyncOptions): Sqlite.DatabaseSync {
  closeSync(openSync(path, 'a', 0o600));
  return new sqlite.DatabaseSync(path, options);
}

/** Another's database, to look into: nothing can be written by this connection. It waits while the file is locked. */
export function openReader(path: string): Sqlite.DatabaseSync {
  return new sqlite.DatabaseSync(path, { readOnly: true, timeout: 5_000 });
}

/** A database that is nowhere but in memory. */
export function openMemory(): Sqlite.DatabaseSync {
  return new sqlite.DatabaseSync(':memory:');
}

/** SQLite's online backup, a few pages at a time on a thread of Node's pool. */
export async function backUp(from: Sqlite.DatabaseSync, to: string, options: Sqlite.BackupOptions): Promise<void> {
  await sqlite.backup(from, to, options);
}

/**
 * `node:sqlite`, without the ExperimentalWarning that Node 22 prints when it is first loaded. The warning is given
 * while the module loads, so silencing just that moment hides no other one.
 */
function loadQuietly(): typeof Sqlite {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** The sentence of a file whose schema this code does not know: who wrote it, who this is, and the ways out. */
export function writtenByNewer(path: string, schema: number, known: number): string {
  const copy = readdirSync(dirname(path)).find((name) => /^before-upgrade-[\d.]+$/.test(name));
  const back =
    copy === undefined
      ? 'restore an older backup'
      : `go back to the copy from before the upgrade, in ${dirname(path)}/${copy}`;
  return `${path} was written by a newer hydrantd (schema ${schema}; this is ${version()}, which knows up to ${known}); start that version, or ${back}`;
}
