import { found } from '../client/client.ts';
import { UsageError } from '../failure.ts';

/** What names a watch. */
interface Named {
  readonly id: string;
  readonly url: string;
}

/** A watch by its URL as one types it, its id, or a beginning of its id that no other has. */
export function watchNamed<Watch extends Named>(watches: readonly Watch[], wanted: string): Watch {
  const word = URL.parse(wanted)?.href;
  const same = watches.filter(({ url }) => url === wanted || (word !== undefined && URL.parse(url)?.href === word));
  if (same.length > 1) {
    const each = same.map(({ id }) => id.slice(0, 8)).join(', ');
    throw new UsageError(`${wanted} is ${same.length} watches; say which by its id: ${each}`);
  }
  return same[0] ?? found('watch', watches, wanted, ({ url }) => url);
}
