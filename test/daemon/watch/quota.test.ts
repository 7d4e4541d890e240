import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { Plans } from '../../../src/daemon/accounts/plans.ts';
import { monthOf } from '../../../src/daemon/storage/ledger.ts';
import { Quota } from '../../../src/daemon/watch/quota.ts';

const LIMIT = 3;

/** A ledger and a port of which a test says when they answer, or that they do not. */
class World {
  now = Date.parse('2026-02-27T10:00:00.000Z');
  readonly counted = new Map<string, number>();
  readonly held = new Set<string>();
  readonly errors: string[] = [];
  organizations = [organization('press', LIMIT)];
  woken = 0;
  isBroken = false;
  readonly quota = new Quota({
    ledger: { checks: async (id, month) => this.answer(this.counted.get(`${id} ${month}`) ?? 0) },
    port: {
      heldOrganizations: async () => this.answer([...this.held]),
      holdWatches: async (id, isHeld) => {
        this.answer(undefined);
        if (isHeld) this.held.add(id);
        else this.held.delete(id);
      },
    },
    catalog: { data: this },
    plans: new Plans(),
    outside: { now: () => this.now },
    wake: () => {
      this.woken += 1;
    },
    onError: (what) => this.errors.push(what),
  });

  answer<Value>(value: Value): Value {
    if (this.isBroken) throw new Error('the disk is full');
    return value;
  }

  /** The commit of a check, and what it answers to the quota. */
  commit(month = monthOf(this.now)): void {
    const counted = (this.counted.get(`press ${month}`) ?? 0) + 1;
    this.counted.set(`press ${month}`, counted);
    this.quota.settle('press', month, counted);
  }

  used(month = monthOf(this.now)): number {
    return this.counted.get(`press ${month}`) ?? 0;
  }
}

function organization(id: string, checksAMonth: number) {
  return { id, name: id, plan: 'Starter', limits: { checksAMonth }, createdAt: '2026-02-27T00:00:00.000Z' };
}

let world: World;
beforeEach(() => {
  world = new World();
});

