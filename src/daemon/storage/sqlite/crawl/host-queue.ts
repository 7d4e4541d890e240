import type { DatabaseSync } from 'node:sqlite';
import { HOST_CLASSES, type HostClass, type TakeQuestion, UNLIMITED } from '../../frontier.ts';
import { HOST_CLASS } from './frontier-rows.ts';
import type { HostStore, Lease } from './host-store.ts';

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
  /** Since when it waits. */
  readonly ready: number;
}

/** A place in the line: hosts stand in it by when they could be asked, then by key. */
type Place = Pick<WaitingHost, 'ready' | 'key'>;

/** Looks that go on where the one before ended. */
interface Walk {
  /** In the line of each class. */
  readonly at: ReadonlyMap<HostClass, Place>;
  /** When the first of them was, and how often a source had been resumed by then. */
  readonly since: number;
  readonly resumptions: number;
}

const BEGINNING: Place = { ready: Number.MIN_SAFE_INTEGER, key: 0 };

type Hosts = Pick<HostStore, 'leases' | 'lastToken' | 'resumptions'>;

/** What is due of a host. */
interface Chosen<Due> extends Pick<Lease, 'owner' | 'isContest'> {
  readonly due: Due;
}

/** What was taken, and the token of the lease of its host. */
interface Leased<Due> extends Pick<Lease, 'token'> {
  readonly due: Due;
}

/**
 * One of the two lines that hosts stand in, by when one of their pages, or of their watches, can be taken. Who stands in
 * both is leased in both. A line is a line for each class of hosts: any number of dead ones stands in nobody else's way.
 */
export class HostQueue {
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
    { now, atMost, leaseMs, except, most }: TakeQuestion,
    choose: (host: WaitingHost) => Chosen<Due> | undefined,
  ): { readonly taken: readonly Leased<Due>[]; readonly nextAt: number | undefined } {
    const taken: Leased<Due>[] = [];
    const room = { ...UNLIMITED, ...most };
    const wanted = HOST_CLASSES.filter((one) => room[one] > 0);
    let barren = 0;
    let isCut = false;
    const walk = this.#walkNow(now);
    const at = new Map(walk.at);
    const waiting = this.#waiting(wanted, now, except, walk.at);
    for (let next = waiting.first(); next; next = waiting.first()) {
      if (taken.length >= atMost || barren >= BARREN_AT_ONCE) {
        waiting.end();
        if (taken.length < atMost) this.#walk = walk;
        // A walk goes on behind those that it has passed.
        this.#walk &&= { ...walk, at };
        return { taken, nextAt: taken.length < atMost ? now : undefined };
      }
      at.set(next.of, next.host);
      waiting.pass(next.of);
      const chosen = choose(next.host);
      if (!chosen) {
        barren += 1;
        continue;
      }
      const { due, owner, isContest } = chosen;
      const token = (this.#hosts.lastToken += 1);
      this.#leases.set(next.host.key, { owner, token, since: now, until: now + leaseMs, isContest });
      taken.push({ due, token });
      room[next.of] -= 1;
      if (room[next.of] > 0) continue;
      isCut = true;
      waiting.close(next.of);
    }
    waiting.end();
    this.#walk &&= isCut ? { ...walk, at } : undefined;
    return { taken, nextAt: this.#nextAt(now, except, wanted) };
  }

  /** The one that is under way, or a new one. */
  #walkNow(now: number): Walk {
    const { resumptions } = this.#hosts;
    const { since = now } = this.#walk ?? {};
    const isOver = now < since || now >= since + WALK_MS || this.#walk?.resumptions !== resumptions;
    if (isOver) this.#walk = undefined;
    return this.#walk ?? { at: new Map(), since: now, resumptions };
  }

  /** Since when the host waits that has waited longest of those that may be asked now, but for failing ones. */
  longestWait(now: number): number | undefined {
    const answering = HOST_CLASSES.filter((one) => one !== 'failing');
    const waiting = this.#waiting(answering, now, [], new Map());
    const first = waiting.first();
    waiting.end();
    return first?.host.ready;
  }

  /** Hosts that may be asked now, each class by itself, behind a place in its line. */
  #waiting(
    classes: readonly HostClass[],
    now: number,
    except: readonly string[],
    behind: ReadonlyMap<HostClass, Place>,
  ): Waiting {
    const names = new Set(except);
    const isFree = ({ key, name }: WaitingHost): boolean =>
      !names.has(name) && (this.#leases.get(key)?.until ?? 0) <= now;
    const line = (of: HostClass) => this.#ready(of, now, isFree, behind.get(of) ?? BEGINNING);
    return new Waiting(new Map(classes.map((of) => [of, line(of)])));
  }

  *#ready(
    of: HostClass,
    now: number,
    isFree: (host: WaitingHost) => boolean,
    { ready, key }: Place,
  ): Generator<WaitingHost, void> {
    for (const rows of [this.#sql.behind[of].iterate(ready, key), this.#sql.ready[of].iterate(ready, now)]) {
      for (const row of rows) {
        const host = row as unknown as WaitingHost;
        if (isFree(host)) yield host;
      }
    }
  }

  /**
   * When the next host may be asked; undefined: never, or now. Hosts that are leased are no more than fetches at a time,
   * so they may be looked at one by one.
   */
  #nextAt(now: number, except: readonly string[], classes: readonly HostClass[]): number | undefined {
    const names = new Set(except);
    let next = Infinity;
    for (const [key, { until }] of this.#leases) {
      const row = this.#sql.readyOf.get(key) as { name: string; ready: number | null } | undefined;
      if (!row || row.ready === null || names.has(row.name)) continue;
      next = Math.min(next, Math.max(row.ready, until));
    }
    for (const one of classes) {
      for (const row of this.#sql.later[one].iterate(now)) {
        const { key, name, ready } = row as unknown as WaitingHost;
        if (names.has(name) || this.#leases.has(key)) continue;
        next = Math.min(next, ready);
        break;
      }
    }
    return next <= now || next === Infinity ? undefined : next;
  }
}

