import type { DatabaseSync } from 'node:sqlite';
import { faultPoint } from '../../../fault-points.ts';
import {
  type Account,
  type Charge,
  type Charged,
  CHARGED_AT_ONCE,
  type CreditEntry,
  DAY_MS,
  dayName,
  type Grant,
  type Ledger,
  monthOf,
  sumUp,
  type UsageQuestion,
  type UsageRow,
} from '../../ledger.ts';
import type { Operations } from '../worker/operation.ts';
import { CREDIT_ENTRIES, CREDIT_GRANTS } from '../../../../shared/limits.ts';

/**
 * Which offsets of a tap were charged, as intervals that do not touch. What the log has dropped is dropped here when
 * the tap is charged next.
 */
export class ChargeStore {
  readonly #sql: ReturnType<typeof chargeStatements>;
  readonly #credit: CreditStore;
  readonly #usage: UsageStore;

  constructor(database: DatabaseSync, { credit, usage }: { credit: CreditStore; usage: UsageStore }) {
    this.#sql = chargeStatements(database);
    this.#credit = credit;
    this.#usage = usage;
  }

  charge(charge: Charge): Charged {
    const tap = this.#sql.tap.get(charge.tapId) as TapRow | undefined;
    // Revoked meanwhile, or a tap without events: nothing is delivered.
    if (tap === undefined) return { paidTo: charge.to, exhausted: false };
    this.#sql.dropBelow.run(tap.key, tap.floor, tap.floor);
    const from = Math.max(charge.from, tap.floor);
    const to = Math.min(charge.to, tap.head);
    if (from >= to) return { paidTo: charge.to, exhausted: false };
    const end = Math.min(to, from + CHARGED_AT_ONCE);
    const { gaps, exhausted } = this.#affordable(charge, this.#gaps(tap.key, from, end));
    for (const gap of gaps) this.#pay(charge, tap.key, gap);
    if (exhausted !== undefined) return { paidTo: exhausted, exhausted: true };
    return { paidTo: end === tap.head ? charge.to : end, exhausted: false };
  }

  isCharged(tapId: string, offset: number): boolean {
    const tap = this.#sql.tap.get(tapId) as TapRow | undefined;
    if (tap === undefined || offset < tap.floor) return false;
    const interval = this.#sql.before.get(tap.key, offset + 1) as unknown as Gap | undefined;
    return interval !== undefined && offset < interval.to;
  }

  /** A revoked tap's. Its events are gone, and no tap has its key again. */
  forget(tapId: string): void {
    this.#sql.forget.run(tapId);
  }

  /** The parts of [from, to) that were not charged. */
  #gaps(tap: number, from: number, to: number): Gap[] {
    const gaps: Gap[] = [];
    let next = from;
    const before = this.#sql.before.get(tap, from) as unknown as Gap | undefined;
    if (before !== undefined) next = Math.max(next, before.to);
    for (const paid of this.#sql.within.all(tap, from, to) as unknown as Gap[]) {
      if (paid.from > next) gaps.push({ from: next, to: paid.from });
      next = Math.max(next, paid.to);
    }
    if (next < to) gaps.push({ from: next, to });
    return gaps;
  }

  /** The gaps as far as the credit goes, and the offset at which it is exhausted. */
  #affordable(
    { organizationId, price, at }: Charge,
    gaps: readonly Gap[],
  ): { gaps: readonly Gap[]; exhausted?: number } {
    if (price === 0 || !this.#credit.isPrepaid(organizationId)) return { gaps };
    let left = Math.floor(this.#credit.balance(organizationId, at) / price);
    const paid: Gap[] = [];
    for (const { from, to } of gaps) {
      if (left > 0) paid.push({ from, to: Math.min(to, from + left) });
      if (to - from > left) return { gaps: paid, exhausted: from + left };
      left -= to - from;
    }
    return { gaps };
  }

  #pay({ tapId, organizationId, price, at }: Charge, tap: number, gap: Gap): void {
    const debited = price > 0 && this.#credit.isPrepaid(organizationId) ? price : 0;
    if (debited > 0) this.#credit.spend(organizationId, debited * (gap.to - gap.from), at);
    faultPoint('charge:spent');
    const events = this.#sql.queryIds.all(tap, gap.from, gap.to) as unknown as { queryIds: string }[];
    const ids = events.map(({ queryIds }) => JSON.parse(queryIds) as string[]);
    this.#usage.add({ organizationId, tapId, day: Math.floor(at / DAY_MS), price: debited }, ids);
    faultPoint('charge:counted');
    this.#merge(tap, gap);
  }

  #merge(tap: number, { from, to }: Gap): void {
    const left = this.#sql.before.get(tap, from) as unknown as Gap | undefined;
    const right = this.#sql.startingAt.get(tap, to) as { next: number } | undefined;
    if (right !== undefined) this.#sql.remove.run(tap, to);
    const next = right?.next ?? to;
    if (left?.to === from) this.#sql.extend.run(next, tap, left.from);
    else this.#sql.add.run(tap, from, next);
    faultPoint('charge:kept');
  }
}

