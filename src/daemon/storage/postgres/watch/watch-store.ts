import type { HostState, TakeQuestion } from '../../frontier.ts';
import {
  type ChangedWatch,
  type ChangeQuestion,
  type ChangeRecord,
  type Check,
  type CheckQuestion,
  type CheckRecord,
  type CommittedCheck,
  dueAgain,
  type DueWatch,
  type NewWatch,
  type PackedText,
  type TakenWatches,
  type WatchAdded,
  type WatchBaseline,
  type Watches,
  type WatchQuestion,
  type WatchRecord,
  type WatchTerms,
  type WatchTotals,
} from '../../watches.ts';
import { PARKED, toRecord, WATCH_ROWS, type WatchRow } from '../../watch-rows.ts';
import { StorageUnavailable } from '../../unavailable.ts';
import { storable } from '../connection/columns.ts';
import { type Database, settledBy, type Transaction } from '../connection/database.ts';
import { GroupCommit } from '../connection/group-commit.ts';
import { flush } from '../crawl/flush.ts';
import { HostQueue } from '../crawl/host-queue.ts';
import { type HostStore, isFenced } from '../crawl/host-store.ts';
import { longestDue } from './due-watches.ts';
import { ChecksUsedUp, type WatchCommit } from './watch-commit.ts';
import type { WatchHistoryStore } from './watch-history.ts';
import { lockedHosts, refreshHosts } from './watch-hosts.ts';
import { CLEAN, findRecord, placeOf, type WatchOrderStore, type WatchOwner } from './watch-orders.ts';
import type { WatchTextStore } from './watch-texts.ts';

interface Parts {
  readonly database: Database;
  readonly node: string;
  readonly commit: WatchCommit;
  readonly history: WatchHistoryStore;
  readonly hosts: HostStore;
  readonly orders: WatchOrderStore;
  readonly texts: WatchTextStore;
  readonly onError: (what: string, error: unknown) => void;
  /** Milliseconds in which checks gather for one commit. */
  readonly gatherMs: number;
}

/** Watches that one step forgets, holds or moves: their hosts are locked meanwhile. */
const WATCHES_A_STEP = 200;

export class WatchStore implements Watches {
  readonly #parts: Parts;
  readonly #database: Database;
  readonly #queue: HostQueue;
  readonly #groups: GroupCommit<Check, CommittedCheck | undefined>;
  #sweeping: Promise<void> | undefined;

  constructor(parts: Parts) {
    const { gatherMs } = parts;
    const commit = (checks: readonly Check[]) => this.#commitGroup(checks);
    this.#groups = new GroupCommit({ commit, keyOf: ({ watchId }) => watchId, gatherMs });
    this.#parts = parts;
    this.#database = parts.database;
    this.#queue = new HostQueue(parts.database, 'watch_ready');
  }

  addWatch(watch: NewWatch, mostInOrganization: number): Promise<WatchAdded> {
    return this.#database.transaction((transaction) => this.#parts.orders.add(transaction, watch, mostInOrganization));
  }

  watch(id: string): Promise<WatchRecord | undefined> {
    return findRecord(this.#database, id);
  }

  async watches({ organizationId, memberId, atMost }: WatchQuestion): Promise<WatchRecord[]> {
    const rows =
      memberId === undefined
        ? await this.#database.query<WatchRow>(OF_ORGANIZATION, [organizationId, atMost])
        : await this.#database.query<WatchRow>(OF_MEMBER, [organizationId, atMost, memberId]);
    return rows.map(toRecord);
  }

  changeWatch(id: string, change: WatchTerms): Promise<ChangedWatch | undefined> {
    return this.#database.transaction((transaction) => this.#parts.orders.change(transaction, id, change));
  }

  async removeWatch(id: string): Promise<boolean> {
    const forgotten = await this.#database.transaction((transaction) =>
      this.#parts.orders.forgetSome(transaction, { id }, 1),
    );
    if (forgotten > 0) await this.#sweepBehind();
    return forgotten > 0;
  }

  async removeWatchesOf(owner: WatchOwner): Promise<number> {
    const { orders } = this.#parts;
    let forgotten = 0;
    for (let some = WATCHES_A_STEP; some === WATCHES_A_STEP; forgotten += some) {
      some = await this.#database.transaction((transaction) => orders.forgetSome(transaction, owner, WATCHES_A_STEP));
    }
    if (forgotten > 0) await this.#sweep();
    return forgotten;
  }

