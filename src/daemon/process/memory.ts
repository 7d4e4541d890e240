import { availableParallelism } from 'node:os';
import type { DaemonSettings } from '../settings.ts';
import { collectGarbage } from '../collect-garbage.ts';

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
        sqliteCacheBytes: 16 * MIB,
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
 * Gives memory back after load. V8 collects what is old only as more is allocated: a daemon that has nothing more to do would
 * keep the bodies and trees of its last pages for as long as it rests. So while little processor time is used, and more
 * memory than after the last time, everything is collected once: 40 ms of the main thread, when nobody waits for it.
 */
export class MemoryRelease {
  readonly #release: () => void;
  readonly #timer: NodeJS.Timeout;
  #cpu = process.cpuUsage();
  /** Bytes of the process at rest. */
  #kept = 0;
  #isFresh = false;

  /** @param release other threads collect their garbage, and caches that are cheap to fill again are emptied */
  constructor(release: () => void) {
    this.#release = release;
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Called every `LOOK_MS`. */
  async look(): Promise<void> {
    const { user, system } = process.cpuUsage(this.#cpu);
    this.#cpu = process.cpuUsage();
    if ((user + system) / 1_000 > LOOK_MS * QUIET_SHARE) return;
    const resident = process.memoryUsage.rss();
    // What was released takes up to 10 s to be back with the system.
    this.#kept = this.#isFresh ? resident : Math.min(this.#kept, resident);
    this.#isFresh = resident > this.#kept + WORTHWHILE_BYTES;
    if (!this.#isFresh) return;
    this.#release();
    await collectGarbage();
  }
}

/** How often it looks. */
const LOOK_MS = 5_000;
/** Of one processor. */
const QUIET_SHARE = 0.1;
const WORTHWHILE_BYTES = 8 * MIB;
