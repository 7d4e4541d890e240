import type { CheckReport } from '../../../shared/api/watch.ts';
import { Refused } from '../../client/refusal.ts';
import type { ChecksAsked, WatchEndpoints } from '../../client/watches.ts';
import { NotFound, UsageError } from '../../failure.ts';
import { parseSeconds } from '../../time.ts';
import { quoted } from '../../shell.ts';

/** Checks of one answer. */
const A_PAGE = 100;

/** The checks of a watch as far as they are kept, newest first, asked for as they are needed. */
export async function* allChecks(
  watches: WatchEndpoints,
  id: string,
  asked: Omit<ChecksAsked, 'limit'> = {},
): AsyncGenerator<CheckReport> {
  let { before } = asked;
  for (;;) {
    const page = await watches.checks(id, { ...asked, ...(before !== undefined && { before }), limit: A_PAGE });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < A_PAGE) return;
    before = last.n;
  }
}

export async function newestCheck(watches: WatchEndpoints, id: string): Promise<CheckReport | undefined> {
  return (await watches.checks(id, { limit: 1 }))[0];
}

/** The instant that `2h` ago, a date or a timestamp names, in milliseconds. @throws {UsageError} */
export function instantOf(text: string, now: number, flag: string): number {
  const seconds = parseSeconds(text);
  const at = seconds === undefined ? Date.parse(text) : now - seconds * 1_000;
  if (!Number.isNaN(at)) return at;
  throw new UsageError(`${flag}: \`${text}\` is no time`, { hint: 'it is 2h, 3d, 2026-02-27 or 2026-02-27T14:00:00Z' });
}

/** Checks and texts are kept for a while only: what a 404 of one means. */
export function notKept(error: unknown, what: string, watch: { readonly url: string }): unknown {
  if (!(error instanceof Refused) || error.status !== 404) return error;
  return new NotFound(`there is no ${what}, or it is not kept any more`, {
    try: `hydrant watch log ${quoted(watch.url)}`,
  });
}
