import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Client } from '../client/client.ts';
import type { Connection, Context, GlobalFlags } from '../runtime/context.ts';
import { Out } from '../runtime/output.ts';
import { exitCode } from '../runtime/exit-code.ts';
import { Failure, UsageError } from '../runtime/failure.ts';
import { printable } from '../../shared/text/printable.ts';

/** The flags of the root, which every command takes, and `--yes`, which answers its question in advance. */
export interface SessionFlags extends GlobalFlags {
  readonly yes?: boolean | undefined;
}

/** One run of one command: its flags, its output, and a client of the daemon once it is asked for. */
export interface Session {
  readonly context: Context;
  readonly flags: SessionFlags;
  readonly out: Out;
  readonly connect: () => Promise<{ readonly connection: Connection; readonly client: Client }>;
  /** For a command that runs others. */
  readonly run: RunWords;
}

/** Runs another command line of this program in this process, on the streams of `context`; answers its exit code, and throws why it failed. */
export type RunWords = (context: Context, argv: readonly string[]) => Promise<number>;

export function openSession(context: Context, flags: SessionFlags, run: RunWords): Session {
  return {
    context,
    flags,
    run,
    out: new Out(context, flags),
    connect: async () => {
      const connection = await context.resolve(flags);
      // Loaded here only: a command that asks no daemon needs no client.
      const { Client } = await import('../client/client.ts');
      return { connection, client: new Client(connection, context.closed) };
    },
  };
}

/**
 * Turns what a command does into what commander calls: it gets the session, its arguments as a tuple, its own flags, with
 * the types that their declaration gives them, and the command itself. A number that it returns is the exit code of the
 * program; without one it is 0.
 */
export type Action = <Words extends unknown[], Flags>(
  run: (
    session: Session,
    words: Words,
    flags: Flags,
    command: CommandUnknownOpts,
  ) => Promise<number | void> | number | void,
) => (...given: [...Words, Flags, CommandUnknownOpts]) => Promise<void>;

/** @param onExitCode called with the exit code of a command that returns one */
export function actionIn(context: Context, onExitCode: (code: number) => void, runWords: RunWords): Action {
  return (run) =>
    async (...given) => {
      const [flags, command] = given.slice(-2) as [Parameters<typeof run>[2], CommandUnknownOpts];
      const words = given.slice(0, -2) as Parameters<typeof run>[1];
      // The root declares the flags of all commands, so that they may stand anywhere: read them together.
      const all: SessionFlags = command.optsWithGlobals();
      const code = await filtered(context, all, runWords, (session) => run(session, words, flags, command));
      if (code !== undefined) onExitCode(code);
    };
}

/** With `--jq` or `--template` the command prints JSON, and the filter stands between it and stdout. */
async function filtered<Result>(
  context: Context,
  flags: SessionFlags,
  runWords: RunWords,
  run: (session: Session) => Promise<Result> | Result,
): Promise<Result> {
  // jq is loaded only where it is asked for.
  if (flags.jq === undefined && flags.template === undefined) return run(openSession(context, flags, runWords));
  const { FilteredOutput, filterOf } = await import('../runtime/json-filter.ts');
  const filter = await filterOf(flags, context.io.stdout.isTTY === true);
  const stdout = new FilteredOutput(filter, context.io);
  let result: Result;
  try {
    result = await run(openSession({ ...context, io: { ...context.io, stdout } }, { ...flags, json: true }, runWords));
  } catch (error) {
    // What was printed before it leaves, too; of two failures the command's own is the one to tell.
    await stdout.finish().catch(() => undefined);
    throw error;
  }
  await stdout.finish();
  return result;
}

/** Keys need a terminal too, so a screen takes both ends, and a terminal that can move its cursor. */
export function canShow({ context, flags }: Pick<Session, 'context' | 'flags'>): boolean {
  const { io, environment } = context;
  const isTerminal = io.stdout.isTTY === true && io.stdin.isTTY === true && environment['TERM'] !== 'dumb';
  return isTerminal && flags.json !== true && flags.quiet !== true;
}

/**
 * Asks before something is lost. `--yes` answers for a script; without a terminal nobody can be asked, and going on
 * anyway is the one thing a script's author did not write down.
 */
export async function confirm(session: Session, question: string): Promise<void> {
  if (session.flags.yes === true) return;
  const { stdin, stderr } = session.context.io;
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw new UsageError(`${question} This needs a confirmation, and there is no terminal to ask on: add --yes`);
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
