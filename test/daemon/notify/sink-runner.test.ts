import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Outcome } from '../../../src/daemon/notify/sink-kind.ts';
import { SinkRunner } from '../../../src/daemon/notify/sink-runner.ts';
import type { Deliveries } from '../../../src/daemon/storage/deliveries.ts';
import { addWatch, baselineCheckOf, changedCheckOf } from '../../fixtures/watches.ts';
import { documentOf, numbersOf, openSinkHouse, type SinkHouse } from './sink-house.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const busy: Outcome = { outcome: 'unavailable', status: 503, detail: 'busy' };
const refused: Outcome = { outcome: 'refused', status: 400, detail: 'no such room' };

let house: SinkHouse;
let news: string;
beforeEach(async () => {
  house = await openSinkHouse();
  news = await house.tap('news');
});

const matches = (from: number, count: number): Promise<void> =>
  house.match(news, ...Array.from({ length: count }, (_, index) => documentOf(from + index)));
const state = async (id: string) => house.storage.deliveries.sinkState(id);

describe('a sink', () => {
  test('begins with what comes after it was made, and sends each match once, in its order', async () => {
    await matches(0, 3);
    const sink = await house.add();
    await matches(3, 40);
    expect(await house.drain(sink)).toEqual({ kind: 'wait', until: undefined });
    expect(numbersOf(house.receiver.messages)).toEqual(Array.from({ length: 40 }, (_, index) => index + 3));
    expect(new Set(house.receiver.messages.map(({ id }) => id)).size).toBe(40);
    await house.drain(sink);
    expect(house.receiver.messages).toHaveLength(40);
    expect(await house.sinks.show(house.organizationId, 'phone')).toMatchObject({ counts: { sent: 40, behind: 0 } });
  });

  test('is there also where a node that was started meanwhile took it for what a crash has left', async () => {
    const { catalog, deliveries } = house.storage;
    const update = catalog.update.bind(catalog);
    vi.spyOn(catalog, 'update').mockImplementationOnce(async (change) => {
      await deliveries.retainSinks(catalog.data.sinks.map(({ id }) => id));
      return update(change);
    });
    const sink = await house.add();
    await matches(0, 1);
    await house.drain(sink);
    expect(numbersOf(house.receiver.messages)).toEqual([0]);
  });

  test('says of a match what there is to say', async () => {
    const sink = await house.add();
    await house.match(news, documentOf(7, { title: 'Two\n lines' }));
    await house.drain(sink);
    const at = new Date(house.clock.now()).toISOString();
    const [message] = house.receiver.messages;
    expect(message).toMatchObject({ type: 'match', at, title: 'Two lines', url: 'http://site7.example/', more: 0 });
    const [item] = message?.items ?? [];
    expect(item).toMatchObject({ labels: { tap: 'news', rules: ['r1'] }, payload: { tap_id: news, matched_at: at } });
    expect(item?.lines).toEqual(documentOf(7).diff?.chunks);
    expect(message?.id).toMatch(/^[\w-]{1,100}$/);
  });

  test('reads the taps that it is to, those that are made later where it is all', async () => {
    const other = await house.tap('other');
    const named = await house.add({ taps: ['news'] });
    const all = await house.add({ name: 'all' });
    await house.match(other, documentOf(1));
    await matches(2, 1);
    await house.match(await house.tap('later'), documentOf(3));
    await house.drain(named);
    expect(numbersOf(house.receiver.messages.splice(0))).toEqual([2]);
    await house.drain(all);
    expect(numbersOf(house.receiver.messages).toSorted()).toEqual([1, 2, 3]);
  });

  test('passes over what its query does not match', async () => {
    const sink = await house.add({ query: 'title:"Page 2" OR domain:site4.example' });
    await matches(0, 6);
    await house.drain(sink);
    expect(numbersOf(house.receiver.messages)).toEqual([2, 4]);
    expect(await house.sinks.show(house.organizationId, sink.id)).toMatchObject({ counts: { behind: 0 } });
  });

  test('folds matches with the same text, and no others', async () => {
    const sink = await house.add();
    const { diff } = documentOf(0);
    const same = diff === undefined ? {} : { diff, title: 'One report' };
    await house.match(news, documentOf(1, same), documentOf(2), documentOf(3, same), documentOf(4, same));
    await house.drain(sink);
    expect(numbersOf(house.receiver.messages)).toEqual([1, 2]);
    const [item] = house.receiver.messages[0]?.items ?? [];
    expect(item?.alike).toEqual({ count: 2, urls: ['http://site3.example/', 'http://site4.example/'] });
  });

  test('carries the changes of the watches with its tags', async () => {
    const { watches } = house.storage;
    const { organizationId } = house;
    await addWatch(watches, 'w', { organizationId, title: 'Prices', tags: ['shop', 'x'] });
    await addWatch(watches, 'v', { organizationId });
    const [tagged, none] = [
      await house.add({ watches: { tags: ['shop'] } }),
      await house.add({ name: 'none', watches: 'none' }),
    ];
    const [a, b] = [['a'], ['b']];
    for (const id of ['w', 'v']) {
      await watches.commitCheck(baselineCheckOf(id, a));
      await watches.commitCheck(changedCheckOf(id, a, b));
    }
    await house.drain(none);
    expect(house.receiver.messages).toEqual([]);
    await house.drain(tagged);
    const [message, ...others] = house.receiver.messages;
    expect(others).toEqual([]);
    const labels = { watch: 'Prices', tags: ['shop', 'x'] };
    expect(message).toMatchObject({ type: 'change', title: 'Prices', url: 'http://w.example/', items: [{ labels }] });
    expect(message?.items[0]?.payload).toMatchObject({ cursor: 1, watch: { id: 'w' }, check: { n: 2 } });
  });

  test('fills its template with what the kind has made harmless', async () => {
    const sink = await house.add({ template: '{type}: *{title}*' });
    await house.match(news, documentOf(1, { title: 'a *bold* {url}' }));
    await house.drain(sink);
    expect(house.receiver.messages[0]?.text).toBe(String.raw`match: *a \*bold\* {url}*`);
  });

  test('that is paused keeps its place', async () => {
    const sink = await house.add();
    await house.sinks.pause(house.organizationId, 'phone');
    await matches(0, 2);
    await house.drain(sink);
    expect(house.receiver.messages).toEqual([]);
    await house.sinks.resume(house.organizationId, 'phone');
    await house.drain(sink);
    expect(numbersOf(house.receiver.messages)).toEqual([0, 1]);
  });
});

