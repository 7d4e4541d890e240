import { Writable } from 'node:stream';
import type { Context } from '../context.ts';
import { UsageError } from '../failure.ts';
import { printable } from '../printable.ts';

/**
 * Asks for a key on the terminal, without showing what is typed or pasted. Undefined when nothing was given: Ctrl-C,
 * Ctrl-D, or just Enter. @throws {UsageError} where there is no terminal; it names `instead`
 */
export async function askSecret(
  { io }: Pick<Context, 'io'>,
  question: string,
  instead: string,
): Promise<string | undefined> {
  const { stdin, stderr } = io;
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw new UsageError(`${question}: nobody can be asked here`, { hint: instead });
  }
  const { createInterface } = await import('node:readline/promises');
  // Readline echoes to its output; this one swallows it, and the terminal itself is in raw mode meanwhile.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asking = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 });
  const ended = new Promise<string>((resolve) => {
    asking.once('close', () => resolve(''));
    asking.once('SIGINT', () => resolve(''));
  });
  stderr.write(`${printable(question)} (not shown): `);
  const answer = await Promise.race([asking.question(''), ended]);
  asking.close();
  stderr.write('\n');
  return answer.trim() === '' ? undefined : answer.trim();
}
