import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { TapHolder } from '../../../src/daemon/accounts/keys.ts';
import type { Problem } from '../../../src/daemon/problem.ts';
import { addNeighbour, type House, openHouse } from './house.ts';

let house: House;
let holder: TapHolder;

beforeEach(async () => {
  house = await openHouse();
  holder = await newHolder(house.organizationId);
});

async function newHolder(organizationId: string): Promise<TapHolder> {
  const tap = await house.taps.create(organizationId, 'news');
  return { kind: 'tap', tapId: tap.id, organizationId };
}

const refusal = (attempt: () => unknown): Promise<Problem> =>
  (async () => attempt())().then(
    () => expect.unreachable('nothing was refused'),
    (error: Problem) => error,
  );

describe('a rule', () => {
  test('has the defaults of the specification, and no tag where none was given', async () => {
    const { rule, warnings } = await house.rules.create(holder, { value: 'bitcoin' });
    expect(rule).toEqual({ id: rule.id, value: 'bitcoin', nsfw: false, quality: true });
    expect(rule).not.toHaveProperty('tag');
    expect(rule.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(warnings).toEqual([]);
    expect(house.rules.list(holder)).toEqual([rule]);
    expect(house.rules.count(holder.tapId)).toBe(1);
    expect(house.rules.get(holder, rule.id)).toEqual(rule);
  });

  test.each([null, ''])('has no tag when it is %j', async (tag) => {
    const { rule } = await house.rules.create(holder, { value: 'bitcoin', tag });
    expect(rule).not.toHaveProperty('tag');
  });

  test('is saved and registered with its options, and registered anew when they change', async () => {
    const { rule } = await house.rules.create(holder, { value: 'bitcoin', tag: 'coins', nsfw: true, quality: false });
    expect(house.index.registered.get(rule.id)).toMatchObject({ tapId: holder.tapId, nsfw: true, quality: false });
    const changed = await house.rules.change(holder, rule.id, { value: 'ether', quality: true });
    expect(changed.rule).toEqual({ id: rule.id, value: 'ether', tag: 'coins', nsfw: true, quality: true });
    expect(house.index.registered.get(rule.id)).toMatchObject({ nsfw: true, quality: true });
    expect(house.index.calls).toEqual([`register ${rule.id}`, `unregister ${rule.id}`, `register ${rule.id}`]);
  });

  test('stays registered as it is when only its tag changes, and loses the tag on null', async () => {
    const { rule } = await house.rules.create(holder, { value: 'bitcoin' });
    expect((await house.rules.change(holder, rule.id, { tag: 'coins' })).rule.tag).toBe('coins');
    expect((await house.rules.change(holder, rule.id, {})).rule.tag).toBe('coins');
    expect((await house.rules.change(holder, rule.id, { tag: null })).rule).not.toHaveProperty('tag');
    expect(house.index.calls).toEqual([`register ${rule.id}`]);
  });

  test('is refused with its diagnostics when its query is, and nothing is saved or registered', async () => {
    const problem = await refusal(() => house.rules.create(holder, { value: 'titel:x' }));
    expect(problem.code).toBe('invalid_query');
    expect(problem.facts).toMatchObject({ diagnostics: [{ severity: 'error', field: 'titel' }] });
    const { rule } = await house.rules.create(holder, { value: 'bitcoin' });
    expect((await refusal(() => house.rules.change(holder, rule.id, { value: '(' }))).code).toBe('invalid_query');
    expect(house.rules.list(holder)).toEqual([rule]);
    expect(house.index.calls).toEqual([`register ${rule.id}`]);
  });

  test('is accepted with the warnings of its query', async () => {
    const { warnings } = await house.rules.create(holder, { value: 'bread and butter' });
    expect(warnings).toMatchObject([{ severity: 'warning' }]);
  });

  test('is unregistered when it is removed, and then unknown', async () => {
    const { rule } = await house.rules.create(holder, { value: 'bitcoin' });
    await house.rules.remove(holder, rule.id);
    expect(house.index.registered.size).toBe(0);
    for (const attempt of [
      () => house.rules.get(holder, rule.id),
      () => house.rules.change(holder, rule.id, { tag: 'x' }),
      () => house.rules.remove(holder, rule.id),
    ]) {
      expect((await refusal(attempt)).code).toBe('not_found');
    }
  });

  test('that is paused is registered no more, also after a restart, and again once it is resumed', async () => {
    const { organizationId } = house;
    const { rule } = await house.rules.create(holder, { value: 'bitcoin' });
    const { rule: other } = await house.rules.create(holder, { value: 'ether' });
    expect(await house.rules.pause(organizationId, rule.id, true)).toEqual(rule);
    expect([...house.index.registered.keys()]).toEqual([other.id]);
    await house.rules.change(holder, rule.id, { value: 'bitcoins' });
    const restarted = await openHouse(house.storage);
    expect(restarted.registration.registerAll()).toEqual([]);
    expect([...restarted.index.registered.keys()]).toEqual([other.id]);
    await restarted.rules.pause(organizationId, rule.id, false);
    expect([...restarted.index.registered.keys()].sort()).toEqual([rule.id, other.id].sort());
    const neighbour = await addNeighbour(house.catalog);
    for (const [organization, id] of [
      [neighbour.organizationId, rule.id],
      [organizationId, 'none'],
    ] as const) {
      expect((await refusal(() => house.rules.pause(organization, id, true))).code).toBe('not_found');
    }
  });

  test('is unknown to the other taps of its organization, and forbidden to other organizations', async () => {
    const { rule } = await house.rules.create(holder, { value: 'bitcoin' });
    const sibling = await newHolder(house.organizationId);
    const stranger = await newHolder((await addNeighbour(house.catalog)).organizationId);
    expect((await refusal(() => house.rules.get(sibling, rule.id))).code).toBe('not_found');
    expect((await refusal(() => house.rules.remove(sibling, rule.id))).code).toBe('not_found');
    expect((await refusal(() => house.rules.get(stranger, rule.id))).code).toBe('forbidden');
    expect((await refusal(() => house.rules.change(stranger, rule.id, { tag: 'mine' }))).code).toBe('forbidden');
    expect(house.rules.list(sibling)).toEqual([]);
  });

  test('is one of at most 25 over all taps of its organization', async () => {
    const sibling = await newHolder(house.organizationId);
    const stranger = await newHolder((await addNeighbour(house.catalog)).organizationId);
    for (let made = 0; made < 13; made += 1) await house.rules.create(holder, { value: `word${made}` });
    for (let made = 0; made < 12; made += 1) await house.rules.create(sibling, { value: `word${made}` });
    expect((await refusal(() => house.rules.create(holder, { value: 'bitcoin' }))).code).toBe('rule_limit_reached');
    expect((await refusal(() => house.rules.create(sibling, { value: 'bitcoin' }))).code).toBe('rule_limit_reached');
    await house.rules.create(stranger, { value: 'bitcoin' });
  });

  test('is not left behind by a tap that was revoked while it was on its way, whose token is unknown now', async () => {
    const { id } = (await house.rules.create(holder, { value: 'ether' })).rule;
    const requests = [
      () => house.rules.create(holder, { value: 'bitcoin' }),
      () => house.rules.change(holder, id, { tag: 'late' }),
      () => house.rules.remove(holder, id),
    ];
    await house.taps.revoke(house.organizationId, holder.tapId);
    for (const request of requests) expect((await refusal(request)).code).toBe('unauthenticated');
    expect(house.catalog.data.rules).toEqual([]);
    expect(house.index.registered.size).toBe(0);
  });
});

describe('a restart', () => {
  test('registers every rule of every active tap from the catalog, and tells of those it cannot', async () => {
    const paused = await newHolder(house.organizationId);
    await house.rules.create(paused, { value: 'asleep' });
    await house.taps.change(house.organizationId, paused.tapId, { status: 'paused' });
    const one = await house.rules.create(holder, { value: 'bitcoin', nsfw: true });
    const other = await house.rules.create(holder, { value: 'ether' });
    const spoilt = await house.rules.create(holder, { value: 'soon spoilt' });
    await house.catalog.update((draft) => {
      for (const rule of draft.rules) if (rule.id === spoilt.rule.id) rule.value = 'nofield:x';
    });

    const restarted = await openHouse(house.storage);
    expect(restarted.index.registered.size).toBe(0);
    const refused = restarted.registration.registerAll();
    expect(refused.map(({ rule }) => rule.id)).toEqual([spoilt.rule.id]);
    expect(refused[0]).toMatchObject({
      tap: expect.any(String) as string,
      why: expect.stringMatching(/^There is no field nofield\. .* \(at position 0: nofield:x\)$/) as string,
    });
    expect(restarted.registration.refused).toEqual(refused);
    await restarted.rules.change(holder, spoilt.rule.id, { value: 'mended' });
    expect(restarted.registration.refused).toEqual([]);
    await restarted.rules.change(holder, spoilt.rule.id, { value: 'soon spoilt' });
    restarted.index.unregister(spoilt.rule.id);
    expect([...restarted.index.registered.keys()].sort()).toEqual([one.rule.id, other.rule.id].sort());
    expect(restarted.index.registered.get(one.rule.id)).toMatchObject({
      tapId: holder.tapId,
      nsfw: true,
      quality: true,
    });
  });
});

describe('the matcher', () => {
  /** What a client may do, by the number of the tap and of the rule it does it to. */
  const step = fc.record({
    act: fc.constantFrom('create', 'change', 'remove', 'pause', 'resume', 'revoke'),
    tap: fc.nat(1),
    rule: fc.nat(4),
    quality: fc.boolean(),
    /** Whether the next step waits for this one and all before it. */
    settles: fc.boolean(),
  });

  test('has registered what a restart would register, whatever was done at the same time', async () => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      house = await openHouse();
      const holders = [await newHolder(house.organizationId), await newHolder(house.organizationId)];
      const attempt = async ({ act, tap, rule, quality }: (typeof steps)[number]): Promise<void> => {
        const holder = holders[tap]!;
        const id = house.rules.list(holder)[rule]?.id ?? '';
        if (act === 'create') await house.rules.create(holder, { value: `word${rule}`, quality });
        if (act === 'change') await house.rules.change(holder, id, { value: `word${rule}`, quality });
        if (act === 'remove') await house.rules.remove(holder, id);
        if (act === 'pause') await house.taps.change(holder.organizationId, holder.tapId, { status: 'paused' });
        if (act === 'resume') await house.taps.change(holder.organizationId, holder.tapId, { status: 'active' });
        if (act === 'revoke') await house.taps.revoke(holder.organizationId, holder.tapId);
      };
      const underWay: Promise<void>[] = [];
      for (const next of steps) {
        underWay.push(attempt(next));
        if (next.settles) await Promise.allSettled(underWay);
      }
      await Promise.allSettled(underWay);
      const restarted = await openHouse(house.storage);
      expect(restarted.registration.registerAll()).toEqual([]);
      expect(new Map([...house.index.registered].sort())).toEqual(new Map([...restarted.index.registered].sort()));
    });
    await fc.assert(property, { numRuns: 50 });
  });
});
