import type { Plans } from '../accounts/plans.ts';
import type { Outside } from '../outside.ts';
import type { CatalogData, OrganizationRecord } from '../storage/catalog.ts';
import { type Ledger, monthOf } from '../storage/ledger.ts';
import type { Watches } from '../storage/watches.ts';

export interface QuotaDeps {
  readonly ledger: Pick<Ledger, 'checks'>;
  readonly port: Pick<Watches, 'holdWatches' | 'heldOrganizations'>;
  readonly catalog: { readonly data: Pick<CatalogData, 'organizations'> };
  readonly plans: Plans;
  readonly outside: Pick<Outside, 'now'>;
  /** Watches may be taken that could not be before. */
  readonly wake: () => void;
  readonly onError: (what: string, error: unknown) => void;
}

/**
 * Checks of an organization in a calendar month (UTC), kept to the last one. Before a watch is checked its check is
 * reserved; the commit counts it in the ledger, in the same transaction as everything else, and what the commit answers is
 * taken over here. So what is counted and what is under way together never exceed what the plan allows, and a crash, which
 * forgets the reservations, has not counted them either. Of other nodes' reservations nothing is known here: the commit itself
 * refuses to count more than there may be, and what it refuses is counted anew (`recount`).
 *
 * Where none is left, the organization's watches are held: they stay active, and are passed over until the month ends or
 * the plan allows more.
 */
export class Quota {
  readonly #deps: QuotaDeps;
  readonly #tallies = new Map<string, Tally>();
  /** Whose counts these are, and when it ends. */
  #month = { name: '', from: 0, to: 0 };
  #turning: Promise<void> | undefined;
  /** Something has changed while a turn was under way. */
  #isAskedAgain = false;
  #index: { readonly of: readonly OrganizationRecord[]; readonly limits: ReadonlyMap<string, number> } | undefined;

  constructor(deps: QuotaDeps) {
    this.#deps = deps;
  }

