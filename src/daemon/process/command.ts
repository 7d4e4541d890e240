import { spawn } from 'node:child_process';
import { withoutTags } from '../../shared/text/printable.ts';

/**
 * Runs programs of the operator's: what a sink is to be told by, what headers of a request come from. There is no shell, and
 * nothing of the daemon's environment but where programs are, a home and a language. What a program has started ends with it.
 */
export interface Command {
  /** The program and its arguments; no shell. */
  readonly argv: readonly [string, ...string[]];
  /** Beside `PATH`, `HOME` and `LANG`, which are all that is passed on of the daemon's own environment. */
  readonly env: Texts;
  /** For its standard input. */
  readonly input: string;
}

export interface Finished {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** The beginning of what it wrote. */
  readonly output: string;
}

type Texts = Readonly<Record<string, string>>;

export interface CommandTerms {
  /** As `passedOn` gives it. */
  readonly environment: Texts;
  /** Bytes of its output; what is beyond is read and forgotten. */
  readonly mostBytes: number;
  /** Only its standard output, and not what it says on the other. */
  readonly isOutputAlone?: boolean;
}

/** It was not started. The message is a sentence that names the program, and none of its arguments. */
export class CommandProblem extends Error {
  override readonly name = 'CommandProblem';
}

/** What of the daemon's environment a command is given. */
export function passedOn(environment: Readonly<Record<string, string | undefined>>): Texts {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}

const PASSED_ON = ['PATH', 'HOME', 'LANG'];

/** As a sentence names it: arguments may hold what is nobody's business. */
export function programOf({ argv: [program] }: Pick<Command, 'argv'>): string {
  return program.slice(program.lastIndexOf('/') + 1).slice(0, 100);
}

/** A program and its arguments, as words or as a list in JSON. Undefined for what is no command. */
export function wordsOf(command: string): [string, ...string[]] | undefined {
  const [program, ...rest] = command.trimStart().startsWith('[') ? listed(command) : command.trim().split(/\s+/);
  return program === undefined || program === '' ? undefined : [program, ...rest];
}

function listed(command: string): string[] {
  try {
    const list: unknown = JSON.parse(command);
    return Array.isArray(list) && list.every((word) => typeof word === 'string') ? list : [];
  } catch {
    return [];
  }
}

/** What is wrong with a command, to follow its name; undefined: nothing. */
export function commandFault(value: string): string | undefined {
  const argv = wordsOf(value);
  if (!argv) return 'must be a program and its arguments, or a list of these as JSON: ["/usr/bin/notify", "two words"]';
  if (argv.some((word) => word.includes('\0'))) return 'must not hold the character U+0000';
  if (!/^\/|^[^/]+$/.test(argv[0])) return 'must name a program by its whole path, or by its name alone';
  // As in a shell, which there is none of.
  if (!value.trimStart().startsWith('[') && /["'`|&;<>$]/.test(value)) {
    return 'is run without a shell: write a list as JSON, and `["sh", "-c", "…"]` where a shell is wanted';
  }
  return undefined;
}

/** Characters of one variable: a system refuses a command whose environment is large. */
const VARIABLE = 4_096;
/** Milliseconds that what a command left behind may hold its outputs open. */
const LEFT_BEHIND_MS = 200;

/** @throws {CommandProblem} it was not started; @throws the reason of the signal, which ends it */
export async function runCommand(command: Command, terms: CommandTerms, signal: AbortSignal): Promise<Finished> {
  const [program, ...words] = command.argv;
  const variables = Object.entries(command.env).map(([name, value]) => [name, variable(value)] as const);
  const child = started(command, () =>
    // A group of its own: what it starts is ended with it.
    spawn(program, words, {
      cwd: '/',
      detached: true,
      env: { ...Object.fromEntries(variables), ...terms.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  );
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All of it has ended.
    }
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const output = new Output(terms.mostBytes);
  child.stdout.on('data', (chunk: Buffer) => output.add(chunk));
  child.stderr.on('data', (chunk: Buffer) => terms.isOutputAlone === true || output.add(chunk));
  // A command need not read what it is given.
  child.stdin.on('error', () => undefined);
  child.stdin.end(command.input);
  signal.addEventListener('abort', end, { once: true });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Finished>((resolve, reject) => {
      child.on('error', (error) => reject(notStarted(command, error)));
      child.on('exit', () => (timer = setTimeout(end, LEFT_BEHIND_MS)));
      child.on('close', (code, ended) => {
        if (signal.aborted) reject(signal.reason as Error);
        else resolve({ code, signal: ended, output: output.text() });
      });
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** Some reasons for which a program cannot be started are thrown, others come as an event. */
function started<Child>(command: Command, start: () => Child): Child {
  try {
    return start();
  } catch (error) {
    throw error instanceof Error ? notStarted(command, error) : error;
  }
}

function variable(value: string): string {
  return withoutTags(value.replaceAll('\0', '').slice(0, VARIABLE).toWellFormed());
}

function notStarted(command: Command, error: Error): CommandProblem {
  const code = 'code' in error ? String(error.code) : 'unknown';
  return new CommandProblem(`${programOf(command)} cannot be started: ${REASONS[code] ?? code}`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program; write its whole path',
  ENOTDIR: 'there is no such program; write its whole path',
  EACCES: 'it is no program that may be run',
  E2BIG: 'its arguments are too long',
};

/** The beginning of what a command writes; the rest is read and forgotten, so that it does not wait for us. */
class Output {
  readonly #most: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(chunk: Buffer): void {
    const room = this.#most - this.#bytes;
    if (room <= 0) return;
    this.#chunks.push(chunk.subarray(0, room));
    this.#bytes += Math.min(room, chunk.length);
  }

  text(): string {
    return new TextDecoder().decode(Buffer.concat(this.#chunks), { stream: true });
  }
}
