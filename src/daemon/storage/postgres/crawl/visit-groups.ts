import { setTimeout as sleep } from 'node:timers/promises';
import { faultPoint } from '../../../fault-points.ts';
import type { AppendedEvent } from '../../event-log.ts';
import { type Committed, discoveredBy, type Visit } from '../../pages.ts';
import { StorageUnavailable } from '../../unavailable.ts';
import { type Database, settledBy } from '../connection/database.ts';
import type { Admission, AdmissionStore } from './admission.ts';
import type { Located, VisitCommit } from './visit-commit.ts';

interface Waiting {
  readonly visit: Visit;
  readonly resolve: (committed: Committed) => void;
  readonly reject: (error: unknown) => void;
}

interface Parts {
  readonly database: Database;
  readonly admission: AdmissionStore;
  readonly commit: VisitCommit;
  /** Names a group; no two groups have the same. */
  readonly uuid: () => string;
  /** Milliseconds in which visits gather for one commit. */
  readonly gatherMs: number;
  /** Called once a group, when its events are durable. */
  readonly appended: (events: readonly AppendedEvent[]) => void;
}

/** A transaction of so many takes some ten milliseconds; more of them would only keep their hosts locked for longer. */
const FULL_GROUP = 64;
/** So long the visits of a group wait for a database that is away: longer than a restart or a failover, shorter than their leases. */
const AWAY_MS = 30_000;
const AGAIN_MS = 500;

/**
 * Group commit: the visits of this node that come within a few milliseconds share a transaction, and its wait for the disk. One
 * group is under way at a time, and the next one gathers meanwhile. A visit that cannot be stored fails alone: the group is made
 * again in halves until it is found.
 */
export class VisitGroups {
  readonly #parts: Parts;
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isClosing = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What the caller does with its object from now on changes nothing here. */
  async add(given: Visit): Promise<Committed> {
    const visit = structuredClone(given);
    const { promise, resolve, reject } = Promise.withResolvers<Committed>();
    this.#waiting.push({ visit, resolve, reject });
    if (this.#waiting.length >= FULL_GROUP) this.#begin();
    else this.#timer ??= setTimeout(() => this.#begin(), this.#parts.gatherMs);
    return promise;
  }

  /** Commits what waits, and waits for what is under way. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#begin();
    while (this.#running) await this.#running;
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#running || this.#waiting.length === 0) return;
    const group = this.#waiting.splice(0, FULL_GROUP);
    this.#running = this.#settle(group).finally(() => {
      this.#running = undefined;
      // Whoever came meanwhile has waited long enough.
      this.#begin();
    });
  }

  async #settle(group: readonly Waiting[]): Promise<void> {
    try {
      const answers = await this.#persist(group.map(({ visit }) => visit));
      for (const [index, { resolve }] of group.entries()) resolve(answers[index] ?? { events: [] });
    } catch (error) {
      if (error instanceof StorageUnavailable || group.length === 1) {
        for (const { reject } of group) reject(error);
        return;
      }
      const middle = Math.ceil(group.length / 2);
      await this.#settle(group.slice(0, middle));
      await this.#settle(group.slice(middle));
    }
  }

  /**
   * Again, where the database was away: nothing of the group has happened then, and what was fetched need not be fetched again. Of a host
   * that somebody else has by then the token says so.
   */
  async #persist(visits: readonly Visit[]): Promise<Committed[]> {
    for (let waited = 0; ; waited += AGAIN_MS) {
      try {
        return await this.#commit(visits);
      } catch (error) {
        const isAway = error instanceof StorageUnavailable && !error.isOutcomeUnknown;
        if (!isAway || this.#isClosing || waited >= AWAY_MS) throw error;
        await sleep(AGAIN_MS);
      }
    }
  }

  async #commit(visits: readonly Visit[]): Promise<Committed[]> {
    const { appended, commit, database, uuid } = this.#parts;
    const located = await commit.locate(database, visits);
    await this.#admit(visits, located);
    faultPoint('visit:commit-leads');
    const group = uuid();
    let answers: Committed[] = [];
    try {
      await database.transaction(async (transaction) => {
        answers = await commit.commit(transaction, visits, located, group);
        faultPoint('group:written');
      });
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || !error.isOutcomeUnknown) throw error;
      const hasCommitted = await settledBy(() => commit.hasCommitted(database, group), error);
      if (!hasCommitted) return this.#commit(visits);
    }
    faultPoint('group:committed');
    appended(answers.flatMap(({ events }) => events));
    return answers;
  }

  /** Before the visits, in transactions of their own: if the process ends in between, known URLs do a repeated visit no harm. */
  async #admit(visits: readonly Visit[], located: readonly Located[]): Promise<void> {
    const { admission, database } = this.#parts;
    const found = visits.flatMap((visit, index): Admission[] => {
      const { page, kind, isHeld, isFenced } = located[index] ?? { isFenced: true };
      if (page === undefined || !isHeld || isFenced) return [];
      const from = { key: page, kind };
      return discoveredBy(visit).map(({ sourceId, leads }) => ({ sourceId, leads, at: visit.at, from }));
    });
    for (const portion of await admission.pending(database, found)) {
      await database.transaction((transaction) => admission.take(transaction, portion));
    }
  }
}
