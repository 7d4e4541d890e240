import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import type { MemoryUse } from '../../shared/api/status.ts';
import type { DaemonSettings } from '../settings.ts';
import { trimAllocator } from './allocator.ts';
import { collectGarbage, type HeapUse, heapUseOf } from '../collect-garbage.ts';

/** What the setting `memory` means for the parts of the daemon; the main thread's share is in `bin/memory-settings.js`. */
export interface MemoryPlan {
  /** Threads that analyze pages, unless `crawl-threads` says how many. */
  readonly analysisThreads: number;
  /**
   * MB of the three parts of a young generation, in which garbage of a page or a call is found early. Twelve hold a few
   * pages; larger ones take less time only where many rules look at each page.
   */
  readonly analysisYoungMb: number;
  readonly storageYoungMb: number;
  readonly sqliteCacheBytes: number;
  /** Milliseconds after which an analysis thread without a page ends. */
  readonly keepThreadMs: number;
}

const MIB = 1_024 * 1_024;

/**
 * Flags of V8 for all threads, before any of them is started. They name what it does anyway, so a Node without them costs memory
 * and nothing else.
 *
 * - By itself V8 makes objects of a parsed page in the old generation once many of them have survived a collection of the young
 *   one: 220 KB of each page, garbage 2 ms later, instead of 60.
 * - It lets a small old generation grow to two to four times what is in use before it looks for garbage, in each thread.
 */
export function tuneHeaps(memory: DaemonSettings['memory']): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  if (memory !== 'large') setFlagsFromString('--heap-growing-percent=30');
}

export function memoryPlan(memory: DaemonSettings['memory'], processors = availableParallelism()): MemoryPlan {
  switch (memory) {
    case 'small':
      return {
        analysisThreads: 1,
        analysisYoungMb: 6,
        storageYoungMb: 3,
        sqliteCacheBytes: 4 * MIB,
        keepThreadMs: 5_000,
      };
    case 'normal':
      return {
        analysisThreads: Math.max(1, processors - 1),
        analysisYoungMb: 12,
        storageYoungMb: 3,
        sqliteCacheBytes: 8 * MIB,
        keepThreadMs: 15_000,
      };
    case 'large':
      return {
        analysisThreads: processors,
        analysisYoungMb: 48,
        storageYoungMb: 12,
        sqliteCacheBytes: 128 * MIB,
        keepThreadMs: Number.POSITIVE_INFINITY,
      };
  }
}

/**
 * Gives memory back.
 *
 * - After load: V8 collects what is old only as more is allocated, so a daemon that has nothing more to do would keep the bodies
 *   and trees of its last pages for as long as it rests. While little processor time is used, and more memory than after the
 *   last time, everything is collected (40 ms of the main thread, when nobody waits for it) and the allocator trimmed: at once
 *   where there is much to gain, else once a minute, since light work makes as much anew in seconds.
 * - Once load has ended and next to nothing runs, what was compiled for it goes, too. While checks of watches went on, to do so
 *   every five seconds took more processor time than the checks.
 * - Under load: the allocator alone is trimmed once it may have kept enough, so that the peak is what is in use.
 */
export class MemoryRelease {
  readonly #release: () => void;
  readonly #forgetCode: (isForgotten: boolean) => void;
  readonly #trimsUnderLoad: boolean;
  readonly #timer: NodeJS.Timeout;
  #cpu = process.cpuUsage();
  /** Milliseconds, monotonic. */
  #lookedAt = performance.now();
  /** Bytes of the process after its garbage was collected last, and after its allocator was trimmed last; or fewer, since. */
  #collected = 0;
  #trimmed = 0;
  #collectedAt = 0;
  /** There was load, or the start, since compiled code was freed last. */
  #hasRun = true;

