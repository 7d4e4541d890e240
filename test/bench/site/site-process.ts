import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Count, Mark, Reading } from './served.ts';

/** The site of a benchmark, a process of its own, so that what it costs is in no figure. */
export class SiteProcess<Ready> {
  /** What the site said of itself when it was open. */
  readonly ready: Ready;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, ready: Ready) {
    this.#child = child;
    this.ready = ready;
  }

  static async start<Ready>(script: string, args: readonly string[]): Promise<SiteProcess<Ready>> {
    const child = fork(script, args);
    const [ready] = (await once(child, 'message')) as [Ready];
    return new SiteProcess(child, ready);
  }

  tell(message: object): void {
    this.#child.send(message);
  }

  /** What the process was like when so many pages more had been served. Rejected where they are not within `withinMs`. */
  async readings(pid: number, marks: readonly Mark[], withinMs = 1_800_000): Promise<Reading[]> {
    const late = new AbortController();
    this.tell({ kind: 'count', pid, marks } satisfies Count);
    const last = marks.at(-1)?.pages;
    try {
      const [readings] = (await Promise.race([
        once(this.#child, 'message', { signal: late.signal }),
        once(this.#child, 'exit', { signal: late.signal }).then(() => Promise.reject(new Error('the site has ended'))),
        sleep(withinMs, undefined, { signal: late.signal }).then(() =>
          Promise.reject(new Error(`no ${last} pages within ${withinMs / 1_000} s`)),
        ),
      ])) as [Reading[]];
      return readings;
    } finally {
      late.abort();
    }
  }

  close(): void {
    this.#child.disconnect();
  }
}
