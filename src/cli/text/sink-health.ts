import { duration } from './time.ts';
import type { SinkTotals, UnhealthySink } from '../../shared/api/status.ts';
import { count } from '../../shared/text/plural.ts';

/** How all sinks together are doing; undefined where there are none. */
export function sinksLine({ sinks, paused, sent, behind, parked, dropped }: SinkTotals): string | undefined {
  if (sinks === 0) return undefined;
  const parts = [
    count(sinks, 'sink'),
    `${count(sent, 'message')} sent`,
    ...(paused > 0 ? [`${paused} paused`] : []),
    ...(behind > 0 ? [`${behind} waiting`] : []),
    ...(parked > 0 ? [`${parked} refused`] : []),
    ...(dropped > 0 ? [`${dropped} dropped`] : []),
  ];
  return parts.join(' · ');
}

/** `ntfy phone has failed for 4 d: connection refused`. */
export function unhealthySinkLine({ name, kind, state, since, detail }: UnhealthySink, now: number): string {
  const how =
    state === 'disabled'
      ? 'is disabled, its receiver is gone'
      : `${state === 'dead' ? 'is dead, it' : ''} has failed for ${duration(now - Date.parse(since))}`.trim();
  return `${kind} ${name} ${how}${detail === '' ? '' : `: ${detail}`}`;
}
