import { HOST_CLASSES, type HostClass, type TakeQuestion, UNLIMITED } from '../../frontier.ts';
import type { HeldHost } from '../../nodes.ts';
import type { Database, Queryable, Transaction } from '../connection/database.ts';
import { type LeaseOwner, ownerCode } from './rows.ts';

/** A host that may be asked now, and is locked. */
export interface FreeHost {
  readonly key: number;
  readonly name: string;
  /** Its place in `HOST_CLASSES`. */
  readonly class: number;
  readonly turn: number;
  /** Since when it waits. */
  readonly ready: number;
}

/** What is due of a host. */
export interface Chosen<Due> {
  readonly due: Due;
  readonly owner: LeaseOwner;
  /** Whether sitemap entries and others both waited: it counts as a turn. */
  readonly isContest: boolean;
}

/** What is due of hosts, by their keys; of a host without anything there is nothing. */
export type Choose<Due> = (
  transaction: Transaction,
  hosts: readonly FreeHost[],
) => Promise<ReadonlyMap<number, Chosen<Due>>>;

/** Looks of one question, each of as many hosts as are wanted: of more hosts there was nothing, and the next question goes on. */
const LOOKS = 5;
/** A host of which nothing can be taken, since its source is being removed or paused this very moment, is looked at again then. */
const BARREN_MS = 10_000;

/**
 * One of the two lines that hosts stand in, by when one of their pages, or of their watches, can be taken: a line for each class of
 * hosts, so that any number of dead ones stands in nobody else's way. Who stands in both is leased in both. A lease moves the
 * host back in the lines to when it is over, so nobody passes those that are leased; hosts that another node looks at this very moment are
 * passed over (SKIP LOCKED).
 */
export class HostQueue {
  readonly #database: Database;
  readonly #sql: ReturnType<typeof statements>;

  constructor(database: Database, column: 'ready' | 'watch_ready') {
    this.#database = database;
    this.#sql = statements(column);
  }

  /**
   * Leases the hosts that have waited longest, each for what `choose` finds due of it, with a token. Durable when it is
   * answered.
   */
  async take<Due extends object>(
    question: TakeQuestion,
    choose: Choose<Due>,
  ): Promise<{ readonly taken: readonly (Due & { readonly lease: number })[]; readonly nextAt: number | undefined }> {
    const { now, atMost } = question;
    const room = { ...UNLIMITED, ...question.most };
    const taken: (Due & { readonly lease: number })[] = [];
    const wanted = HOST_CLASSES.filter((one) => room[one] > 0);
    for (let looks = 0; ; looks += 1) {
      const waiting = await this.#waiting(this.#database, question, room, atMost - taken.length + 1);
      if (waiting.length === 0) return { taken, nextAt: await this.#nextAt(question, wanted) };
      if (taken.length >= atMost) return { taken, nextAt: undefined };
      if (looks === LOOKS) return { taken, nextAt: now };
      const some = waiting.slice(0, atMost - taken.length);
      for (const { due, of } of await this.#lease(some, question, choose)) {
        taken.push(due);
        room[of] -= 1;
      }
    }
  }

  /** Since when the host waits that has waited longest of those that may be asked now, but for failing ones. */
  async longestWait(now: number): Promise<number | undefined> {
    const question = { now, atMost: 1, leaseMs: 0, except: [] };
    const [first] = await this.#waiting(this.#database, question, { ...UNLIMITED, failing: 0 }, 1);
    return first?.ready;
  }

  async #lease<Due extends object>(
    waiting: readonly FreeHost[],
    { now, leaseMs }: TakeQuestion,
    choose: Choose<Due>,
  ): Promise<{ readonly due: Due & { readonly lease: number }; readonly of: HostClass }[]> {
    return this.#database.transaction(async (transaction) => {
      const hosts = await transaction.query<FreeHost>(this.#sql.lock, [waiting.map(({ key }) => key), now]);
      const chosen = await choose(transaction, hosts);
      const leased = hosts.filter(({ key }) => chosen.has(key));
      const barren = hosts.filter(({ key }) => !chosen.has(key)).map(({ key }) => key);
      if (barren.length > 0) await transaction.query(this.#sql.putOff, [barren, now + BARREN_MS]);
      const owners = leased.flatMap(({ key }) => chosen.get(key) ?? []);
      const tokens = await transaction.query<{ key: number; token: number }>(LEASE, [
        leased.map(({ key }) => key),
        owners.map(({ owner }) => ownerCode(owner)),
        owners.map(({ isContest }) => isContest),
        now,
        now + leaseMs,
      ]);
      const tokenOf = new Map(tokens.map(({ key, token }) => [key, token]));
      return leased.flatMap((host) => {
        const [one, lease] = [chosen.get(host.key), tokenOf.get(host.key)];
        if (!one || lease === undefined) return [];
        return [{ due: { ...one.due, lease }, of: HOST_CLASSES[host.class] ?? 'well' }];
      });
    });
  }

