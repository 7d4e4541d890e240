import { setTimeout as sleep } from 'node:timers/promises';
import { faultPoint } from '../../../fault-points.ts';
import type { AppendedEvent } from '../../event-log.ts';
import { type Committed, discoveredBy, type Visit } from '../../pages.ts';
import { StorageUnavailable } from '../../unavailable.ts';
import { type Database, settledBy } from '../connection/database.ts';
import { GroupCommit } from '../connection/group-commit.ts';
import type { Admission, AdmissionStore } from './admission.ts';
import type { Located, VisitCommit } from './visit-commit.ts';

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

/** So long the visits of a group wait for a database that is away: longer than a restart or a failover, shorter than their leases. */
const AWAY_MS = 30_000;
const AGAIN_MS = 500;

/** Visits of this node, committed in groups: with what they have led to, and their events, which are announced afterwards. */
export class VisitGroups {
  readonly #parts: Parts;
  readonly #groups: GroupCommit<Visit, Committed>;
  #isClosing = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#groups = new GroupCommit({ commit: (visits) => this.#persist(visits), gatherMs: parts.gatherMs });
  }

  add(visit: Visit): Promise<Committed> {
    return this.#groups.add(visit);
  }

  /** Commits what waits, and waits for what is under way. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#groups.close();
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
