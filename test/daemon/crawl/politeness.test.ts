import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Asked } from '../../../src/daemon/crawl/host-request.ts';
import { afterRequest } from '../../../src/daemon/crawl/politeness.ts';
import type { FetchFailureReason, HttpAnswer } from '../../../src/daemon/fetch/fetched.ts';
import { type HostState, NEW_HOST } from '../../../src/daemon/storage/frontier.ts';
import { HOST_BYTES_A_DAY, HOST_FETCHES_A_DAY, LONGEST_HOST_REST_MS } from '../../../src/shared/limits.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Noon, so that a test of some hours does not come upon midnight. */
const NOON = 20_000 * DAY + 12 * HOUR;

function answer(status = 200, more: Partial<HttpAnswer> = {}): HttpAnswer {
  return { host: 'a.test', status, ms: 100, bytes: 1_000, address: '192.0.2.1', ...more };
}

interface Case extends Partial<Asked> {
  readonly delayMs?: number;
  readonly random?: number;
}

function after(hostState: HostState, { delayMs = SECOND, random = 0, ...asked }: Case): HostState {
  return afterRequest(
    { host: 'a.test', hostState },
    { at: NOON, crawlDelayMs: 0, ...asked },
    { delayMs },
    () => random,
  );
}

/** The next request is made as soon as it may be. */
function sequence(steps: readonly Case[], begin: HostState = NEW_HOST): HostState[] {
  const states: HostState[] = [];
  let host = begin;
  let at = NOON;
  for (const step of steps) {
    host = after(host, { at, ...step });
    states.push(host);
    at = host.notBefore;
  }
  return states;
}

function rests(steps: readonly Case[], begin?: HostState): number[] {
  let at = NOON;
  return sequence(steps, begin).map(({ notBefore }) => {
    const rest = notBefore - at;
    at = notBefore;
    return rest;
  });
}

function times<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}

const failing = (reason: FetchFailureReason, more: Partial<HttpAnswer> = {}): Case => ({
  failure: { reason, ...(Object.keys(more).length > 0 && { answer: answer(more.status ?? 200, more) }) },
});

describe('the rest after an answer', () => {
  test('is five times what reading it took, where that is longer than the answer', () => {
    expect(rests([{ answer: answer(), readMs: 3_000 }])).toEqual([15 * SECOND]);
    expect(rests([{ answer: answer(), readMs: 60_000 }])).toEqual([30 * SECOND]);
    expect(rests([{ answer: answer(), readMs: 20 }])).toEqual([SECOND]);
    expect(rests([{ answer: answer(), readMs: 3_000, delayMs: 0 }])).toEqual([0]);
  });

  test.each([
    ["is the operator's delay", { delayMs: 2 * SECOND, answer: answer() }, 2 * SECOND],
    ['is the crawl-delay where that is longer', { crawlDelayMs: 7.5 * SECOND, answer: answer() }, 7.5 * SECOND],
    ['is the delay where the crawl-delay is shorter', { crawlDelayMs: 100, answer: answer() }, SECOND],
    ['is five times the time to an answer', { answer: answer(200, { ms: 1_500 }) }, 7.5 * SECOND],
    ['is half a minute for the slowest', { answer: answer(200, { ms: 25_000 }) }, 30 * SECOND],
    ['is the same for 304', { answer: answer(304) }, SECOND],
    ['is the same for 404', { failure: { reason: 'status' as const, answer: answer(404) } }, SECOND],
    ['is held after robots.txt, too', { crawlDelayMs: 3 * SECOND }, 3 * SECOND],
    ['is none with a delay of 0, however slow the host', { delayMs: 0, answer: answer(200, { ms: 1_500 }) }, 0],
    ['is the crawl-delay with a delay of 0', { delayMs: 0, crawlDelayMs: 5_000, answer: answer() }, 5_000],
  ])('%s', (_, asked, restMs) => {
    expect(after(NEW_HOST, asked).notBefore - NOON).toBe(restMs);
  });

  test('follows the time to an answer, and not one slow answer', () => {
    const slow = { answer: answer(200, { ms: 2_000 }) };
    const quick = { answer: answer(200, { ms: 100 }) };
    expect(rests([quick, slow])[1]).toBeLessThan(5 * SECOND);
    expect(rests([quick, ...times(20, slow)])[20]).toBeGreaterThan(9.5 * SECOND);
    expect(rests([slow, ...times(20, quick)])[20]).toBe(SECOND);
  });

  test.each([429, 500, 502, 503, 504])('is not shortened by an error that comes fast: %i', (status) => {
    const slow = { answer: answer(200, { ms: 2_000 }) };
    const fast = { failure: { reason: 'status' as const, answer: answer(status, { ms: 1 }) } };
    const [usual = Number.NaN, first, second] = rests([slow, fast, slow]);
    expect(first).toBeGreaterThan(usual);
    expect(second).toBeGreaterThanOrEqual(usual);
  });

  test('does not take the answer of another host for its own', () => {
    const elsewhere = { host: 'b.test', ms: 20_000 };
    for (const status of [200, 429, 500, 503]) {
      const state = after(NEW_HOST, { answer: answer(status, { ...elsewhere, retryAfterMs: HOUR }) });
      expect(state).toMatchObject({ notBefore: NOON + SECOND, backoff: 0, failures: 0, responseMs: 0 });
    }
    const cutOff = { failure: { reason: 'reset' as const, answer: answer(200, elsewhere) } };
    expect(after({ ...NEW_HOST, failures: 3 }, cutOff).failures).toBe(0);
  });

  test('a redirect into nothing is neither held against a host, nor is it a proof that it is well', () => {
    const lost = failing('connect', { status: 302 });
    expect(after({ ...NEW_HOST, failures: 3 }, lost)).toMatchObject({ failures: 3, backoff: 0 });
    const circle = failing('redirects', { status: 302 });
    expect(after({ ...NEW_HOST, failures: 3 }, circle)).toMatchObject({ failures: 0, backoff: 0 });
  });
});

