import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';

/** SQLite's code for a disk without room. */
const FULL = 13;
/** And those for a write, or a map of the journal in memory, that the system has refused for whatever reason. */
const REFUSED: ReadonlySet<number> = new Set([778, 4_874]);
const PAGE_BYTES = 8_192;

/**
 * Why a write to a database has failed, in the words of the system: ENOSPC on a full disk, EDQUOT and EFBIG where a quota or
 * a limit of the process is used up. The last two SQLite calls errors of the disk and keeps to itself, so it is tried on
 * another file beside its journal, at the same place. Undefined where that goes well, or it was no such error.
 */
export function noRoom(error: unknown, database: string): string | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  if (error.errcode === FULL) return 'ENOSPC';
  if (!REFUSED.has(error.errcode)) return undefined;
  if (!tried.has(error)) tried.set(error, refusalOf(`${database}-wal`));
  return tried.get(error);
}

/** All writes of a group that has failed have the same error. */
const tried = new WeakMap<Error, string | undefined>();

function refusalOf(journal: string): string | undefined {
  const trial = `${journal}.trial`;
  try {
    const file = openSync(trial, 'w', 0o600);
    try {
      writeSync(file, Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, statSync(journal, { throwIfNoEntry: false })?.size ?? 0);
      fsyncSync(file);
    } finally {
      closeSync(file);
      rmSync(trial, { force: true });
    }
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
