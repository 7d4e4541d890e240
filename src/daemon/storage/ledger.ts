/**
 * The ledger: what organizations may spend, what of it was spent, and on which deliveries. Amounts are whole
 * thousandths of a credit, so that no sum is ever a little off; times are milliseconds since 1970.
 *
 * An organization's credit is unlimited until the operator gives it a balance. A balance is the sum of its grants that
 * have not expired; the one that expires first is spent first. A delivery is charged once: per tap the ledger keeps
 * the set of offsets that were charged, and adds to it in the same transaction that takes the amount. A crash between
 * the charge and the write to a socket leaves an event that is paid, and goes out again free.
 */
export interface Ledger {
  /** The organizations whose credit is a balance. */
  prepaid(): Promise<string[]>;
  account(organizationId: string, at: number): Promise<Account>;
  /** Adds to the balance; unlimited credit becomes a balance with it. Undefined: there are `CREDIT_GRANTS` already. */
  grantCredit(grant: Grant): Promise<Account | undefined>;
  /** Takes back what is left of all grants, and grants `amount` instead; unlimited credit becomes a balance. */
  setCredit(grant: Grant): Promise<Account>;
  /** From now on nothing is taken. Grants stay, and expire, until there is a balance again. */
  unlimitCredit(organizationId: string, at: number): Promise<Account>;
  /** The newest first. */
  creditHistory(organizationId: string, atMost: number): Promise<CreditEntry[]>;
  /** Charges deliveries. Offsets the log no longer has are free: nobody remembers whether they were charged. */
  charge(charge: Charge): Promise<Charged>;
  /** Whether a delivery was charged, also at a price of 0: someone has read the event. False of one that the log no longer has. */
  isCharged(tapId: string, offset: number): Promise<boolean>;
  /** What was delivered first since the beginning of the day of `since`, summed up; the largest first, days the newest. */
  usage(question: UsageQuestion): Promise<UsageRow[]>;
  /** Watch crawls of an organization in a month (`2026-02`). */
  checks(organizationId: string, month: string): Promise<number>;
  /** One more; how many there are with it. */
  countCheck(organizationId: string, month: string): Promise<number>;
  /** Forgets the usage of days that ended before `before`, and the checks of such months. */
  trimUsage(before: number): Promise<void>;
}

export interface Account {
  readonly organizationId: string;
  readonly unlimited: boolean;
  /** What the grants have left; it may be there although credit is unlimited. */
  readonly balance: number;
  /** Grants that have something left. */
  readonly grants: number;
  /** When the next of them expires. */
  readonly expiresNext?: number;
}

export interface Grant {
  readonly organizationId: string;
  /** 0 is allowed when a balance is set. */
  readonly amount: number;
  /** Absent: never. From then on what is left is worth nothing. */
  readonly expiresAt?: number;
  readonly at: number;
}

export interface CreditEntry {
  readonly at: number;
  readonly kind: 'grant' | 'set' | 'unlimited';
  readonly amount: number;
  readonly left: number;
  /** What a later `set` took back of it. */
  readonly withdrawn: number;
  readonly expiresAt?: number;
}

export interface Charge {
  readonly tapId: string;
  readonly organizationId: string;
  /** Offsets: the first that is to be delivered, and the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly at: number;
  /** For one delivery. 0 counts and takes nothing. */
  readonly price: number;
}

export interface Charged {
  /** What is below it is paid. Less than `to` when the credit is exhausted, or the range was too long for one go. */
  readonly paidTo: number;
  readonly exhausted: boolean;
}

export interface UsageQuestion {
  readonly organizationId: string;
  readonly by: 'tap' | 'day' | 'rule';
  readonly since: number;
  readonly atMost: number;
}

export interface UsageRow {
  /** The id of the tap or rule, or the day: `2026-02-27`. */
  readonly key: string;
  /** Of a rule: its tap. */
  readonly tapId?: string;
  /** First deliveries; of a rule: those it had a part in. */
  readonly matches: number;
  /** Of a rule: its share of what they cost. The shares of all rules are the whole. */
  readonly spent: number;
}

/** Offsets charged in one call at most: some milliseconds. */
export const CHARGED_AT_ONCE = 2_000;

export const DAY_MS = 86_400_000;

/** What rule `index` of `count` bears of an event's price: equal parts, and the remainder by one each from the first. */
export function shareOf(price: number, index: number, count: number): number {
  return Math.floor(price / count) + (index < price % count ? 1 : 0);
}

/** In place of a rule: all deliveries of the tap. */
const WHOLE_TAP = '';

/** What deliveries come to, by rule and for the whole tap. `ids`: of each of them the rules that matched. */
export function sumUp(
  ids: readonly (readonly string[])[],
  price: number,
): ReadonlyMap<string, { readonly matches: number; readonly spent: number }> {
  const sums = new Map<string, { matches: number; spent: number }>();
  const count = (rule: string, spent: number): void => {
    const sum = sums.get(rule) ?? { matches: 0, spent: 0 };
    sums.set(rule, { matches: sum.matches + 1, spent: sum.spent + spent });
  };
  for (const rules of ids) {
    count(WHOLE_TAP, price);
    for (const [index, rule] of rules.entries()) count(rule, shareOf(price, index, rules.length));
  }
  return sums;
}

/** The UTC month of an instant, as the checks are counted by. */
export function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

/** The UTC day with this number, counted from 1970. */
export function dayName(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