describe('a host that asks to be left alone', () => {
  const told = (status: number, retryAfterMs?: number): Case => ({
    failure: { reason: 'status', answer: answer(status, retryAfterMs === undefined ? {} : { retryAfterMs }) },
  });

  test.each([
    ['429', told(429, 120 * SECOND), 120 * SECOND],
    ['503', told(503, 120 * SECOND), 120 * SECOND],
    ['another error', told(403, 120 * SECOND), 120 * SECOND],
    ['a week, which is cut to a day', told(429, 7 * DAY), DAY],
    ['no time at all, which is no leave to hurry', told(429, 0), 2 * SECOND],
  ])('has the time it names: %s', (_, asked, restMs) => {
    const state = after(NEW_HOST, asked);
    expect(state).toMatchObject({ notBefore: NOON + restMs, backoffAt: NOON + restMs, backoff: 1 });
  });

  test('has the time it names with a delay of 0, too', () => {
    expect(after(NEW_HOST, { ...told(429, 1_500), delayMs: 0 }).notBefore).toBe(NOON + 1_500);
  });

  test('has a minute where it names none, then twice as long each time, up to a day', () => {
    const minutes = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 1_440, 1_440];
    expect(rests(times(13, told(429))).map((rest) => rest / MINUTE)).toEqual(minutes);
    expect(rests(times(13, told(503))).map((rest) => rest / MINUTE)).toEqual(minutes);
  });

  test('is told by the status why, for as long as it lasts', () => {
    expect(after(NEW_HOST, told(503)).backoffReason).toBe('503');
    expect(after(after(NEW_HOST, told(503)), { at: NOON + MINUTE, answer: answer() }).backoffReason).toBe('503');
  });

  test('is forgiven after half a quiet hour, counted from the end of the last time', () => {
    const five = sequence(times(5, told(429))).at(-1) ?? NEW_HOST;
    const end = five.notBefore;
    const quiet = (at: number): HostState => after(five, { at, answer: answer() });
    expect(quiet(end + 29 * MINUTE)).toMatchObject({ backoff: 5, backoffReason: '429' });
    expect(quiet(end + 30 * MINUTE)).toMatchObject({ backoff: 0, backoffReason: undefined });
    expect(after(five, { at: end + 29 * MINUTE, ...told(429) }).backoff).toBe(6);
    expect(after(five, { at: end + 30 * MINUTE, ...told(429) }).backoff).toBe(1);
  });

  test('is not forgiven for having been left alone for longer than that', () => {
    const eight = sequence(times(8, told(429)));
    expect(eight.map(({ backoff }) => backoff)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('has up to a tenth more, an hour at most, so that not all hosts come back at one moment, and never less', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat(2 * DAY), (random, ms) => {
        const rest = after(NEW_HOST, { ...told(429, ms), random }).notBefore - NOON;
        const asked = Math.max(Math.min(ms, DAY), 2 * SECOND);
        expect(rest).toBeGreaterThanOrEqual(asked);
        expect(rest).toBeLessThanOrEqual(asked + Math.ceil(Math.min(asked / 10, HOUR)));
      }),
    );
  });
});

