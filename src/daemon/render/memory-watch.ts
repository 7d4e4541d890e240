import { readdir, readFile } from 'node:fs/promises';

/**
 * Looks after the memory of the browser's processes: one that holds more than a page may is killed, which is the end of its page
 * and of no other. A script that fills memory gets to four gigabytes in ten seconds, and the browser itself would let it.
 *
 * By `/proc`, so on Linux alone; elsewhere the heap of scripts is all that is bounded (`chromium.ts`).
 */
export class MemoryWatch {
  readonly #group: number | undefined;
  readonly #mostBytes: number;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #killed = 0;

  /** @param group the process group of the browser, whose first process is the browser itself */
  constructor(group: number | undefined, mostBytes: number) {
    this.#group = group;
    this.#mostBytes = mostBytes;
  }

  /** Processes that were ended so far. */
  get killed(): number {
    return this.#killed;
  }

  start(): void {
    if (this.#group !== undefined) this.#timer ??= setInterval(() => void this.#look(), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#group === undefined) return;
    this.#isLooking = true;
    const processes = await processesOf(this.#group);
    this.#isLooking = false;
    for (const { pid, residentBytes } of processes) if (residentBytes > this.#mostBytes) this.#kill(pid);
  }

  #kill(pid: number): void {
    try {
      process.kill(pid, 'SIGKILL');
      this.#killed += 1;
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Long enough to cost nothing, short enough that memory is not gone by then. */
const LOOK_MS = 200;

/**
 * The processes of a group that have not ended, each with what it holds of the machine's memory. Empty where there is no
 * `/proc`. One that has ended holds nothing, and is in the list until its parent has asked how.
 */
export async function processesOf(
  group: number,
): Promise<readonly { readonly pid: number; readonly residentBytes: number }[]> {
  const names = await readdir('/proc').catch(() => []);
  const found = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((name) => processOf(name, group)));
  return found.flatMap((one) => one ?? []);
}

async function processOf(name: string, group: number): Promise<{ pid: number; residentBytes: number } | undefined> {
  try {
    const stat = await readFile(`/proc/${name}/stat`, 'latin1');
    // Behind the name of the program, which may have anything in it: state, parent, group (proc(5)).
    const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(processGroup) !== group || state === 'Z') return undefined;
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${name}/status`, 'latin1')) ?? [];
    return { pid: Number(name), residentBytes: Number(kilobytes) * 1_024 };
  } catch {
    return undefined;
  }
}
