import { writeFileSync } from 'node:fs';
import { type ProcessFigures, processFigures } from '../processes.ts';

/**
 * In the process of a benchmark's site: counts the pages that it serves, and looks at the process that asks for them when
 * some counts are reached. So a figure begins and ends at a page, and nothing asks the measured process for anything.
 */
export class Served {
  #pages = 0;
  #count: Count | undefined;
  #readings: Reading[] = [];

  /** Begins anew with each count that the parent asks for; other messages are the caller's, and acknowledged. */
  constructor(onOther: (message: unknown) => void = () => undefined) {
    process.on('message', (message: Count) => {
      if (message.kind === 'count') this.#begin(message);
      else {
        onOther(message);
        say({ kind: 'heard' });
      }
    });
    process.once('disconnect', () => process.exit());
  }

  page(): void {
    this.#pages += 1;
    this.#look();
  }

  #begin(count: Count): void {
    this.#pages = 0;
    this.#count = count;
    this.#readings = [];
    this.#look();
  }

  #look(): void {
    const mark = this.#count?.marks[this.#readings.length];
    if (this.#count === undefined || mark === undefined || this.#pages < mark.pages) return;
    const { pid, marks } = this.#count;
    this.#readings.push({ ...processFigures(pid), pages: this.#pages, at: performance.now() });
    if (mark.resetsPeak === true) resetPeak(pid);
    if (this.#readings.length === marks.length) {
      say({ kind: 'reached', readings: this.#readings });
      this.#count = undefined;
    }
  }
}

/** A number of pages served, at which the process is looked at; `resetsPeak`: its next peak is that of what follows. */
export interface Mark {
  readonly pages: number;
  readonly resetsPeak?: boolean;
}

/** From the parent: count from zero, and look at the process at these marks, in ascending order. */
export interface Count {
  readonly kind: 'count';
  readonly pid: number;
  readonly marks: readonly Mark[];
}

/** To the parent: its message was heard, or the last mark was reached. */
export type Told = { readonly kind: 'heard' } | { readonly kind: 'reached'; readonly readings: Reading[] };

export interface Reading extends ProcessFigures {
  readonly pages: number;
  /** Milliseconds of the site's clock. */
  readonly at: number;
}

/** What a process takes between two readings. */
export interface Pace {
  /** Seconds of processor time for 1,000 pages. */
  readonly cpu: number;
  /** Pages in a second. */
  readonly speed: number;
  /** At the end. */
  readonly peakMb: number;
}

export function paceOf(from: Reading, to: Reading): Pace {
  const pages = to.pages - from.pages;
  return { cpu: (to.cpuMs - from.cpuMs) / pages, speed: (pages * 1_000) / (to.at - from.at), peakMb: to.peakMb };
}

function say(message: Told): void {
  process.send?.(message);
}

/** From now on `VmHWM` of the process is the most there has been since now (Linux, proc_pid_clear_refs(5)). */
function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
