import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { exitCode } from '../../exit-code.ts';
import { Failure } from '../../failure.ts';

/** Tries to get past claims of processes that are gone; more than one only where others do the same. */
const TRIES = 3;

/**
 * Makes a file ours for as long as this process lives: two readers with one cursor would both deliver everything. The
 * claim is a file beside it with our process id; that of a process which is gone counts for nothing.
 * @returns gives it back
 * @throws {Failure} when a living process has it
 */
export function claimFile(file: string): () => void {
  const claim = `${file}.lock`;
  const mine = `${process.pid} ${bornAt(process.pid)}`;
  for (let left = TRIES; left > 0; left -= 1) {
    try {
      writeFileSync(claim, mine, { flag: 'wx', mode: 0o600 });
      return () => drop(claim, mine);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const other = read(claim);
    const pid = Number(/^\d+/.exec(other)?.[0] ?? Number.NaN);
    // An empty one is being written, or was, when the power went.
    if (other !== '' && isAlive(pid, other)) {
      throw new Failure(
        'in_use',
        exitCode.tryAgain,
        `another \`hydrant tail --resume\` reads this tap (process ${pid})`,
        {
          hint: `if there is none, remove ${claim}`,
        },
      );
    }
    drop(claim, other);
  }
  throw new Failure('in_use', exitCode.tryAgain, `others keep taking ${claim}`);
}

function drop(claim: string, expected: string): void {
  if (read(claim) !== expected) return;
  try {
    unlinkSync(claim);
  } catch {
    // Someone else was faster.
  }
}

function read(claim: string): string {
  try {
    return readFileSync(claim, 'utf8');
  } catch {
    return '';
  }
}

/** Ids of processes are used again: one that was born at another time is another one. */
function isAlive(pid: number, claimed: string): boolean {
  if (!Number.isInteger(pid)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  const born = bornAt(pid);
  return born === '' || claimed === `${pid} ${born}`;
}

/** Ticks since the machine started, as Linux counts them; empty elsewhere. */
function bornAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in parentheses and may hold spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
