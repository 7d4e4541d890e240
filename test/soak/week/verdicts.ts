import { CADENCES, FEW_CHECKS, type Scene } from './scene.ts';
import type { Holding } from './readings.ts';
import { EVENT_RETENTION_MS, WATCH_HISTORY } from '../../../src/shared/limits.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Time goes on a minute at a time, and what is due within one is asked for at its end. */
const LATE_MS = 3 * MINUTE_MS;
/** Pages change each hour and are visited each half an hour: between two events there is no more. */
const EVENTS_APART_MS = 65 * MINUTE_MS;

/** When what happened; milliseconds since 1970, as it was and not as the daemon's clock said. */
export interface Plot {
  readonly from: number;
  readonly month: number;
  readonly slowFrom: number;
  readonly slowTo: number;
  readonly expiry: number;
  readonly revocation: number;
  readonly clockBack: number;
  readonly clockRight: number;
  readonly to: number;
}

/** Milliseconds that the daemon's clock is behind between `clockBack` and `clockRight`. */
export const SKEW_MS = 30 * MINUTE_MS;

/** Of all watches: no check is doubled, and none is missed. */
export function gapFaults(scene: Scene, plot: Plot): string[] {
  const faults: string[] = [];
  for (const minutes of CADENCES) {
    const everyMs = minutes * MINUTE_MS;
    const times = scene.site.asked(scene.watched.get(minutes) ?? '');
    for (const [index, [one, next]] of gaps([...times, plot.to]).entries()) {
      const steps = [plot.clockBack, plot.clockRight].filter((at) => at >= one - LATE_MS && at <= next + LATE_MS);
      // The first check is at once, the next one at its place in the interval, with a tenth of it for jitter.
      const mostMs = everyMs * (index === 0 ? 1.35 : 1) + LATE_MS + steps.length * SKEW_MS;
      const what = `the watch each ${minutes} min was checked at ${shown(one)} and ${shown(next)}`;
      // A clock that is set forward brings the slots between.
      const isDoubled = steps.length === 0 && next !== plot.to && next - one < everyMs / 4 - LATE_MS;
      if (isDoubled) faults.push(`${what}: doubled`);
      if (next - one > mostMs) faults.push(`${what}: one is missing`);
    }
  }
  return faults;
}

/** Of the organization with few checks: all that it has in each month, at once, and no more. */
export function quotaFaults(scene: Scene, plot: Plot): string[] {
  const times = scene.site.asked(scene.fewUrl);
  const before = times.filter((at) => at < plot.month).length;
  const after = times.filter((at) => at >= plot.month);
  const waited = (after[0] ?? Infinity) - plot.month;
  return [
    ...(before === FEW_CHECKS ? [] : [`${before} checks of ${FEW_CHECKS} in the first month`]),
    ...(after.length === FEW_CHECKS ? [] : [`${after.length} checks of ${FEW_CHECKS} in the second month`]),
    ...(waited <= 11 * MINUTE_MS + LATE_MS
      ? []
      : [`the second month's first check came ${waited / MINUTE_MS} min late`]),
  ];
}

/** Of the organization whose plan was slower for a while. */
export function planFaults(scene: Scene, plot: Plot): string[] {
  return gaps(scene.site.asked(scene.changingUrl)).flatMap(([one, next]) => {
    const isSlow = one > plot.slowFrom + HOUR_MS && next < plot.slowTo;
    const isFast = next < plot.slowFrom || (one > plot.slowTo + LATE_MS && next < plot.clockBack);
    const minutes = Math.round((next - one) / MINUTE_MS);
    if (isSlow && minutes < 45) return [`checked after ${minutes} min on a plan of 60, at ${shown(next)}`];
    return isFast && minutes > 9 ? [`checked after ${minutes} min on a plan of 5, at ${shown(next)}`] : [];
  });
}

/** Of what is kept, at a moment when the daemon's clock was right. */
export function retentionFaults(holding: Holding, plot: Plot, now: number): string[] {
  const kept = { events: holding.oldestEvent, changes: holding.oldestChange };
  const faults = holding.mostChecks > WATCH_HISTORY ? [`${holding.mostChecks} checks of a watch are kept`] : [];
  const isRight = now < plot.clockBack || now > plot.clockRight + EVENT_RETENTION_MS + HOUR_MS;
  if (!isRight) return faults;
  const isFull = now - plot.from > EVENT_RETENTION_MS + EVENTS_APART_MS;
  for (const [what, oldest] of Object.entries(kept)) {
    const age = now - oldest;
    const isShort = isFull && age < EVENT_RETENTION_MS - EVENTS_APART_MS;
    if (age <= EVENT_RETENTION_MS + LATE_MS && !isShort) continue;
    const hours = (age / HOUR_MS).toFixed(2);
    faults.push(`${what} are kept for ${hours} h${isShort ? ' only' : ''} at ${shown(now)}`);
  }
  return faults;
}

function gaps(times: readonly number[]): [number, number][] {
  return times.slice(1).map((time, index) => [times[index] ?? 0, time]);
}

function shown(at: number): string {
  return new Date(at).toISOString().slice(5, 19);
}
