import { faultPoint } from '../fault-points.ts';
import type { Outside } from '../outside.ts';
import type { Catalog, TapRecord } from '../storage/catalog.ts';
import { type Charged, CHARGED_AT_ONCE, type Ledger } from '../storage/ledger.ts';
import { METERED_RUNS, METERED_TAPS, UNCOUNTED_RUNS } from '../../shared/limits.ts';

/**
 * The interface between the streams and the ledger: before a stream writes events it reports which ones, and learns how far they
 * are paid for. A charge is per tap and offset, not per reader: an offset that was paid once is free for every reader after that.
 */
export interface Metering {
  /** Whether a stream may begin: false when the organization's prepaid balance does not pay one more match (402). */
  mayOpen(organizationId: string): Promise<boolean>;
  /**
   * Pays for the events of a tap with the offsets `from` (included) to `to` (not included), those of them that were
   * not paid before, in order, as far as the balance goes; committed when it answers. What is below the answer may be
   * written; an answer below `to` means that the credit is used up there. A plain number when nothing has to be waited
   * for: unlimited credit, or paid already.
   */
  deliver(tapId: string, from: number, to: number): number | Promise<number>;
}

/** Which organizations have prepaid credit. */
interface Balances {
  isUnlimited(organizationId: string): boolean;
}

interface LedgerMeteringDeps {
  readonly ledger: Pick<Ledger, 'account' | 'charge' | 'isCharged'>;
  readonly catalog: Catalog;
  readonly balances: Balances;
  /** Of a match, in thousandths of a credit. */
  readonly price: number;
  readonly outside: Outside;
  /** Deliveries under unlimited credit could not be counted. */
  readonly onError: (what: string, error: unknown) => void;
}

/** In which deliveries gather for one count: a transaction for each of a busy stream would be as many as the visits have. */
const COUNT_AFTER_MS = 250;

/**
 * Metering on the ledger. With prepaid credit, a delivery waits for the commit of its charge; each tap has one charge under way
 * at a time, and all its readers wait for the same one: two thousand readers of a tap cause one write. Paid offsets are cached,
 * so later readers are answered at once. The cache may forget them: the ledger knows, and asking it again costs a round trip
 * and no credit.
 *
 * With unlimited credit nobody waits. Deliveries are counted a moment after they were sent, in runs as long as they have become meanwhile.
 * A crash loses the counts of the last moments; they are counted if those events are delivered again. While the ledger does not
 * answer, runs wait in memory up to a bound; beyond it they are dropped, and an error is logged.
 */
export class LedgerMetering implements Metering {
  readonly #deps: LedgerMeteringDeps;
  /** The one used longest ago first. */
  readonly #taps = new Map<string, MeteredTap>();
  /** Runs of all taps that are not in the ledger yet. */
  #uncounted = 0;
  #index: { readonly of: readonly TapRecord[]; readonly byId: ReadonlyMap<string, TapRecord> } | undefined;

  constructor(deps: LedgerMeteringDeps) {
    this.#deps = deps;
  }

  async mayOpen(organizationId: string): Promise<boolean> {
    const { balances, ledger, outside, price } = this.#deps;
    if (balances.isUnlimited(organizationId)) return true;
    return (await ledger.account(organizationId, outside.now())).balance >= price;
  }

  deliver(tapId: string, from: number, to: number): number | Promise<number> {
    const organizationId = this.#organizationOf(tapId);
    // Revoked: its streams are about to end.
    if (organizationId === undefined) return to;
    const tap = this.#tap(tapId, organizationId);
    const reached = tap.paid.reach(from);
    if (reached >= to) return to;
    if (!this.#deps.balances.isUnlimited(organizationId)) return this.#pay(tap, from, to);
    tap.paid.add(reached, to);
    this.#addUncounted(tap, reached, to);
    this.#countSoon(tap);
    return to;
  }

  /** Whether an event was delivered by this node, or counted by any. */
  async isDelivered(tapId: string, offset: number): Promise<boolean> {
    const isPaid = (this.#taps.get(tapId)?.paid.reach(offset) ?? offset) > offset;
    return isPaid || this.#deps.ledger.isCharged(tapId, offset);
  }

  /** Waits until what was delivered so far is counted; what could not be before is tried once more. */
  async settle(): Promise<void> {
    await Promise.all(
      [...this.#taps.values()].map(async (tap) => {
        await tap.counting;
        await this.#count(tap);
      }),
    );
  }

  async #pay(tap: MeteredTap, from: number, to: number): Promise<number> {
    let reached = from;
    for (;;) {
      reached = tap.paid.reach(reached);
      if (reached >= to) return to;
      const charged = await (tap.charging ??= this.#charge(tap, reached, to));
      // Not from the memory, which may have forgotten it at once.
      if (charged.from <= reached) reached = Math.max(reached, charged.paidTo);
      // The event that could not be paid a moment ago cannot be paid now; thousands may be waiting to hear it. Any other
      // may be one that was paid long ago.
      if (charged.exhausted && reached === charged.paidTo) return Math.min(to, reached);
    }
  }

  async #charge(tap: MeteredTap, from: number, to: number): Promise<ChargedFrom> {
    try {
      const charged = await this.#ask(tap, from, to, this.#deps.price);
      faultPoint('charge:committed');
      tap.paid.add(from, charged.paidTo);
      return { from, ...charged };
    } finally {
      tap.charging = undefined;
    }
  }

