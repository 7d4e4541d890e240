import { type EventId, formatEventId } from '../../shared/api/stream.ts';
import type { LogBounds } from '../storage/event-log.ts';

/** Where a client asks its stream to start. The first that is given wins, in this order (spec, Stream). */
export interface StreamPosition {
  /** The last event the client has: it wants the one after it. */
  readonly lastEventId?: EventId | undefined;
  /** The first event the client wants. */
  readonly offset?: number | undefined;
  /** How far back the client wants to begin, in milliseconds. */
  readonly sinceMs?: number | undefined;
}

/**
 * Why a stream starts where it does. `resumed`: right after Last-Event-ID. `offset`, `since`: as asked. `clamped`:
 * what was asked for is gone (too old, or of another life of the log), so at the oldest event kept. `ahead`: beyond
 * the head, so at the next event to come. `live`: nothing was asked.
 */
export type StartReason = 'resumed' | 'offset' | 'since' | 'clamped' | 'ahead' | 'live';

export interface StreamStart extends EventId {
  readonly why: StartReason;
}

/**
 * Resolves the position once; from then on the stream moves by offset alone. Time is no cursor: it loses ties and
 * jumps with the clock. `firstSince` answers the first offset that is at most so many milliseconds old.
 */
export async function findStart(
  position: StreamPosition,
  bounds: LogBounds,
  firstSince: (windowMs: number) => Promise<number>,
): Promise<StreamStart> {
  const { partition, floor, head } = bounds;
  const at = (offset: number, why: StartReason): StreamStart => ({ partition, offset, why });
  const clamp = (offset: number, why: StartReason): StreamStart => {
    if (offset < floor) return at(floor, 'clamped');
    return offset > head ? at(head, 'ahead') : at(offset, why);
  };

  const { lastEventId, offset, sinceMs } = position;
  if (lastEventId) {
    if (lastEventId.partition !== partition) return at(floor, 'clamped');
    return clamp(lastEventId.offset + 1, 'resumed');
  }
  if (offset !== undefined) return clamp(offset, 'offset');
  if (sinceMs !== undefined) {
    // An event appended since the bounds were read is newer than the request: never skipped, whatever its time says.
    const first = Math.min(await firstSince(sinceMs), head);
    return at(Math.max(first, floor), 'since');
  }
  return at(head, 'live');
}

/** The value of `X-Stream-Start`: the id the first event will have, and why (`0-1842; resumed`). */
export function formatStart(start: StreamStart): string {
  return `${formatEventId(start)}; ${start.why}`;
}
