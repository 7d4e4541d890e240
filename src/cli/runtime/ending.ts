import { exitCode } from './exit-code.ts';
import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import type { Output } from './context.ts';

/** Why a command that runs on and on came to its end. */
type Cause = 'done' | 'closed' | 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** The part of `process` that tells signals. */
interface SignalSource {
  on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * The end of a command that has none of its own: Ctrl-C, a signal, a closed pipe. The first cause counts and aborts
 * `signal`; a second Ctrl-C finds no listener and ends the process the hard way. A command that must not be cut off
 * while it cleans up `holds` its listeners until it disposes of them.
 */
export class Ending {
  readonly #source: SignalSource;
  readonly #abort = new AbortController();
  readonly #holds: boolean;
  readonly #listeners = signals.map((name) => [name, () => this.because(name)] as const);
  #cause: Cause = 'done';

  constructor(source: SignalSource, closed?: AbortSignal, { holds = false } = {}) {
    this.#source = source;
    this.#holds = holds;
    for (const [name, listener] of this.#listeners) source.on(name, listener);
    if (closed?.aborted === true) this.because('closed');
    closed?.addEventListener('abort', () => this.because('closed'), { once: true });
  }

  get cause(): Cause {
    return this.#cause;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  because(cause: Cause): void {
    if (this.#abort.signal.aborted) return;
    this.#cause = cause;
    this.#abort.abort();
    if (!this.#holds) this.dispose();
  }

  /** Listens no more. */
  dispose(): void {
    for (const [name, listener] of this.#listeners) this.#source.off(name, listener);
  }
}

/** 128 and the signal's number, as shells have it; a closed pipe is no failure. */
export function exitCodeOf(cause: Cause): number {
  const codes = { done: exitCode.ok, closed: exitCode.ok, SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  return codes[cause];
}

/**
 * Tells when the reader of our pipe has gone while we have nothing to write (`hydrant tail | head -3` on a quiet
 * tap). Node learns of a closed pipe from a failed write only, and an empty write does not fail. GNU tail polls its
 * stdout for exactly this, so one is started on the same pipe: it dies of SIGPIPE when the reader has gone, and of
 * itself (`--pid`) should we be killed. Where there is no such tail, or stdout is no pipe, nothing is lost but time:
 * the next write ends us. Decided against: a blank written now and then, which every reader would find in its data.
 * @returns stops the watch
 */
export function watchReader(stdout: Output, gone: () => void): () => void {
  if (!isPipe(stdout)) return () => {};
  const sentinel = spawn('tail', ['-f', '/dev/null', `--pid=${process.pid}`], {
    stdio: ['ignore', 'inherit', 'ignore'],
  });
  sentinel.on('error', () => {});
  sentinel.on('exit', (_, signal) => {
    if (signal === 'SIGPIPE') gone();
  });
  sentinel.unref();
  return () => void sentinel.kill();
}

function isPipe(stdout: Output): boolean {
  if (!('fd' in stdout) || stdout.fd !== 1) return false;
  try {
    return fstatSync(1).isFIFO();
  } catch {
    return false;
  }
}
