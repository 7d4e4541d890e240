import type { WatchOptions } from '../../shared/api/watch.ts';

/** What of the options decides which lines a page has, as text: `WatchBaseline.reading`. The order of entries does not count. */
export function readingOf({ select, ignore }: WatchOptions): string {
  const sorted = (entries: readonly string[]): string[] => [...new Set(entries)].sort();
  return JSON.stringify({ select: sorted(select), ignore: sorted(ignore) });
}
