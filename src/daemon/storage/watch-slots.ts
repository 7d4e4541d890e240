/**
 * When a watch is due. Slots are fixed points of the wall clock in UTC, `createdAt + jitterMs + k · everyMs`: a check that
 * comes late moves none of the later ones, and no change of a time zone moves any.
 */
export interface Slots {
  readonly createdAt: number;
  readonly jitterMs: number;
  readonly everyMs: number;
}

/**
 * The slot after a check. One that is nearer than a quarter of the interval is passed over: the check that made up for a
 * missed one, or the first one of all, has just done its work. `k` may be below 0: a watch that was added under a clock
 * that was ahead has slots now, too.
 */
export function slotAfter({ createdAt, jitterMs, everyMs }: Slots, checkedAt: number): number {
  const first = createdAt + jitterMs;
  const earliest = checkedAt + everyMs / NEAR;
  return first + Math.ceil((earliest - first) / everyMs) * everyMs;
}

const NEAR = 4;

/**
 * When a watch is due after a time without checks, or after the clock was set. One that is late has a place within
 * `withinMs`, by its `key` alone: any number of keys in a row is spread evenly. One further ahead than its interval has its
 * next slot, which it had already unless the clock was set.
 */
export function dueAgain(watch: Slots & { key: number; due: number }, now: number, withinMs: number): number {
  if (watch.due < now) return now + Math.floor(((watch.key * GOLDEN) % 1) * withinMs);
  return watch.due > now + watch.everyMs ? slotAfter(watch, now) : watch.due;
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;