describe('the checks of a month', () => {
  test('are given until there are none, and then the organization’s watches are held', async () => {
    await world.quota.refresh();
    expect([1, 2, 3].map(() => world.quota.reserve('press'))).toEqual([true, true, true]);
    expect(world.quota.reserve('press')).toBe(false);
    for (let one = 0; one < LIMIT; one += 1) world.commit();
    await world.quota.refresh();
    expect([...world.held]).toEqual(['press']);
    expect(await world.quota.isUsedUp('press')).toBe(true);
  });

  test('that were counted before a start are not given again', async () => {
    world.counted.set('press 2026-02', 2);
    await world.quota.refresh();
    expect([world.quota.reserve('press'), world.quota.reserve('press')]).toEqual([true, false]);
  });

  test('that came to nothing are free for others, and the watches too', async () => {
    world.counted.set('press 2026-02', 2);
    await world.quota.refresh();
    world.quota.reserve('press');
    await world.quota.refresh();
    expect([...world.held]).toEqual(['press']);
    world.quota.giveBack('press');
    await world.quota.refresh();
    expect([...world.held]).toEqual([]);
    expect(world.quota.reserve('press')).toBe(true);
  });

  test('begin anew with the month in UTC, and held watches are freed and woken', async () => {
    world.now = Date.parse('2026-02-28T23:59:59.999Z');
    world.counted.set('press 2026-02', LIMIT);
    await world.quota.refresh();
    expect([...world.held]).toEqual(['press']);
    world.now += 1;
    const { woken } = world;
    await world.quota.refresh();
    expect([...world.held]).toEqual([]);
    expect(world.woken).toBeGreaterThan(woken);
    expect(world.quota.reserve('press')).toBe(true);
  });

  test('are free in the new month although the watches were just being held for the old one at midnight', async () => {
    const [checks, hold] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = new Set<string>();
    let isMarch = false;
    const quota = new Quota({
      ledger: {
        checks: async () => {
          if (isMarch) await checks.promise;
          return isMarch ? 0 : LIMIT - 1;
        },
      },
      port: {
        heldOrganizations: async () => [...held],
        holdWatches: async (id, isHeld) => {
          if (isHeld) await hold.promise;
          if (isHeld) held.add(id);
          else held.delete(id);
        },
      },
      catalog: { data: world },
      plans: new Plans(),
      outside: { now: () => Date.parse(isMarch ? '2026-03-01T00:00:00.000Z' : '2026-02-28T23:59:59.999Z') },
      wake: () => undefined,
      onError: (what) => world.errors.push(what),
    });
    await quota.refresh();
    // The last check of the month: they are to be held. Before that is done the next month begins, and is read.
    expect(quota.reserve('press')).toBe(true);
    isMarch = true;
    const march = quota.refresh();
    await setImmediate();
    hold.resolve();
    await setImmediate();
    expect([...held]).toEqual(['press']);
    checks.resolve();
    await march;
    expect([...held]).toEqual([]);
    expect(quota.reserve('press')).toBe(true);
    expect(world.errors).toEqual([]);
  });

  test('are not given in a new month before its counts are known', async () => {
    await world.quota.refresh();
    world.now = Date.parse('2026-03-01T00:00:00.000Z');
    world.counted.set('press 2026-03', LIMIT);
    expect(world.quota.reserve('press')).toBe(false);
    await world.quota.refresh();
    expect(world.quota.reserve('press')).toBe(false);
    expect([...world.held]).toEqual(['press']);
  });

  test('of a check that began in the old month and ended in the new one count where the commit counted them', async () => {
    await world.quota.refresh();
    world.quota.reserve('press');
    world.now = Date.parse('2026-03-01T00:00:00.000Z');
    await world.quota.refresh();
    // It may still come to either month: so long, it takes a place of this one.
    expect([1, 2, 3].map(() => world.quota.reserve('press'))).toEqual([true, true, false]);
    world.commit('2026-02');
    expect(world.quota.reserve('press')).toBe(true);
  });

  test('are those of the month that the clock says, also when it was set back', async () => {
    world.counted.set('press 2026-02', LIMIT);
    world.now = Date.parse('2026-03-02T00:00:00.000Z');
    await world.quota.refresh();
    expect(world.quota.reserve('press')).toBe(true);
    world.commit();
    world.now = Date.parse('2026-02-27T00:00:00.000Z');
    await world.quota.refresh();
    expect(world.quota.reserve('press')).toBe(false);
    world.quota.settle('press', '2026-03', 2);
    expect(world.quota.reserve('press')).toBe(false);
  });

  test('are more with a plan that allows more, and fewer with one that allows less', async () => {
    world.counted.set('press 2026-02', LIMIT);
    await world.quota.refresh();
    world.organizations = [organization('press', 10)];
    await world.quota.refresh();
    expect([...world.held]).toEqual([]);
    expect(world.quota.reserve('press')).toBe(true);
    world.organizations = [organization('press', 1)];
    await world.quota.refresh();
    expect([...world.held]).toEqual(['press']);
  });

  test('are none for an organization that is gone', async () => {
    await world.quota.refresh();
    expect(world.quota.reserve('nobody')).toBe(false);
  });

  test('a plan that changes while watches are being held is what holds in the end', async () => {
    world.counted.set('press 2026-02', LIMIT);
    const turn = world.quota.refresh();
    world.organizations = [organization('press', 10)];
    await Promise.all([turn, world.quota.refresh()]);
    expect([...world.held]).toEqual([]);
  });

  test('are kept through a failure of the storage, which is told and made up for', async () => {
    await world.quota.refresh();
    for (let one = 0; one < LIMIT - 1; one += 1) world.commit();
    world.isBroken = true;
    expect(world.quota.reserve('press')).toBe(true);
    expect(world.quota.reserve('press')).toBe(false);
    await world.quota.refresh();
    expect(world.errors).toContain('watches could not be put on hold or resumed');
    world.isBroken = false;
    await world.quota.refresh();
    expect([...world.held]).toEqual(['press']);
  });
});

type Step = 'take' | 'commit' | 'late' | 'nothing' | 'month' | 'minute';

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.constant('take' as const) },
  { weight: 3, arbitrary: fc.constant('commit' as const) },
  { weight: 1, arbitrary: fc.constant('late' as const) },
  { weight: 1, arbitrary: fc.constant('nothing' as const) },
  { weight: 1, arbitrary: fc.constant('month' as const) },
  { weight: 1, arbitrary: fc.constant('minute' as const) },
);

/** Checks that are under way, each with the month in which it was taken; what each step does to them and to the world. */
class Run {
  readonly world = new World();
  readonly underWay: string[] = [];

  async make(step: Step): Promise<void> {
    const { quota, now } = this.world;
    const [oldest] = this.underWay;
    switch (step) {
      case 'take':
        this.#take();
        return;
      case 'month':
        this.world.now = Date.UTC(2026, new Date(now).getUTCMonth() + 1);
        return quota.refresh();
      case 'minute':
        return quota.refresh();
      default:
        if (oldest === undefined) return;
        if (step === 'nothing') quota.giveBack('press');
        else this.world.commit(step === 'late' ? oldest : undefined);
        this.underWay.shift();
    }
  }

  get hasRoom(): boolean {
    return this.world.used() + this.underWay.length < LIMIT;
  }

  #take(): void {
    const { hasRoom } = this;
    if (this.world.quota.reserve('press') !== hasRoom) throw new Error(`one more was not ${String(hasRoom)}`);
    if (hasRoom) this.underWay.push(monthOf(this.world.now));
  }
}

test('whatever happens, no month has more checks than the plan allows, and none is refused while one is left', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const run = new Run();
      const { world } = run;
      await world.quota.refresh();
      for (const one of steps) await run.make(one);
      expect(Math.max(0, ...world.counted.values())).toBeLessThanOrEqual(LIMIT);
      await world.quota.refresh();
      expect(world.held.has('press')).toBe(!run.hasRoom);
      expect(world.errors).toEqual([]);
    }),
  );
});