  /** Takes one check of this month. False: none is left, or a month has just begun and its counts are being read. */
  reserve(organizationId: string): boolean {
    if (!this.#isCurrent()) {
      if (this.#turning === undefined) void this.refresh();
      return false;
    }
    const tally = this.#tally(organizationId);
    if (!this.#hasRoom(organizationId, tally)) {
      void this.#hold(organizationId, tally);
      return false;
    }
    tally.reserved += 1;
    if (!this.#hasRoom(organizationId, tally)) void this.#hold(organizationId, tally);
    return true;
  }

  /** The reserved check was counted: `month` is that of its commit, `counted` what the commit has answered. */
  settle(organizationId: string, month: string, counted: number): void {
    const tally = this.#tally(organizationId);
    tally.reserved = Math.max(0, tally.reserved - 1);
    tally.note(month, counted);
    void this.#hold(organizationId, tally);
  }

  /** The reserved check was none: it is free for another one. */
  giveBack(organizationId: string): void {
    const tally = this.#tally(organizationId);
    tally.reserved = Math.max(0, tally.reserved - 1);
    void this.#hold(organizationId, tally);
  }

  /** The reserved check was not counted: what other nodes have counted meanwhile may be why. Never rejected. */
  async recount(organizationId: string): Promise<void> {
    const { ledger, onError } = this.#deps;
    const month = this.#month.name;
    try {
      this.#tally(organizationId).note(month, await ledger.checks(organizationId, month));
    } catch (error) {
      onError('the checks of this month could not be read', error);
    }
    this.giveBack(organizationId);
  }

  /** Whether no check of this month is left. Counts that are not known yet are waited for. */
  async isUsedUp(organizationId: string): Promise<boolean> {
    if (!this.#isCurrent()) await this.refresh();
    return !this.#hasRoom(organizationId, this.#tally(organizationId));
  }

  /** Checks a month; `Infinity` without a limit. */
  limitOf(organizationId: string): number {
    const { organizations } = this.#deps.catalog.data;
    if (this.#index?.of !== organizations) {
      const limits = organizations.map((one) => [one.id, this.#deps.plans.of(one).checksAMonth] as const);
      this.#index = { of: organizations, limits: new Map(limits) };
    }
    // An organization that is gone has nothing left.
    return this.#index.limits.get(organizationId) ?? 0;
  }

  /**
   * At a start, each minute, and after a plan was changed: reads the counts where a month has begun, and holds and frees
   * watches by what is so now. Never rejected: what fails is told, and its next turn does it all.
   */
  refresh(): Promise<void> {
    this.#isAskedAgain = true;
    this.#turning ??= this.#turns()
      .catch((error: unknown) => this.#deps.onError('the checks of this month could not be read', error))
      .finally(() => {
        this.#turning = undefined;
      });
    return this.#turning;
  }

  async #turns(): Promise<void> {
    while (this.#isAskedAgain) {
      this.#isAskedAgain = false;
      await this.#turn();
    }
  }

  async #turn(): Promise<void> {
    if (this.#isCurrent()) await this.#lookAtHeld();
    else await this.#load();
    this.#forgetGone();
    const known = this.#deps.catalog.data.organizations.map(({ id }) => id);
    const all = new Set([...known, ...this.#tallies.keys()]);
    await Promise.all([...all].map((id) => this.#hold(id, this.#tally(id))));
  }

  /** Other nodes hold and free, too; one that is gone has reserved what it never counted. */
  async #lookAtHeld(): Promise<void> {
    const { ledger, port } = this.#deps;
    const month = this.#month.name;
    const before = this.#changesNow();
    const held = new Set(await port.heldOrganizations());
    const counts = await Promise.all([...held].map(async (id) => [id, await ledger.checks(id, month)] as const));
    for (const [id, counted] of counts) this.#tally(id).note(month, counted);
    for (const [id, tally] of this.#tallies) if (isSame(tally, before.get(id))) tally.isHeld = held.has(id);
  }

  #changesNow(): ReadonlyMap<string, number> {
    return new Map([...this.#tallies].map(([id, { changes }]) => [id, changes]));
  }

  async #load(): Promise<void> {
    const { ledger, port, catalog, outside } = this.#deps;
    const month = spanOf(outside.now());
    const before = this.#changesNow();
    const held = new Set(await port.heldOrganizations());
    const ids = new Set([...catalog.data.organizations.map(({ id }) => id), ...held, ...this.#tallies.keys()]);
    const counts = await Promise.all([...ids].map(async (id) => [id, await ledger.checks(id, month.name)] as const));
    for (const [id, counted] of counts) {
      const tally = this.#tally(id);
      if (isSame(tally, before.get(id))) tally.isHeld = held.has(id);
      tally.note(month.name, counted);
    }
    this.#month = month;
    this.#deps.wake();
  }

  /** Brings the storage in line with what is so; one at a time for each organization. */
  #hold(organizationId: string, tally: Tally): Promise<void> {
    const isWrong = (): boolean => this.#isCurrent() && tally.isHeld === this.#hasRoom(organizationId, tally);
    if (tally.holding === undefined && !isWrong()) return Promise.resolve();
    tally.holding ??= this.#change(organizationId, tally, isWrong)
      .catch((error: unknown) => this.#deps.onError('watches could not be put on hold or resumed', error))
      .finally(() => {
        tally.holding = undefined;
      });
    return tally.holding;
  }

  async #change(organizationId: string, tally: Tally, isWrong: () => boolean): Promise<void> {
    while (isWrong()) {
      const wanted = !tally.isHeld;
      await this.#deps.port.holdWatches(organizationId, wanted);
      tally.isHeld = wanted;
      tally.changes += 1;
      if (!wanted) this.#deps.wake();
    }
  }

  #hasRoom(organizationId: string, tally: Tally): boolean {
    return tally.usedIn(this.#month.name) + tally.reserved < this.limitOf(organizationId);
  }

  #isCurrent(): boolean {
    const now = this.#deps.outside.now();
    return now >= this.#month.from && now < this.#month.to;
  }

  #tally(organizationId: string): Tally {
    const known = this.#tallies.get(organizationId);
    if (known !== undefined) return known;
    const tally = new Tally();
    this.#tallies.set(organizationId, tally);
    return tally;
  }

  #forgetGone(): void {
    const ids = new Set(this.#deps.catalog.data.organizations.map(({ id }) => id));
    for (const [id, tally] of this.#tallies) {
      if (!ids.has(id) && tally.reserved === 0 && tally.holding === undefined) this.#tallies.delete(id);
    }
  }
}

class Tally {
  /** Under way: not in the ledger yet. */
  reserved = 0;
  /** As the storage has it. */
  isHeld = false;
  holding: Promise<void> | undefined;
  /** How often they were held or freed. */
  changes = 0;
  /** Checks by month: a check that began in one month may end in the next, and a clock may be set back. */
  readonly #used = new Map<string, number>();

  usedIn(month: string): number {
    return this.#used.get(month) ?? 0;
  }

  note(month: string, counted: number): void {
    this.#used.set(month, Math.max(this.usedIn(month), counted));
    if (this.#used.size <= MONTHS) return;
    const [oldest] = [...this.#used.keys()].toSorted();
    if (oldest !== undefined && oldest !== month) this.#used.delete(oldest);
  }
}

/** Nothing was held or freed meanwhile: of that an answer that was asked for before may not know. */
function isSame({ holding, changes }: Tally, before = 0): boolean {
  return holding === undefined && changes === before;
}

/** Months whose counts are remembered: this one, the last one, and one more for clocks that were wrong. */
const MONTHS = 3;

function spanOf(at: number): { readonly name: string; readonly from: number; readonly to: number } {
  const name = monthOf(at);
  const from = Date.parse(`${name}-01T00:00:00.000Z`);
  const first = new Date(from);
  return { name, from, to: Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1) };
}
