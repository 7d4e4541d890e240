import type { Check, CommittedCheck } from '../../watches.ts';
import type { StateRow } from '../../watch-rows.ts';
import { validatorsOf } from '../../frontier-coding.ts';
import { storable } from '../connection/columns.ts';
import type { Queryable, Transaction } from '../connection/database.ts';
import { flush } from '../crawl/flush.ts';
import { type HostStore, isFenced } from '../crawl/host-store.ts';
import type { UsageStore } from '../events/usage-store.ts';
import { lockedHosts, refreshHosts } from './watch-hosts.ts';
import type { Entry, WatchHistoryStore } from './watch-history.ts';
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
   * Checks of watches, each once. Of a watch that was removed meanwhile, or whose options were changed, nothing but what its host can
   * bear; with a lease that is over, nothing at all.
   * @throws {ChecksUsedUp} when there are as many checks in a month as there may be: nothing of them may be committed
   */
  async commit(transaction: Transaction, checks: readonly Check[]): Promise<(CommittedCheck | undefined)[]> {
    const { hosts, node } = this.#parts;
    const places = await this.#hostsOf(transaction, checks);
    const keys = [...new Set(places.values())];
    const set = await lockedHosts(transaction, keys);
    const befores = await this.#befores(transaction, checks);
    const writings: (Writing | undefined)[] = checks.map((check) => {
      const host = set.hosts.get(places.get(check.watchId) ?? -1);
      const lessee = { owner: check.watchId, token: check.lease };
      if (!host || isFenced(host, lessee)) return undefined;
      hosts.rest(set, host, lessee, check.host);
      const before = befores.get(check.watchId);
      return before && !before.isSuperseded ? { check, before, n: before.checks + 1 } : undefined;
    });
    const written = writings.filter((writing) => writing !== undefined);
    const committed =
      written.length === 0 ? new Map<Writing, CommittedCheck>() : await this.#record(transaction, written);
    for (const { check } of written) set.counts.clock = Math.max(set.counts.clock, check.at);
    await refreshHosts(transaction, keys);
    await flush(transaction, set, { node });
    return writings.map((writing) => writing && committed.get(writing));
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

  /** By the watch; one that was removed may have its host leased still. */
  async #hostsOf(transaction: Transaction, checks: readonly Check[]): Promise<Map<string, number>> {
    const rows = await transaction.query<{ id: string; host: number }>(
      'SELECT id, host FROM watches JOIN watch_states ON watch = key WHERE id = ANY ($1::text[])',
      [idsOf(checks)],
    );
    const places = new Map(rows.map(({ id, host }) => [id, host]));
    for (const { watchId } of checks) {
      const leased = places.has(watchId) ? undefined : await this.#parts.hosts.leasedFor(transaction, watchId);
      if (leased !== undefined) places.set(watchId, leased);
    }
    return places;
  }

  async #befores(transaction: Transaction, checks: readonly Check[]): Promise<Map<string, BeforeRow>> {
    const rows = await transaction.query<BeforeRow>(BEFORE, [idsOf(checks)]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  async #record(transaction: Transaction, writings: readonly Writing[]): Promise<Map<Writing, CommittedCheck>> {
    const { history, node, texts } = this.#parts;
    await history.addEntries(transaction, writings.map(entryOf));
    for (const { check, before, n } of writings) {
      if (check.text) await texts.addText(transaction, before.key, n, check.at, check.text);
      if (check.baseline) await texts.saveBaseline(transaction, before.key, check.baseline);
      if (check.explanation !== undefined) await texts.saveExplanation(transaction, before.key, n, check.explanation);
    }
    await transaction.query(SAVE, savedColumns(writings));
    const trims = writings.map(({ check, before, n }) => ({ watch: before.key, last: n - Math.max(1, check.keep) }));
    for (const [watch, first] of await history.trim(transaction, trims)) await texts.trim(transaction, watch, first);
    // Rows that checks of other watches write, too: last, so that nobody waits for them for long; and in an order.
    const committed = await this.#count(transaction, writings);
    const changes = [...committed.values()].filter(({ change }) => change !== undefined).length;
    await transaction.query(COUNT, [node, writings.length, changes]);
    return committed;
  }

  async #count(transaction: Transaction, writings: readonly Writing[]): Promise<Map<Writing, CommittedCheck>> {
    const { history } = this.#parts;
    const committed = new Map<Writing, CommittedCheck>();
    const byMonth = Map.groupBy(writings, ({ before, check }) => `${before.organization} ${check.month}`);
    for (const [, its] of [...byMonth].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      const changes = new Map<Writing, number>();
      for (const writing of its) {
        const { check, before, n } = writing;
        if (check.diff) changes.set(writing, await history.addChange(transaction, before, n, check.diff, check.title));
      }
      let counted = await this.#firstOf(transaction, its);
      for (const writing of its) {
        const change = changes.get(writing);
        committed.set(writing, { n: writing.n, checksThisMonth: counted, ...(change !== undefined && { change }) });
        counted += 1;
      }
    }
    return committed;
  }

  /** Counts them; which check of the month the first of them is. */
  async #firstOf(transaction: Transaction, writings: readonly Writing[]): Promise<number> {
    const [first] = writings;
    if (!first) return 0;
    const { check, before } = first;
    const most = Math.min(...writings.map((writing) => writing.check.mostInMonth ?? Number.MAX_SAFE_INTEGER));
    const counting = { organizationId: before.organization, month: check.month, most, checks: writings.length };
    const counted = await this.#parts.usage.countChecks(transaction, counting);
    if (counted === undefined) throw new ChecksUsedUp();
    return counted - writings.length + 1;
  }
}

