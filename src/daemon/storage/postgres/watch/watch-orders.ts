import { createHash } from 'node:crypto';
import type { ChangedWatch, NewWatch, WatchAdded, WatchRecord, WatchTerms } from '../../watches.ts';
import { PARKED, tagsColumn, toRecord, WATCH_ROWS, type WatchRow } from '../../watch-rows.ts';
import { storable } from '../connection/columns.ts';
import type { Queryable, Transaction } from '../connection/database.ts';
import { flush } from '../crawl/flush.ts';
import { ownerCode } from '../crawl/rows.ts';
import { countWatches, lockedHosts, refreshHosts } from './watch-hosts.ts';

/** Whose watches: everyone's of an organization, or those of a member. */
export type WatchOwner = { readonly memberId: string } | { readonly organizationId: string };

interface Place {
  readonly key: number;
  readonly host: number;
  readonly organization: string;
}

/** Watches as they are ordered: for whom, what, how often, and whether at all. */
export class WatchOrderStore {
  readonly #node: string;

  constructor(node: string) {
    this.#node = node;
  }

  /** The organization is locked first: nobody else takes its last place meanwhile. */
  async add(transaction: Transaction, watch: NewWatch, most: number): Promise<WatchAdded> {
    const { id, organizationId, memberId, url, target, createdAt, isPaused } = watch;
    const hash = createHash('sha256').update(target).digest();
    const [organization] = await transaction.query<{ watches: number; isHeld: boolean }>(LOCK_ORGANIZATION, [
      organizationId,
    ]);
    const [known] = await transaction.query<{ id: string; member: string }>(
      `SELECT id, member FROM watches WHERE organization = $1 AND target_hash = $2 AND id IS NOT NULL`,
      [organizationId, hash],
    );
    if (known) return { kind: 'known', id: known.id, isOwn: known.member === memberId };
    if (!organization || organization.watches >= most) return { kind: 'full' };
    const host = await this.#host(transaction, watch.host);
    const place = [id, organizationId, memberId, url, target, hash];
    const terms = [watch.everyMs, watch.jitterMs, createdAt, JSON.stringify(watch.options)];
    const labels = [storable(watch.title) ?? null, storable(tagsColumn(watch.tags))];
    const parked = (organization.isHeld ? PARKED.held : 0) | (isPaused === true ? PARKED.paused : 0);
    await transaction.query(ADD, [...place, ...terms, ...labels, host, parked]);
    await transaction.query('UPDATE watch_organizations SET watches = watches + 1 WHERE id = $1', [organizationId]);
    await countWatches(transaction, host, 1);
    await refreshHosts(transaction, [host]);
    return { kind: 'added', watch: await recordOf(transaction, id) };
  }

  async change(transaction: Transaction, id: string, terms: WatchTerms): Promise<ChangedWatch | undefined> {
    const place = await placeOf(transaction, id);
    if (!place) return undefined;
    const set = await lockedHosts(transaction, [place.host]);
    const isLeased = set.hosts.get(place.host)?.leaseOwner === ownerCode(id);
    const { isPaused, options, due } = terms;
    await transaction.query(SET_TERMS, [place.key, ...columnsOf(terms)]);
    const [state] = await transaction.query<{ isSuperseded: boolean }>(SET_STATE, [
      place.key,
      due ?? null,
      isPaused === undefined ? null : Number(isPaused),
      options !== undefined && isLeased,
    ]);
    // It was removed before its host was locked.
    if (!state) return undefined;
    await refreshHosts(transaction, [place.host]);
    const isUnderWay = due !== undefined && isLeased && !state.isSuperseded;
    return { ...(await recordOf(transaction, id)), ...(isUnderWay && { isUnderWay: true as const }) };
  }

  /** At most `atMost` of them are nobody's from now on, and their hosts' no more; how many they were. What checks left is swept. */
  async forgetSome(
    transaction: Transaction,
    of: WatchOwner | { readonly id: string },
    atMost: number,
  ): Promise<number> {
    const places = await transaction.query<Place>(...wanted(of, atMost));
    const hosts = [...new Set(places.map(({ host }) => host))];
    await lockedHosts(transaction, hosts);
    const gone = await transaction.query<Place>(FORGET, [places.map(({ key }) => key)]);
    for (const [host, its] of Map.groupBy(gone, (one) => one.host)) await countWatches(transaction, host, -its.length);
    await refreshHosts(transaction, hosts);
    const byOrganization = [...Map.groupBy(gone, (one) => one.organization)].toSorted(([one], [other]) =>
      one < other ? -1 : 1,
    );
    for (const [organization, its] of byOrganization) {
      await transaction.query('UPDATE watch_organizations SET watches = watches - $2 WHERE id = $1', [
        organization,
        its.length,
      ]);
      await transaction.query(CLEAN, [organization]);
    }
    return gone.length;
  }