describe('a host that fails', () => {
  const kinds: [string, Case][] = [
    ['dns', failing('dns')],
    ['tls', failing('tls')],
    ['connect', failing('connect')],
    ['timeout', failing('timeout')],
    ['reset', failing('reset')],
    ['reset', failing('reset', { status: 200 })],
    ['500', failing('status', { status: 500 })],
    ['502', failing('status', { status: 502 })],
  ];

  test.each(kinds)('rests twice as long each time, and from the fifth on is only looked at: %s', (reason, failure) => {
    const states = sequence(times(7, failure));
    const wanted = [2, 4, 8, 16, 60, 120, 240].map((seconds) => seconds * SECOND);
    expect(rests(times(7, failure))).toEqual(wanted);
    expect(states.map(({ failures }) => failures)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(states.map(({ backoff }) => backoff)).toEqual([0, 0, 0, 0, 1, 2, 3]);
    expect(states.at(-1)?.backoffReason).toBe(reason);
  });

  test('comes back with its first answer, and is asked as before', () => {
    const down = sequence(times(6, failing('connect'))).at(-1) ?? NEW_HOST;
    const up = after(down, { at: down.notBefore, answer: answer() });
    expect(up).toMatchObject({ failures: 0, notBefore: down.notBefore + SECOND });
  });

  test.each(['too_large', 'undecodable', 'content_type', 'empty', 'status'] as const)(
    'is not what a page is that cannot be used: %s',
    (reason) => {
      expect(after(NEW_HOST, failing(reason, { status: 404 }))).toMatchObject({ failures: 0, backoff: 0 });
    },
  );

  test.each(['private_address', 'bad_url'] as const)('is not what we refuse ourselves: %s', (reason) => {
    expect(after({ ...NEW_HOST, failures: 2 }, failing(reason))).toMatchObject({ failures: 2, backoff: 0 });
  });

  test.each([0, 1, 4, 5, 12])(
    'a host that failed %i times is soon tried again when our own network is in doubt',
    (failures) => {
      const host: HostState = { ...NEW_HOST, failures, backoff: Math.max(0, failures - 4), backoffReason: 'timeout' };
      const doubt: Case = { failure: { reason: 'aborted', isNetworkDoubt: true } };
      const doubted = sequence(times(3, doubt), host);
      const [rest = 0] = rests([doubt], host);
      expect(rest).toBeGreaterThanOrEqual(10 * SECOND);
      expect(rest).toBeLessThanOrEqual(MINUTE);
      expect(rests([{ ...doubt, random: 0.99 }], host)[0]).toBeGreaterThanOrEqual(29 * SECOND);
      for (const state of doubted) expect({ ...state, notBefore: 0 }).toEqual(host);
    },
  );

  test('nothing is learnt of what we called off ourselves', () => {
    const before = { ...NEW_HOST, failures: 2, backoff: 3, backoffAt: NOON - 1, fetches: 7, notBefore: NOON - 1 };
    const called = after(before, failing('aborted'));
    expect(called).toMatchObject({ failures: 2, backoff: 3, fetches: 7, notBefore: NOON + SECOND });
  });
});

describe('what is had of a host in a day', () => {
  const day = Math.floor(NOON / DAY);
  const tomorrow = (day + 1) * DAY;

  test('is counted, failures and robots.txt included, and begins anew with the day', () => {
    const states = sequence([{ answer: answer() }, {}, failing('timeout', { bytes: 500 })]);
    expect(states.at(-1)).toMatchObject({ day, fetches: 3, bytes: 1_500 });
    const next = after(states.at(-1) ?? NEW_HOST, { at: tomorrow, answer: answer() });
    expect(next).toMatchObject({ day: day + 1, fetches: 1, bytes: 1_000 });
  });

  test.each([
    ['requests', { fetches: HOST_FETCHES_A_DAY - 1, bytes: 0 }],
    ['bytes', { fetches: 0, bytes: HOST_BYTES_A_DAY - 1_000 }],
  ])('has an end: after so many %s the host rests until tomorrow', (_, had) => {
    const spent = after({ ...NEW_HOST, day, ...had }, { answer: answer(), random: 0.5 });
    const until = tomorrow + HOUR / 2;
    expect(spent).toMatchObject({ notBefore: until, backoffAt: until, backoffReason: 'budget', backoff: 1 });
    const before = after(
      { ...NEW_HOST, day, ...had, fetches: had.fetches - 1, bytes: had.bytes - 1 },
      { answer: answer() },
    );
    expect(before.notBefore).toBe(NOON + SECOND);
  });

  test('does not shorten a longer rest', () => {
    const told = { failure: { reason: 'status' as const, answer: answer(429, { retryAfterMs: DAY }) } };
    const spent = after({ ...NEW_HOST, day, fetches: HOST_FETCHES_A_DAY }, told);
    expect(spent).toMatchObject({ notBefore: NOON + DAY, backoffReason: '429' });
  });
});

describe('whatever a host does', () => {
  const reasons: FetchFailureReason[] = ['dns', 'tls', 'connect', 'timeout', 'reset', 'status', 'too_large', 'aborted'];
  const anyAnswer = fc.record(
    {
      host: fc.constantFrom('a.test', 'b.test'),
      status: fc.constantFrom(200, 301, 304, 403, 404, 429, 500, 503),
      ms: fc.nat(10 * MINUTE),
      bytes: fc.nat(100_000_000),
      address: fc.constant('192.0.2.1'),
      retryAfterMs: fc.nat(2 * DAY),
    },
    { requiredKeys: ['host', 'status', 'ms', 'bytes', 'address'] },
  );
  const anyStep: fc.Arbitrary<Case> = fc.oneof(
    fc.record({
      answer: anyAnswer,
      crawlDelayMs: fc.nat(MINUTE),
      random: fc.double({ min: 0, max: 0.999, noNaN: true }),
    }),
    fc.record({
      failure: fc.record({ reason: fc.constantFrom(...reasons), answer: anyAnswer }, { requiredKeys: ['reason'] }),
    }),
  );

  test('it rests at least as long as it and the operator asked, and never longer than the longest rest', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        const given = rests(steps);
        for (const [index, rest] of given.entries()) {
          const { crawlDelayMs = 0, answer: last, failure } = steps[index] ?? {};
          expect(rest).toBeGreaterThanOrEqual(Math.max(SECOND, crawlDelayMs));
          expect(rest).toBeLessThanOrEqual(LONGEST_HOST_REST_MS);
          const own = last ?? failure?.answer;
          const isAsking = failure?.reason !== 'aborted' && own?.host === 'a.test' && own.status >= 400;
          expect(rest).toBeGreaterThanOrEqual(isAsking ? Math.min(own.retryAfterMs ?? 0, DAY) : 0);
        }
      }),
    );
  });

  test('a restart is no amnesty: the state is numbers and words, and goes on from where it was kept', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 2, maxLength: 20 }), fc.nat(18), (steps, at) => {
        const kept = sequence(steps.slice(0, at)).at(-1) ?? NEW_HOST;
        // JSON leaves out what is undefined: so does a row of a table.
        const again = { ...NEW_HOST, ...(JSON.parse(JSON.stringify(kept)) as Partial<HostState>) };
        expect(again).toEqual(kept);
        expect(Object.values(kept).every((value) => typeof value !== 'number' || Number.isSafeInteger(value))).toBe(
          true,
        );
      }),
    );
  });

  test('a clock that was ahead does not keep a back-off alive', () => {
    const ahead = after(NEW_HOST, { at: NOON + 365 * DAY, failure: { reason: 'status', answer: answer(429) } });
    const first = after(ahead, { answer: answer() });
    expect(first).toMatchObject({ backoff: 1, backoffAt: NOON, notBefore: NOON + SECOND });
    expect(after(first, { at: NOON + HOUR, answer: answer() }).backoff).toBe(0);
  });
});