  /**
   * @param release other threads collect their garbage, and caches that are cheap to fill again are emptied
   * @param forgetCode whether the next collections free compiled code, of all threads
   */
  constructor(memory: DaemonSettings['memory'], release: () => void, forgetCode = forgetCodeOfV8) {
    this.#release = release;
    this.#forgetCode = forgetCode;
    this.#trimsUnderLoad = memory !== 'large';
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Called every `LOOK_MS`. */
  async look(): Promise<void> {
    const { user, system } = process.cpuUsage(this.#cpu);
    this.#cpu = process.cpuUsage();
    const now = performance.now();
    // A busy loop comes later than it was asked to.
    const passed = now - this.#lookedAt;
    this.#lookedAt = now;
    const resident = process.memoryUsage.rss();
    // What V8 has released takes up to 10 s to be back with the system.
    this.#collected = Math.min(this.#collected, resident);
    this.#trimmed = Math.min(this.#trimmed, resident);
    const share = (user + system) / 1_000 / passed;
    if (share > QUIET_SHARE) {
      this.#hasRun = true;
      if (this.#trimsUnderLoad && resident > this.#trimmed + WORTHWHILE_BYTES) await this.#trim();
      return;
    }
    const hasEnded = this.#hasRun && share <= REST_SHARE;
    if (!hasEnded && !this.#isWorthwhile(resident, now)) return;
    if (hasEnded) this.#hasRun = false;
    await this.#collect({ withCode: hasEnded });
    await this.#trim();
    this.#collected = this.#trimmed;
    this.#collectedAt = now;
  }

  #isWorthwhile(resident: number, now: number): boolean {
    const gain = resident - this.#collected;
    return gain > MUCH_BYTES || (gain > WORTHWHILE_BYTES && now >= this.#collectedAt + PAUSE_MS);
  }

  async #trim(): Promise<void> {
    await trimAllocator();
    this.#trimmed = process.memoryUsage.rss();
  }

  /** `withCode`: what only a start, or the load that is over, needed of the program, too. What runs again is compiled again. */
  async #collect({ withCode }: { readonly withCode: boolean }): Promise<void> {
    this.#release();
    if (withCode) this.#forgetCode(true);
    await collectGarbage();
    if (withCode) this.#forgetCode(false);
  }
}

function forgetCodeOfV8(isForgotten: boolean): void {
  setFlagsFromString(`--bytecode-old-age=${isForgotten ? 0 : BYTECODE_COLLECTIONS}`);
}

/** How often it looks. */
const LOOK_MS = 5_000;
/** Of one processor. */
const QUIET_SHARE = 0.1;
const REST_SHARE = 0.02;
/** What is given back after a while, and what at once. */
const WORTHWHILE_BYTES = 8 * MIB;
const MUCH_BYTES = 32 * MIB;
const PAUSE_MS = 60_000;
/** Full collections that V8's bytecode of a function outlives unused, by itself. */
const BYTECODE_COLLECTIONS = 6;

/** What holds the memory of the process. */
export async function memoryUse(
  plan: DaemonSettings['memory'],
  storage: { heapUse(): Promise<HeapUse> },
  analysis: { heapUse(): Promise<readonly HeapUse[]> },
): Promise<MemoryUse> {
  const [stored, analyzing] = await Promise.all([storage.heapUse(), analysis.heapUse()]);
  const main = heapUseOf(getHeapStatistics());
  const program = programBytes();
  const threads = [main, stored, ...analyzing];
  const known = threads.reduce((sum, { heap, external }) => sum + heap + external, program ?? 0);
  return {
    plan,
    program_bytes: program,
    main_heap_bytes: main.heap,
    storage_heap_bytes: stored.heap,
    analysis_heap_bytes: analyzing.reduce((sum, { heap }) => sum + heap, 0),
    analysis_threads: analyzing.length,
    buffer_bytes: threads.reduce((sum, { external }) => sum + external, 0),
    sqlite_cache_limit_bytes: memoryPlan(plan).sqliteCacheBytes,
    // Texts outside of a heap may be parts of the program, which are counted once more.
    other_bytes: Math.max(0, process.memoryUsage.rss() - known),
  };
}

/** Files that are in memory: the program of Node and its libraries. */
function programBytes(): number | null {
  try {
    const kib = /^RssFile:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1];
    return kib === undefined ? null : Number(kib) * 1_024;
  } catch {
    // No Linux.
    return null;
  }
}