describe('a receiver that fails', () => {
  test('is tried again later and later, with the same message, and nothing overtakes it', async () => {
    const sink = await house.add();
    await matches(0, 2);
    house.receiver.answers.push(...Array.from({ length: 8 }, () => busy));
    const waits: number[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const { until = 0 } = await house.drain(sink);
      waits.push(until - house.clock.ms);
      house.clock.ms = until;
    }
    const least = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR, 10 * HOUR];
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(least[index] ?? 0);
      expect(wait).toBeLessThanOrEqual(1.2 * (least[index] ?? 0));
    }
    await house.drain(sink);
    expect(numbersOf(house.receiver.messages)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    const ids = house.receiver.messages.map(({ id }) => id);
    expect(new Set(ids.slice(0, 9)).size).toBe(1);
    const log = await house.sinks.log(house.organizationId, 'phone', { atMost: 99 });
    expect(log.map(({ attempt, outcome }) => [attempt, outcome]).slice(0, 3)).toEqual([
      [1, 'delivered'],
      [9, 'delivered'],
      [8, 'unavailable'],
    ]);
  });

  test('is asked again when it says, but not a fourth time sooner than usual', async () => {
    const sink = await house.add();
    await matches(0, 1);
    house.receiver.answers.push(...Array.from({ length: 4 }, () => ({ ...busy, retryAfterMs: 2_000 }) as const));
    const waits: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const { until = 0 } = await house.drain(sink);
      waits.push(until - house.clock.ms);
      house.clock.ms = until;
    }
    for (const wait of waits.slice(0, 3)) expect(wait).toBeLessThanOrEqual(2_400);
    expect(waits[3]).toBeGreaterThanOrEqual(2 * HOUR);
  });

  test('is dead after three days, and says so until it is reached again', async () => {
    const sink = await house.add();
    await matches(0, 1);
    house.receiver.answers.push(busy);
    const since = new Date(house.clock.ms).toISOString();
    await house.drain(sink);
    const report = async () => house.sinks.show(house.organizationId, 'phone');
    expect(await report()).toMatchObject({ failing_since: since, dead_since: null, waiting: { why: 'failure' } });
    house.clock.ms += 3 * 24 * HOUR;
    expect(await report()).toMatchObject({ failing_since: since, dead_since: since });
    expect((await house.sinks.totals()).unhealthy).toMatchObject([{ name: 'phone', state: 'dead', detail: 'busy' }]);
    await house.drain(sink);
    const lastError = { outcome: 'unavailable', status: 503, detail: 'busy' };
    expect(await report()).toMatchObject({ failing_since: null, dead_since: null, last_error: lastError });
    expect((await house.sinks.totals()).unhealthy).toEqual([]);
  });

  test('that refuses a message five times has it no more, and gets the next one', async () => {
    const sink = await house.add();
    await matches(0, 2);
    house.receiver.answers.push(...Array.from({ length: 5 }, () => refused));
    for (let attempt = 0; attempt < 4; attempt += 1) house.clock.ms = (await house.drain(sink)).until ?? 0;
    await house.drain(sink);
    expect(numbersOf(house.receiver.messages)).toEqual([0, 0, 0, 0, 0, 1]);
    const [parked] = await house.sinks.parked(house.organizationId, 'phone', { atMost: 9 });
    expect(parked).toMatchObject({ title: 'Page 0', error: { status: 400, detail: 'no such room' } });
    expect(await house.sinks.replay(house.organizationId, 'phone', { parked: true })).toEqual({ replayed: 1 });
    await house.drain(sink);
    expect(numbersOf(house.receiver.messages).at(-1)).toBe(0);
    expect(house.receiver.messages.at(-1)?.id).toBe(house.receiver.messages[0]?.id);
    expect(await state(sink.id)).toMatchObject({ sent: 2, parked: 0 });
  });

  test('that is gone gets nothing before it is resumed', async () => {
    const sink = await house.add();
    await matches(0, 1);
    house.receiver.answers.push({ outcome: 'gone', status: 410, detail: 'unsubscribed' });
    expect(await house.drain(sink)).toEqual({ kind: 'wait', until: undefined });
    await matches(1, 1);
    house.clock.ms += 24 * HOUR;
    await house.drain(sink);
    expect(house.receiver.messages).toHaveLength(1);
    expect((await house.sinks.list(house.organizationId))[0]).toMatchObject({ state: 'disabled', waiting: null });
    await house.sinks.resume(house.organizationId, 'phone');
    await house.drain(sink);
    expect(numbersOf(house.receiver.messages)).toEqual([0, 0, 1]);
  });

  test('by a bug of its kind is one that fails, and the bug is in the log', async () => {
    const errors: unknown[] = [];
    const sink = await house.add();
    await matches(0, 1);
    const deps = { ...house.runnerDeps, onError: (_: string, error: unknown) => errors.push(error) };
    house.receiver.onMessage = () => {
      throw new Error('a bug');
    };
    const signal = new AbortController().signal;
    const runner = new SinkRunner(sink.id, deps);
    while ((await runner.step(signal)).kind === 'again');
    expect(errors).toEqual([new Error('a bug')]);
    expect(await state(sink.id)).toMatchObject({ pending: 1, lastError: { outcome: 'unavailable' } });
  });
});

