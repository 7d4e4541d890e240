import { exitCode } from '../runtime/exit-code.ts';
import { Failure, UsageError } from '../runtime/failure.ts';
import { printable } from '../text/printable.ts';
import type { Session } from './session.ts';

/**
 * Asks before something is lost. `--yes` answers for a script; without a terminal nobody can be asked, and going on
 * anyway is the one thing a script's author did not write down.
 */
export async function confirm(session: Session, question: string): Promise<void> {
  if (session.flags.yes === true) return;
  const { stdin, stderr } = session.context.io;
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw new UsageError(`${question} Nobody can be asked here: give --yes`);
  }
  const { createInterface } = await import('node:readline/promises');
  const asking = createInterface({ input: stdin, output: stderr });
  // Ctrl-D, or a terminal that goes away, is a no: without this the promise would never settle.
  const ended = new Promise<string>((resolve) => {
    asking.once('close', () => resolve(''));
  });
  const answer = await Promise.race([asking.question(`${printable(question)} [y/N] `), ended]);
  asking.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('declined', exitCode.no, 'nothing was changed');
}
