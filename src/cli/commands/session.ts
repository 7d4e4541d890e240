import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Client } from '../client/client.ts';
import type { Connection, Context, GlobalFlags } from '../context.ts';
import { Out } from '../output.ts';
import type { OnStopped } from './on-stopped.ts';

/** The flags every command takes, and the one that answers its question in advance. */
export interface SessionFlags extends GlobalFlags {
  readonly yes?: boolean | undefined;
}

/** One run of one command: its flags, its voice, and the daemon once it is asked for. */
export interface Session {
  readonly context: Context;
  readonly flags: SessionFlags;
  readonly out: Out;
  readonly connect: () => Promise<{ readonly connection: Connection; readonly client: Client }>;
}

/** The root holds the flags of all commands, so that they may stand anywhere; read them together. */
export function openSession(context: Context, command: { optsWithGlobals(): SessionFlags }): Session {
  const flags: SessionFlags = command.optsWithGlobals();
  return {
    context,
    flags,
    out: new Out(context, flags),
    connect: async () => {
      const connection = await context.resolve(flags);
      // Only who speaks to a daemon pays for the client.
      const { Client } = await import('../client/client.ts');
      return { connection, client: new Client(connection, context.closed) };
    },
  };
}

/**
 * Turns what a command does into what commander calls: it gets the session, its arguments as a tuple, and its flags, with the
 * types that their declaration gives them. A number that it returns is the exit code of the program; without one it is 0.
 */
export type Action = <Words extends unknown[], Flags>(
  run: (session: Session, words: Words, flags: Flags) => Promise<number | void> | number | void,
) => (...given: [...Words, Flags, CommandUnknownOpts]) => Promise<void>;

export function actionIn(context: Context, onStopped: OnStopped): Action {
  return (run) =>
    async (...given) => {
      const [flags, command] = given.slice(-2) as [Parameters<typeof run>[2], CommandUnknownOpts];
      const code = await run(openSession(context, command), given.slice(0, -2) as Parameters<typeof run>[1], flags);
      if (code !== undefined) onStopped(code);
    };
}
