import { once as heard } from 'node:events';
import type { Output } from './context.ts';

/**
 * Writes at the pace of the reader: waits while what was written before is not on its way, so that a slow reader slows
 * the making of more and nothing piles up. Ends at once when `closed` says that there is no reader any more. `left` is
 * told whether this text has left the process, which may be later.
 */
export async function pacedWrite(
  stdout: Output,
  text: string,
  closed?: AbortSignal,
  left?: (succeeded: boolean) => void,
): Promise<void> {
  const isOnItsWay = left === undefined ? stdout.write(text) : stdout.write(text, (error) => left(!error));
  if (isOnItsWay || closed?.aborted === true) return;
  await heard(stdout, 'drain', closed ? { signal: closed } : {}).catch(() => {});
}
