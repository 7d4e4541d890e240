import { gapOf, type StreamEvent, type StreamStart } from '../../client/stream-event.ts';
import { duration } from '../../text/time.ts';

/**
 * What is said on stderr beside the matches: each thing once, and again only after it had passed. An outage is one
 * line when it begins and one when it is over, however many tries lie between.
 */
export class Notices {
  readonly #say: (line: string) => void;
  readonly #name: string;
  #opened = false;
  /** Why the connection is away, as it was told. */
  #outage: string | undefined;
  /** What the daemon said since the last match. */
  readonly #told = new Set<string>();

  /** @param name what the first line says after `connected` */
  constructor(say: (line: string) => void, name: string) {
    this.#say = say;
    this.#name = name;
  }

  hear(event: StreamEvent): void {
    switch (event.type) {
      case 'connected':
        return this.#connected(event.start);
      case 'waiting':
        return this.#waiting(event.reason, event.delayMs);
      case 'error':
        return this.#error(event.message);
      case 'update':
        return this.#told.clear();
      case 'end':
        return undefined;
    }
  }

  #connected(start: StreamStart | undefined): void {
    if (!this.#opened) this.#say(`connected · ${this.#name}`);
    else if (this.#outage !== undefined) this.#say('connected again');
    this.#opened = true;
    this.#outage = undefined;
    const gap = start && gapOf(start);
    if (gap !== undefined) this.#say(gap);
  }

  #waiting(reason: string, delayMs: number): void {
    if (this.#told.has(reason) || this.#outage === reason) return;
    this.#outage = reason;
    this.#say(`reconnecting in ${seconds(delayMs)}: ${reason}`);
  }

  /** The daemon repeats itself with every connection: a tap without rules has none a minute later either. */
  #error(message: string): void {
    if (this.#told.has(message)) return;
    if (this.#told.size >= DISTINCT) this.#told.clear();
    this.#told.add(message);
    this.#say(message);
  }
}

/** Different sentences remembered between two matches; the daemon has three. */
const DISTINCT = 16;

function seconds(ms: number): string {
  return ms < 1_000 ? '1 s' : duration(Math.round(ms / 1_000) * 1_000);
}
