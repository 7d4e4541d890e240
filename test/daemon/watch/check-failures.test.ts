import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FetchFailureReason } from '../../../src/daemon/fetch/fetched.ts';
import type { Permission } from '../../../src/daemon/robots/robots.ts';
import { NEW_HOST } from '../../../src/daemon/storage/frontier.ts';
import { NO_OPTIONS } from '../../../src/shared/api/watch-values.ts';
import { WATCH_CHECK_MS } from '../../../src/shared/limits.ts';
import { answer, body, failure, HOUR, page, status, WatchWorld } from './watch-world.ts';

const BEGIN = Date.UTC(2026, 1, 13, 12);
const never = <T>(): Promise<T> => new Promise(() => undefined);

describe('a check that fails', () => {
  beforeEach(() => void vi.useFakeTimers({ now: BEGIN }));
  afterEach(() => void vi.useRealTimers());

  async function watching(): Promise<WatchWorld> {
    const world = new WatchWorld();
    await world.add();
    world.serve(page('Tea 3 €', 'Coffee 4 €'));
    await world.check();
    return world;
  }

  async function nextCheck(world: WatchWorld) {
    const { due } = await world.known();
    const [{ hostState } = { hostState: { notBefore: 0 } }] = await hosts(world);
    vi.setSystemTime(Math.max(Date.now(), due, hostState.notBefore));
    return world.check();
  }

  /** What the watch's host can bear, as the storage knows it. */
  async function hosts(world: WatchWorld) {
    const later = Date.now() + 1_000 * HOUR;
    const { watches } = await world.storage.watches.takeWatches({ now: later, atMost: 1, leaseMs: 1, except: [] });
    for (const { id, hostState } of watches) await world.storage.watches.releaseWatch(id, hostState);
    return watches;
  }

  test.each<FetchFailureReason>(['dns', 'tls', 'connect', 'timeout', 'reset', 'too_large', 'private_address'])(
    'by %s is an entry without a diff, and says so to the operator',
    async (reason) => {
      const world = await watching();
      world.answer = () => failure(reason);
      expect(await nextCheck(world)).toMatchObject({ outcome: 'failed', reason });
      const [entry] = await world.entries();
      expect(entry).toMatchObject({ n: 2, outcome: 'failed', failure: { reason, detail: `it failed: ${reason}` } });
      expect(entry?.diff).toBeUndefined();
      expect(await world.explained()).toEqual({ request: { conditional: false } });
    },
  );

  test('by a status is told by its class, with the status', async () => {
    const world = await watching();
    for (const [code, reason] of [
      [404, 'http_4xx'],
      [403, 'http_4xx'],
      [500, 'http_5xx'],
    ] as const) {
      world.answer = () => status(code);
      expect(await nextCheck(world)).toMatchObject({ outcome: 'failed', reason, status: code });
    }
    expect(await world.known()).toMatchObject({ failures: 3, lastFailure: { reason: 'http_5xx', status: 500 } });
  });

  test('by a challenge, or by a page with nothing on it, leaves the page as it was', async () => {
    const world = await watching();
    world.serve('<title>Just a moment...</title><p>Checking your browser before you proceed.</p>');
    expect(await nextCheck(world)).toMatchObject({ outcome: 'failed', reason: 'challenge' });
    world.serve('<main></main>');
    expect(await nextCheck(world)).toMatchObject({ outcome: 'failed', reason: 'empty' });
    world.serve(page('Tea 3 €', 'Coffee 4 €'));
    expect(await nextCheck(world)).toMatchObject({ outcome: 'unchanged' });
  });

  test('a storm of 500s leaves no text behind, and the one change in it is told once, with how long it lasted', async () => {
    const world = await watching();
    const before = await world.storage.watches.watchTotals(Date.now());
    world.answer = () => status(500);
    for (let turn = 0; turn < 50; turn += 1) expect(await nextCheck(world)).toMatchObject({ outcome: 'failed' });
    const after = await world.storage.watches.watchTotals(Date.now());
    expect({ texts: after.texts, textBytes: after.textBytes }).toEqual({
      texts: before.texts,
      textBytes: before.textBytes,
    });
    expect(await world.known()).toMatchObject({ changeCount: 0, failures: 50 });
    world.serve(page('Tea 3 €', 'Coffee 5 €'));
    expect(await nextCheck(world)).toMatchObject({ outcome: 'changed' });
    expect(await world.change()).toEqual({ ins: ['Coffee 5 €'], del: ['Coffee 4 €'] });
    expect((await world.entries())[0]).toMatchObject({ recovered: 50 });
  });

  test('before the first success leaves the first success to be the baseline', async () => {
    const world = new WatchWorld();
    await world.add();
    world.answer = () => failure('dns');
    await world.check();
    world.serve(page('Tea 3 €'));
    expect(await nextCheck(world)).toMatchObject({ outcome: 'baseline' });
    expect((await world.entries())[0]).toMatchObject({ outcome: 'baseline', recovered: 1 });
  });

  test('a selector that finds nothing fails, and when it does again there is no false change', async () => {
    const world = new WatchWorld();
    await world.add('w', { options: { ...NO_OPTIONS, select: ['.tea'] } });
    world.serve('<main><p class="tea">Tea 3 €</p></main>');
    await world.check();
    world.serve('<main><p class="soup">Soup 3 €</p></main>');
    expect(await nextCheck(world)).toMatchObject({ outcome: 'failed', reason: 'selector' });
    world.serve('<main><p class="tea">Tea 3 €</p></main>');
    expect(await nextCheck(world)).toMatchObject({ outcome: 'unchanged' });
  });

  test('what robots.txt refuses is not asked for, and counts as a check', async () => {
    const world = await watching();
    world.permission = { kind: 'refused', reason: 'robots', detail: 'it disallows it', until: 0 };
    expect(await nextCheck(world)).toMatchObject({ outcome: 'failed', reason: 'robots' });
    expect(world.requests).toHaveLength(1);
    expect(world.quota.at(-1)).toBe('counted 2026-02: 2');
    expect(await world.storage.watches.watchExplanation('w')).toMatchObject({ n: 2 });
  });

  test('asking for robots.txt is the turn of the host and no check; one that cannot be had is a failed one', async () => {
    const world = new WatchWorld();
    await world.add();
    const met: Permission = { kind: 'fetched', crawlDelayMs: 0, sitemaps: [], answer: answer(200) };
    world.permission = met;
    expect(await world.check()).toBeUndefined();
    expect(world.quota).toEqual(['reserved', 'given back']);
    world.permission = { ...met, refusal: { kind: 'refused', reason: 'dns', detail: 'no such name', until: 0 } };
    expect(await world.check()).toMatchObject({ outcome: 'failed', reason: 'dns' });
    expect(await world.entries()).toHaveLength(1);
  });

  test.each<FetchFailureReason>(['aborted', 'stale'])(
    'what came to nothing by our own doing (%s) is no check',
    async (reason) => {
      const world = await watching();
      world.answer = () => failure(reason);
      expect(await nextCheck(world)).toBeUndefined();
      expect(await world.entries()).toHaveLength(1);
      expect(world.quota.slice(2)).toEqual(['reserved', 'given back']);
      expect((await world.known()).due).toBe(Date.now());
    },
  );

  test('a shutdown calls it off, whatever stage it is in', async () => {
    const world = await watching();
    const stop = new AbortController();
    world.answer = async (_request, signal) => {
      stop.abort();
      expect(signal.aborted).toBe(true);
      return failure('aborted');
    };
    await next(world);
    expect(await world.check(stop.signal)).toBeUndefined();
    world.serve(page('Tea 4 €'));
    world.analyze = async () => ({ outcome: 'failed', reason: 'aborted', detail: 'called off' });
    expect(await world.check()).toBeUndefined();
    expect(await world.entries()).toHaveLength(1);
  });

  async function next(world: WatchWorld): Promise<void> {
    vi.setSystemTime((await world.known()).due);
  }

  const hanging: readonly (readonly [string, (world: WatchWorld) => void])[] = [
    ['robots.txt', (world) => void (world.permission = () => never())],
    ['the fetch', (world) => void (world.answer = () => never())],
    ['the judge', (world) => void (world.analyze = () => never())],
  ];
  test.each(hanging)('by its deadline, when %s hangs, frees its place and host', async (_stage, hang) => {
    const world = await watching();
    world.serve(page('Tea 4 €'));
    hang(world);
    await next(world);
    const ended = world.check();
    await vi.advanceTimersByTimeAsync(WATCH_CHECK_MS);
    expect(await ended).toMatchObject({ outcome: 'failed', reason: 'timeout' });
    expect(await world.known()).toMatchObject({ checks: 2, failures: 1, due: BEGIN + 600_000 });
    expect(world.quota.at(-1)).toBe('counted 2026-02: 2');
    vi.setSystemTime(BEGIN + 600_000);
    expect(await world.take()).toHaveLength(1);
  });

  test('an answer that comes after the deadline changes nothing', async () => {
    const world = await watching();
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof body>>();
    let called: AbortSignal | undefined;
    world.answer = (_request, signal) => {
      called = signal;
      return promise;
    };
    await next(world);
    const ended = world.check();
    await vi.advanceTimersByTimeAsync(WATCH_CHECK_MS);
    await ended;
    expect(called?.aborted).toBe(true);
    resolve(body(page('Tea 4 €')));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await world.entries()).toHaveLength(2);
    expect((await world.known()).changeCount).toBe(0);
  });

  test('by a fault of our own is an entry, so that the watch is not the most overdue one forever', async () => {
    const world = await watching();
    world.answer = () => {
      throw new Error('a bug');
    };
    const report = await nextCheck(world);
    expect(report).toMatchObject({ outcome: 'failed', reason: 'internal' });
    expect(report?.notes?.fault).toContain('a bug');
    expect((await world.known()).due).toBeGreaterThan(Date.now());
  });

  test('one that cannot be recorded is thrown to the crawler, which lets the watch go and its check with it', async () => {
    const world = await watching();
    vi.spyOn(world.storage.watches, 'commitCheck').mockRejectedValueOnce(new Error('the disk is full'));
    await expect(nextCheck(world)).rejects.toThrow('the disk is full');
    await world.supply.release({ id: 'w' }, NEW_HOST);
    expect(world.quota.at(-1)).toBe('given back');
  });
});
