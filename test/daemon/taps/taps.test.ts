import { beforeEach, describe, expect, test, vi } from 'vitest';
import { hashSecret } from '../../../src/daemon/accounts/keys.ts';
import type { Problem } from '../../../src/daemon/problem.ts';
import type { TapHolder } from '../../../src/daemon/accounts/keys.ts';
import { addNeighbour, type House, openHouse } from './house.ts';

let house: House;
beforeEach(async () => {
  house = await openHouse();
});

const holderOf = (tap: { id: string }): TapHolder => ({
  kind: 'tap',
  tapId: tap.id,
  organizationId: house.organizationId,
});
const codeOf = (attempt: () => unknown): Promise<string> =>
  (async () => attempt())().then(
    () => 'nothing was refused',
    (error: Problem) => error.code,
  );

describe('a tap', () => {
  test('is active, unused and without rules at first, and its token finds it', async () => {
    const tap = await house.taps.create(house.organizationId, 'news');
    expect(tap).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      name: 'news',
      status: 'active',
      token: expect.stringMatching(/^svc_[A-Za-z0-9]{40}$/) as string,
      token_prefix: tap.token.slice(0, 8),
      rules_count: 0,
      last_used_at: null,
      created_at: '2026-02-27T10:00:00+00:00',
    });
    expect(house.taps.byToken(tap.token)).toEqual(holderOf(tap));
    expect(house.taps.get(house.organizationId, tap.id)).toEqual(tap);
    expect(house.taps.list(house.organizationId)).toEqual([tap]);
  });

  test('keeps its token unreadable in the catalog: a hash and a seal, never the token', async () => {
    const tap = await house.taps.create(house.organizationId, 'news');
    const stored = JSON.stringify(house.catalog.data);
    expect(stored).not.toContain(tap.token.slice(8));
    expect(stored).toContain(hashSecret(tap.token));
    expect(stored).not.toContain(house.key.slice(9));
  });

  test('belongs to its organization: another one does not see, change or revoke it', async () => {
    const tap = await house.taps.create(house.organizationId, 'news');
    const { organizationId: stranger } = await addNeighbour(house.catalog);
    expect(house.taps.list(stranger)).toEqual([]);
    expect(await codeOf(() => house.taps.get(stranger, tap.id))).toBe('forbidden');
    expect(await codeOf(() => house.taps.change(stranger, tap.id, { name: 'x' }))).toBe('forbidden');
    expect(await codeOf(() => house.taps.revoke(stranger, tap.id))).toBe('forbidden');
    expect(house.taps.get(house.organizationId, tap.id)).toEqual(tap);
  });

  test('counts against the plan while it is active, and not while it is paused', async () => {
    const { organizationId } = await addNeighbour(house.catalog, 'Free');
    const first = await house.taps.create(organizationId, 'first');
    expect(await codeOf(() => house.taps.create(organizationId, 'second'))).toBe('tap_limit_reached');
    await house.taps.change(organizationId, first.id, { status: 'paused' });
    const second = await house.taps.create(organizationId, 'second');
    expect(await codeOf(() => house.taps.change(organizationId, first.id, { status: 'active' }))).toBe(
      'tap_limit_reached',
    );
    expect(house.taps.get(organizationId, first.id).status).toBe('paused');
    await house.taps.change(organizationId, second.id, { status: 'active', name: 'still the one' });
    await house.taps.revoke(organizationId, second.id);
    expect((await house.taps.change(organizationId, first.id, { status: 'active' })).status).toBe('active');
  });

  test('takes its last place once, even when two ask for it at the same time', async () => {
    const { organizationId } = await addNeighbour(house.catalog, 'Free');
    const attempts = ['one', 'other'].map((name) => codeOf(() => house.taps.create(organizationId, name)));
    expect((await Promise.all(attempts)).sort()).toEqual(['nothing was refused', 'tap_limit_reached']);
  });

  test('unregisters its rules when paused, keeps them, and registers them all when resumed', async () => {
    const tap = await house.taps.create(house.organizationId, 'news');
    const one = await house.rules.create(holderOf(tap), { value: 'bitcoin' });
    const other = await house.rules.create(holderOf(tap), { value: 'title:ether' });
    await house.taps.change(house.organizationId, tap.id, { status: 'paused' });
    expect(house.index.registered.size).toBe(0);
    expect(house.taps.byToken(tap.token)).toBeDefined();
    const third = await house.rules.create(holderOf(tap), { value: 'made while paused' });
    expect(house.index.registered.size).toBe(0);
    const resumed = await house.taps.change(house.organizationId, tap.id, { status: 'active' });
    expect(resumed.rules_count).toBe(3);
    expect([...house.index.registered.keys()].sort()).toEqual([one, other, third].map(({ rule }) => rule.id).sort());
  });

  test('takes everything with it when revoked: rules, streams, events and its token', async () => {
    const tap = await house.taps.create(house.organizationId, 'news');
    const kept = await house.taps.create(house.organizationId, 'kept');
    await house.rules.create(holderOf(tap), { value: 'bitcoin' });
    const { rule } = await house.rules.create(holderOf(kept), { value: 'ether' });
    await house.taps.revoke(house.organizationId, tap.id);
    expect(house.catalog.data.rules.map((left) => left.id)).toEqual([rule.id]);
    expect([...house.index.registered.keys()]).toEqual([rule.id]);
    expect(house.revokedStreams).toEqual([tap.id]);
    expect(house.droppedLogs).toEqual([tap.id]);
    expect(house.taps.byToken(tap.token)).toBeUndefined();
    expect(await codeOf(() => house.taps.revoke(house.organizationId, tap.id))).toBe('not_found');
  });

  test('notes its last use at most once a minute, also when the clock is set back', async () => {
    const tap = await house.taps.create(house.organizationId, 'news');
    const update = vi.spyOn(house.catalog, 'update');
    const lastUse = (): string | null => house.taps.get(house.organizationId, tap.id).last_used_at;
    await Promise.all([house.taps.touch(tap.id), house.taps.touch(tap.id)]);
    expect(lastUse()).toBe('2026-02-27T10:00:00+00:00');
    house.clock.ms += 59_999;
    await house.taps.touch(tap.id);
    expect(update).toHaveBeenCalledTimes(1);
    house.clock.ms += 1;
    await house.taps.touch(tap.id);
    expect(lastUse()).toBe('2026-02-27T10:01:00+00:00');
    house.clock.ms -= 86_400_000;
    await house.taps.touch(tap.id);
    expect(lastUse()).toBe('2026-02-26T10:01:00+00:00');
    await house.taps.touch('no tap');
    expect(update).toHaveBeenCalledTimes(3);
  });

  test('remembers its last use over a restart', async () => {
    const tap = await house.taps.create(house.organizationId, 'news');
    await house.taps.touch(tap.id);
    const restarted = await openHouse(house.storage);
    const update = vi.spyOn(house.catalog, 'update');
    await restarted.taps.touch(tap.id);
    expect(update).not.toHaveBeenCalled();
  });
});

describe('the seals', () => {
  test('are read back after a restart, and a start with another secret is refused in one line', async () => {
    const tap = await house.taps.create(house.organizationId, 'news');
    const restarted = await openHouse(house.storage);
    restarted.taps.checkSeals();
    expect(restarted.taps.get(house.organizationId, tap.id).token).toBe(tap.token);
    const stranger = await openHouse(house.storage, new Uint8Array(32).fill(1));
    expect(() => stranger.taps.checkSeals()).toThrow('token of tap "news" was sealed with a different secret');
  });
});
