import { Writable } from 'node:stream';
import type { Context } from '../runtime/context.ts';
import { UsageError } from '../runtime/failure.ts';
import { openFile, readAll } from '../runtime/input.ts';
import { printable } from '../../shared/text/printable.ts';

/** How a secret is given: other users of the machine see the words of a command, and the shell keeps them. */
export interface SecretAsked {
  /** What it is, for people: `the token of phone`. */
  readonly what: string;
  /** The flag that takes it, up to its value: `--token `, `--option token=`. */
  readonly flag: string;
}

/**
 * A secret from `@file`, from stdin for `-`, or, for `true`, from the terminal.
 * @throws {UsageError} for the secret itself as a word: other users see it in the list of processes, and the shell keeps it
 */
export async function readSecret(context: Context, given: string | true, { what, flag }: SecretAsked): Promise<string> {
  const instead = `${flag}@FILE reads it from a file, ${flag}- from stdin`;
  if (given !== true && given !== '-' && (!given.startsWith('@') || given === '@')) {
    throw new UsageError(`${what} is a secret, and words of a command are seen by other users and kept by the shell`, {
      hint: `${instead}. If it is real, somebody may have seen it: have a new one made`,
    });
  }
  const text =
    given === true
      ? await askSecret(context, what, instead)
      : given === '-'
        ? await context.readInput(what)
        : await readAll(openFile(given.slice(1)), given.slice(1));
  const secret = text?.trim() ?? '';
  if (secret === '') throw new UsageError(`${what} is empty, so nothing was changed`, { hint: instead });
  return secret;
}

/**
 * Asks for a secret on the terminal, without showing what is typed or pasted. Undefined when nothing was given: Ctrl-C,
 * Ctrl-D, or just Enter. @throws {UsageError} where there is no terminal; it names `instead`
 */
export async function askSecret(
  { io }: Pick<Context, 'io'>,
  question: string,
  instead: string,
): Promise<string | undefined> {
  const { stdin, stderr } = io;
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw new UsageError(`${question}: there is no terminal to ask on`, { hint: instead });
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
