import { appendFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOfFrames, checkpointedBytes, readWal } from './wal.ts';

/**
 * What a power cut does and `kill -9` does not: a write that nobody was told of is on the disk in part. Of the database
 * that is the end of its log, behind the last commit; of the catalog, the files beside it. Answers what was torn.
 *
 * @param isUntold the last commit was told to nobody, so that the disk need not have had it either
 */
export function cutPower(dataDir: string, random: () => number, isUntold: boolean): string[] {
  const torn = isUntold ? tornCommit(dataDir, random) : undefined;
  const left = torn ?? tornTail(join(dataDir, 'hydrant.db-wal'), random);
  const names = ['catalog.json.tmp', 'catalog.json.bak.tmp', 'daemon.json.new'];
  const halved = names.filter((name) => halve(join(dataDir, name), random));
  return [...(left === undefined ? [] : [left]), ...halved];
}

/**
 * The last commit ends anywhere, unless it is noted, or the database has its pages already. A group that changed nothing
 * leaves no frame: the last commit in the journal is the one before it then, which was noted, and told.
 */
function tornCommit(dataDir: string, random: () => number): string | undefined {
  const path = join(dataDir, 'hydrant.db-wal');
  const wal = readWal(path);
  const [begin, end] = wal?.commits.slice(-2) ?? [];
  if (begin === undefined || end === undefined || notedBytes(dataDir) >= end) return undefined;
  if (checkpointedBytes(join(dataDir, 'hydrant.db-shm')) > begin) return undefined;
  truncateSync(path, begin + Math.floor(random() * (end - begin)));
  return 'last commit';
}

/** How far the note of committed frames says that the journal reaches; 0 where there is none. */
function notedBytes(dataDir: string): number {
  const path = join(dataDir, 'hydrant.db-committed');
  const [, frames = '0'] = (existsSync(path) && / frames (\d+) /.exec(readFileSync(path, 'latin1'))) || [];
  return bytesOfFrames(Number(frames));
}

/** Frames behind the last commit: cut short, with wrong bits, or the beginning of a frame that never came to be. */
function tornTail(path: string, random: () => number): string | undefined {
  const wal = readWal(path);
  const end = wal?.commits.at(-1);
  if (wal === undefined || end === undefined) return undefined;
  const behind = wal.bytes - end;
  if (behind === 0) {
    const begun = readFileSync(path).subarray(end - Math.min(end, 9_000), end);
    appendFileSync(path, begun.subarray(0, 1 + Math.floor(random() * begun.length)));
    return 'half a frame';
  }
  if (random() < 0.5) {
    truncateSync(path, end + Math.floor(random() * behind));
    return 'tail cut';
  }
  const bytes = readFileSync(path);
  for (let flips = 0; flips < FLIPS; flips += 1) {
    const at = end + Math.floor(random() * behind);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  }
  writeFileSync(path, bytes);
  return 'bits flipped';
}

const FLIPS = 20;

/** A second name of a file that is in use shares its bytes, which were on the disk long ago. */
function halve(path: string, random: () => number): boolean {
  if (!existsSync(path) || statSync(path).nlink > 1) return false;
  truncateSync(path, Math.floor(random() * statSync(path).size));
  return true;
}
