import type { Context } from './context.ts';
import { printable } from '../text/printable.ts';

/** Milliseconds between two words: on a terminal one line that changes, elsewhere lines that add up. */
const ON_TERMINAL_MS = 500;
const IN_LOG_MS = 10_000;

/** How far something long has come, on stderr. What is done at once never hears of it. */
export class Progress {
  readonly #context: Pick<Context, 'io' | 'now'>;
  readonly #isSilent: boolean;
  readonly #everyMs: number;
  #saidAt: number;
  #hasLine = false;

  constructor(context: Pick<Context, 'io' | 'now'>, { silent }: { silent: boolean }) {
    this.#context = context;
    this.#isSilent = silent;
    this.#everyMs = context.io.stderr.isTTY === true ? ON_TERMINAL_MS : IN_LOG_MS;
    this.#saidAt = context.now();
  }

  /** Asks for the words only when it is time to say them. */
  tell(words: () => string): void {
    if (this.#isSilent || this.#context.now() - this.#saidAt < this.#everyMs) return;
    this.#saidAt = this.#context.now();
    const { stderr } = this.#context.io;
    if (stderr.isTTY !== true) {
      stderr.write(`${printable(words())}\n`);
      return;
    }
    stderr.write(`${ERASE}${printable(words())}`);
    this.#hasLine = true;
  }

  /** Takes its line away, so that what is said next stands alone. */
  end(): void {
    if (this.#hasLine) this.#context.io.stderr.write(ERASE);
    this.#hasLine = false;
  }
}

/** To the beginning of the line, and nothing on it. */
const ERASE = '\r\u001b[2K';
