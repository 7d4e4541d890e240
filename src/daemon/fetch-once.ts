import { AddressGuard, OPENABLE_NETWORKS } from './fetch/address-guard.ts';
import type { Fetched } from './fetch/fetched.ts';
import { createFetcher, userAgent } from './fetch/fetcher.ts';
import { systemResolve } from './fetch/names.ts';
import { version } from './version.ts';

/**
 * One page, fetched as the crawl does it (limits, redirects, deadline, name), for a person who asks: `hydrant extract`,
 * `diff` and `match`. Whoever types an address of his own network means it, so private networks are open here; cloud
 * metadata stays closed, since a redirect could lead there.
 */
export async function fetchPage(url: string, signal: AbortSignal): Promise<Fetched> {
  const fetcher = createFetcher({
    guard: new AddressGuard({ allowPrivate: OPENABLE_NETWORKS }),
    userAgent: userAgent(version(), ''),
    deadlineMs: DEADLINE_MS,
    resolve: systemResolve,
  });
  try {
    return await fetcher.fetch({ url }, signal);
  } finally {
    await fetcher.close();
  }
}

/** Longer than the crawl's own deadline: a slow page delays nobody but the one who waits for it. */
const DEADLINE_MS = 60_000;
