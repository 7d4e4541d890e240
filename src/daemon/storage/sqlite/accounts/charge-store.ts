import type { DatabaseSync } from 'node:sqlite';
import { faultPoint } from '../../../fault-points.ts';
import { type Charge, CHARGED_AT_ONCE, type Charged, DAY_MS, type Ledger } from '../../ledger.ts';
import type { Operations } from '../worker/operation.ts';
import type { CreditStore } from './credit-store.ts';
import type { UsageStore } from './usage-store.ts';

/**
 * Which offsets of a tap were charged, as intervals that do not touch. What the log has dropped is dropped here when
 * the tap is charged next.
 */
export class ChargeStore {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #credit: CreditStore;
  readonly #usage: UsageStore;

  constructor(database: DatabaseSync, { credit, usage }: { credit: CreditStore; usage: UsageStore }) {
    this.#sql = prepare(database);
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

function prepare(database: DatabaseSync) {
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
