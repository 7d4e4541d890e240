import {
  type AppendedEvent,
  bytesOf,
  EVENT_OVERHEAD_BYTES,
  type EventLog,
  type LogBounds,
  type LogExtent,
  type LoggedEvent,
  type NewEvent,
  type TapBounds,
} from '../../event-log.ts';
import { CLOCK_SLACK_MS } from '../../frontier-rules.ts';
import { oldestToDelete } from '../../oldest-to-delete.ts';
import { columnsOf, packedBytes } from '../connection/columns.ts';
import type { Database, Transaction } from '../connection/database.ts';
import type { TapHead } from '../../nodes.ts';

/** What one visit of a group has for the log. */
export interface EventBatch {
  readonly events: readonly NewEvent[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Events that one transaction deletes or changes at most: some milliseconds, in which nobody appends to their taps. */
const EVENTS_A_STEP = 500;

/** The event log on PostgreSQL. Offsets are dense, so an offset is a position: nothing is ever searched by scanning. */
export class EventLogStore implements EventLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async bounds(tapId: string): Promise<LogBounds> {
    const [bounds] = await this.#database.query<LogBounds>(BOUNDS, [tapId]);
    if (!bounds) throw new Error('the table log has no row');
    return bounds;
  }

  async allBounds(): Promise<{ partition: number; taps: TapBounds[] }> {
    const rows = await this.#database.query<LogBounds & { tapId: string | null }>(ALL_BOUNDS);
    const taps = rows.flatMap(({ tapId, floor, head }) => (tapId === null ? [] : { tapId, floor, head }));
    return { partition: rows[0]?.partition ?? 0, taps };
  }

  /** Of those of the taps that have a log. */
  async heads(tapIds: readonly string[]): Promise<TapHead[]> {
    const rows = await this.#database.query<{ id: string; head: number }>(HEADS, [tapIds]);
    return rows.map(({ id, head }) => [id, head]);
  }

  async read(tapId: string, from: number, atMost: { events: number; bytes: number }): Promise<LoggedEvent[]> {
    return this.#database.query<LoggedEvent>(READ, [tapId, from, atMost.events, atMost.bytes]);
  }

  async firstAt(tapId: string, at: number): Promise<number> {
    const [found] = await this.#database.query<{ first: number | null; isKnown: boolean }>(FIRST_AT, [tapId, at]);
    if (!found?.isKnown) return 0;
    if (found.first === null) throw new Error(`the event log has a hole: tap ${tapId}`);
    return found.first;
  }

  async count(): Promise<number> {
    const [row] = await this.#database.query<{ events: number }>(COUNT);
    return row?.events ?? 0;
  }

  async extent(): Promise<LogExtent> {
    const [row] = await this.#database.query<LogExtent>(EXTENT);
    return row ?? { bytes: 0, droppedUpTo: 0 };
  }

  /**
   * Within the transaction of a group of visits: two statements for all of them. Answers for each batch what it has brought; those of
   * dropped taps are left out. From here to the end of the transaction nobody else appends to their taps, so this comes
   * late in it. Taps are locked in the order of their ids; where one is new, a deadlock is possible and resolved by the database.
   */
  async append(transaction: Transaction, batches: readonly EventBatch[]): Promise<AppendedEvent[][]> {
    const taps = await this.#advance(transaction, sharesOf(batches));
    const appended = batches.map(({ events, at }) =>
      events.flatMap((event): AppendedEvent | readonly [] => taps.get(event.tapId)?.next(event, at) ?? []),
    );
    const all = appended.flat();
    if (all.length === 0) return appended;
    const columns = columnsOf(
      all,
      ({ tapId }) => taps.get(tapId)?.key,
      ({ offset }) => offset,
      ({ at }) => at,
      ({ queryIds }) => queryIds,
    );
    const { blob, starts, lengths } = packedBytes(all.map(({ document }) => Buffer.from(document)));
    await transaction.query(APPEND, [...columns, blob, starts, lengths]);
    return appended;
  }

  async trim(before: number, mostBytes = Infinity): Promise<number> {
    await this.#sweepLeftovers();
    let gone = 0;
    for (let from = 0; ;) {
      const oldest = await this.#database.query<OldRow>(OLDEST, [from, EVENTS_A_STEP]);
      const { old } = oldestToDelete(oldest, oldest[0]?.total ?? 0, before, mostBytes);
      const last = old.at(-1);
      if (!last) return gone;
      const deleted = await this.#database.transaction((transaction) => deleteUpTo(transaction, old));
      // Another node was there first, or they are of no tap: nothing to try again at once.
      if (deleted === 0 && last.at === from) return gone;
      gone += deleted;
      // What was deleted up to here is in the index until the next vacuum: nobody has to go past it again.
      from = last.at;
    }
  }

  async repairTimes(now: number): Promise<number> {
    const latest = now + CLOCK_SLACK_MS;
    await this.#database.query('UPDATE log SET dropped_up_to = $1 WHERE dropped_up_to > $2', [now, latest]);
    const ahead = await this.#database.query<{ id: string }>(
      'SELECT id FROM taps WHERE last_at > $1 AND dropped_at IS NULL',
      [latest],
    );
    let repaired = 0;
    for (const { id } of ahead) repaired += await this.#repairTap(id, now);
    return repaired;
  }