  #countSoon(tap: MeteredTap): void {
    if (tap.counting || tap.countTimer) return;
    tap.countTimer = setTimeout(() => void this.#count(tap), COUNT_AFTER_MS);
  }

  /** What was delivered up to now. */
  async #count(tap: MeteredTap): Promise<void> {
    clearTimeout(tap.countTimer);
    tap.countTimer = undefined;
    const counting = this.#countRuns(tap);
    tap.counting = counting;
    const isCounted = await counting;
    tap.counting = undefined;
    // After a failure the next delivery makes up for it.
    if (isCounted && tap.uncounted.size > 0) this.#countSoon(tap);
  }

  async #countRuns(tap: MeteredTap): Promise<boolean> {
    const runs = this.#takeUncounted(tap);
    try {
      for (let run = runs[0]; run !== undefined; run = runs[0]) {
        // Nothing is taken, also if the operator sets a balance meanwhile: it was delivered before that.
        await this.#ask(tap, run.first, run.next, 0);
        runs.shift();
      }
      return true;
    } catch (error) {
      for (const { first, next } of runs) this.#addUncounted(tap, first, next);
      this.#deps.onError('deliveries could not be recorded', error);
      return false;
    }
  }

  #addUncounted(tap: MeteredTap, first: number, next: number): void {
    const before = tap.uncounted.size;
    tap.uncounted.add(first, next);
    this.#uncounted += tap.uncounted.size - before;
    if (this.#uncounted <= UNCOUNTED_RUNS) return;
    tap.uncounted.shift();
    this.#uncounted -= 1;
    this.#deps.onError('old usage figures were deleted', new Error('too many deliveries wait for the ledger'));
  }

  /** In pieces that one charge can take. */
  #takeUncounted({ uncounted }: MeteredTap): Run[] {
    this.#uncounted -= uncounted.size;
    const runs: Run[] = [];
    for (let run = uncounted.shift(CHARGED_AT_ONCE); run; run = uncounted.shift(CHARGED_AT_ONCE)) runs.push(run);
    return runs;
  }

  #ask({ tapId, organizationId }: MeteredTap, from: number, to: number, price: number): Promise<Charged> {
    return this.#deps.ledger.charge({ tapId, organizationId, from, to, price, at: this.#deps.outside.now() });
  }

  #organizationOf(tapId: string): string | undefined {
    const { taps } = this.#deps.catalog.data;
    if (this.#index?.of !== taps) this.#index = { of: taps, byId: new Map(taps.map((tap) => [tap.id, tap])) };
    return this.#index.byId.get(tapId)?.organizationId;
  }

  #tap(tapId: string, organizationId: string): MeteredTap {
    const known = this.#taps.get(tapId);
    const tap = known ?? new MeteredTap(tapId, organizationId);
    this.#taps.delete(tapId);
    this.#taps.set(tapId, tap);
    if (this.#taps.size > METERED_TAPS) this.#forgetOne();
    return tap;
  }

  #forgetOne(): void {
    for (const [tapId, tap] of this.#taps) {
      if (tap.charging || tap.counting || tap.countTimer || tap.uncounted.size > 0) continue;
      this.#taps.delete(tapId);
      return;
    }
  }
}

type ChargedFrom = Charged & { readonly from: number };

class MeteredTap {
  readonly tapId: string;
  readonly organizationId: string;
  readonly paid = new Intervals(METERED_RUNS);
  /** Delivered under unlimited credit, and not in the ledger yet. */
  readonly uncounted = new Intervals();
  charging: Promise<ChargedFrom> | undefined;
  counting: Promise<boolean> | undefined;
  /** Of a count that is about to begin. */
  countTimer: NodeJS.Timeout | undefined;

  constructor(tapId: string, organizationId: string) {
    this.tapId = tapId;
    this.organizationId = organizationId;
  }
}

interface Run {
  readonly first: number;
  readonly next: number;
}

/** A set of whole numbers, stored as sorted, disjoint runs [first, next). */
export class Intervals {
  readonly #runs: { first: number; next: number }[] = [];
  readonly #atMost: number;

  /** Beyond `atMost` runs the lowest is forgotten. */
  constructor(atMost = Infinity) {
    this.#atMost = atMost;
  }

  /** How many runs there are. */
  get size(): number {
    return this.#runs.length;
  }

  /** How far everything from `from` on is in the set. */
  reach(from: number): number {
    const run = this.#runs.findLast(({ first }) => first <= from);
    return run === undefined ? from : Math.max(from, run.next);
  }

  add(first: number, next: number): void {
    if (first >= next) return;
    const start = this.#runs.findIndex((run) => run.next >= first);
    const index = start < 0 ? this.#runs.length : start;
    let end = index;
    const joined = { first, next };
    for (let run = this.#runs[end]; run !== undefined && run.first <= next; run = this.#runs[end]) {
      joined.first = Math.min(joined.first, run.first);
      joined.next = Math.max(joined.next, run.next);
      end += 1;
    }
    this.#runs.splice(index, end - index, joined);
    if (this.#runs.length > this.#atMost) this.#runs.shift();
  }

  /** Takes out the lowest run, at most `atMost` of it. */
  shift(atMost = Infinity): Run | undefined {
    const run = this.#runs[0];
    if (run === undefined) return undefined;
    const { first } = run;
    const next = Math.min(run.next, first + atMost);
    if (next === run.next) this.#runs.shift();
    else run.first = next;
    return { first, next };
  }
}
