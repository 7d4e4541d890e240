import { CREDIT_ENTRIES, CREDIT_GRANTS } from '../../../src/shared/limits.ts';
import {
  type Account,
  type Charge,
  CHARGED_AT_ONCE,
  type Charged,
  type CreditEntry,
  DAY_MS,
  dayName,
  type Grant,
  type Ledger,
  monthOf,
  shareOf,
  type UsageQuestion,
  type UsageRow,
} from '../../../src/daemon/storage/ledger.ts';
import type { LoggedEvent } from '../../../src/daemon/storage/event-log.ts';

type Entry = { -readonly [Name in keyof CreditEntry]: CreditEntry[Name] };

interface Delivery {
  readonly organizationId: string;
  readonly tapId: string;
  readonly day: number;
  readonly price: number;
  readonly rules: readonly string[];
}

/** The log, as far as the ledger must know it. */
interface KnownLog {
  peek(tapId: string): { readonly floor: number; readonly events: readonly LoggedEvent[] };
}

/** The ledger as lists: offset by offset and delivery by delivery, nothing merged and nothing summed up. */
export class MemoryLedger implements Ledger {
  readonly #log: KnownLog;
  readonly #prepaid = new Set<string>();
  readonly #entries = new Map<string, Entry[]>();
  readonly #charged = new Map<string, Set<number>>();
  #deliveries: Delivery[] = [];
  readonly #checks = new Map<string, number>();

  constructor(log: KnownLog) {
    this.#log = log;
  }

