import { setTimeout as sleep } from 'node:timers/promises';
import type { AppendedEvent } from '../../event-log.ts';
import type { TapHead } from '../../nodes.ts';
import type { Database, Queryable } from '../connection/database.ts';
import { Notifications } from '../connection/notifications.ts';

/** Of taps. */
export const TAP_HEADS = 'hydrant_heads';
/** PostgreSQL takes less than 8,000 bytes at once. */
const PAYLOAD_BYTES = 7_900;
/** Milliseconds between two looks at the heads of the taps that are read here, where no notification comes. */
const LOOK_MS = 1_000;

export function headsOf(appended: readonly AppendedEvent[]): TapHead[] {
  const heads = new Map<string, number>();
  for (const { tapId, offset } of appended) heads.set(tapId, Math.max(offset + 1, heads.get(tapId) ?? 0));
  return [...heads];
}

/**
 * Notifies all nodes, this one too, of how far taps have come: once a group of visits, and after its commit, since transactions
 * that notify are committed one after another.
 */
export async function announceHeads(
  database: Queryable,
  heads: readonly TapHead[],
  channel: string = TAP_HEADS,
): Promise<void> {
  if (heads.length === 0) return;
  await database.query('SELECT pg_notify($2, payload) FROM unnest($1::text[]) AS payload', [
    payloadsOf(heads),
    channel,
  ]);
}

interface HeadFeedOptions {
  /** Absent: that of taps. */
  readonly channel?: string;
  readonly database: Pick<Database, 'dedicated'>;
  readonly log: { heads(tapIds: readonly string[]): Promise<TapHead[]> };
  /** The taps that are read on this node. */
  readonly watched: () => readonly string[];
  /** Called with the heads of any taps, again and again with the same ones. */
  readonly heard: (heads: readonly TapHead[]) => void;
}

/**
 * Follows the heads of taps as all nodes move them: by notifications, and by a look each second at those that are read here, since
 * what is notified while the connection is away is lost.
 */
export class HeadFeed {
  readonly #options: HeadFeedOptions;
  readonly #notifications: Notifications;
  readonly #end = new AbortController();
  readonly #done: Promise<void>;

  constructor(options: HeadFeedOptions) {
    this.#options = options;
    this.#notifications = new Notifications(options.database, options.channel ?? TAP_HEADS, {
      heard: (payload) => options.heard(headsIn(payload)),
    });
    this.#done = this.#look();
  }

  async close(): Promise<void> {
    this.#end.abort();
    await Promise.all([this.#notifications.close(), this.#done]);
  }

  async #look(): Promise<void> {
    const { log, watched, heard } = this.#options;
    const { signal } = this.#end;
    while (!signal.aborted) {
      const taps = watched();
      // The database is away: those who write and read say so.
      if (taps.length > 0) await log.heads(taps).then(heard, () => undefined);
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

function payloadsOf(heads: readonly TapHead[]): string[] {
  const payloads: string[] = [];
  let items: string[] = [];
  let bytes = 0;
  const close = (): void => {
    if (items.length > 0) payloads.push(`[${items.join(',')}]`);
    [items, bytes] = [[], 0];
  };
  for (const head of heads) {
    const item = JSON.stringify(head);
    const size = Buffer.byteLength(item) + 1;
    if (bytes + size > PAYLOAD_BYTES) close();
    items.push(item);
    bytes += size;
  }
  close();
  return payloads;
}

/** Anybody who may use the database may notify on any channel: what is not a list of heads is ignored. */
function headsIn(payload: string): TapHead[] {
  try {
    const items: unknown = JSON.parse(payload);
    return Array.isArray(items) ? items.filter(isHead) : [];
  } catch {
    return [];
  }
}

function isHead(item: unknown): item is TapHead {
  return Array.isArray(item) && typeof item[0] === 'string' && Number.isSafeInteger(item[1]);
}