  async drop(tapId: string): Promise<void> {
    const key = await this.#database.transaction(async (transaction) => {
      // Also of a tap without a row: somebody's first event for it may be on its way.
      const [dropped] = await transaction.query<{ key: number }>(DROP, [tapId]);
      if (dropped) await transaction.query('DELETE FROM charged WHERE tap = $1', [dropped.key]);
      return dropped?.key;
    });
    if (key !== undefined) await this.#sweep(key);
  }

  async retain(tapIds: readonly string[]): Promise<number> {
    const others = await this.#database.query<{ id: string }>(OTHERS, [tapIds]);
    for (const { id } of others) await this.drop(id);
    return others.length;
  }

  /** Makes room at the heads of taps, which have a row from then on. Those that are not in the answer were dropped. */
  async #advance(transaction: Transaction, shares: readonly Share[]): Promise<Map<string, AdvancedTap>> {
    const taps = new Map<string, AdvancedTap>();
    const advance = async (some: readonly Share[]): Promise<Share[]> => {
      if (some.length === 0) return [];
      for (const row of await transaction.query<AdvancedRow>(ADVANCE, shareColumns(some))) {
        taps.set(row.id, new AdvancedTap(row));
      }
      return some.filter(({ tapId }) => !taps.has(tapId));
    };
    const others = await advance(shares);
    if (others.length === 0) return taps;
    await transaction.query(ADD_TAPS, [others.map(({ tapId }) => tapId)]);
    await advance(others);
    return taps;
  }

  /** From the oldest on, so that times never decrease in between; what is appended meanwhile has its turn. */
  async #repairTap(tapId: string, now: number): Promise<number> {
    let repaired = 0;
    for (let from = await this.firstAt(tapId, now + 1); ; from += EVENTS_A_STEP) {
      const { events, isMore } = await this.#database.transaction((transaction) =>
        repairSome(transaction, { tapId, from, now }),
      );
      repaired += events;
      if (!isMore) return repaired;
    }
  }

  /** What a process that ended has left of dropped taps; and the rows of those that nobody can have anything for any more. */
  async #sweepLeftovers(): Promise<void> {
    const dropped = await this.#database.query<{ key: number }>(
      'SELECT key FROM taps WHERE dropped_at IS NOT NULL AND floor < head',
    );
    for (const { key } of dropped) await this.#sweep(key);
    await this.#database.query(FORGET_DROPPED);
  }

  async #sweep(key: number): Promise<void> {
    for (let isMore = true; isMore;) {
      const [swept] = await this.#database.query<{ isMore: boolean }>(SWEEP, [key, EVENTS_A_STEP]);
      isMore = swept?.isMore ?? false;
    }
  }
}

/** What a group has for one tap. */
interface Share {
  readonly tapId: string;
  events: number;
  bytes: number;
  /** The latest of their times. */
  at: number;
}

function sharesOf(batches: readonly EventBatch[]): Share[] {
  const shares = new Map<string, Share>();
  for (const { events, at } of batches) {
    for (const event of events) {
      const { tapId } = event;
      const share = shares.get(tapId) ?? { tapId, events: 0, bytes: 0, at };
      share.events += 1;
      share.bytes += bytesOf(event);
      share.at = Math.max(share.at, at);
      shares.set(tapId, share);
    }
  }
  return [...shares.values()];
}

function shareColumns(shares: readonly Share[]): unknown[][] {
  return columnsOf(
    shares,
    ({ tapId }) => tapId,
    ({ events }) => events,
    ({ bytes }) => bytes,
    ({ at }) => at,
  );
}

