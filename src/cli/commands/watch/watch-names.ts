import { watchedUrl } from '../../../shared/page/canonical-url.ts';
import { found } from '../../client/found.ts';
import type { SeenWatch, WatchEndpoints, WatchKeeping } from '../../client/watches.ts';
import { UsageError } from '../../runtime/failure.ts';
import type { Session } from '../session.ts';

/** Which watches there are for whoever asks, and which of them a word means. */
export interface OpenedWatches {
  /** What works with a management key, too. */
  readonly keeping: WatchKeeping;
  /** Undefined with a management key. */
  readonly operator: WatchEndpoints | undefined;
}

export async function openWatches(session: Session): Promise<OpenedWatches> {
  const { client, connection } = await session.connect();
  if (connection.credential.kind === 'operator') return { keeping: client.watches, operator: client.watches };
  return { keeping: client.ownWatches, operator: undefined };
}

/** @throws {UsageError} with a management key: `what` is the operator's to say */
export function operatorOnly({ operator }: OpenedWatches, what: string): WatchEndpoints {
  if (operator !== undefined) return operator;
  throw new UsageError(`${what} works on the daemon's own machine only, over its Unix socket`, {
    hint: 'run it there, without --url and HYDRANT_URL',
  });
}

/** By its URL, its id, or a beginning of its id that no other has. */
export function findWatch<Kept extends SeenWatch>(watches: readonly Kept[], wanted: string): Kept {
  return found('watch', watches, watchedUrl(wanted), ({ url }) => watchedUrl(url));
}

/** Each once, in the order of the words. All are looked up before the first is touched: a wrong name changes nothing. */
export function findWatches<Kept extends SeenWatch>(watches: readonly Kept[], wanted: readonly string[]): Kept[] {
  return [...new Map(wanted.map((word) => findWatch(watches, word)).map((watch) => [watch.id, watch])).values()];
}