/** The first of several lines: of each that is open the host in front. */
class Waiting {
  readonly #lines: ReadonlyMap<HostClass, Generator<WaitingHost, void>>;
  readonly #front = new Map<HostClass, WaitingHost>();

  constructor(lines: ReadonlyMap<HostClass, Generator<WaitingHost, void>>) {
    this.#lines = lines;
    for (const of of lines.keys()) this.pass(of);
  }

  /** Who has waited longest, and of which class it is. */
  first(): { readonly of: HostClass; readonly host: WaitingHost } | undefined {
    let first: { readonly of: HostClass; readonly host: WaitingHost } | undefined;
    for (const [of, host] of this.#front) if (!first || isBefore(host, first.host)) first = { of, host };
    return first;
  }

  /** The next one of the class comes to the front. */
  pass(of: HostClass): void {
    const next = this.#lines.get(of)?.next();
    if (next === undefined || next.done === true) this.#front.delete(of);
    else this.#front.set(of, next.value);
  }

  close(of: HostClass): void {
    this.#front.delete(of);
    this.#lines.get(of)?.return();
  }

  end(): void {
    for (const of of this.#lines.keys()) this.close(of);
  }
}

function isBefore(one: WaitingHost, other: WaitingHost): boolean {
  return one.ready === other.ready ? one.key < other.key : one.ready < other.ready;
}

function prepare(database: DatabaseSync, column: string) {
  const sql = (text: string) => database.prepare(text);
  const ofEach = (condition: string) => {
    const [well, fresh, slow, failing] = HOST_CLASSES.map((_, place) =>
      sql(`SELECT key, name, ${column} AS ready FROM hosts WHERE ${HOST_CLASS} = ${place} AND ${condition}
        ORDER BY ${column}, key`),
    ) as [Statement, Statement, Statement, Statement];
    return { well, new: fresh, slow, failing };
  };
  return {
    // Hosts that are leased stand first in this line, and are passed each time: so no more of them is read.
    ready: ofEach(`${column} > ? AND ${column} <= ?`),
    behind: ofEach(`${column} = ? AND key > ?`),
    later: ofEach(`${column} > ?`),
    readyOf: sql(`SELECT name, ${column} AS ready FROM hosts WHERE key = ?`),
  };
}

type Statement = ReturnType<DatabaseSync['prepare']>;
