import type { Check, CommittedCheck } from '../../watches.ts';
import type { StateRow } from '../../watch-rows.ts';
import { validatorsOf } from '../../frontier-coding.ts';
import { storable } from '../connection/columns.ts';
import type { Queryable, Transaction } from '../connection/database.ts';
import { flush } from '../crawl/flush.ts';
import { type HostStore, isFenced } from '../crawl/host-store.ts';
import type { UsageStore } from '../events/usage-store.ts';
import { lockedHosts, refreshHosts } from './watch-hosts.ts';
import type { WatchHistoryStore } from './watch-history.ts';
import type { WatchTextStore } from './watch-texts.ts';

interface Parts {
  readonly node: string;
  readonly history: WatchHistoryStore;
  readonly hosts: HostStore;
  readonly texts: WatchTextStore;
  readonly usage: UsageStore;
}

/** Other nodes have made the last checks of the month meanwhile. */
export class ChecksUsedUp extends Error {
  override readonly name = 'ChecksUsedUp';
}

/** Checks: all that one of them brings, in one transaction. */
export class WatchCommit {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Of a watch that was removed meanwhile, or whose options were changed, nothing but what its host can bear; with a lease that is
   * over, nothing at all.
   * @throws {ChecksUsedUp} when there are as many checks in the month as there may be: nothing of it may be committed
   */
  async commit(transaction: Transaction, check: Check): Promise<CommittedCheck | undefined> {
    const { hosts, node } = this.#parts;
    const place = await transaction.query<{ host: number }>(
      'SELECT host FROM watches JOIN watch_states ON watch = key WHERE id = $1',
      [storable(check.watchId)],
    );
    const key = place[0]?.host ?? (await hosts.leasedFor(transaction, check.watchId));
    if (key === undefined) return undefined;
    const set = await lockedHosts(transaction, [key]);
    const host = set.hosts.get(key);
    const lessee = { owner: check.watchId, token: check.lease };
    if (!host || isFenced(host, lessee)) return undefined;
    const [before] = await transaction.query<BeforeRow>(BEFORE, [storable(check.watchId)]);
    const committed = before && !before.isSuperseded ? await this.#record(transaction, before, check) : undefined;
    if (committed) set.counts.clock = Math.max(set.counts.clock, check.at);
    hosts.rest(set, host, lessee, check.host);
    await refreshHosts(transaction, [key]);
    await flush(transaction, set, { node });
    return committed;
  }

  /** The number of the newest check of a watch, and when it was made. */
  async newest(
    from: Queryable,
    watchId: string,
  ): Promise<{ readonly n: number; readonly at: number | null } | undefined> {
    const [row] = await from.query<{ n: number; at: number | null }>(
      'SELECT checks AS n, checked_at AS at FROM watches JOIN watch_states ON watch = key WHERE id = $1',
      [watchId],
    );
    return row;
  }

  async #record(transaction: Transaction, before: BeforeRow, check: Check): Promise<CommittedCheck> {
    const { history, node, texts, usage } = this.#parts;
    const { key, organization } = before;
    const n = before.checks + 1;
    await history.addEntry(transaction, key, n, check, check.outcome === 'failed' ? 0 : before.failures);
    if (check.text) await texts.addText(transaction, key, n, check.at, check.text);
    if (check.baseline) await texts.saveBaseline(transaction, key, check.baseline);
    if (check.explanation !== undefined) await texts.saveExplanation(transaction, key, n, check.explanation);
    await saveState(transaction, before, check);
    const first = await history.trim(transaction, key, n - Math.max(1, check.keep));
    if (first !== undefined) await texts.trim(transaction, key, first);
    // Rows that checks of other watches write, too: last, so that nobody waits for them for long.
    const change =
      check.diff && (await history.addChange(transaction, { key, organization }, n, check.diff, check.title));
    const { month, mostInMonth: most = Number.MAX_SAFE_INTEGER } = check;
    const checksThisMonth = await usage.countCheck(transaction, { organizationId: organization, month, most });
    if (checksThisMonth === undefined) throw new ChecksUsedUp();
    await transaction.query(COUNT, [node, Number(change !== undefined)]);
    return { n, checksThisMonth, ...(change !== undefined && { change }) };
  }
}

interface BeforeRow extends Omit<StateRow, 'checkedAt' | 'doubtedAt' | 'doubt'> {
  readonly key: number;
  readonly organization: string;
  readonly isSuperseded: boolean;
  readonly askedDue: number | null;
  readonly checks: number;
  readonly changes: number;
  readonly succeededAt: number | null;
  readonly failingSince: number | null;
  readonly changedN: number | null;
  readonly changedAt: number | null;
}

const BEFORE = `SELECT watches.key, watches.organization, is_superseded AS "isSuperseded", asked_due AS "askedDue", checks,
    changes, succeeded_at AS "succeededAt", failures, failing_since AS "failingSince", changed_n AS "changedN",
    changed_at AS "changedAt", body_hash AS "bodyHash", etag, last_modified AS "lastModified", full_at AS "fullAt",
    since_baseline AS "sinceBaseline"
  FROM watches JOIN watch_states ON watch = key WHERE id = $1 FOR UPDATE OF watch_states`;

const SAVE = `UPDATE watch_states SET due = $2, checks = $3, changes = $4, checked_at = $5, succeeded_at = $6, failures = $7,
    failing_since = $8, changed_n = $9, changed_at = $10, body_hash = $11, etag = $12, last_modified = $13, full_at = $14,
    doubted_at = $15, doubt = $16, since_baseline = $17
  WHERE watch = $1`;

const COUNT = `INSERT INTO watch_counters AS sums (node, checks, changes) VALUES ($1, 1, $2)
  ON CONFLICT (node) DO UPDATE SET checks = sums.checks + 1, changes = sums.changes + excluded.changes`;

async function saveState(transaction: Transaction, before: BeforeRow, check: Check): Promise<void> {
  const { at, outcome } = check;
  const hasFailed = outcome === 'failed';
  const isChange = check.diff !== undefined;
  const n = before.checks + 1;
  const read = hasFailed ? before : readAfter(before, check);
  await transaction.query(SAVE, [
    before.key,
    Math.min(before.askedDue ?? check.nextDue, check.nextDue),
    n,
    before.changes + Number(isChange),
    at,
    hasFailed ? before.succeededAt : at,
    hasFailed ? before.failures + 1 : 0,
    hasFailed ? (before.failingSince ?? at) : null,
    isChange ? n : before.changedN,
    isChange ? at : before.changedAt,
    read.bodyHash,
    storable(read.etag),
    storable(read.lastModified),
    read.fullAt,
    check.doubtedAt ?? null,
    storable(check.doubt) ?? null,
    check.baseline ? 0 : before.sinceBaseline + Number(!hasFailed),
  ]);
}

type Read = Pick<StateRow, 'bodyHash' | 'etag' | 'lastModified' | 'fullAt'>;

function readAfter(before: BeforeRow, { at, bodyHash, validators, isFull }: Check): Read {
  const kept = bodyHash === undefined ? validatorsOf(before) : undefined;
  const { etag = null, lastModified = null } = validators ?? kept ?? {};
  const hash = bodyHash === undefined ? before.bodyHash : Buffer.from(bodyHash, 'hex');
  return { bodyHash: hash, etag, lastModified, fullAt: isFull === true ? at : before.fullAt };
}