interface AdvancedRow {
  readonly id: string;
  readonly key: number;
  /** The first of its new offsets. */
  readonly first: number;
  /** The time of the last event before. */
  readonly lastAt: number;
}

/** Gives out the offsets and times of a tap. */
class AdvancedTap {
  readonly key: number;
  #next: number;
  #lastAt: number;

  constructor({ key, first, lastAt }: AdvancedRow) {
    this.key = key;
    this.#next = first;
    this.#lastAt = lastAt;
  }

  next({ tapId, queryIds, document }: NewEvent, at: number): AppendedEvent {
    const offset = this.#next;
    this.#next += 1;
    this.#lastAt = Math.max(this.#lastAt, at);
    return { tapId, offset, at: this.#lastAt, queryIds, document };
  }
}

interface OldRow {
  readonly tap: number;
  readonly off: number;
  readonly at: number;
  readonly bytes: number;
  /** Of the whole log. */
  readonly total: number;
}

/** How many went: another node may have deleted them first. */
async function deleteUpTo(transaction: Transaction, old: readonly OldRow[]): Promise<number> {
  const floors = new Map(old.map(({ tap, off }) => [tap, off + 1]));
  await transaction.query('SELECT FROM taps WHERE key = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE', [
    [...floors.keys()],
  ]);
  const deleted = await transaction.query<{ events: number }>(DELETE_UP_TO, [[...floors.keys()], [...floors.values()]]);
  await transaction.query('UPDATE log SET dropped_up_to = greatest(dropped_up_to, $1)', [old.at(-1)?.at ?? 0]);
  return deleted.reduce((sum, { events }) => sum + events, 0);
}

async function repairSome(
  transaction: Transaction,
  { tapId, from, now }: { readonly tapId: string; readonly from: number; readonly now: number },
): Promise<{ events: number; isMore: boolean }> {
  const [tap] = await transaction.query<{ key: number; head: number }>(LOCK_TAP, [tapId]);
  if (!tap) return { events: 0, isMore: false };
  const to = from + EVENTS_A_STEP;
  const repaired = await transaction.query(REPAIR, [now, tap.key, from, to]);
  const isMore = to < tap.head;
  if (!isMore) await transaction.query('UPDATE taps SET last_at = $1 WHERE key = $2', [now, tap.key]);
  return { events: repaired.length, isMore };
}

const BYTES = `octet_length(query_ids) + octet_length(document) + ${EVENT_OVERHEAD_BYTES}`;

const BOUNDS = `SELECT partition, coalesce(floor, 0) AS floor, coalesce(head, 0) AS head
  FROM log LEFT JOIN taps ON taps.id = $1 AND dropped_at IS NULL`;

const ALL_BOUNDS = `SELECT partition, taps.id AS "tapId", floor, head
  FROM log LEFT JOIN taps ON dropped_at IS NULL ORDER BY taps.id`;

const HEADS = 'SELECT id, head FROM taps WHERE id = ANY($1::text[]) AND dropped_at IS NULL';

const COUNT = 'SELECT coalesce(sum(head - floor), 0) AS events FROM taps WHERE dropped_at IS NULL';

const EXTENT = `SELECT (SELECT coalesce(sum(bytes), 0) FROM taps) AS bytes, dropped_up_to AS "droppedUpTo" FROM log`;

/** The bytes are counted where the rows are, so that what is not wanted is not sent. */
const READ = `SELECT off AS "offset", at, query_ids AS "queryIds", document FROM (
    SELECT off, at, query_ids, document, row_number() OVER up_to_here AS n,
      sum(octet_length(query_ids) + octet_length(document)) OVER up_to_here AS bytes
    FROM (
      SELECT off, at, query_ids, document FROM events
      WHERE tap = (SELECT key FROM taps WHERE id = $1 AND dropped_at IS NULL) AND off >= $2 ORDER BY off LIMIT $3
    ) AS portion
    WINDOW up_to_here AS (ORDER BY off ROWS UNBOUNDED PRECEDING)
  ) AS counted WHERE n = 1 OR bytes <= $4 ORDER BY off`;

/** By halves, in one statement and so of one moment. */
const FIRST_AT = `WITH RECURSIVE search (tap, low, high) AS (
    SELECT key, floor, head FROM taps WHERE id = $1 AND dropped_at IS NULL
    UNION ALL
    SELECT search.tap, CASE WHEN at >= $2 THEN low ELSE off + 1 END, CASE WHEN at >= $2 THEN off ELSE high END
    FROM search JOIN events ON events.tap = search.tap AND off = (low + high) / 2 WHERE low < high
  )
  SELECT min(low) FILTER (WHERE low = high) AS first, count(*) > 0 AS "isKnown" FROM search`;

/** Locked first and in order: an UPDATE alone would lock them in any. */
const ADVANCE = `WITH shares AS (
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) AS share (id, events, bytes, at)
  ), locked AS (
    SELECT key, last_at FROM taps WHERE id IN (SELECT id FROM shares) AND dropped_at IS NULL ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE taps SET head = head + shares.events, bytes = taps.bytes + shares.bytes, last_at = greatest(taps.last_at, shares.at)
  FROM locked, shares WHERE taps.key = locked.key AND taps.id = shares.id
  RETURNING taps.id, taps.key, head - shares.events AS first, locked.last_at AS "lastAt"`;

/** Waits for whoever adds the same. */
const ADD_TAPS = `INSERT INTO taps (id) SELECT id FROM unnest($1::text[]) AS id ORDER BY id ON CONFLICT (id) DO NOTHING`;

/** Documents are full of quotes: as an array of texts they would be escaped and read again, at twice the price (measured). */
const APPEND = `INSERT INTO events (tap, off, at, query_ids, document)
  SELECT tap, off, at, query_ids, convert_from(substring($5::bytea FROM start FOR length), 'UTF8')
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $6::integer[], $7::integer[])
    AS event (tap, off, at, query_ids, start, length)`;

/** With what the log takes at the same moment: nodes that trim at once find the same events beyond a limit. */
const OLDEST = `SELECT tap, off, at, ${BYTES} AS bytes, (SELECT sum(bytes) FROM taps) AS total
  FROM events WHERE at >= $1 ORDER BY at, off, tap LIMIT $2`;

/** From the floor as it is now that the tap is locked. */
const DELETE_UP_TO = `WITH gone AS (
    DELETE FROM events USING unnest($1::bigint[], $2::bigint[]) AS upto (tap, floor), taps
    WHERE taps.key = upto.tap AND events.tap = upto.tap AND off >= taps.floor AND off < upto.floor
    RETURNING events.tap, ${BYTES} AS bytes
  ), sums AS (
    SELECT tap, count(*) AS events, sum(bytes) AS bytes FROM gone GROUP BY tap
  )
  UPDATE taps SET floor = floor + sums.events, bytes = taps.bytes - sums.bytes
  FROM sums WHERE key = sums.tap RETURNING sums.events`;

const LOCK_TAP = 'SELECT key, head FROM taps WHERE id = $1 AND dropped_at IS NULL FOR NO KEY UPDATE';

const REPAIR = 'UPDATE events SET at = $1 WHERE tap = $2 AND off >= $3 AND off < $4 AND at > $1 RETURNING off';

const DROP = `INSERT INTO taps (id, dropped_at) VALUES ($1, now())
  ON CONFLICT (id) DO UPDATE SET dropped_at = now() WHERE taps.dropped_at IS NULL RETURNING key`;

/** Also those in the catalog are kept: another node may have added a tap since the caller has read it, and its first events. */
const OTHERS = `SELECT id FROM taps WHERE dropped_at IS NULL AND NOT EXISTS (SELECT FROM unnest($1::text[]) AS kept WHERE kept = id)
  AND NOT EXISTS (SELECT FROM catalog WHERE kind = 'taps' AND catalog.id = taps.id)`;

const SWEEP = `WITH tap AS (
    SELECT key, floor, least(head, floor + $2) AS next FROM taps WHERE key = $1 FOR NO KEY UPDATE
  ), gone AS (
    DELETE FROM events USING tap WHERE events.tap = tap.key AND off >= tap.floor AND off < tap.next RETURNING ${BYTES} AS bytes
  )
  UPDATE taps SET floor = tap.next, bytes = taps.bytes - (SELECT coalesce(sum(bytes), 0) FROM gone)
  FROM tap WHERE taps.key = tap.key RETURNING taps.floor < head AS "isMore"`;

/** A day after it was revoked, no visit that began before is under way, and no node is unaware of it. */
const FORGET_DROPPED = `WITH forgotten AS (
    DELETE FROM taps WHERE dropped_at < now() - interval '1 day' AND floor = head RETURNING key
  )
  DELETE FROM charged WHERE tap IN (SELECT key FROM forgotten)`;
