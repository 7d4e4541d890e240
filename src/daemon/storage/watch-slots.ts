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
 * missed one, or the first one of all, has just done its work.
 */
export function slotAfter({ createdAt, jitterMs, everyMs }: Slots, checkedAt: number): number {
  const first = createdAt + jitterMs;
  const earliest = checkedAt + everyMs / NEAR;
  return first + Math.max(0, Math.ceil((earliest - first) / everyMs)) * everyMs;
}

const NEAR = 4;