  async #host(transaction: Transaction, name: string): Promise<number> {
    const [row] = await transaction.query<{ key: number; isNew: boolean }>(
      `INSERT INTO hosts (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name
      RETURNING key, xmax = 0 AS "isNew"`,
      [name],
    );
    if (!row) throw new Error(`host ${name} has no key`);
    const set = await lockedHosts(transaction, []);
    set.counts.hosts = Number(row.isNew);
    await flush(transaction, set, { node: this.#node });
    return row.key;
  }
}

/** Null leaves a column as it is, but where a title and tags are there whether they are set. */
function columnsOf({ everyMs, jitterMs, options, title, tags }: WatchTerms): unknown[] {
  return [
    everyMs ?? null,
    jitterMs ?? null,
    options === undefined ? null : JSON.stringify(options),
    title !== undefined,
    storable(title) ?? null,
    tags !== undefined,
    storable(tagsColumn(tags)),
  ];
}

export async function recordOf(from: Queryable, id: string): Promise<WatchRecord> {
  const record = await findRecord(from, id);
  if (!record) throw new Error(`watch ${id} has no state`);
  return record;
}

export async function findRecord(from: Queryable, id: string): Promise<WatchRecord | undefined> {
  const [row] = await from.query<WatchRow>(`${WATCH_ROWS} WHERE watches.id = $1`, [storable(id)]);
  return row && toRecord(row);
}

export async function placeOf(from: Queryable, id: string): Promise<Place | undefined> {
  const [row] = await from.query<Place>(`${PLACES} watches.id = $1`, [storable(id)]);
  return row;
}

const PLACES = 'SELECT watches.key, host, organization FROM watches JOIN watch_states ON watch = watches.key WHERE';

function wanted(of: WatchOwner | { readonly id: string }, atMost: number): [string, unknown[]] {
  if ('id' in of) return [`${PLACES} watches.id = $1 LIMIT $2`, [storable(of.id), atMost]];
  if ('memberId' in of)
    return [`${PLACES} member = $1 AND id IS NOT NULL ORDER BY key LIMIT $2`, [of.memberId, atMost]];
  return [`${PLACES} organization = $1 AND id IS NOT NULL ORDER BY key LIMIT $2`, [of.organizationId, atMost]];
}

const LOCK_ORGANIZATION = `INSERT INTO watch_organizations (id) VALUES ($1)
  ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING watches, is_held AS "isHeld"`;

export const CLEAN = 'DELETE FROM watch_organizations WHERE id = $1 AND watches = 0 AND NOT is_held AND NOT todo';

const ADD = `WITH added AS (
    INSERT INTO watches
      (id, organization, member, url, target, target_hash, every_ms, jitter_ms, created_at, options, title, tags)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING key, created_at)
  INSERT INTO watch_states (watch, host, due, parked) SELECT key, $13, created_at, $14 FROM added`;

const SET_TERMS = `UPDATE watches SET every_ms = coalesce($2, every_ms), jitter_ms = coalesce($3, jitter_ms),
    options = coalesce($4, options), title = CASE WHEN $5 THEN $6 ELSE title END, tags = CASE WHEN $7 THEN $8 ELSE tags END
  WHERE key = $1`;

const SET_STATE = `UPDATE watch_states SET due = coalesce($2, due), asked_due = coalesce($2, asked_due),
    parked = coalesce((parked & ~${PARKED.paused}) | $3::smallint, parked), is_superseded = is_superseded OR $4
  WHERE watch = $1 RETURNING is_superseded AS "isSuperseded"`;

const FORGET = `WITH states AS (DELETE FROM watch_states WHERE watch = ANY ($1::bigint[]) RETURNING watch, host)
  UPDATE watches SET id = NULL FROM states WHERE key = watch RETURNING key, host, organization`;
