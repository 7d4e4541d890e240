import type { Status } from '../shared/api/status.ts';
import { relative } from './time.ts';

/** A line for each reason that hosts fail for: how many, which, and when the first of them is asked again. */
export function unhealthyLines(hosts: NonNullable<Status['crawl']['unhealthy']>, now: number): string[] {
  const byReason = [...Map.groupBy(hosts, ({ reason }) => reason)];
  return byReason.map(([reason, some]) => {
    const names = some.slice(0, NAMED).map(({ host }) => host);
    const more = some.length > NAMED ? `, and ${some.length - NAMED} more` : '';
    const [next] = some.flatMap(({ next_try: at }) => at ?? []).toSorted();
    const asked = next === undefined ? '' : `; next try ${Date.parse(next) <= now ? 'now' : relative(next, now)}`;
    return `${reason}: ${names.join(', ')}${more}${asked}`;
  });
}

const NAMED = 10;
