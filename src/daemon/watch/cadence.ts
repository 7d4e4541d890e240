import { createHash } from 'node:crypto';
import type { Plan } from '../accounts/plans.ts';
import { slotAfter, type Slots, type WatchRecord } from '../storage/watches.ts';

/**
 * How often a watch is checked: as often as its owner asked for, unless the plan has become slower since. What the owner
 * asked for is kept, and holds again with a faster plan.
 */
export function effectiveMs(everyMs: number, { fastestMinutes }: Pick<Plan, 'fastestMinutes'>): number {
  return Math.max(everyMs, fastestMinutes * MINUTE_MS);
}

/** The slots of a watch as its plan allows them now. */
export function slotsOf(watch: Slots, plan: Pick<Plan, 'fastestMinutes'>): Slots {
  const { createdAt, jitterMs, everyMs } = watch;
  return { createdAt, jitterMs, everyMs: effectiveMs(everyMs, plan) };
}

/** When a watch is due by other slots than before; what waits for a second word waits no longer for them. */
export function dueBy(slots: Slots, { due, checkedAt, doubtedAt }: Checked, now: number): number {
  const slot = Math.max(now, slotAfter(slots, checkedAt));
  return doubtedAt === undefined ? slot : Math.min(due, slot);
}

type Checked = Pick<WatchRecord, 'due' | 'doubtedAt'> & { readonly checkedAt: number };

/** Milliseconds, at most a tenth of the interval, and the same for a watch whenever it is asked. */
export function jitterOf(id: string, everyMs: number): number {
  const share = createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32;
  return Math.floor((share * everyMs) / MOST_JITTER);
}

export const MINUTE_MS = 60_000;

const MOST_JITTER = 10;
