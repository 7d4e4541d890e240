import { Intervals } from './intervals.ts';
import { faultPoint } from '../fault-points.ts';
import type { Metering } from './metering.ts';
import type { Outside } from '../outside.ts';
import type { Catalog, TapRecord } from '../storage/catalog.ts';
import { CHARGED_AT_ONCE, type Charged, type Ledger } from '../storage/ledger.ts';
import { METERED_RUNS, METERED_TAPS, UNCOUNTED_RUNS } from '../../shared/limits.ts';

/** Whose credit is a balance. */
export interface Balances {
  isUnlimited(organizationId: string): boolean;
}

export interface LedgerMeteringDeps {
  readonly ledger: Pick<Ledger, 'account' | 'charge'>;
  readonly catalog: Catalog;
  readonly balances: Balances;
  /** Of a match, in thousandths of a credit. */
  readonly price: number;
  readonly outside: Outside;
  /** Deliveries under unlimited credit could not be counted. */
  readonly onError: (what: string, error: unknown) => void;
}

/**
 * Metering on the ledger. Where credit is a balance, a delivery waits for the commit of its charge; one charge at a time
 * for each tap, and all its readers wait for the same one: two thousand readers of a tap are one write. What was paid
 * is remembered, so whoever comes behind is told at once. The memory may forget: the ledger knows, and asking it again
 * costs a round trip and no credit.
 *
 * With unlimited credit nobody waits. What was delivered is counted behind the streams, in runs as long as they have
 * become meanwhile; a crash loses the counts of the last moments, and they are made up for if those events are
 * delivered again. While the ledger does not answer, all of them wait, up to a bound that is told of.
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
    tap.counting ??= this.#count(tap);
    return to;
  }

  /** Waits until what was delivered so far is counted; what could not be before is tried once more. */
  async settle(): Promise<void> {
    await Promise.all([...this.#taps.values()].map(async (tap) => tap.counting ?? this.#count(tap)));
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

  async #count(tap: MeteredTap): Promise<void> {
    let run = this.#shiftUncounted(tap);
    try {
      while (run !== undefined) {
        // Nothing is taken, also if the operator sets a balance meanwhile: it was delivered before that.
        await this.#ask(tap, run.first, run.next, 0);
        run = this.#shiftUncounted(tap);
      }
    } catch (error) {
      // The next count makes up for it.
      if (run !== undefined) this.#addUncounted(tap, run.first, run.next);
      this.#deps.onError('what was delivered could not be counted', error);
    } finally {
      tap.counting = undefined;
    }
  }

  #addUncounted(tap: MeteredTap, first: number, next: number): void {
    const before = tap.uncounted.size;
    tap.uncounted.add(first, next);
    this.#uncounted += tap.uncounted.size - before;
    if (this.#uncounted <= UNCOUNTED_RUNS) return;
    this.#shiftUncounted(tap);
    this.#deps.onError('usage was forgotten', new Error('the ledger has not answered for too many deliveries'));
  }

  #shiftUncounted({ uncounted }: MeteredTap): ReturnType<Intervals['shift']> {
    const before = uncounted.size;
    const run = uncounted.shift(CHARGED_AT_ONCE);
    this.#uncounted += uncounted.size - before;
    return run;
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
      if (tap.charging || tap.counting || tap.uncounted.size > 0) continue;
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
  counting: Promise<void> | undefined;

  constructor(tapId: string, organizationId: string) {
    this.tapId = tapId;
    this.organizationId = organizationId;
  }
}
