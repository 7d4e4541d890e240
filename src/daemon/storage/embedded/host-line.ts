import type { DatabaseSync } from 'node:sqlite';
import type { TakeQuestion } from '../frontier.ts';
import type { HostStore, Lease } from './host-store.ts';

/** Hosts that what is due longest is looked for among: those that could be asked for longest. */
const OLDEST_AMONG = 1_000;
/**
 * Hosts of which nothing can be taken that one look passes at most. They stand in the line although nobody wants them any
 * more: their source is being removed or paused this very moment, and may have had fifty thousand. A look is to stay a
 * matter of milliseconds, since commits wait behind it; the next one goes on where it ended.
 */
const BARREN_AT_ONCE = 100;
/** For so long at most; then the line is looked at from its beginning again. */
const WALK_MS = 10_000;

interface WaitingHost {
  readonly key: number;
  readonly name: string;
}

/** A place in the line: hosts stand in it by when they could be asked, then by key. */
interface Place {
  readonly ready: number;
  readonly key: number;
}

/** Looks that go on where the one before ended. */
interface Walk {
  readonly at: Place;
  /** When the first of them was, and how often a source had been resumed by then. */
  readonly since: number;
  readonly resumptions: number;
}

const BEGINNING: Place = { ready: Number.MIN_SAFE_INTEGER, key: 0 };

type Hosts = Pick<HostStore, 'leases' | 'resumptions'>;

/** What is due of a host. */
interface Chosen<Due> extends Pick<Lease, 'owner' | 'isContest'> {
  readonly due: Due;
}

/**
 * One of the two lines that hosts stand in, by when one of their pages, or of their watches, can be taken. Who stands in
 * both is leased in both.
 */
export class HostLine {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #leases: Map<number, Lease>;
  readonly #hosts: Hosts;
  /** Where the last look ended, if it passed as many as it may. */
  #walk: Walk | undefined;

  constructor(database: DatabaseSync, column: 'ready' | 'watch_ready', hosts: Hosts) {
    this.#sql = prepare(database, column);
    this.#leases = hosts.leases;
    this.#hosts = hosts;
  }

  /** Leases the hosts that have waited longest, each for what `choose` finds due of it; undefined: nothing now. */
  take<Due>(
    { now, atMost, leaseMs, except }: TakeQuestion,
    choose: (host: WaitingHost) => Chosen<Due> | undefined,
  ): { readonly taken: readonly Due[]; readonly nextAt: number | undefined } {
    const taken: Due[] = [];
    let barren = 0;
    const walk = this.#walkNow(now);
    let last = walk.at;
    for (const host of this.#ready(now, except, walk.at)) {
      if (taken.length >= atMost) {
        // A walk goes on behind those that it has passed.
        this.#walk &&= { ...walk, at: last };
        return { taken, nextAt: undefined };
      }
      if (barren >= BARREN_AT_ONCE) {
        this.#walk = { ...walk, at: last };
        return { taken, nextAt: now };
      }
      last = host;
      const chosen = choose(host);
      if (!chosen) {
        barren += 1;
        continue;
      }
      const { due, owner, isContest } = chosen;
      this.#leases.set(host.key, { owner, since: now, until: now + leaseMs, isContest });
      taken.push(due);
    }
    this.#walk = undefined;
    return { taken, nextAt: this.#nextAt(now, except) };
  }

  /** The one that is under way, or a new one. */
  #walkNow(now: number): Walk {
    const { resumptions } = this.#hosts;
    const { since = now } = this.#walk ?? {};
    const isOver = now < since || now >= since + WALK_MS || this.#walk?.resumptions !== resumptions;
    if (isOver) this.#walk = undefined;
    return this.#walk ?? { at: BEGINNING, since: now, resumptions };
  }

  /** Hosts that may be asked now, those that have waited longest first, behind a place in the line. */
  *#ready(
    now: number,
    except: readonly string[] = [],
    { ready, key }: Place = BEGINNING,
  ): Generator<WaitingHost & Place, void> {
    const names = new Set(except);
    for (const rows of [this.#sql.behind.iterate(ready, key), this.#sql.ready.iterate(ready, now)]) {
      for (const row of rows) {
        const host = row as unknown as WaitingHost & Place;
        if (!names.has(host.name) && (this.#leases.get(host.key)?.until ?? 0) <= now) yield host;
      }
    }
  }

  /**
   * When the next host may be asked; undefined: never, or now. Hosts that are leased are no more than fetches at a time,
   * so they may be looked at one by one.
   */
  #nextAt(now: number, except: readonly string[]): number | undefined {
    const names = new Set(except);
    let next = Infinity;
    for (const [key, { until }] of this.#leases) {
      const row = this.#sql.readyOf.get(key) as { name: string; ready: number | null } | undefined;
      if (!row || row.ready === null || names.has(row.name)) continue;
      next = Math.min(next, Math.max(row.ready, until));
    }
    for (const row of this.#sql.later.iterate(now)) {
      const { key, name, ready } = row as unknown as WaitingHost & { ready: number };
      if (names.has(name) || this.#leases.has(key)) continue;
      next = Math.min(next, ready);
      break;
    }
    return next <= now || next === Infinity ? undefined : next;
  }

  /** Of the hosts that may be asked now; `dueOn` answers for one of them. */
  earliest(now: number, dueOn: (host: number) => number | null): number | undefined {
    let oldest: number | undefined;
    let looked = 0;
    for (const { key } of this.#ready(now)) {
      const due = dueOn(key);
      if (due !== null) oldest = Math.min(oldest ?? due, due);
      looked += 1;
      if (looked === OLDEST_AMONG) break;
    }
    return oldest;
  }
}

function prepare(database: DatabaseSync, column: string) {
  const sql = (text: string) => database.prepare(text);
  return {
    // Hosts that are leased stand first in this line, and are passed each time: so no more of them is read.
    ready: sql(`SELECT key, name, ${column} AS ready FROM hosts WHERE ${column} > ? AND ${column} <= ?
      ORDER BY ${column}, key`),
    behind: sql(`SELECT key, name, ${column} AS ready FROM hosts WHERE ${column} = ? AND key > ? ORDER BY key`),
    later: sql(`SELECT key, name, ${column} AS ready FROM hosts WHERE ${column} > ? ORDER BY ${column}, key`),
    readyOf: sql(`SELECT name, ${column} AS ready FROM hosts WHERE key = ?`),
  };
}