  /** Hosts that may be asked now, of each class as many as there is room for, those first that have waited longest. */
  async #waiting(
    from: Queryable,
    { now, except }: TakeQuestion,
    room: Readonly<Record<HostClass, number>>,
    atMost: number,
  ): Promise<FreeHost[]> {
    const limits = HOST_CLASSES.map((one) => Math.max(0, Math.min(room[one], atMost)));
    return from.query<FreeHost>(this.#sql.waiting, [now, except, ...limits, atMost]);
  }

  /** When the next host of these classes may be asked; undefined: never. */
  async #nextAt({ now, except }: TakeQuestion, classes: readonly HostClass[]): Promise<number | undefined> {
    const places = classes.map((one) => HOST_CLASSES.indexOf(one));
    const [row] = await this.#database.query<{ next: number | null }>(this.#sql.next, [places, now, except]);
    return row?.next ?? undefined;
  }
}

/** A token comes from a sequence: that of a host that was forgotten and found again is none of its former ones. */
const LEASE = `UPDATE hosts SET lease_token = nextval('lease_tokens'), lease_owner = taken.owner, lease_contest = taken.contest,
    lease_since = $4, lease_until = $5,
    ready = CASE WHEN ready IS NOT NULL THEN greatest(ready, $5) END,
    watch_ready = CASE WHEN watch_ready IS NOT NULL THEN greatest(watch_ready, $5) END
  FROM unnest($1::bigint[], $2::text[], $3::boolean[]) AS taken (key, owner, contest)
  WHERE hosts.key = taken.key RETURNING hosts.key, hosts.lease_token AS token`;

/** Keeps hosts for whoever shows their tokens; the names of those that are kept. */
export async function renewLeases(database: Queryable, held: readonly HeldHost[], until: number): Promise<string[]> {
  const tokens = [held.map(({ host }) => host), held.map(({ lease }) => lease)];
  const kept = await database.query<{ name: string }>(RENEW, [...tokens, until]);
  return kept.map(({ name }) => name);
}

const RENEW = `UPDATE hosts SET lease_until = $3,
    ready = CASE WHEN ready IS NOT NULL THEN greatest(ready, $3) END,
    watch_ready = CASE WHEN watch_ready IS NOT NULL THEN greatest(watch_ready, $3) END
  FROM (SELECT hosts.key FROM hosts
      JOIN unnest($1::text[], $2::bigint[]) AS held (name, token) ON held.name = hosts.name AND held.token = hosts.lease_token
    WHERE hosts.lease_until > 0 ORDER BY hosts.key FOR NO KEY UPDATE OF hosts) AS own
  WHERE hosts.key = own.key RETURNING hosts.name`;

function statements(column: 'ready' | 'watch_ready') {
  const ofClass = (place: number) => `(SELECT key, name, class, turn, ${column} AS ready FROM hosts
    WHERE class = ${place} AND ${column} <= $1 AND name <> ALL ($2::text[]) ORDER BY ${column}, key LIMIT $${place + 3}::integer)`;
  return {
    waiting: `SELECT * FROM (${HOST_CLASSES.map((_, place) => ofClass(place)).join(' UNION ALL ')}) AS free
      ORDER BY ready, key LIMIT $${HOST_CLASSES.length + 3}::integer`,
    // Looked at again, now that nobody else can change it.
    lock: `SELECT * FROM (
        SELECT key, name, class, turn, ${column} AS ready FROM hosts WHERE key = ANY ($1::bigint[]) AND ${column} <= $2
        ORDER BY key FOR NO KEY UPDATE SKIP LOCKED) AS free
      ORDER BY ready, key`,
    putOff: `UPDATE hosts SET ${column} = $2 WHERE key = ANY ($1::bigint[])`,
    next: `SELECT min(ready) AS next FROM unnest($1::smallint[]) AS wanted (place) CROSS JOIN LATERAL (
        SELECT ${column} AS ready FROM hosts WHERE class = wanted.place AND ${column} > $2 AND name <> ALL ($3::text[])
        ORDER BY ${column} LIMIT 1) AS later`,
  };
}
