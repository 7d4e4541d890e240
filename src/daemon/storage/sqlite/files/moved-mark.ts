import { readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartFailure } from '../../../start-failure.ts';
import { isObject } from '../../../../shared/page/json-value.ts';
import { exists } from './data-dir.ts';
import { syncDirectory, writeSynced } from './durable-file.ts';

/** Stands in a data directory whose data has moved to a database: no daemon starts on what was left behind. */
export interface MovedMark {
  /** Of the move: what the database knows it by. */
  readonly id: string;
  /** `moving` until it is known that the database has it all. */
  readonly state: 'moving' | 'moved';
  /** Where to, without user and password. */
  readonly database: string;
  /** An instant. */
  readonly at: string;
}

const NAME = 'moved-to-postgres.json';
/** What it is called by whoever goes on with what was left behind. */
const UNDONE = `${NAME}.undone`;

export async function readMark(dataDir: string): Promise<MovedMark | undefined> {
  const text = await readFile(join(dataDir, NAME), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  // Whatever became of its words, it says that the data is elsewhere.
  const unreadable: MovedMark = { id: '', state: 'moved', database: 'a database', at: 'an unknown time' };
  try {
    const mark: unknown = JSON.parse(text);
    return isMark(mark) ? mark : unreadable;
  } catch {
    return unreadable;
  }
}

function isMark(mark: unknown): mark is MovedMark {
  if (!isObject(mark)) return false;
  const { id, state, database, at } = mark;
  return [id, database, at].every((text) => typeof text === 'string') && (state === 'moving' || state === 'moved');
}

export async function writeMark(dataDir: string, mark: MovedMark): Promise<void> {
  const path = join(dataDir, NAME);
  await writeSynced(`${path}.tmp`, `${JSON.stringify(mark, null, 2)}\n`);
  await rename(`${path}.tmp`, path);
  await syncDirectory(dirname(path));
}

export async function removeMark(dataDir: string): Promise<void> {
  await rm(join(dataDir, NAME), { force: true });
  await syncDirectory(dataDir);
}

/** Of a daemon on PostgreSQL: whether its directory has a database of SQLite, too, and whether that is one that was moved. */
export async function leftBehind(dataDir: string): Promise<'moved' | 'unused' | undefined> {
  if (!(await exists(join(dataDir, 'hydrant.db')))) return undefined;
  return (await readMark(dataDir)) ? 'moved' : 'unused';
}

/** @throws {StartFailure} where the data has moved */
export async function refuseMoved(dataDir: string): Promise<void> {
  const mark = await readMark(dataDir);
  if (!mark) return;
  const path = join(dataDir, NAME);
  const anew = `or go on with what is here, without anything that happened since: mv ${path} ${join(dataDir, UNDONE)}`;
  const back = 'start hydrant with --store, bring it back with hydrant migrate --from <url>,';
  const what =
    mark.state === 'moved'
      ? `the data of ${dataDir} was moved to ${mark.database} (${mark.at}): ${back} ${anew}`
      : `${interrupted(dataDir, mark)}, ${anew}`;
  throw new StartFailure('configuration', what);
}

/**
 * For a daemon that is started on a database: it might be one that never got what is in this directory.
 * @throws {StartFailure} where a move was interrupted at its very end
 */
export async function refuseMoving(dataDir: string): Promise<void> {
  const mark = await readMark(dataDir);
  if (mark?.state === 'moving') throw new StartFailure('configuration', interrupted(dataDir, mark));
}

function interrupted(dataDir: string, { database, at }: MovedMark): string {
  const fix = 'run hydrant migrate --to <url> again, which finds out how far it came';
  return `moving the data of ${dataDir} to ${database} was interrupted (${at}): ${fix}`;
}

/** Whether somebody has gone back to what was left behind: clients may know ids that its log will give once more. */
export async function wasUndone(dataDir: string): Promise<boolean> {
  return readFile(join(dataDir, UNDONE)).then(
    () => true,
    () => false,
  );
}

/** To be called when the log has begun anew. */
export async function forgetUndone(dataDir: string): Promise<void> {
  await rm(join(dataDir, UNDONE), { force: true });
}