  async holdWatches(organizationId: string, isHeld: boolean): Promise<void> {
    await this.#database.query(HOLD, [organizationId, isHeld]);
    await this.#settleHold(organizationId, isHeld);
  }

  async heldOrganizations(): Promise<string[]> {
    const rows = await this.#database.query<{ id: string }>(
      'SELECT id FROM watch_organizations WHERE is_held ORDER BY id',
    );
    return rows.map(({ id }) => id);
  }

  async watchMembers(): Promise<string[]> {
    const rows = await this.#database.query<{ member: string }>(
      'SELECT DISTINCT member FROM watches WHERE id IS NOT NULL ORDER BY member',
    );
    return rows.map(({ member }) => member);
  }

  async takeWatches(question: TakeQuestion): Promise<TakenWatches> {
    const { taken, nextAt } = await this.#queue.take<DueWatch>(question, (transaction, hosts) =>
      longestDue(transaction, hosts, question.now),
    );
    return { watches: taken, nextAt };
  }

  releaseWatch(id: string, state: HostState, lease?: number): Promise<void> {
    return this.#endLease(id, state, lease);
  }

  /** Without a state that of the host stays as it is. */
  async #endLease(id: string, state: HostState | undefined, lease?: number): Promise<void> {
    const { hosts, node } = this.#parts;
    await this.#database.transaction(async (transaction) => {
      const key = (await placeOf(transaction, id))?.host ?? (await hosts.leasedFor(transaction, id));
      if (key === undefined) return;
      const set = await lockedHosts(transaction, [key]);
      const host = set.hosts.get(key);
      const lessee = { owner: id, token: lease };
      if (!host || isFenced(host, lessee)) return;
      hosts.rest(set, host, lessee, state);
      await flush(transaction, set, { node });
    });
  }

  watchBaseline(id: string): Promise<WatchBaseline | undefined> {
    return this.#parts.texts.baseline(this.#database, id);
  }

  commitCheck(check: Check): Promise<CommittedCheck | undefined> {
    return this.#groups.add(check);
  }

  async #commitGroup(checks: readonly Check[]): Promise<(CommittedCheck | undefined)[]> {
    let answers: (CommittedCheck | undefined)[] = [];
    try {
      await this.#database.transaction(async (transaction) => {
        answers = await this.#parts.commit.commit(transaction, checks);
      });
      return answers;
    } catch (error) {
      const [only] = checks;
      if (error instanceof ChecksUsedUp && only && checks.length === 1) {
        await this.#endLease(only.watchId, only.host, only.lease);
        return [undefined];
      }
      const isUnknown = error instanceof StorageUnavailable && error.isOutcomeUnknown;
      // Without a token two attempts could be two checks.
      if (!isUnknown || checks.some(({ lease }) => lease === undefined)) throw error;
      return settledBy(() => this.#commitAgain(checks, answers), error);
    }
  }

  /** With the tokens of the leases, which the first attempt has ended if it was committed: then the newest checks are those. */
  async #commitAgain(
    checks: readonly Check[],
    former: readonly (CommittedCheck | undefined)[],
  ): Promise<(CommittedCheck | undefined)[]> {
    const again = await this.#commitGroup(checks);
    return Promise.all(
      checks.map(async ({ watchId, at }, index) => {
        const [now, before] = [again[index], former[index]];
        if (now || !before) return now;
        const newest = await this.#parts.commit.newest(this.#database, watchId);
        return newest?.n === before.n && newest.at === at ? before : undefined;
      }),
    );
  }

  checks(id: string, question: CheckQuestion): Promise<CheckRecord[]> {
    return this.#parts.history.checks(this.#database, id, question);
  }

  check(id: string, n: number): Promise<CheckRecord | undefined> {
    return this.#parts.history.check(this.#database, id, n);
  }

  async watchText(id: string, n: number): Promise<{ n: number; at: number; text: PackedText } | undefined> {
    const [row] = await this.#database.query<{ key: number; checks: number }>(
      'SELECT key, checks FROM watches JOIN watch_states ON watch = key WHERE id = $1',
      [storable(id)],
    );
    if (!row || row.checks < n) return undefined;
    return this.#parts.texts.text(this.#database, row.key, n);
  }

  watchExplanation(id: string): Promise<{ readonly n: number; readonly explanation: string } | undefined> {
    return this.#parts.texts.explanation(this.#database, id);
  }

  watchChanges(question: ChangeQuestion): Promise<ChangeRecord[]> {
    return this.#parts.history.changes(this.#database, question);
  }

  newestChange(organizationId: string): Promise<number> {
    return this.#parts.history.newestChange(this.#database, organizationId);
  }

  countChanges(organizationId: string, after: number): Promise<number> {
    return this.#parts.history.countChanges(this.#database, organizationId, after);
  }

  changeCursorAt(organizationId: string, at: number): Promise<number> {
    return this.#parts.history.changeCursorAt(this.#database, organizationId, at);
  }

  async seeWatch(id: string, n: number): Promise<boolean> {
    const rows = await this.#database.query(
      `UPDATE watch_states SET seen = greatest(seen, least($2::bigint, checks)) FROM watches
      WHERE watch = key AND id = $1 RETURNING watch`,
      [storable(id), n],
    );
    return rows.length > 0;
  }

  /** Also finishes what a process began that has ended since. */
  async rescheduleWatches(now: number, withinMs: number): Promise<number> {
    const unfinished = await this.#database.query<{ id: string; isHeld: boolean }>(
      'SELECT id, is_held AS "isHeld" FROM watch_organizations WHERE todo',
    );
    for (const { id, isHeld } of unfinished) await this.#settleHold(id, isHeld);
    await this.#sweep();
    let moved = 0;
    for (let after: number | undefined = 0; after !== undefined;) {
      const from: number = after;
      const step = await this.#database.transaction((transaction) => rescheduleSome(transaction, from, now, withinMs));
      moved += step.moved;
      after = step.last;
    }
    return moved;
  }

  async watchTotals(now: number): Promise<WatchTotals> {
    const [row] = await this.#database.query<Omit<WatchTotals, 'oldestDue'>>(TOTALS);
    const none = { watches: 0, active: 0, failing: 0, held: 0, checks: 0, changes: 0, texts: 0, textBytes: 0 };
    return { ...(row ?? none), oldestDue: await this.#queue.longestWait(now) };
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await this.#groups.close();
    await this.#sweeping;
  }

  /** Another one that came later goes on for it. */
  async #settleHold(organizationId: string, isHeld: boolean): Promise<void> {
    for (let after: number | undefined = 0; after !== undefined;) {
      const from: number = after;
      after = await this.#database.transaction((transaction) => settleSome(transaction, organizationId, isHeld, from));
    }
  }

  async #sweepBehind(): Promise<void> {
    this.#sweeping = this.#sweep().catch((error: unknown) =>
      this.#parts.onError('what is left of removed watches could not be deleted', error),
    );
    // A watch with a short history is gone with the answer.
    await Promise.resolve();
  }

  async #sweep(): Promise<void> {
    for (let isMore = true; isMore;) {
      isMore = await this.#database.transaction((transaction) => this.#sweepSome(transaction));
    }
  }

  /** Of one watch that is forgotten, and that no other node sweeps; whether there may be more. */
  async #sweepSome(transaction: Transaction): Promise<boolean> {
    const { history, hosts, node, texts } = this.#parts;
    const set = await lockedHosts(transaction, []);
    await hosts.forgetEmpty(transaction, set, WATCHES_A_STEP, await hosts.clock(transaction));
    await flush(transaction, set, { node });
    const [row] = await transaction.query<{ key: number }>(
      'SELECT key FROM watches WHERE id IS NULL ORDER BY key LIMIT 1 FOR UPDATE SKIP LOCKED',
    );
    if (!row) return false;
    const isMore = (await history.trim(transaction, [{ watch: row.key, last: ALL }])).size > 0;
    if (isMore || (await texts.sweepSome(transaction, row.key, WATCHES_A_STEP))) return true;
    await transaction.query('DELETE FROM watches WHERE key = $1', [row.key]);
    return true;
  }
}

