import type { AddressPlace, AddressPlaces } from '../storage/nodes.ts';
import { StorageUnavailable } from '../storage/unavailable.ts';
import { IP_IN_FLIGHT } from '../../shared/limits.ts';

/** So long a place that nobody uses is kept: the next visit at the address is often one of this node's. */
const KEPT_MS = 5_000;
const LOOK_MS = 1_000;

interface Held {
  /** By `elapsed`. */
  readonly until: number;
  readonly usedAt: number;
}

interface HeldPlacesDeps {
  readonly places: AddressPlaces;
  /** Visits under way at an address. */
  readonly inUse: (address: string) => number;
  readonly onError: (what: string, error: unknown) => void;
  /** Milliseconds of a clock that nobody sets; absent: that of the process. */
  readonly elapsed?: () => number;
}

/**
 * The places at IP addresses that this node holds, of those that all nodes share. They are asked for when a visit needs one, for all
 * visits that wait at that moment; kept while they are used and a little longer; renewed at half time. Of a node that was paused, or
 * cannot reach the storage, they are over by its own clock before they are another one's.
 */
export class HeldPlaces {
  readonly #deps: HeldPlacesDeps;
  readonly #elapsed: () => number;
  readonly #held = new Map<string, Map<number, Held>>();
  #wanted = new Set<string>();
  /** One at a time: a place that is given back while it is taken again would be two nodes'. */
  #turn: Promise<void> = Promise.resolve();
  #isLooking = false;
  readonly #timer: NodeJS.Timeout;

  constructor(deps: HeldPlacesDeps) {
    this.#deps = deps;
    this.#elapsed = deps.elapsed ?? (() => performance.now());
    this.#timer = setInterval(() => this.#lookBehind(), LOOK_MS).unref();
  }

  /** How many visits may be under way at the address on this node. */
  count(address: string): number {
    const now = this.#elapsed();
    return [...(this.#held.get(address)?.values() ?? [])].filter(({ until }) => until > now).length;
  }

  /** Resolved when one more place at each of them was asked for. Nothing is got while the storage is away. */
  ask(addresses: readonly string[]): Promise<void> {
    for (const address of addresses) this.#wanted.add(address);
    return this.#inTurn(() => this.#take());
  }

  /** Lets go of what is not used any more, and renews what is. */
  look(): Promise<void> {
    return this.#inTurn(() => this.#look());
  }

  /** Lets go of all: nothing is visited any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    // Where it cannot be said, they are over in time.
    await this.#inTurn(() => this.#release(this.#all)).catch(() => undefined);
  }

  get #all(): AddressPlace[] {
    return [...this.#held].flatMap(([address, places]) => [...places.keys()].map((place) => ({ address, place })));
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #look(): Promise<void> {
    const now = this.#elapsed();
    const [idle, old]: [AddressPlace[], AddressPlace[]] = [[], []];
    for (const [address, places] of this.#held) {
      const inUse = this.#deps.inUse(address);
      for (const [index, [place, { until, usedAt }]] of [...places].entries()) {
        const isUsed = index < inUse;
        if (isUsed) places.set(place, { until, usedAt: now });
        if (!isUsed && now - usedAt >= KEPT_MS) idle.push({ address, place });
        else if (until - now < this.#deps.places.ms / 2) old.push({ address, place });
      }
    }
    await this.#release(idle);
    if (old.length > 0) this.#keep(await this.#deps.places.renew(old), old, now);
  }

  #lookBehind(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    void this.look()
      .catch((error: unknown) => {
        if (!(error instanceof StorageUnavailable))
          this.#deps.onError('places at addresses could not be renewed', error);
      })
      .finally(() => {
        this.#isLooking = false;
      });
  }

  async #take(): Promise<void> {
    const [wanted, now] = [this.#wanted, this.#elapsed()];
    this.#wanted = new Set();
    // The first one that it has not, then the next one: those of others are in no order.
    for (let place = 0; place < IP_IN_FLIGHT && wanted.size > 0; place += 1) {
      const asked = [...wanted].filter((address) => !this.#has(address, place)).map((address) => ({ address, place }));
      if (asked.length === 0) continue;
      const taken = await this.#taken(asked);
      this.#keep(taken, [], now);
      for (const { address } of taken) wanted.delete(address);
    }
  }

  async #taken(asked: readonly AddressPlace[]): Promise<readonly AddressPlace[]> {
    try {
      return await this.#deps.places.take(asked);
    } catch (error) {
      if (error instanceof StorageUnavailable) return [];
      throw error;
    }
  }

  #has(address: string, place: number): boolean {
    return (this.#held.get(address)?.get(place)?.until ?? 0) > this.#elapsed();
  }

  /** `since`: when they were asked for. What is in `former` alone is lost. */
  #keep(places: readonly AddressPlace[], former: readonly AddressPlace[], since: number): void {
    const until = since + this.#deps.places.ms;
    const usedAt = new Map(former.map(({ address, place }) => [`${place} ${address}`, this.#forget(address, place)]));
    for (const { address, place } of places) {
      const its = this.#held.get(address) ?? new Map<number, Held>();
      its.set(place, { until, usedAt: usedAt.get(`${place} ${address}`) ?? since });
      this.#held.set(address, its);
    }
  }

  /** Before others are told: it is not used from now on. */
  async #release(places: readonly AddressPlace[]): Promise<void> {
    if (places.length === 0) return;
    for (const { address, place } of places) this.#forget(address, place);
    await this.#deps.places.release(places);
  }

  /** When it was used last. */
  #forget(address: string, place: number): number | undefined {
    const its = this.#held.get(address);
    const usedAt = its?.get(place)?.usedAt;
    its?.delete(place);
    if (its?.size === 0) this.#held.delete(address);
    return usedAt;
  }
}