interface LedgerStores {
  readonly charges: ChargeStore;
  readonly credit: CreditStore;
  readonly usage: UsageStore;
}

export function ledgerOperations({ charges, credit, usage }: LedgerStores): Operations<Ledger> {
  return {
    prepaid: { read: () => credit.prepaid() },
    account: { read: (organizationId, at) => credit.account(organizationId, at) },
    grantCredit: { write: (grant) => credit.grant(grant) },
    setCredit: { write: (grant) => credit.set(grant) },
    unlimitCredit: { write: (organizationId, at) => credit.unlimit(organizationId, at) },
    creditHistory: { read: (organizationId, atMost) => credit.history(organizationId, atMost) },
    charge: { write: (charge) => charges.charge(charge) },
    isCharged: { read: (tapId, offset) => charges.isCharged(tapId, offset) },
    usage: { read: (question) => usage.usage(question) },
    checks: { read: (organizationId, month) => usage.checks(organizationId, month) },
    countCheck: { write: (organizationId, month) => usage.countCheck(organizationId, month) },
    trimUsage: { write: (before) => usage.trim(before) },
  };
}

interface TapRow {
  readonly key: number;
  readonly floor: number;
  readonly head: number;
}

interface Gap {
  readonly from: number;
  readonly to: number;
}

function chargeStatements(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  return {
    tap: sql('SELECT key, floor, head FROM taps WHERE id = ?'),
    dropBelow: sql('DELETE FROM charged WHERE tap = ? AND first < ? AND next <= ?'),
    before: sql(`SELECT first AS "from", next AS "to" FROM charged WHERE tap = ? AND first < ?
      ORDER BY first DESC LIMIT 1`),
    within: sql(`SELECT first AS "from", next AS "to" FROM charged WHERE tap = ? AND first >= ? AND first < ?
      ORDER BY first`),
    queryIds: sql(`SELECT query_ids AS queryIds FROM events WHERE tap = ? AND offset >= ? AND offset < ?`),
    startingAt: sql('SELECT next FROM charged WHERE tap = ? AND first = ?'),
    add: sql('INSERT INTO charged (tap, first, next) VALUES (?, ?, ?)'),
    extend: sql('UPDATE charged SET next = ? WHERE tap = ? AND first = ?'),
    remove: sql('DELETE FROM charged WHERE tap = ? AND first = ?'),
    forget: sql('DELETE FROM charged WHERE tap = (SELECT key FROM taps WHERE id = ?)'),
  };
}

/** Grants and what is left of them, in SQL. */
export class CreditStore {
  readonly #sql: ReturnType<typeof creditStatements>;

  constructor(database: DatabaseSync) {
    this.#sql = creditStatements(database);
  }

  prepaid(): string[] {
    return (this.#sql.prepaid.all() as unknown as { organization: string }[]).map(({ organization }) => organization);
  }

  isPrepaid(organizationId: string): boolean {
    return this.#sql.isPrepaid.get(organizationId) !== undefined;
  }

  balance(organizationId: string, at: number): number {
    return (this.#sql.totals.get(organizationId, at) as unknown as Totals).balance;
  }

  account(organizationId: string, at: number): Account {
    const { balance, grants, expiresNext } = this.#sql.totals.get(organizationId, at) as unknown as Totals;
    return {
      organizationId,
      unlimited: !this.isPrepaid(organizationId),
      balance,
      grants,
      ...(expiresNext !== null && { expiresNext }),
    };
  }

  grant(grant: Grant): Account | undefined {
    if (this.account(grant.organizationId, grant.at).grants >= CREDIT_GRANTS) return undefined;
    return this.#add('grant', grant);
  }

  set(grant: Grant): Account {
    this.#sql.withdraw.run(grant.organizationId, grant.at);
    return this.#add('set', grant);
  }

  unlimit(organizationId: string, at: number): Account {
    return this.#add('unlimited', { organizationId, amount: 0, at });
  }

  history(organizationId: string, atMost: number): CreditEntry[] {
    const rows = this.#sql.history.all(organizationId, atMost) as unknown as EntryRow[];
    return rows.map(entryOf);
  }

  /** Takes `amount`, which the balance covers, from the grants in the order in which they expire. */
  spend(organizationId: string, amount: number, at: number): void {
    let due = amount;
    while (due > 0) {
      const grant = this.#sql.first.get(organizationId, at) as { seq: number; left: number } | undefined;
      if (grant === undefined) throw new Error('more was charged than there is credit for');
      const part = Math.min(due, grant.left);
      this.#sql.take.run(part, grant.seq);
      due -= part;
    }
  }

  #add(kind: CreditEntry['kind'], { organizationId, amount, expiresAt, at }: Grant): Account {
    this.#sql.add.run(organizationId, at, kind, amount, amount, expiresAt ?? null);
    this.#sql.setMode.run(organizationId, kind === 'unlimited' ? 0 : 1);
    this.#sql.forget.run(organizationId, at, organizationId, CREDIT_ENTRIES);
    return this.account(organizationId, at);
  }
}

interface Totals {
  readonly balance: number;
  readonly grants: number;
  readonly expiresNext: number | null;
}

type EntryRow = Omit<CreditEntry, 'expiresAt'> & { readonly expiresAt: number | null };

function entryOf({ expiresAt, ...row }: EntryRow): CreditEntry {
  return { ...row, ...(expiresAt !== null && { expiresAt }) };
}

function creditStatements(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const live = 'organization = ? AND left > 0 AND (expires_at IS NULL OR expires_at > ?)';
  return {
    prepaid: sql('SELECT organization FROM credit_accounts WHERE prepaid ORDER BY organization'),
    isPrepaid: sql('SELECT 1 FROM credit_accounts WHERE organization = ? AND prepaid'),
    totals: sql(`SELECT coalesce(sum(left), 0) AS balance, count(*) AS grants, min(expires_at) AS expiresNext
      FROM credit_entries WHERE ${live}`),
    setMode: sql(`INSERT INTO credit_accounts (organization, prepaid) VALUES (?, ?)
      ON CONFLICT (organization) DO UPDATE SET prepaid = excluded.prepaid`),
    add: sql(`INSERT INTO credit_entries (organization, at, kind, amount, left, expires_at)
      VALUES (?, ?, ?, ?, ?, ?)`),
    withdraw: sql(`UPDATE credit_entries SET withdrawn = left, left = 0 WHERE ${live}`),
    first: sql(`SELECT seq, left FROM credit_entries WHERE ${live}
      ORDER BY expires_at IS NULL, expires_at, seq LIMIT 1`),
    take: sql('UPDATE credit_entries SET left = left - ? WHERE seq = ?'),
    history: sql(`SELECT at, kind, amount, left, withdrawn, expires_at AS expiresAt FROM credit_entries
      WHERE organization = ? ORDER BY seq DESC LIMIT ?`),
    forget: sql(`DELETE FROM credit_entries WHERE organization = ? AND (left = 0 OR expires_at <= ?)
      AND seq <= (SELECT seq FROM credit_entries WHERE organization = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)`),
  };
}

/** What was delivered, by day, tap and rule; and the checks of watches, by month. */
export class UsageStore {
  readonly #sql: ReturnType<typeof usageStatements>;

