import { watchedUrl } from '../../../shared/page/canonical-url.ts';
import { found } from '../../client/found.ts';
import type { OwnWatchEndpoints, SeenWatch, WatchEndpoints, WatchKeeping } from '../../client/watches.ts';
import { OperatorOnly, UsageError } from '../../runtime/failure.ts';
import type { Session } from '../session.ts';

/** Which watches there are for whoever asks, and which of them a word means. `keeping`: what works with a management key, too. */
export type OpenedWatches =
  | { readonly keeping: WatchKeeping; readonly operator: WatchEndpoints; readonly own: undefined }
  | { readonly keeping: WatchKeeping; readonly operator: undefined; readonly own: OwnWatchEndpoints };

export async function openWatches(session: Session): Promise<OpenedWatches> {
  const { client, connection } = await session.connect();
  if (connection.credential.kind === 'operator') {
    return { keeping: client.watches, operator: client.watches, own: undefined };
  }
  return { keeping: client.ownWatches, operator: undefined, own: client.ownWatches };
}

/** @throws {OperatorOnly} with a management key: `what` is the operator's to say */
export function operatorOnly({ operator }: OpenedWatches, what: string): WatchEndpoints {
  if (operator !== undefined) return operator;
  throw new OperatorOnly(what);
}

/**
 * By its URL or its id; else by the beginning of its id, or its title in either case, where that is one watch: a word that
 * begins the id of one and is the title of another is refused.
 */
export function findWatch<Kept extends SeenWatch>(watches: readonly Kept[], wanted: string): Kept {
  const url = watchedUrl(wanted);
  if (!watches.some((watch) => watch.id === wanted || watchedUrl(watch.url) === url)) {
    const title = wanted.trim().toLowerCase();
    const near = watches.filter((watch) => watch.title?.toLowerCase() === title || watch.id.startsWith(wanted));
    const [only] = near;
    if (wanted !== '' && near.length === 1 && only !== undefined) return only;
    if (wanted !== '' && near.length > 1) throw ambiguous(wanted, near);
  }
  return found('watch', watches, url, (watch) => watchedUrl(watch.url));
}

function ambiguous(wanted: string, near: readonly SeenWatch[]): UsageError {
  const shown = near.slice(0, SHOWN).map(({ url, id }) => `${url} (${id.slice(0, 8)})`);
  const more = near.length > SHOWN ? [`and ${near.length - SHOWN} more`] : [];
  const candidates = [...shown, ...more].join(', ');
  return new UsageError(`\`${wanted}\` is ${near.length} watches; specify one: ${candidates}`);
}

const SHOWN = 8;

/** Each once, in the order of the words. All are looked up before the first is touched: a wrong name changes nothing. */
export function findWatches<Kept extends SeenWatch>(watches: readonly Kept[], wanted: readonly string[]): Kept[] {
  return [...new Map(wanted.map((word) => findWatch(watches, word)).map((watch) => [watch.id, watch])).values()];
}
