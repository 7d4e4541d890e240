import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { resolve } from './connection.ts';
import type { Context, Environment, FetchPage, Streams, Upkeep } from './context.ts';
import { UsageError } from './failure.ts';
import { eachLine, readAll } from './input.ts';

/** The parts of `process` that the command line uses. */
export interface ProcessLike extends Streams {
  readonly env: Environment;
  exit(code: number): unknown;
}

export interface Programs {
  readonly serve: (flags: Record<string, unknown>) => Promise<number>;
  readonly fetchPage: FetchPage;
  readonly upkeep: () => Promise<Upkeep>;
  readonly daemonPath: string;
  /** Which of the two programs was started: `hydrantd` is `hydrant serve` under its own name. */
  readonly name?: 'hydrant' | 'hydrantd';
}

export function makeContext(io: ProcessLike, programs: Programs, closed: AbortSignal): Context {
  const claim = claimOnce(io.stdin);
  const context: Context = {
    io,
    environment: io.env,
    now: () => Date.now(),
    random: () => Math.random(),
    resolve: (flags) => resolve(flags, io.env, () => context.readInput('the key')),
    serve: (flags) => programs.serve(flags),
    fetchPage: (...asked) => programs.fetchPage(...asked),
    upkeep: () => programs.upkeep(),
    daemonPath: programs.daemonPath,
    closed,
    readInput: async (purpose) => readAll(claim(purpose), `stdin (${purpose})`),
    readBytes: claim,
    readLines: (purpose, longest) => eachLine(claim(purpose), `stdin (${purpose})`, longest),
  };
  return context;
}

/** Stdin can be read once, by whoever asks first. */
function claimOnce(stdin: Streams['stdin']): (purpose: string) => Readable {
  let claimedFor: string | undefined;
  return (purpose) => {
    if (claimedFor !== undefined) throw new UsageError(`stdin gives ${claimedFor} and cannot give ${purpose} too`);
    if (stdin.isTTY === true) {
      throw new UsageError(`${purpose}: \`-\` reads from a pipe or a file, and stdin is a terminal`);
    }
    // Node reads nothing from a directory, and says nothing of it.
    if ('fd' in stdin && typeof stdin.fd === 'number' && fstatSync(stdin.fd).isDirectory()) {
      throw new UsageError(`${purpose}: stdin is a directory, not a file or a pipe`);
    }
    claimedFor = purpose;
    return stdin;
  };
}
