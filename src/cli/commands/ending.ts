import { exitCode } from '../exit-code.ts';

/** Why a command that runs on and on came to its end. */
export type Cause = 'done' | 'closed' | 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** The part of `process` that tells signals. */
export interface SignalSource {
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
