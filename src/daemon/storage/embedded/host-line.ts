import type { DatabaseSync } from 'node:sqlite';
import type { TakeQuestion } from '../frontier.ts';
import type { Lease } from './host-store.ts';

/** Hosts that what is due longest is looked for among: those that could be asked for longest. */
const OLDEST_AMONG = 1_000;

interface WaitingHost {
  readonly key: number;
  readonly name: string;
}

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

  constructor(database: DatabaseSync, column: 'ready' | 'watch_ready', leases: Map<number, Lease>) {
    this.#sql = prepare(database, column);
    this.#leases = leases;
  }

  /** Leases the hosts that have waited longest, each for what `choose` finds due of it; undefined: nothing now. */
  take<Due>(
    { now, atMost, leaseMs, except }: TakeQuestion,
    choose: (host: WaitingHost) => Chosen<Due> | undefined,
  ): { readonly taken: readonly Due[]; readonly nextAt: number | undefined } {
    const taken: Due[] = [];
    let isMore = false;
    for (const host of this.#ready(now, except)) {
      isMore = taken.length >= atMost;
      if (isMore) break;
      const chosen = choose(host);
      if (!chosen) continue;
      const { due, owner, isContest } = chosen;
      this.#leases.set(host.key, { owner, since: now, until: now + leaseMs, isContest });
      taken.push(due);
    }
    return { taken, nextAt: isMore ? undefined : this.#nextAt(now, except) };
  }

  /** Hosts that may be asked now, those that have waited longest first. */
  *#ready(now: number, except: readonly string[] = []): Generator<WaitingHost, void> {
    const names = new Set(except);
    for (const row of this.#sql.ready.iterate(now)) {
      const host = row as unknown as WaitingHost;
      if (!names.has(host.name) && (this.#leases.get(host.key)?.until ?? 0) <= now) yield host;
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
    ready: sql(`SELECT key, name FROM hosts WHERE ${column} <= ? ORDER BY ${column}, key`),
    later: sql(`SELECT key, name, ${column} AS ready FROM hosts WHERE ${column} > ? ORDER BY ${column}, key`),
    readyOf: sql(`SELECT name, ${column} AS ready FROM hosts WHERE key = ?`),
  };
}
