import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** A directory of this thread alone, which goes with it. */
export function ownDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'hydrant-fuzz-'));
  if (made.push(directory) === 1) process.once('exit', removeDirectories);
  return directory;
}

/** For a thread whose end nobody hears of, as one of the tests. */
export function removeDirectories(): void {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
}