test('what was sent and could not be recorded is not sent again, and is recorded as soon as that can be', async () => {
  const sink = await house.add();
  await matches(0, 2);
  const { deliveries } = house.storage;
  let isFull = true;
  const full: Deliveries = {
    ...bound(deliveries),
    recordAttempt: (...args) =>
      isFull ? Promise.reject(new Error('the disk is full')) : deliveries.recordAttempt(...args),
  };
  const runner = new SinkRunner(sink.id, { ...house.runnerDeps, storage: { ...house.storage, deliveries: full } });
  const { signal } = new AbortController();
  await runner.step(signal);
  for (let tries = 0; tries < 5; tries += 1) await expect(runner.step(signal)).rejects.toThrow('full');
  expect(numbersOf(house.receiver.messages)).toEqual([0]);
  isFull = false;
  while ((await runner.step(signal)).kind === 'again');
  expect(numbersOf(house.receiver.messages)).toEqual([0, 1]);
  expect(await state(sink.id)).toMatchObject({ sent: 2, pending: 0 });
});

describe('what the log no longer has', () => {
  test('is counted, and said once', async () => {
    const sink = await house.add();
    await matches(0, 4);
    house.clock.ms += HOUR;
    await matches(4, 2);
    expect(await house.storage.eventLog.trim(house.clock.ms)).toBe(4);
    await house.drain(sink);
    const [notice] = house.receiver.titles;
    expect(notice).toBe('4 matches were dropped: the log had deleted them before they could be sent');
    expect(house.receiver.messages[0]?.type).toBe('notice');
    expect(numbersOf(house.receiver.messages)).toEqual([4, 5]);
    await house.drain(sink);
    expect(await house.sinks.show(house.organizationId, sink.id)).toMatchObject({
      counts: { sent: 3, dropped: 4, behind: 0 },
    });
  });

  test('is said where nothing is left, too', async () => {
    const sink = await house.add();
    await matches(0, 3);
    await house.storage.eventLog.trim(house.clock.ms + 1);
    await house.drain(sink);
    expect(house.receiver.titles).toEqual([
      '3 matches were dropped: the log had deleted them before they could be sent',
    ]);
  });

  test.each([
    ['message by message', {}],
    ['in a digest', { digest: '5m' }],
  ])('is counted where the log deletes it between the look at its bounds and the reading, %s', async (_, settings) => {
    const sink = await house.add(settings);
    await matches(0, 4);
    house.clock.ms += HOUR;
    await matches(4, 2);
    const { eventLog } = house.storage;
    vi.spyOn(eventLog, 'read').mockImplementationOnce(async (...asked) => {
      await eventLog.trim(house.clock.ms);
      return eventLog.read(...asked);
    });
    await house.drain(sink);
    expect(numbersOf(house.receiver.messages)).toEqual([4, 5]);
    const said = house.receiver.messages.flatMap(({ items }) => items.filter(({ type }) => type === 'notice'));
    expect(said).toMatchObject([{ title: expect.stringMatching(/^4 \w+ were dropped/) }]);
    expect(await house.sinks.show(house.organizationId, sink.id)).toMatchObject({ counts: { dropped: 4, behind: 0 } });
  });
});

