import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Count, Mark, Reading, Told } from './served.ts';

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

  /** Resolved once the site has heard it: a request that follows may come by its socket before a message that was sent earlier. */
  async tell(message: object): Promise<void> {
    const waiting = new AbortController();
    try {
      const heard = this.#next('heard', waiting.signal);
      this.#child.send(message);
      await heard;
    } finally {
      waiting.abort();
    }
  }

  /** What the process was like when so many pages more had been served. Rejected where they are not within `withinMs`. */
  async readings(pid: number, marks: readonly Mark[], withinMs = 1_800_000): Promise<Reading[]> {
    const late = new AbortController();
    const last = marks.at(-1)?.pages;
    try {
      const reached = this.#next('reached', late.signal);
      this.#child.send({ kind: 'count', pid, marks } satisfies Count);
      const { readings } = await Promise.race([
        reached,
        sleep(withinMs, undefined, { signal: late.signal }).then(() =>
          Promise.reject(new Error(`no ${last} pages within ${withinMs / 1_000} s`)),
        ),
      ]);
      return readings;
    } finally {
      late.abort();
    }
  }

  close(): void {
    this.#child.disconnect();
  }

  /** The next message of this kind; rejected where the site ends before. */
  #next<Kind extends Told['kind']>(kind: Kind, signal: AbortSignal): Promise<Extract<Told, { kind: Kind }>> {
    return new Promise((resolve, reject) => {
      const read = (message: Told): void => {
        if (isOf(message, kind)) resolve(message);
      };
      const end = (): void => reject(new Error('the site has ended'));
      this.#child.on('message', read).once('exit', end);
      signal.addEventListener('abort', () => this.#child.off('message', read).off('exit', end));
    });
  }
}

function isOf<Kind extends Told['kind']>(message: Told, kind: Kind): message is Extract<Told, { kind: Kind }> {
  return message.kind === kind;
}
