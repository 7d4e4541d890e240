/**
 * What changed lately, as rules saw it: kept so that a query can be tried before it is saved. Written by the commit of
 * the visit that found it (`pages.ts`, `Visit.recent`), where that was not withheld as a repetition of another page.
 */
export interface RecentChange {
  /** Ascending in the order of the commits, about so where several processes commit; what `recentChanges` goes on before. */
  readonly seq: number;
  /** When it was reported, milliseconds since 1970. Along `seq` it decreases by no more than the clocks of those that commit differ. */
  readonly at: number;
  /** zstd of what a rule sees beside the labels of the page: packed and unpacked outside of the storage. */
  readonly change: Uint8Array;
  /** zstd of the page as it was then: that of its version. */
  readonly page: Uint8Array;
}

export interface RecentQuestion {
  /** Nothing older than this; milliseconds since 1970. */
  readonly since: number;
  /** Nothing newer than this; milliseconds since 1970. */
  readonly until?: number;
  /** Goes on before this one, with which a former answer ended. */
  readonly before?: number;
  readonly atMost: { readonly changes: number; readonly bytes: number };
}

/** What a change takes beside its bytes, about: its row, and the end of its last page on the disk (measured). */
export const CHANGE_OVERHEAD_BYTES = 2_048;

/** What a change counts as. */
export function bytesOfChange({ change, page }: Pick<RecentChange, 'change' | 'page'>): number {
  return change.length + page.length + CHANGE_OVERHEAD_BYTES;
}

export interface RecentChanges {
  /** Those with the highest `seq` first; at least one, if there is one. */
  recentChanges(question: RecentQuestion): Promise<RecentChange[]>;
  /** Drops those older than `before`, and the oldest ones while there are more than `mostBytes`. How many went. */
  trimRecentChanges(before: number, mostBytes: number): Promise<number>;
  /** As `EventLog.repairTimes`. */
  repairChangeTimes(now: number): Promise<number>;
}
