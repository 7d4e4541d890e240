import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { defaultPlans, FIRST_PLAN } from '../../../src/daemon/accounts/plans.ts';
import type { Fetched } from '../../../src/daemon/fetch/fetched.ts';
import { reportOf } from '../../../src/daemon/watch/watch-wire.ts';
import { answer, body, failure, HOUR, page, status, url, WatchWorld } from './watch-world.ts';

const BEGIN = Date.UTC(2026, 1, 13, 12);
const TEA = page('Tea 3 €', 'Coffee 4 €');

describe('a watch that failed', () => {
  beforeEach(() => void vi.useFakeTimers({ now: BEGIN }));
  afterEach(() => void vi.useRealTimers());

  async function watching(): Promise<WatchWorld> {
    const world = new WatchWorld();
    await world.add();
    world.serve(TEA);
    await world.check();
    return world;
  }

  /** The next check, which is answered so. */
  async function next(world: WatchWorld, fetched: Fetched) {
    world.answer = () => fetched;
    vi.setSystemTime(Math.max(Date.now(), (await world.known()).due));
    return world.check();
  }

  async function problemOf(world: WatchWorld) {
    const plan = defaultPlans[FIRST_PLAN];
    return plan && reportOf(await world.known(), { member: 'Ines', plan }).problem;
  }

  test.each([
    ['another page', page('Tea 3 €', 'Coffee 5 €'), 'changed'],
    ['the page as it was', TEA, 'unchanged'],
    ['other bytes of the page as it was', `<!-- 2 -->${TEA}`, 'unchanged'],
  ])('has no problem any more with the first success, which is %s', async (_, text, outcome) => {
    const world = await watching();
    await next(world, failure('dns'));
    expect(await problemOf(world)).toMatchObject({ reason: 'dns', failures: 1 });
    expect(await next(world, body(text))).toMatchObject({ outcome });
    expect(await problemOf(world)).toBeNull();
  });

  test('counts its failures in a row, tells since when and the last one, and begins anew after a success', async () => {
    const world = await watching();
    const since = (await world.known()).due;
    await next(world, failure('dns'));
    await next(world, failure('dns'));
    await next(world, status(500));
    expect(await problemOf(world)).toMatchObject({ reason: 'http_5xx', status: 500, failures: 3 });
    expect(Date.parse((await problemOf(world))?.since ?? '')).toBe(since);
    await next(world, body(TEA));
    await next(world, failure('tls'));
    expect(await problemOf(world)).toMatchObject({ reason: 'tls', failures: 1 });
  });

  test('says once that it is over, and how often it failed; no failure is news', async () => {
    const world = await watching();
    for (let turn = 0; turn < 3; turn += 1) await next(world, failure('timeout'));
    await next(world, body(TEA));
    await next(world, body(TEA));
    const checks = (await world.entries()).toReversed();
    expect(checks.map(({ recovered }) => recovered ?? 0)).toEqual([0, 0, 0, 0, 3, 0]);
    expect(world.told).toEqual([]);
  });

  test('with 429 keeps its page and its validators, waits as long as it is told to, and then asks for all of it', async () => {
    const world = new WatchWorld();
    await world.add();
    const validators = { etag: '"1"' };
    world.serve(TEA, { validators });
    await world.check();
    const told = await next(world, status(429, { retryAfterMs: 2 * HOUR }));
    expect(told).toMatchObject({ outcome: 'failed', reason: 'http_4xx', status: 429 });
    const failedAt = Date.now();
    vi.setSystemTime(failedAt + 2 * HOUR - 1);
    expect(await world.take()).toEqual([]);
    vi.setSystemTime(failedAt + 3 * HOUR);
    const [due] = await world.take();
    expect(due?.state).toMatchObject({ validators, failures: 1 });
    expect(await world.storage.watches.watchBaseline('w')).toBeDefined();
    if (due) await world.supply.release(due, due.hostState);
    expect(await next(world, body(TEA, { validators }))).toMatchObject({ outcome: 'unchanged', note: 'same_bytes' });
    const same: Fetched = { outcome: 'not_modified', url, answer: answer(304), validators };
    expect(await next(world, same)).toMatchObject({ outcome: 'unchanged', note: 'not_modified' });
    expect(world.requests.map((request) => request.validators)).toEqual([undefined, validators, undefined, validators]);
  });
});
