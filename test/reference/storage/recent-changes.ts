import {
  bytesOfChange,
  type RecentChange,
  type RecentChanges,
  type RecentQuestion,
} from '../../../src/daemon/storage/recent-changes.ts';
import { CLOCK_SLACK_MS } from '../../../src/daemon/storage/frontier-rules.ts';
import type { Writers } from './event-log.ts';

export class MemoryRecentChanges implements RecentChanges {
  readonly #writers: Writers;
  #kept: RecentChange[] = [];
  #lastAt = 0;
  #lastSeq = 0;

  constructor(writers: Writers) {
    this.#writers = writers;
  }

  async recentChanges({ since, until = Infinity, before = Infinity, atMost }: RecentQuestion): Promise<RecentChange[]> {
    const found: RecentChange[] = [];
    let bytes = 0;
    for (const one of this.#kept.toReversed()) {
      if (one.seq >= before || one.at > until || one.at < since) continue;
      bytes += one.change.length + one.page.length;
      if (found.length === atMost.changes || (found.length > 0 && bytes > atMost.bytes)) break;
      found.push({ ...one, change: one.change.slice(), page: one.page.slice() });
    }
    return found;
  }

  async trimRecentChanges(before: number, mostBytes: number): Promise<number> {
    let bytes = this.#kept.reduce((sum, one) => sum + bytesOfChange(one), 0);
    const oldest = this.#kept.toSorted((one, other) => one.at - other.at || one.seq - other.seq);
    const first = oldest.findIndex((one) => {
      if (one.at >= before && bytes <= mostBytes) return true;
      bytes -= bytesOfChange(one);
      return false;
    });
    const gone = new Set(first < 0 ? oldest : oldest.slice(0, first));
    this.#kept = this.#kept.filter((one) => !gone.has(one));
    return gone.size;
  }

  async repairChangeTimes(now: number): Promise<number> {
    if (this.#lastAt <= now + CLOCK_SLACK_MS) return 0;
    this.#lastAt = now;
    const repaired = this.#kept.filter(({ at }) => at > now).length;
    this.#kept = this.#kept.map((one) => (one.at > now ? { ...one, at: now } : one));
    return repaired;
  }

  /** Part of the commit of a visit. */
  add(change: Uint8Array, page: Uint8Array, at: number): void {
    this.#lastAt = Math.max(this.#lastAt, at);
    this.#lastSeq += 1;
    this.#kept.push({ seq: this.#lastSeq, at: this.#writers === 'one' ? this.#lastAt : at, change, page });
  }
}
