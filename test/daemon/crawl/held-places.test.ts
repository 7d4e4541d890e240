import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HeldPlaces } from '../../../src/daemon/crawl/held-places.ts';
import type { AddressPlace, AddressPlaces } from '../../../src/daemon/storage/nodes.ts';
import { StorageUnavailable } from '../../../src/daemon/storage/unavailable.ts';

/** Two places at each address; what a test has taken is another node's. */
class Places implements AddressPlaces {
  readonly ms = 60_000;
  readonly asked: string[] = [];
  readonly others = new Set<string>();
  isAway = false;

  take(wanted: readonly AddressPlace[]): Promise<AddressPlace[]> {
    return this.#ask('take', wanted);
  }

  renew(held: readonly AddressPlace[]): Promise<AddressPlace[]> {
    return this.#ask('renew', held);
  }

  async release(held: readonly AddressPlace[]): Promise<void> {
    await this.#ask('release', held);
  }

  async #ask(what: string, places: readonly AddressPlace[]): Promise<AddressPlace[]> {
    const names = places.map(({ address, place }) => `${address}${place}`);
    this.asked.push(`${what} ${names.join(' ')}`);
    if (this.isAway) throw new StorageUnavailable('The database is away.');
    return places.filter((_, index) => !this.others.has(names[index] ?? ''));
  }
}

describe('the places of a node', () => {
  let places: Places;
  let held: HeldPlaces;
  let now: number;
  const inUse = new Map<string, number>();
  beforeEach(() => {
    [places, now] = [new Places(), 0];
    inUse.clear();
    held = new HeldPlaces({
      places,
      inUse: (address) => inUse.get(address) ?? 0,
      onError: (what, error) => expect.unreachable(`${what}: ${String(error)}`),
      elapsed: () => now,
    });
  });
  afterEach(() => held.close());

  test('are asked for one at a time, for all that wait at once, and the other one where the first is taken', async () => {
    places.others.add('b0').add('c0').add('c1');
    await Promise.all([held.ask(['a']), held.ask(['b', 'c'])]);
    expect(places.asked).toEqual(['take a0 b0 c0', 'take b1 c1']);
    expect(['a', 'b', 'c'].map((address) => held.count(address))).toEqual([1, 1, 0]);
    await held.ask(['a']);
    expect([places.asked.at(-1), held.count('a')]).toEqual(['take a1', 2]);
  });

  test('are renewed at half time while they are used, and given back five seconds after that', async () => {
    inUse.set('a', 1);
    await held.ask(['a']);
    await held.ask(['a']);
    now = 5_000;
    await held.look();
    expect([places.asked.at(-1), held.count('a')]).toEqual(['release a1', 1]);
    now = 31_000;
    await held.look();
    expect(places.asked.at(-1)).toBe('renew a0');
    now = 60_001;
    expect(held.count('a')).toBe(1);
    inUse.delete('a');
    await held.look();
    expect([places.asked.at(-1), held.count('a')]).toEqual(['release a0', 0]);
  });

  test('are over by its own clock where they could not be renewed, and gone where another node has them', async () => {
    inUse.set('a', 1).set('b', 1);
    await held.ask(['a', 'b']);
    places.isAway = true;
    now = 31_000;
    await expect(held.look()).rejects.toThrow(StorageUnavailable);
    expect(held.count('a')).toBe(1);
    places.isAway = false;
    places.others.add('b0');
    await held.look();
    expect([held.count('a'), held.count('b')]).toEqual([1, 0]);
    now = 31_000 + 60_000;
    expect(held.count('a')).toBe(0);
  });

  test('are none while the storage is away, and all given back at the end', async () => {
    places.isAway = true;
    await held.ask(['a']);
    expect(held.count('a')).toBe(0);
    places.isAway = false;
    await held.ask(['a', 'b']);
    await held.close();
    expect(places.asked.at(-1)).toBe('release a0 b0');
  });
});
