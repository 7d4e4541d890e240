import type { Command } from 'commander';
import type { Client } from '../client/client.ts';
import type { Connection, Context, GlobalFlags } from '../context.ts';
import { Out } from '../output.ts';

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
export function openSession(context: Context, command: Command): Session {
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