describe('quiet by choice', () => {
  test('in quiet hours everything waits', async () => {
    house.clock.ms = Date.parse('2026-07-10T21:00:00Z');
    const sink = await house.add({ quiet: '22:00-07:00' });
    await matches(0, 2);
    const morning = Date.parse('2026-07-11T05:00:00Z');
    expect(await house.drain(sink)).toEqual({ kind: 'wait', until: morning, why: 'quiet' });
    house.clock.ms = morning;
    await house.drain(sink);
    expect(numbersOf(house.receiver.messages)).toEqual([0, 1]);
  });

  test('a digest has all that came, when it is due, and is one message; where nothing came there is none', async () => {
    house.clock.ms = Date.parse('2026-07-10T10:10:00Z');
    const sink = await house.add({ digest: '1h' });
    const other = await house.tap('other');
    await matches(0, 3);
    await house.match(other, documentOf(3));
    const due = Date.parse('2026-07-10T11:00:00Z');
    expect(await house.drain(sink)).toEqual({ kind: 'wait', until: due, why: 'digest' });
    house.clock.ms = due + 5;
    expect(await house.drain(sink)).toMatchObject({ until: due + HOUR });
    const [digest, ...others] = house.receiver.messages;
    expect(others).toEqual([]);
    expect(digest).toMatchObject({ type: 'digest', title: '4 matches', more: 0 });
    expect(numbersOf(house.receiver.messages).toSorted()).toEqual([0, 1, 2, 3]);
    house.clock.ms = due + HOUR;
    expect(await house.drain(sink)).toMatchObject({ until: due + 2 * HOUR });
    expect(house.receiver.messages).toHaveLength(1);
  });

  test('of a digest that is too long the newest are shown, and the others counted', async () => {
    const sink = await house.add({ digest: '1h' });
    await matches(0, 137);
    house.clock.ms += HOUR;
    await house.drain(sink);
    const [digest] = house.receiver.messages;
    expect(digest).toMatchObject({ title: '137 matches', more: 37 });
    expect(numbersOf(house.receiver.messages)).toEqual(Array.from({ length: 100 }, (_, index) => index + 37));
  });

  test('beyond the rate all that waits comes as one message, and none is missing', async () => {
    const sink = await house.add({ at_most: '3/h' });
    await matches(0, 2);
    await house.drain(sink);
    await matches(2, 5);
    expect(await house.drain(sink)).toMatchObject({ why: 'at_most' });
    expect(house.receiver.titles).toEqual(['Page 0', 'Page 1', '5 matches']);
    await matches(7, 2);
    const { until, why } = await house.drain(sink);
    expect([until, why]).toEqual([house.clock.ms + HOUR, 'at_most']);
    house.clock.ms += HOUR;
    await house.drain(sink);
    expect(numbersOf(house.receiver.messages)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

describe('a replay', () => {
  test('sends what is still kept once more, with the ids it had', async () => {
    const sink = await house.add();
    await matches(0, 2);
    house.clock.ms += MINUTE;
    const since = new Date(house.clock.ms).toISOString();
    await matches(2, 2);
    await house.drain(sink);
    expect(await house.sinks.replay(house.organizationId, 'phone', { since })).toEqual({ replayed: 2 });
    await house.drain(sink);
    expect(numbersOf(house.receiver.messages)).toEqual([0, 1, 2, 3, 2, 3]);
    const ids = house.receiver.messages.map(({ id }) => id);
    expect(ids.slice(4)).toEqual(ids.slice(2, 4));
  });

  test('never goes forward', async () => {
    const sink = await house.add();
    await matches(0, 2);
    const since = new Date(house.clock.ms + HOUR).toISOString();
    expect(await house.sinks.replay(house.organizationId, 'phone', { since })).toEqual({ replayed: 0 });
    await house.drain(sink);
    expect(numbersOf(house.receiver.messages)).toEqual([0, 1]);
  });
});

/** The methods of a class, which no spread copies. */
function bound(deliveries: Deliveries): Deliveries {
  return new Proxy(deliveries, {
    get: (target, name: keyof Deliveries) => target[name].bind(target),
    ownKeys: () => Object.getOwnPropertyNames(Object.getPrototypeOf(deliveries)),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
}

/** Where the process may end: before a call of the port, or after it, before its answer. */
class Ended extends Error {}

function endingAt(deliveries: Deliveries, end: () => boolean): Deliveries {
  return new Proxy(deliveries, {
    get:
      (target, name: keyof Deliveries) =>
      async (...args: never[]) => {
        if (end()) throw new Ended();
        const answer: unknown = await (target[name] as (...given: never[]) => Promise<unknown>)(...args);
        if (end()) throw new Ended();
        return answer;
      },
  });
}

test('wherever the process ends, nothing is missing, nothing is out of order, and only what was under way comes twice, with one id', async () => {
  const event = fc.record({ tap: fc.integer({ min: 0, max: 1 }), isFailed: fc.boolean() });
  const plan = fc.record({
    events: fc.array(event, { maxLength: 30 }),
    ends: fc.infiniteStream(fc.integer({ min: 1, max: 12 })),
    digest: fc.option(fc.constant('5m'), { nil: null }),
    atMost: fc.option(fc.constant('4/m'), { nil: null }),
  });
  await fc.assert(
    fc.asyncProperty(plan, async ({ events, ends, digest, atMost }) => {
      const own = await openSinkHouse();
      const taps = [await own.tap('one'), await own.tap('two')];
      const sink = await own.add({ digest, at_most: atMost });
      let left = 0;
      let isEnding = false;
      const end = (): boolean => isEnding && (left -= 1) === 0;
      const storage = { ...own.storage, deliveries: endingAt(own.storage.deliveries, end) };
      let ended = 0;
      const run = async (): Promise<void> => {
        const runner = new SinkRunner(sink.id, { ...own.runnerDeps, storage });
        left = ends.next().value ?? 1;
        for (let steps = 0; steps < 60; steps += 1) {
          const next = await runner.step(new AbortController().signal);
          if (next.kind === 'wait') return;
        }
      };
      const live = async (): Promise<void> => {
        isEnding = true;
        await run().catch((error: unknown) => {
          if (!(error instanceof Ended)) throw error;
          ended += 1;
        });
        isEnding = false;
      };
      for (const [index, { tap, isFailed }] of events.entries()) {
        await own.match(taps[tap] ?? '', documentOf(index));
        if (isFailed) own.receiver.answers.push(busy);
        own.clock.ms += 20 * SECOND;
        await live();
      }
      own.receiver.answers.splice(0);
      for (let lives = 0; lives < 40; lives += 1) {
        own.clock.ms += 11 * HOUR;
        await run();
      }
      const told = own.receiver.messages.filter(
        ({ id }, index, all) => all.findIndex((one) => one.id === id) === index,
      );
      for (const tap of [0, 1]) {
        const expected = [...events.keys()].filter((index) => events[index]?.tap === tap);
        expect(numbersOf(told).filter((number) => events[number]?.tap === tap)).toEqual(expected);
      }
      // Attempts that are in no log were ended before they could be.
      const attempts = (await own.storage.deliveries.attempts(sink.id, { atMost: 10_000 })).length;
      expect(own.receiver.messages.length - attempts).toBeLessThanOrEqual(ended);
      expect(await own.storage.deliveries.sinkState(sink.id)).toMatchObject({ pending: 0, sent: told.length });
    }),
    { numRuns: 25, endOnFailure: true },
  );
});