/** Beyond the number of any check. */
const ALL = 2 ** 31 - 1;

const OF_ORGANIZATION = `${WATCH_ROWS} WHERE watches.organization = $1 AND watches.id IS NOT NULL
  ORDER BY watches.key DESC LIMIT $2`;
const OF_MEMBER = `${WATCH_ROWS} WHERE watches.member = $3 AND watches.organization = $1 AND watches.id IS NOT NULL
  ORDER BY watches.key DESC LIMIT $2`;

const HOLD = `INSERT INTO watch_organizations (id, is_held, todo) VALUES ($1, $2, true)
  ON CONFLICT (id) DO UPDATE SET is_held = excluded.is_held, todo = true`;

const TOTALS = `SELECT (SELECT coalesce(sum(watches), 0) FROM watch_organizations) AS watches,
    (SELECT count(*) FROM watch_states WHERE parked = 0) AS active,
    (SELECT count(*) FROM watch_states WHERE failures > 0) AS failing,
    (SELECT count(*) FROM watch_states WHERE parked >= ${PARKED.held}) AS held,
    coalesce(sum(checks), 0) AS checks, coalesce(sum(changes), 0) AS changes,
    (SELECT count(*) FROM watch_texts) AS texts,
    (SELECT coalesce(sum(octet_length(packed)), 0) FROM watch_texts) AS "textBytes"
  FROM watch_counters`;

