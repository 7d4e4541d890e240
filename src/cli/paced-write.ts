import { once as heard } from 'node:events';
import type { Output } from './context.ts';

/**
 * Writes at the pace of the reader: waits while what was written before is not on its way, so that a slow reader slows
 * the making of more and nothing piles up. Ends at once when `closed` says that there is no reader any more. `left` is
 * told, once, whether this text has left the process, which may be later.
 */
export async function pacedWrite(
  stdout: Output,
  text: string,
  closed?: AbortSignal,
  left?: (succeeded: boolean) => void,
): Promise<void> {
  const isOnItsWay = left === undefined ? stdout.write(text) : tellingWrite(stdout, text, left);
  if (isOnItsWay || closed?.aborted === true) return;
  await heard(stdout, 'drain', closed ? { signal: closed } : {}).catch(() => {});
}

/**
 * A pipe with room takes the text within the call, but Node says so only once nothing else is ready to run: behind
 * hundreds of events that have come together. What is not in the stream any more has left it.
 */
function tellingWrite(stdout: Output, text: string, left: (succeeded: boolean) => void): boolean {
  let isTold = false;
  const tell = (succeeded: boolean): void => {
    if (!isTold) left(succeeded);
    isTold = true;
  };
  const isOnItsWay = stdout.write(text, (error) => tell(!error));
  if (stdout.writableLength === 0 && !stdout.errored && !stdout.destroyed) tell(true);
  return isOnItsWay;
}
