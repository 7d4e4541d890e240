import type { DatabaseSync } from 'node:sqlite';
import { faultPoint } from '../../../fault-points.ts';
import type { Check, CommittedCheck } from '../../watches.ts';
import type { HostStore } from '../crawl/host-store.ts';
import type { UsageStore } from '../events/ledger-store.ts';
import type { WatchCheckStore, WatchTextStore } from './watch-history-store.ts';
import { type StateRow } from '../../watch-rows.ts';
import { validatorsOf } from '../../frontier-coding.ts';
import type { KnownWatch, WatchStore } from './watch-store.ts';

interface Stores {
  readonly checks: WatchCheckStore;
  readonly hosts: HostStore;
  readonly texts: WatchTextStore;
  readonly usage: UsageStore;
  readonly watches: WatchStore;
}

/** Watches without entries that a step sweeps at most. */
const WATCHES_A_SWEEP = 20;

/** Checks in SQL: all that one of them brings, within the transaction of its group; and what goes with a watch. */
export class WatchCommitStore {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #stores: Stores;

  constructor(database: DatabaseSync, stores: Stores) {
    this.#sql = prepare(database);
    this.#stores = stores;
  }

  /**
   * Of a watch that was removed meanwhile, or whose options were changed, or when the checks of the month are used up, nothing
   * but what its host can bear.
   */
  commit(check: Check): CommittedCheck | undefined {
    const { usage, watches } = this.#stores;
    const { month, mostInMonth = Infinity } = check;
    const watch = watches.find(check.watchId);
    const before = watch && (this.#sql.state.get(watch.key) as unknown as BeforeRow);
    const isRecorded = watch && before && !watches.isSuperseded(watch.key);
    if (isRecorded && usage.checks(watch.organization, month) < mostInMonth) return this.#record(watch, before, check);
    this.#endLease(check, before?.host);
    return undefined;
  }

  hasForgotten(): boolean {
    return this.#sql.forgotten.get() !== undefined;
  }

  /** Of watches that are forgotten, one with a long history or several others; whether there may be more. */
  sweepSome(atMost: number): boolean {
    const { checks, hosts, texts } = this.#stores;
    hosts.forgetEmpty(atMost);
    for (let gone = 0; gone < WATCHES_A_SWEEP; gone += 1) {
      const row = this.#sql.forgotten.get() as { key: number } | undefined;
      if (!row) return false;
      if (checks.sweepSome(row.key) || texts.sweepSome(row.key, atMost)) return true;
      this.#sql.remove.run(row.key);
    }
    return this.hasForgotten();
  }

  #record(watch: KnownWatch, before: BeforeRow, check: Check): CommittedCheck {
    const { checks, texts, usage } = this.#stores;
    const n = before.checks + 1;
    checks.addEntry(watch.key, n, check, check.outcome === 'failed' ? 0 : before.failures);
    faultPoint('watch:commit-entry');
    if (check.text) texts.addText(watch.key, n, check.at, check.text);
    faultPoint('watch:commit-text');
    const change = check.diff && checks.addChange(watch, n, check.diff, check.title);
    faultPoint('watch:commit-diff');
    if (check.baseline) texts.saveBaseline(watch.key, check.baseline);
    if (check.explanation !== undefined) texts.saveExplanation(watch.key, n, check.explanation);
    faultPoint('watch:commit-baseline');
    this.#saveState(watch, before, check);
    this.#trim(watch.key, n - Math.max(1, check.keep));
    faultPoint('watch:commit-state');
    const checksThisMonth = usage.countCheck(watch.organization, check.month);
    faultPoint('watch:commit-quota');
    return { n, checksThisMonth, ...(change !== undefined && { change }) };
  }

  #saveState(watch: KnownWatch, before: BeforeRow, check: Check): void {
    const { watches } = this.#stores;
    const { at, outcome } = check;
    const hasFailed = outcome === 'failed';
    const isChange = check.diff !== undefined;
    const n = before.checks + 1;
    const read = hasFailed ? before : readAfter(before, check);
    this.#sql.saveState.run(
      watches.dueAfter(watch.key, check.nextDue),
      n,
      before.changes + Number(isChange),
      at,
      hasFailed ? before.succeededAt : at,
      hasFailed ? before.failures + 1 : 0,
      hasFailed ? (before.failingSince ?? at) : null,
      isChange ? n : before.changedN,
      isChange ? at : before.changedAt,
      read.bodyHash,
      read.etag,
      read.lastModified,
      read.fullAt,
      check.doubtedAt ?? null,
      check.doubt ?? null,
      sinceBaseline(before, check),
      watch.key,
    );
    this.#endLease(check, before.host);
    this.#sql.count.run(Number(isChange), at);
  }

  /** `host`: undefined where the watch is gone. */
  #endLease(check: Check, host: number | undefined): void {
    const { hosts } = this.#stores;
    if (check.host) return hosts.rest(check.watchId, host, check.host);
    hosts.endLease(check.watchId, host);
    if (host !== undefined) hosts.refresh(host);
  }

  #trim(watch: number, last: number): void {
    const first = this.#stores.checks.trim(watch, last);
    if (first !== undefined) this.#stores.texts.trim(watch, first);
  }
}

interface BeforeRow extends Omit<StateRow, 'checkedAt' | 'doubtedAt' | 'doubt'> {
  readonly host: number;
  readonly checks: number;
  readonly changes: number;
  readonly succeededAt: number | null;
  readonly failingSince: number | null;
  readonly changedN: number | null;
  readonly changedAt: number | null;
}

type Read = Pick<StateRow, 'bodyHash' | 'etag' | 'lastModified' | 'fullAt'>;

function readAfter(before: BeforeRow, { at, bodyHash, validators, isFull }: Check): Read {
  const kept = bodyHash === undefined ? validatorsOf(before) : undefined;
  const { etag = null, lastModified = null } = validators ?? kept ?? {};
  const hash = bodyHash === undefined ? before.bodyHash : Buffer.from(bodyHash, 'hex');
  return { bodyHash: hash, etag, lastModified, fullAt: isFull === true ? at : before.fullAt };
}

function sinceBaseline(before: BeforeRow, { baseline, outcome }: Check): number {
  if (baseline) return 0;
  return before.sinceBaseline + Number(outcome !== 'failed');
}

function prepare(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    state: sql(`SELECT host, checks, changes, succeeded_at AS succeededAt, failures, failing_since AS failingSince,
        changed_n AS changedN, changed_at AS changedAt, body_hash AS bodyHash, etag, last_modified AS lastModified,
        full_at AS fullAt, since_baseline AS sinceBaseline
      FROM watch_states WHERE watch = ?`),
    saveState: sql(`UPDATE watch_states SET due = ?, checks = ?, changes = ?, checked_at = ?, succeeded_at = ?,
      failures = ?, failing_since = ?, changed_n = ?, changed_at = ?, body_hash = ?, etag = ?, last_modified = ?,
      full_at = ?, doubted_at = ?, doubt = ?, since_baseline = ? WHERE watch = ?`),
    count: sql(`UPDATE counters SET watch_checks = watch_checks + 1, watch_changes = watch_changes + ?,
      clock = max(clock, ?)`),
    forgotten: sql('SELECT key FROM watches WHERE id IS NULL LIMIT 1'),
    remove: sql('DELETE FROM watches WHERE key = ?'),
  };
}
