import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import type { Output } from '../context.ts';

/**
 * Tells when the reader of our pipe has gone while we have nothing to write (`hydrant tail | head -3` on a quiet
 * tap). Node learns of a closed pipe from a failed write only, and an empty write does not fail. GNU tail polls its
 * stdout for exactly this, so one is started on the same pipe: it dies of SIGPIPE when the reader has gone, and of
 * itself (`--pid`) should we be killed. Where there is no such tail, or stdout is no pipe, nothing is lost but time:
 * the next write ends us. Decided against: a blank written now and then, which every reader would find in its data.
 * @returns stops the watch
 */
export function watchReader(stdout: Output, gone: () => void): () => void {
  if (!isPipe(stdout)) return () => {};
  const sentinel = spawn('tail', ['-f', '/dev/null', `--pid=${process.pid}`], {
    stdio: ['ignore', 'inherit', 'ignore'],
  });
  sentinel.on('error', () => {});
  sentinel.on('exit', (_, signal) => {
    if (signal === 'SIGPIPE') gone();
  });
  sentinel.unref();
  return () => void sentinel.kill();
}

function isPipe(stdout: Output): boolean {
  if (!('fd' in stdout) || stdout.fd !== 1) return false;
  try {
    return fstatSync(1).isFIFO();
  } catch {
    return false;
  }
}
