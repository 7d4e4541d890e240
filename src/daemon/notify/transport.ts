import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { FetchProblem } from '../fetch/fetched.ts';
import { type Resolve, systemResolve } from '../fetch/names.ts';
import { seconds } from '../fetch/network-error.ts';
import { Sender } from '../fetch/sender.ts';
import type { Outside } from '../outside.ts';
import type { Command, Failure, Finished, HttpReply, HttpRequest, Texts, Transport } from './sink-kind.ts';
import { SINK_ANSWER_BYTES, SINK_ATTEMPT_MS } from '../../shared/limits.ts';
import { withoutTags } from '../../shared/text/printable.ts';

/**
 * How kinds of sinks reach the world. What is sent goes where the operator said, through the guard of `fetch/sender.ts`; a command
 * of the operator's is given nothing of the daemon's environment but where programs are, a home and a language.
 */
export class Transports {
  readonly #sender: Sender;
  readonly #now: () => number;
  readonly #environment: Texts;
  readonly #attemptMs: number;

  constructor({ outside, userAgent, environment, attemptMs = SINK_ATTEMPT_MS, ...options }: TransportOptions) {
    const now = (): number => outside.now();
    this.#sender = new Sender({ userAgent, now, resolve: options.resolve ?? systemResolve });
    this.#now = now;
    this.#environment = passedOn(environment);
    this.#attemptMs = attemptMs;
  }

  /** For one attempt; `signal` ends it at once, and everything that is under way rejects with its reason. */
  open(signal: AbortSignal): Transport {
    return {
      signal,
      now: this.#now,
      http: (request) => this.#http(request, signal),
      connect: (host, port) => this.#connect(host, port, signal),
      run: (command) => this.#run(command, signal),
    };
  }

  async #http(request: HttpRequest, signal: AbortSignal): Promise<HttpReply> {
    const host = URL.parse(request.url)?.host ?? 'the server';
    return this.#within(signal, `${host} gave no whole answer`, (end) =>
      this.#sender.send({ ...request, mostBytes: SINK_ANSWER_BYTES }, end),
    );
  }

  /** The socket has what is left of the time, whoever has it by then. */
  async #connect(host: string, port: number, signal: AbortSignal): Promise<Socket | Failure> {
    signal.throwIfAborted();
    const end = new AbortController();
    const stop = (): void => end.abort(signal.reason);
    const overdue = new FetchProblem('timeout', `${host} was not done within ${seconds(this.#attemptMs)}`);
    const timer = setTimeout(() => end.abort(overdue), this.#attemptMs);
    signal.addEventListener('abort', stop, { once: true });
    const release = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
    try {
      const socket = await this.#sender.connect(host, port, end.signal);
      end.signal.addEventListener('abort', () => void socket.destroy(end.signal.reason as Error), { once: true });
      // Whoever has it hears of an error by its end, too.
      socket.on('error', () => undefined).once('close', release);
      return socket;
    } catch (error) {
      release();
      return failureOf(error, signal);
    }
  }

  async #run(command: Command, signal: AbortSignal): Promise<Finished | Failure> {
    signal.throwIfAborted();
    return this.#within(signal, `${programOf(command)} did not end`, (end) => run(command, this.#environment, end));
  }

  async #within<T extends object>(
    signal: AbortSignal,
    what: string,
    attempt: (end: AbortSignal) => Promise<T>,
  ): Promise<T | Failure> {
    const end = new AbortController();
    const stop = (): void => end.abort(signal.reason);
    const overdue = new FetchProblem('timeout', `${what} within ${seconds(this.#attemptMs)}`);
    const timer = setTimeout(() => end.abort(overdue), this.#attemptMs);
    signal.addEventListener('abort', stop, { once: true });
    try {
      signal.throwIfAborted();
      return await attempt(end.signal);
    } catch (error) {
      return failureOf(error, signal);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }
}

export interface TransportOptions {
  readonly outside: Pick<Outside, 'now'>;
  readonly userAgent: string;
  /** The daemon's: three variables of it are passed on to commands. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The system's unless given, with all that is configured there: sinks live in home networks, under names like `ntfy.local`. */
  readonly resolve?: Resolve;
  /** Milliseconds for one attempt. */
  readonly attemptMs?: number;
}

/** @throws the reason of the signal, and what is a bug of ours */
function failureOf(error: unknown, signal: AbortSignal): Failure {
  if (signal.aborted) throw signal.reason;
  if (!(error instanceof FetchProblem)) throw error;
  const isFinal = error.reason === 'private_address' || error.reason === 'bad_url';
  return { failure: error.message, ...(isFinal && { isFinal }) };
}

const PASSED_ON = ['PATH', 'HOME', 'LANG'];

function passedOn(environment: TransportOptions['environment']): Texts {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}

/** As a sentence names it: arguments may hold what is nobody's business. */
function programOf({ argv: [program] }: Command): string {
  return program.slice(program.lastIndexOf('/') + 1).slice(0, 100);
}

/** Characters of one variable: a system refuses a command whose environment is large. */
const VARIABLE = 4_096;
/** Milliseconds that what a command left behind may hold its outputs open. */
const LEFT_BEHIND_MS = 200;

/** @throws {FetchProblem} it was not started, or not in time; @throws the reason of the signal */
async function run(command: Command, environment: Texts, signal: AbortSignal): Promise<Finished> {
  const [program, ...words] = command.argv;
  const variables = Object.entries(command.env).map(([name, value]) => [name, variable(value)] as const);
  const child = started(command, () =>
    // A group of its own: what it starts is ended with it.
    spawn(program, words, {
      cwd: '/',
      detached: true,
      env: { ...Object.fromEntries(variables), ...environment },
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
  const output = new Output();
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.add(chunk));
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

function notStarted(command: Command, error: Error): FetchProblem {
  const code = 'code' in error ? String(error.code) : 'unknown';
  return new FetchProblem('connect', `${programOf(command)} cannot be started: ${REASONS[code] ?? code}`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program; write its whole path',
  ENOTDIR: 'there is no such program; write its whole path',
  EACCES: 'it is no program that may be run',
  E2BIG: 'its arguments are too long',
};

/** The beginning of what a command writes; the rest is read and forgotten, so that it does not wait for us. */
class Output {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  add(chunk: Buffer): void {
    const room = SINK_ANSWER_BYTES - this.#bytes;
    if (room <= 0) return;
    this.#chunks.push(chunk.subarray(0, room));
    this.#bytes += Math.min(room, chunk.length);
  }

  text(): string {
    return new TextDecoder().decode(Buffer.concat(this.#chunks), { stream: true });
  }
}