/** The key of the last watch; undefined where there are no more. */
async function settleSome(
  transaction: Transaction,
  organizationId: string,
  isHeld: boolean,
  after: number,
): Promise<number | undefined> {
  const [organization] = await transaction.query<{ isHeld: boolean }>(
    'SELECT is_held AS "isHeld" FROM watch_organizations WHERE id = $1 FOR UPDATE',
    [organizationId],
  );
  if (organization?.isHeld !== isHeld) return undefined;
  const parked = isHeld ? PARKED.held : 0;
  const rows = await transaction.query<{ watch: number; host: number }>(
    `SELECT state.watch, state.host FROM watches JOIN watch_states AS state ON state.watch = watches.key
    WHERE watches.organization = $1 AND watches.id IS NOT NULL AND watches.key > $2
      AND state.parked & ${PARKED.held} <> $3 ORDER BY watches.key LIMIT ${WATCHES_A_STEP}`,
    [organizationId, after, parked],
  );
  const hosts = [...new Set(rows.map(({ host }) => host))];
  await lockedHosts(transaction, hosts);
  await transaction.query(
    `UPDATE watch_states SET parked = (parked & ~${PARKED.held}) | $2::smallint WHERE watch = ANY ($1::bigint[])`,
    [rows.map(({ watch }) => watch), parked],
  );
  await refreshHosts(transaction, hosts);
  if (rows.length === WATCHES_A_STEP) return rows.at(-1)?.watch;
  await transaction.query('UPDATE watch_organizations SET todo = false WHERE id = $1', [organizationId]);
  await transaction.query(CLEAN, [organizationId]);
  return undefined;
}

async function rescheduleSome(
  transaction: Transaction,
  after: number,
  now: number,
  withinMs: number,
): Promise<{ readonly moved: number; readonly last: number | undefined }> {
  const rows = await transaction.query<SlotRow>(SLOTS, [after]);
  await lockedHosts(
    transaction,
    rows.map(({ host }) => host),
  );
  const moved = rows
    .map((row) => Object.assign(row, { next: dueAgain(row, now, withinMs) }))
    .filter(({ due, next }) => due !== next);
  await transaction.query(
    `UPDATE watch_states SET due = moved.due FROM unnest($1::bigint[], $2::bigint[]) AS moved (watch, due)
    WHERE watch_states.watch = moved.watch`,
    [moved.map(({ key }) => key), moved.map(({ next }) => next)],
  );
  await refreshHosts(transaction, [...new Set(moved.map(({ host }) => host))]);
  return { moved: moved.length, last: rows.at(-1)?.key };
}

interface SlotRow extends Pick<DueWatch, 'everyMs' | 'jitterMs' | 'createdAt' | 'due'> {
  readonly key: number;
  readonly host: number;
}

const SLOTS = `SELECT state.watch AS key, state.host, state.due, watches.every_ms AS "everyMs",
    watches.jitter_ms AS "jitterMs", watches.created_at AS "createdAt"
  FROM watch_states AS state JOIN watches ON watches.key = state.watch
  WHERE state.watch > $1 ORDER BY state.watch LIMIT ${WATCHES_A_STEP}`;