  async prepaid(): Promise<string[]> {
    return [...this.#prepaid].sort();
  }

  async account(organizationId: string, at: number): Promise<Account> {
    const live = this.#live(organizationId, at);
    const expiresNext = Math.min(...live.map(({ expiresAt = Infinity }) => expiresAt));
    return {
      organizationId,
      unlimited: !this.#prepaid.has(organizationId),
      balance: sum(live.map(({ left }) => left)),
      grants: live.length,
      ...(expiresNext !== Infinity && { expiresNext }),
    };
  }

  async grantCredit(grant: Grant): Promise<Account | undefined> {
    if (this.#live(grant.organizationId, grant.at).length >= CREDIT_GRANTS) return undefined;
    return this.#add('grant', grant);
  }

  async setCredit(grant: Grant): Promise<Account> {
    for (const entry of this.#live(grant.organizationId, grant.at)) {
      entry.withdrawn = entry.left;
      entry.left = 0;
    }
    return this.#add('set', grant);
  }

  async unlimitCredit(organizationId: string, at: number): Promise<Account> {
    return this.#add('unlimited', { organizationId, amount: 0, at });
  }

  async creditHistory(organizationId: string, atMost: number): Promise<CreditEntry[]> {
    return this.#of(organizationId)
      .toReversed()
      .slice(0, atMost)
      .map((entry) => structuredClone(entry));
  }

  async charge(charge: Charge): Promise<Charged> {
    const { floor, events } = this.#log.peek(charge.tapId);
    const from = Math.max(charge.from, floor);
    const to = Math.min(charge.to, floor + events.length);
    if (from >= to) return { paidTo: charge.to, exhausted: false };
    const end = Math.min(to, from + CHARGED_AT_ONCE);
    for (let offset = from; offset < end; offset += 1) {
      if (!this.#pay(charge, offset, events[offset - floor])) return { paidTo: offset, exhausted: true };
    }
    return { paidTo: end === floor + events.length ? charge.to : end, exhausted: false };
  }

  async isCharged(tapId: string, offset: number): Promise<boolean> {
    return offset >= this.#log.peek(tapId).floor && this.#charged.get(tapId)?.has(offset) === true;
  }

  async usage({ organizationId, by, since, atMost }: UsageQuestion): Promise<UsageRow[]> {
    const rows = new Map<string, UsageRow>();
    const add = (row: Omit<UsageRow, 'matches'>): void => {
      const name = `${row.tapId ?? ''} ${row.key}`;
      const { matches = 0, spent = 0 } = rows.get(name) ?? {};
      rows.set(name, { ...row, matches: matches + 1, spent: spent + row.spent });
    };
    for (const { tapId, day, price, rules, ...delivery } of this.#deliveries) {
      if (delivery.organizationId !== organizationId || day < Math.floor(since / DAY_MS)) continue;
      if (by === 'tap') add({ key: tapId, spent: price });
      if (by === 'day') add({ key: dayName(day), spent: price });
      if (by !== 'rule') continue;
      for (const [index, key] of rules.entries()) add({ key, tapId, spent: shareOf(price, index, rules.length) });
    }
    const byDay = (a: UsageRow, b: UsageRow): number => compare(b.key, a.key);
    const bySize = (a: UsageRow, b: UsageRow): number =>
      b.matches - a.matches || compare(a.key, b.key) || compare(a.tapId ?? '', b.tapId ?? '');
    return [...rows.values()].sort(by === 'day' ? byDay : bySize).slice(0, atMost);
  }

  async checks(organizationId: string, month: string): Promise<number> {
    return this.counted(organizationId, month);
  }

  async countCheck(organizationId: string, month: string): Promise<number> {
    return this.countOne(organizationId, month);
  }

  async trimUsage(before: number): Promise<void> {
    this.#deliveries = this.#deliveries.filter(({ day }) => day >= Math.floor(before / DAY_MS));
    for (const key of this.#checks.keys()) if (key < monthOf(before)) this.#checks.delete(key);
  }

  /** In one go, as a part of what else is written with it. */
  counted(organizationId: string, month: string): number {
    return this.#checks.get(`${month} ${organizationId}`) ?? 0;
  }

  countOne(organizationId: string, month: string): number {
    const key = `${month} ${organizationId}`;
    const checks = (this.#checks.get(key) ?? 0) + 1;
    this.#checks.set(key, checks);
    return checks;
  }

  /** A revoked tap's. */
  forget(tapId: string): void {
    this.#charged.delete(tapId);
  }

  /** Whether it could be paid for, if it was not before. */
  #pay({ tapId, organizationId, price, at }: Charge, offset: number, event: LoggedEvent | undefined): boolean {
    const charged = this.#charged.get(tapId) ?? new Set();
    if (charged.has(offset)) return true;
    const debited = this.#prepaid.has(organizationId) ? price : 0;
    const live = this.#live(organizationId, at);
    if (sum(live.map(({ left }) => left)) < debited) return false;
    let due = debited;
    for (const entry of live.sort((a, b) => (a.expiresAt ?? Infinity) - (b.expiresAt ?? Infinity) || 0)) {
      const part = Math.min(due, entry.left);
      entry.left -= part;
      due -= part;
    }
    const rules = JSON.parse(event?.queryIds ?? '[]') as string[];
    this.#deliveries.push({ organizationId, tapId, day: Math.floor(at / DAY_MS), price: debited, rules });
    this.#charged.set(tapId, charged.add(offset));
    return true;
  }

  #add(kind: CreditEntry['kind'], { organizationId, amount, expiresAt, at }: Grant): Promise<Account> {
    const entry = { at, kind, amount, left: amount, withdrawn: 0, ...(expiresAt !== undefined && { expiresAt }) };
    const entries = [...this.#of(organizationId), entry];
    const isOver = ({ left, expiresAt: until = Infinity }: Entry): boolean => left === 0 || until <= at;
    this.#entries.set(
      organizationId,
      entries.filter((old, index) => index >= entries.length - CREDIT_ENTRIES || !isOver(old)),
    );
    if (kind === 'unlimited') this.#prepaid.delete(organizationId);
    else this.#prepaid.add(organizationId);
    return this.account(organizationId, at);
  }

  #of(organizationId: string): Entry[] {
    return this.#entries.get(organizationId) ?? [];
  }

  #live(organizationId: string, at: number): Entry[] {
    return this.#of(organizationId).filter(({ left, expiresAt = Infinity }) => left > 0 && expiresAt > at);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