  constructor(database: DatabaseSync) {
    this.#sql = usageStatements(database);
  }

  /** `price`: what was taken for each event. `ids`: of each event the rules that matched. */
  add(of: { organizationId: string; tapId: string; day: number; price: number }, ids: readonly string[][]): void {
    const { organizationId, tapId, day, price } = of;
    for (const [rule, { matches, spent }] of sumUp(ids, price)) {
      this.#sql.add.run(day, organizationId, tapId, rule, matches, spent);
    }
  }

  usage({ organizationId, by, since, atMost }: UsageQuestion): UsageRow[] {
    const day = Math.floor(since / DAY_MS);
    if (by === 'day') {
      const rows = this.#sql.byDay.all(day, organizationId, atMost) as unknown as (Sums & { day: number })[];
      return rows.map(({ day: number, matches, spent }) => ({ key: dayName(number), matches, spent }));
    }
    return this.#sql[by === 'tap' ? 'byTap' : 'byRule'].all(day, organizationId, atMost) as unknown as UsageRow[];
  }

  trim(before: number): void {
    this.#sql.trim.run(Math.floor(before / DAY_MS));
    this.#sql.trimChecks.run(monthOf(before));
  }

  checks(organizationId: string, month: string): number {
    const row = this.#sql.checks.get(month, organizationId) as { checks: number } | undefined;
    return row?.checks ?? 0;
  }

  countCheck(organizationId: string, month: string): number {
    return (this.#sql.countCheck.get(month, organizationId) as { checks: number }).checks;
  }
}

type Sums = Pick<UsageRow, 'matches' | 'spent'>;

function usageStatements(database: DatabaseSync) {
  const sql = (text: string) => database.prepare(text);
  const sums = 'sum(matches) AS matches, sum(spent) AS spent';
  const since = 'FROM usage WHERE day >= ? AND organization = ?';
  return {
    add: sql(`INSERT INTO usage (day, organization, tap, rule, matches, spent) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (day, organization, tap, rule) DO UPDATE
      SET matches = matches + excluded.matches, spent = spent + excluded.spent`),
    byDay: sql(`SELECT day, ${sums} ${since} AND rule = '' GROUP BY day ORDER BY day DESC LIMIT ?`),
    byTap: sql(`SELECT tap AS key, ${sums} ${since} AND rule = ''
      GROUP BY tap ORDER BY matches DESC, tap LIMIT ?`),
    byRule: sql(`SELECT rule AS key, tap AS tapId, ${sums} ${since} AND rule <> ''
      GROUP BY tap, rule ORDER BY matches DESC, rule, tap LIMIT ?`),
    trim: sql('DELETE FROM usage WHERE day < ?'),
    trimChecks: sql('DELETE FROM checks WHERE month < ?'),
    checks: sql('SELECT checks FROM checks WHERE month = ? AND organization = ?'),
    countCheck: sql(`INSERT INTO checks (month, organization, checks) VALUES (?, ?, 1)
      ON CONFLICT (month, organization) DO UPDATE SET checks = checks + 1 RETURNING checks`),
  };
}