/** A check on its way to be written, as the n-th of its watch. */
interface Writing {
  readonly check: Check;
  readonly before: BeforeRow;
  readonly n: number;
}

function idsOf(checks: readonly Check[]): string[] {
  return checks.map(({ watchId }) => storable(watchId));
}

function entryOf({ check, before, n }: Writing): Entry {
  return { watch: before.key, n, check, recovered: check.outcome === 'failed' ? 0 : before.failures };
}

interface BeforeRow extends Omit<StateRow, 'checkedAt' | 'doubtedAt' | 'doubt'> {
  readonly id: string;
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

const BEFORE = `SELECT watches.id, watches.key, watches.organization, is_superseded AS "isSuperseded", asked_due AS "askedDue", checks,
    changes, succeeded_at AS "succeededAt", failures, failing_since AS "failingSince", changed_n AS "changedN",
    changed_at AS "changedAt", body_hash AS "bodyHash", etag, last_modified AS "lastModified", full_at AS "fullAt",
    since_baseline AS "sinceBaseline"
  FROM watches JOIN watch_states ON watch = key WHERE id = ANY ($1::text[])
  ORDER BY watches.key FOR UPDATE OF watch_states`;

const SAVE = `UPDATE watch_states SET due = new.due, checks = new.checks, changes = new.changes, checked_at = new.checked_at,
    succeeded_at = new.succeeded_at, failures = new.failures, failing_since = new.failing_since, changed_n = new.changed_n,
    changed_at = new.changed_at, body_hash = new.body_hash, etag = new.etag, last_modified = new.last_modified,
    full_at = new.full_at, doubted_at = new.doubted_at, doubt = new.doubt, since_baseline = new.since_baseline
  FROM unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[], $5::bigint[], $6::bigint[], $7::integer[],
    $8::bigint[], $9::integer[], $10::bigint[], $11::bytea[], $12::text[], $13::text[], $14::bigint[], $15::bigint[],
    $16::text[], $17::integer[]) AS new (watch, due, checks, changes, checked_at, succeeded_at, failures, failing_since,
    changed_n, changed_at, body_hash, etag, last_modified, full_at, doubted_at, doubt, since_baseline)
  WHERE watch_states.watch = new.watch`;

const COUNT = `INSERT INTO watch_counters AS sums (node, checks, changes) VALUES ($1, $2, $3)
  ON CONFLICT (node) DO UPDATE SET checks = sums.checks + excluded.checks, changes = sums.changes + excluded.changes`;

/** The columns of `SAVE`. */
function savedColumns(writings: readonly Writing[]): unknown[][] {
  const rows = writings.map(savedRow);
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
}

function savedRow({ check, before, n }: Writing): readonly unknown[] {
  const { at, outcome } = check;
  const hasFailed = outcome === 'failed';
  const isChange = check.diff !== undefined;
  const read = hasFailed ? before : readAfter(before, check);
  return [
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
  ];
}

type Read = Pick<StateRow, 'bodyHash' | 'etag' | 'lastModified' | 'fullAt'>;

function readAfter(before: BeforeRow, { at, bodyHash, validators, isFull }: Check): Read {
  const kept = bodyHash === undefined ? validatorsOf(before) : undefined;
  const { etag = null, lastModified = null } = validators ?? kept ?? {};
  const hash = bodyHash === undefined ? before.bodyHash : Buffer.from(bodyHash, 'hex');
  return { bodyHash: hash, etag, lastModified, fullAt: isFull === true ? at : before.fullAt };
}
