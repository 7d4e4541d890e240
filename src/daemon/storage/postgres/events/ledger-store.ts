import {
  type Account,
  type Charge,
  type Charged,
  CHARGED_AT_ONCE,
  type CreditEntry,
  DAY_MS,
  type Grant,
  type Ledger,
  type UsageQuestion,
  type UsageRow,
} from '../../ledger.ts';
import type { Database, Transaction } from '../connection/database.ts';
import type { CreditStore } from './credit-store.ts';
import type { UsageStore } from './usage-store.ts';

interface Stores {
  readonly credit: CreditStore;
  readonly usage: UsageStore;
}

/**
 * The ledger on PostgreSQL. A tap is charged by one process at a time, whichever nodes its readers are on, and so is a balance;
 * the log goes on meanwhile. An event that the log has dropped by the time it is looked up is free.
 */
export class LedgerStore implements Ledger {
  readonly #database: Database;
  readonly #credit: CreditStore;
  readonly #usage: UsageStore;

  constructor(database: Database, { credit, usage }: Stores) {
    this.#database = database;
    this.#credit = credit;
    this.#usage = usage;
  }

  async charge(charge: Charge): Promise<Charged> {
    // Nearly always so where several nodes deliver the same tap, and nobody has to wait to see it.
    const [paid] = await this.#database.query(IS_PAID, [charge.tapId, charge.from, charge.to, CHARGED_AT_ONCE]);
    if (paid) return { paidTo: charge.to, exhausted: false };
    return this.#database.transaction(async (transaction) => {
      await transaction.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`charge ${charge.tapId}`]);
      const [tap] = await transaction.query<TapRow>(TAP, [charge.tapId]);
      // Revoked meanwhile, or a tap without events: nothing is delivered.
      if (!tap) return { paidTo: charge.to, exhausted: false };
      const from = Math.max(charge.from, tap.floor);
      const to = Math.min(charge.to, tap.head);
      if (from >= to) return { paidTo: charge.to, exhausted: false };
      const end = Math.min(to, from + CHARGED_AT_ONCE);
      const exhausted = await this.#pay(transaction, charge, { ...tap, from, end });
      if (exhausted !== undefined) return { paidTo: exhausted, exhausted: true };
      return { paidTo: end === tap.head ? charge.to : end, exhausted: false };
    });
  }

  async isCharged(tapId: string, offset: number): Promise<boolean> {
    const [charged] = await this.#database.query(IS_CHARGED, [tapId, offset]);
    return charged !== undefined;
  }

  prepaid(): Promise<string[]> {
    return this.#credit.prepaid();
  }

  account(organizationId: string, at: number): Promise<Account> {
    return this.#credit.account(organizationId, at);
  }

  grantCredit(grant: Grant): Promise<Account | undefined> {
    return this.#credit.grant(grant);
  }

  setCredit(grant: Grant): Promise<Account> {
    return this.#credit.set(grant);
  }

  unlimitCredit(organizationId: string, at: number): Promise<Account> {
    return this.#credit.unlimit(organizationId, at);
  }

  creditHistory(organizationId: string, atMost: number): Promise<CreditEntry[]> {
    return this.#credit.history(organizationId, atMost);
  }

  usage(question: UsageQuestion): Promise<UsageRow[]> {
    return this.#usage.usage(question);
  }

  checks(organizationId: string, month: string): Promise<number> {
    return this.#usage.checks(organizationId, month);
  }

  async countCheck(organizationId: string, month: string): Promise<number> {
    const one = { organizationId, month, most: Number.MAX_SAFE_INTEGER, checks: 1 };
    return (await this.#usage.countChecks(this.#database, one)) ?? 0;
  }

  trimUsage(before: number): Promise<void> {
    return this.#usage.trim(before);
  }

  /** Pays for what of the range was not charged, as far as the credit goes; the offset at which it is exhausted. */
  async #pay(transaction: Transaction, charge: Charge, range: Range): Promise<number | undefined> {
    const { tapId, organizationId, price, at } = charge;
    const { key, floor, from, end } = range;
    const unpaid = await transaction.query<UnpaidRow>(UNPAID, [key, from, end]);
    if (unpaid.length === 0) return undefined;
    const balance = price > 0 ? await this.#credit.lockedBalance(transaction, organizationId, at) : undefined;
    const affordable = balance === undefined ? Infinity : Math.floor(balance / price);
    const paid = unpaid.slice(0, affordable);
    const exhausted = unpaid[paid.length]?.off;
    if (paid.length === 0) return exhausted;
    const debited = balance === undefined ? 0 : price;
    if (debited > 0) await this.#credit.spend(transaction, organizationId, debited * paid.length, at);
    const ids = paid.map(({ queryIds }) => JSON.parse(queryIds) as string[]);
    const of = { organizationId, tapId, day: Math.floor(at / DAY_MS), price: debited };
    await this.#usage.add(transaction, of, ids);
    await transaction.query(FORGET, [key, floor]);
    await transaction.query(KEEP, [key, from, exhausted ?? end]);
    return exhausted;
  }
}

interface TapRow {
  readonly key: number;
  readonly floor: number;
  readonly head: number;
}

interface Range extends Omit<TapRow, 'head'> {
  readonly from: number;
  readonly end: number;
}

interface UnpaidRow {
  readonly off: number;
  readonly queryIds: string;
}

const TAP = 'SELECT key, floor, head FROM taps WHERE id = $1 AND dropped_at IS NULL';

/** What was charged stays so as long as the log has it. */
const IS_PAID = `SELECT FROM taps CROSS JOIN LATERAL (SELECT greatest($2, floor) AS first, least($3, head) AS next) AS kept
  WHERE id = $1 AND dropped_at IS NULL AND next - first <= $4 AND (first >= next
    OR EXISTS (SELECT FROM charged WHERE tap = key AND charged.first <= kept.first AND charged.next >= kept.next))`;

const UNPAID = `SELECT off, query_ids AS "queryIds" FROM events WHERE tap = $1 AND off >= $2 AND off < $3
  AND NOT off <@ coalesce((SELECT range_agg(int8range(first, next)) FROM charged
    WHERE tap = $1 AND first < $3 AND next > $2), '{}')
  ORDER BY off`;

/** Intervals of what the log has dropped. */
const FORGET = 'DELETE FROM charged WHERE tap = $1 AND next <= $2';

/** All from $2 to $3 is charged now: the interval that ends there or reaches in is extended, those behind it are part of it. */
const KEEP = `WITH swallowed AS (
    DELETE FROM charged WHERE tap = $1 AND first > $2 AND first <= $3 RETURNING next
  ), reach AS (
    SELECT greatest($3, max(next)) AS next FROM swallowed
  ), extended AS (
    UPDATE charged SET next = greatest(charged.next, reach.next) FROM reach
    WHERE tap = $1 AND charged.next >= $2 AND first = (SELECT max(first) FROM charged WHERE tap = $1 AND first <= $2)
    RETURNING tap
  )
  INSERT INTO charged (tap, first, next) SELECT $1, $2, reach.next FROM reach WHERE NOT EXISTS (SELECT FROM extended)`;

const IS_CHARGED = `SELECT FROM charged JOIN taps ON taps.key = charged.tap
  WHERE taps.id = $1 AND dropped_at IS NULL AND $2 >= floor AND first <= $2 AND next > $2`;
