import { closeSync, openSync } from 'node:fs';
import type * as Sqlite from 'node:sqlite';

/**
 * A lock between processes: SQLite's exclusive lock on an empty file. The operating system lets go of it when its holder
 * ends, however that ends. A file with a process id in it would outlive a `kill -9`, and two that find it stale at once
 * would both take it over.
 */
export class FileLock {
  readonly #database: Sqlite.DatabaseSync;

  private constructor(database: Sqlite.DatabaseSync) {
    this.#database = database;
  }

  /**
   * Undefined where another still has it after `waitMs`, for which the thread stands still. The file is made, for its owner
   * alone, and stays. @throws what the file system says
   */
  static take(file: string, waitMs: number): FileLock | undefined {
    const { DatabaseSync } = loadSqlite();
    closeSync(openSync(file, 'a', 0o600));
    const database = new DatabaseSync(file, { timeout: waitMs });
    try {
      // A journal would be a file of its own, which a kill leaves behind.
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return new FileLock(database);
    } catch (error) {
      database.close();
      if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
      throw error;
    }
  }

  release(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

const SQLITE_BUSY = 5;

/**
 * `node:sqlite`, without the ExperimentalWarning that Node 22 prints when it is first loaded. The warning is given
 * while the module loads, so silencing just that moment hides no other one.
 */
function loadSqlite(): typeof Sqlite {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
