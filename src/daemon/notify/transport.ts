import type { Socket } from 'node:net';
import { FetchProblem } from '../fetch/fetched.ts';
import { type Resolve, systemResolve } from '../fetch/names.ts';
import { seconds } from '../fetch/network-error.ts';
import { Sender } from '../fetch/sender.ts';
import type { Outside } from '../outside.ts';
import { type Command, CommandProblem, type Finished, passedOn, programOf, runCommand } from '../process/command.ts';
import type { Failure, HttpReply, HttpRequest, Texts, Transport } from './sink-kind.ts';
import { SINK_ANSWER_BYTES, SINK_ATTEMPT_MS } from '../../shared/limits.ts';

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
    const terms = { environment: this.#environment, mostBytes: SINK_ANSWER_BYTES };
    return this.#within(signal, `${programOf(command)} did not end`, (end) => runCommand(command, terms, end));
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
  if (error instanceof CommandProblem) return { failure: error.message };
  if (!(error instanceof FetchProblem)) throw error;
  const isFinal = error.reason === 'private_address' || error.reason === 'bad_url';
  return { failure: error.message, ...(isFinal && { isFinal }) };
}
