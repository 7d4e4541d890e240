import type { Status } from '../../shared/api/status.ts';
import { relative } from './time.ts';

/** A line for each reason that hosts fail for: how many, which, and when the first of them is asked again. */
export function unhealthyLines(hosts: NonNullable<Status['crawl']['unhealthy']>, now: number): string[] {
  const byReason = [...Map.groupBy(hosts, ({ reason }) => reason)];
  return byReason.map(([reason, some]) => {
    const [next] = some.flatMap(({ next_try: at }) => at ?? []).toSorted();
    const asked = next === undefined ? '' : `; next try ${Date.parse(next) <= now ? 'now' : relative(next, now)}`;
    return `${reason}: ${named(some.map(({ host }) => host))}${asked}`;
  });
}

/** A line for each reason that URLs fail for on hosts that answer: which, each once. */
export function failingLines(urls: NonNullable<Status['crawl']['failing']>): string[] {
  const byReason = [...Map.groupBy(urls, ({ reason }) => reason)];
  return byReason.map(([reason, some]) => `${reason}: ${named([...new Set(some.map(({ url }) => url))])}`);
}

/** URLs that have moved for good, each with its new address; undefined: there is none. */
export function movedLine(urls: NonNullable<Status['crawl']['moved']>): string | undefined {
  return urls.length === 0 ? undefined : named([...new Set(urls.map(({ url, to }) => `${url} to ${to}`))]);
}

function named(names: readonly string[]): string {
  const more = names.length > NAMED ? `, and ${names.length - NAMED} more` : '';
  return `${names.slice(0, NAMED).join(', ')}${more}`;
}

const NAMED = 10;
