import { mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';

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

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
