import type { Tap } from '../../shared/api/tap.ts';
import type { Connection } from '../runtime/context.ts';
import { NotFound, UsageError } from '../runtime/failure.ts';
import { plural } from '../../shared/text/plural.ts';
import type { Client } from './client.ts';

/** The token that the routes of one tap want; `tap` is undefined when a tap's token is all we have. */
export interface OpenedTap {
  readonly token: string;
  readonly tap: Tap | undefined;
}

export async function openTap(connection: Connection, client: Client, wanted: string | undefined): Promise<OpenedTap> {
  if (connection.credential.kind === 'tap') {
    if (wanted === undefined) return { token: connection.credential.token, tap: undefined };
    throw new UsageError("a tap token opens its own tap only: leave the tap's name out, or give a management key");
  }
  const tap = findTap(await client.taps(), wanted);
  return { token: tap.token, tap };
}

/** A tap by its id, its name, or a beginning of its id that no other has. Undefined: the only one there is. */
export function findTap(taps: readonly Tap[], wanted: string | undefined): Tap {
  if (taps.length === 0) throw new NotFound('there is no tap yet', { try: 'hydrant tap create news' });
  if (wanted === undefined) {
    if (taps.length === 1 && taps[0]) return taps[0];
    throw new UsageError(`there are ${taps.length} taps; specify one: ${listed(taps)}`);
  }
  return found('tap', taps, wanted, (tap) => tap.name);
}

/** One of `items` by its id, its name, or a beginning of its id; what it is not is said with the candidates. */
export function found<Item extends { readonly id: string }>(
  noun: string,
  items: readonly Item[],
  wanted: string,
  nameOf: (item: Item) => string,
): Item {
  const exact = items.filter((item) => item.id === wanted || nameOf(item) === wanted);
  const near = exact.length > 0 || wanted === '' ? exact : items.filter((item) => item.id.startsWith(wanted));
  if (near.length === 1 && near[0]) return near[0];
  const candidates = listed((near.length > 0 ? near : items).map((item) => ({ id: item.id, name: nameOf(item) })));
  if (near.length > 1)
    throw new UsageError(`\`${wanted}\` is ${near.length} ${plural(noun)}; specify one: ${candidates}`);
  throw new NotFound(`there is no ${noun} \`${wanted}\``, {
    hint: items.length > 0 ? `known: ${candidates}` : 'there is none at all',
  });
}

function listed(items: readonly { readonly id: string; readonly name: string }[]): string {
  const shown = items.slice(0, 8).map((item) => `${item.name} (${item.id.slice(0, 8)})`);
  return [...shown, ...(items.length > 8 ? [`and ${items.length - 8} more`] : [])].join(', ');
}
