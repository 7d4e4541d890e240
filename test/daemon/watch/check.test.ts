import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { NO_OPTIONS } from '../../../src/shared/api/watch-values.ts';
import { body, failure, HOUR, MINUTE, page, status, WatchWorld } from './watch-world.ts';

const BEGIN = Date.UTC(2026, 1, 13, 12);
const DAY = 24 * HOUR;

describe('a check of a watched page', () => {
  beforeEach(() => void vi.useFakeTimers({ now: BEGIN }));
  afterEach(() => void vi.useRealTimers());

  async function watching(text = page('Tea 3 €', 'Coffee 4 €')): Promise<WatchWorld> {
    const world = new WatchWorld();
    await world.add();
    world.serve(text);
    await world.check();
    return world;
  }

  /** At the time of the next check. */
  async function next(world: WatchWorld): Promise<void> {
    vi.setSystemTime((await world.known()).due);
  }

  async function nextCheck(world: WatchWorld) {
    await next(world);
    return world.check();
  }

  test('the first one records no change and no diff', async () => {
    const world = await watching();
    expect(await world.entries()).toMatchObject([{ n: 1, outcome: 'baseline', status: 200 }]);
    expect(await world.change()).toBeUndefined();
    expect(world.told).toEqual([]);
    expect(await world.storage.watches.watchText('w', 1)).toMatchObject({ n: 1 });
    expect(world.quota).toEqual(['reserved', 'counted 2026-02: 1']);
  });

  test('a change is one entry with its diff, and told after it is durable', async () => {
    const world = await watching();
    world.serve(page('Tea 3 €', 'Coffee 5 €'));
    expect(await nextCheck(world)).toMatchObject({ outcome: 'changed' });
    expect(await world.change()).toEqual({ ins: ['Coffee 5 €'], del: ['Coffee 4 €'] });
    expect(world.told).toEqual(['org']);
    expect(await world.known()).toMatchObject({ checks: 2, changeCount: 1, unseen: 1 });
  });

  test('the rating of the domain is looked up for a trigger', async () => {
    const world = new WatchWorld();
    await world.add('w', { options: { ...NO_OPTIONS, trigger: 'dr:[50 TO 100]' } });
    for (const [text, rating] of [
      ['Tea', 40],
      ['Coffee', 40],
      ['Cocoa', 60],
    ] as const) {
      world.ratings = { 'shop.example': rating };
      world.serve(page(text));
      await nextCheck(world);
    }
    expect((await world.entries()).map(({ outcome }) => outcome)).toEqual(['changed', 'unchanged', 'baseline']);
  });

  test('a page that goes to and fro has changed twice', async () => {
    const world = await watching();
    for (const coffee of ['Coffee 5 €', 'Coffee 4 €']) {
      world.serve(page('Tea 3 €', coffee));
      expect(await nextCheck(world)).toMatchObject({ outcome: 'changed' });
    }
    expect(await world.change()).toEqual({ ins: ['Coffee 4 €'], del: ['Coffee 5 €'] });
    expect((await world.known()).changeCount).toBe(2);
  });

  test('the same bytes are unchanged, and read by nobody', async () => {
    const world = await watching();
    world.analyze = () => Promise.reject(new Error('there is nothing to judge'));
    expect(await nextCheck(world)).toMatchObject({ outcome: 'unchanged', note: 'same_bytes', status: 200 });
  });

  test('other bytes with the same lines are unchanged', async () => {
    const world = await watching();
    world.serve(`${page('Tea 3 €', 'Coffee 4 €')}<!-- 17:03 -->`);
    expect(await nextCheck(world)).toMatchObject({ outcome: 'unchanged', note: 'same_text' });
  });

  test('where a redirect led is in the explanation, with the request, the answer and what was found', async () => {
    const world = new WatchWorld();
    await world.add();
    world.serve(page('Tea 3 €'), { url: 'http://www.shop.example/en/prices' });
    await world.check();
    expect(await world.explained()).toMatchObject({
      request: { conditional: false },
      answer: { status: 200, url: 'http://www.shop.example/en/prices', content_type: 'text/html', bytes: 50 },
      findings: { title: 'Prices', lines: 1 },
    });
  });

  test('the next check is at the next slot, however late this one was', async () => {
    const world = new WatchWorld();
    await world.add('w', { everyMs: HOUR, jitterMs: 2 * MINUTE });
    world.serve(page('Tea 3 €'));
    await world.check();
    expect((await world.known()).due).toBe(BEGIN + HOUR + 2 * MINUTE);
    vi.setSystemTime(BEGIN + HOUR + 13 * MINUTE);
    await world.check();
    expect((await world.known()).due).toBe(BEGIN + 2 * HOUR + 2 * MINUTE);
  });

  test('slots that were missed are made up for by one check', async () => {
    const world = await watching();
    vi.setSystemTime(BEGIN + 3 * DAY + MINUTE);
    await world.check();
    expect(await world.entries()).toHaveLength(2);
    expect((await world.known()).due).toBe(BEGIN + 3 * DAY + 5 * MINUTE);
  });

  test('a plan that became slower is what it goes by', async () => {
    const world = new WatchWorld();
    world.fastestMinutes = 180;
    await world.add('w', { everyMs: 5 * MINUTE });
    world.serve(page('Tea 3 €'));
    await world.check();
    expect((await world.known()).due).toBe(BEGIN + 3 * HOUR);
  });

  test('a watch that is removed meanwhile leaves nothing, and its check is given back', async () => {
    const world = new WatchWorld();
    await world.add();
    world.answer = async () => {
      await world.storage.watches.removeWatch('w');
      return body(page('Tea 3 €'));
    };
    expect(await world.check()).toBeUndefined();
    expect(world.quota).toEqual(['reserved', 'given back']);
  });

  test('what is found of other options than before is no change, and read although the bytes are the same', async () => {
    const world = await watching('<main><p class="tea">Tea 3 €</p><p class="coffee">Coffee 4 €</p></main>');
    const options = { ...NO_OPTIONS, select: ['.tea'] };
    await world.storage.watches.changeWatch('w', { options, due: Date.now() });
    world.serve('<main><p class="tea">Tea 3 €</p><p class="coffee">Coffee 4 €</p></main>', {
      validators: { etag: '"1"' },
    });
    expect(await world.check()).toMatchObject({ outcome: 'unchanged', note: 'options' });
    expect(await nextCheck(world)).toMatchObject({ outcome: 'unchanged', note: 'same_bytes' });
    await world.storage.watches.changeWatch('w', { options: NO_OPTIONS });
    await nextCheck(world);
    expect(world.requests.map(({ validators }) => validators?.etag)).toEqual([undefined, undefined, '"1"', undefined]);
  });

  test('an option that changes while a check is under way is heeded by the next one', async () => {
    const text = '<main><p class="tea">Tea 3 €</p><p class="coffee">Coffee 4 €</p></main>';
    const world = await watching(text);
    const options = { ...NO_OPTIONS, select: ['.tea'] };
    world.answer = async () => {
      await world.storage.watches.changeWatch('w', { options });
      return body(text, { validators: { etag: '"1"' } });
    };
    await nextCheck(world);
    world.serve(text);
    expect(await nextCheck(world)).toMatchObject({ note: 'options' });
    expect(world.requests.at(-1)?.validators).toBeUndefined();
  });

  describe('that is rendered', () => {
    const unsettled = { unsettled: 'it was still changing after 20 s' };
    async function rendered(): Promise<WatchWorld> {
      const world = new WatchWorld();
      await world.add('w', { options: { ...NO_OPTIONS, render: { within_seconds: 5 } }, everyMs: HOUR });
      world.serve(page('Tea 3 €'));
      await world.check();
      expect(world.requests.at(-1)?.render).toMatchObject({ withinMs: 5_000 });
      return world;
    }

    test('a change of a page that did not settle is told when a second check still finds it', async () => {
      const world = await rendered();
      world.serve(page('Tea 4 €'), unsettled);
      expect(await nextCheck(world)).toMatchObject({ outcome: 'unchanged', note: 'unconfirmed' });
      expect((await world.known()).due).toBe(Date.now() + MINUTE);
      expect(await nextCheck(world)).toMatchObject({ outcome: 'changed' });
    });

    test('one that is gone when the page has settled is none', async () => {
      const world = await rendered();
      world.serve(page('Tea 4 €'), unsettled);
      await nextCheck(world);
      world.serve(page('Tea 3 €'));
      expect(await nextCheck(world)).toMatchObject({ outcome: 'unchanged', note: 'flap' });
      expect((await world.known()).changeCount).toBe(0);
    });

    test('half a page is nothing to compare with: a second check decides', async () => {
      const world = new WatchWorld();
      await world.add('w', { options: { ...NO_OPTIONS, render: {} }, everyMs: HOUR });
      world.serve(page('Loading'), unsettled);
      await world.check();
      expect((await world.known()).lastFailure).toMatchObject({ reason: 'doubtful' });
      world.serve(page('Tea 3 €'));
      expect(await nextCheck(world)).toMatchObject({ outcome: 'baseline' });
    });

    test('what a server sends and what a browser shows are never compared', async () => {
      const world = await rendered();
      await world.storage.watches.changeWatch('w', { options: NO_OPTIONS });
      world.serve(page('Loading'));
      expect(await nextCheck(world)).toMatchObject({ outcome: 'baseline', note: 'options' });
      expect((await world.known()).changeCount).toBe(0);
    });
  });

  describe('with --confirm', () => {
    async function confirming(): Promise<WatchWorld> {
      const world = new WatchWorld();
      await world.add('w', { options: { ...NO_OPTIONS, confirm: true }, everyMs: HOUR });
      world.serve(page('Tea 3 €'), { validators: { etag: '"1"' } });
      await world.check();
      world.serve(page('Tea 4 €'), { validators: { etag: '"2"' } });
      expect(await nextCheck(world)).toMatchObject({ outcome: 'unchanged', note: 'unconfirmed' });
      return world;
    }

    test('a change is told when a second check, a minute later and without a condition, still finds it', async () => {
      const world = await confirming();
      expect((await world.known()).due).toBe(Date.now() + MINUTE);
      expect(await nextCheck(world)).toMatchObject({ outcome: 'changed' });
      expect(world.requests.at(-1)?.validators).toBeUndefined();
      expect((await world.known()).due).toBe(BEGIN + 2 * HOUR);
    });

    test('one that is gone by then is none', async () => {
      const world = await confirming();
      world.serve(page('Tea 3 €'));
      expect(await nextCheck(world)).toMatchObject({ outcome: 'unchanged', note: 'flap' });
      expect((await world.known()).changeCount).toBe(0);
    });

    test('a failure confirms nothing: the doubt waits, for the next slot and not for every minute', async () => {
      const world = await confirming();
      world.answer = () => failure('dns');
      expect(await nextCheck(world)).toMatchObject({ outcome: 'failed' });
      expect((await world.known()).due).toBe(BEGIN + 2 * HOUR);
      world.serve(page('Tea 4 €'));
      expect(await nextCheck(world)).toMatchObject({ outcome: 'changed' });
    });
  });

  test('a page that has lost nearly all of its text is looked at once more before it is believed', async () => {
    const lines = Array.from({ length: 40 }, (_, line) => `The price of tea number ${line} is ${line} euros a pound.`);
    const world = await watching(page(...lines));
    world.serve(page('Tea'));
    expect(await nextCheck(world)).toMatchObject({ outcome: 'failed', reason: 'doubtful' });
    expect((await world.known()).due).toBe(Date.now() + MINUTE);
    expect(await nextCheck(world)).toMatchObject({ outcome: 'changed' });
  });

  test('the host rests as it asks for, and another one that a redirect led to is left alone as long as it asks', async () => {
    const world = await watching();
    world.answer = () => status(503, { retryAfterMs: 20 * MINUTE });
    await nextCheck(world);
    expect(await world.take()).toEqual([]);
    expect((await world.known()).due).toBe(BEGIN + 10 * MINUTE);
    vi.setSystemTime(BEGIN + 25 * MINUTE);
    world.answer = () => status(503, { retryAfterMs: 20 * MINUTE, host: 'other.example' });
    await world.check();
    expect((await world.known()).due).toBe(BEGIN + 45 * MINUTE);
  });

  test('two watches of a host are not checked at the same time', async () => {
    const world = new WatchWorld();
    await world.add('one');
    await world.add('two', { url: 'http://shop.example/hours' });
    world.serve(page('Tea 3 €'));
    expect(await world.take()).toHaveLength(1);
    expect(await world.take()).toHaveLength(0);
  });
});
