import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  digestAfter,
  isQuiet,
  parseDigest,
  parseQuiet,
  parseRate,
  quietUntil,
  quotaAt,
  type QuietHours,
} from '../../../src/daemon/notify/schedule.ts';

const at = (text: string): number => Date.parse(text);
const shown = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString();
const MINUTE = 60_000;
const DAY = 86_400_000;
const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe');
/** Years with a day on which the clock is set, in each of the zones that has one. */
const instants = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-12-31T00:00:00Z') });
const minutes = fc.integer({ min: 0, max: 1_439 });

/** What a clock on the wall shows, by another way than the one under test: `2026-03-29 02:30`. */
function wall(ms: number, zone: string): string {
  return new Date(ms).toLocaleString('sv-SE', { timeZone: zone }).slice(0, 16);
}

function timeOf(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}

describe('what is written of a schedule', () => {
  test.each([
    ['1h', { kind: 'every', ms: 3_600_000 }],
    ['5m', { kind: 'every', ms: 300_000 }],
    ['7d', { kind: 'every', ms: 7 * DAY }],
    ['08:00', { kind: 'daily', minute: 480 }],
    ['23:59', { kind: 'daily', minute: 1_439 }],
    ['4m', undefined],
    ['8d', undefined],
    ['24:00', undefined],
    ['8:00', undefined],
    ['', undefined],
  ])('the digest %s', (text, times) => expect(parseDigest(text)).toEqual(times));

  test.each([
    ['22:00-07:00', { from: 1_320, to: 420 }],
    ['00:00-00:01', { from: 0, to: 1 }],
    ['07:00-07:00', undefined],
    ['22:00', undefined],
    ['22:00-07:00-08:00', undefined],
  ])('the quiet hours %s', (text, hours) => expect(parseQuiet(text)).toEqual(hours));

  test.each([
    ['20/h', { messages: 20, ms: 3_600_000 }],
    ['1/m', { messages: 1, ms: MINUTE }],
    ['200/d', { messages: 200, ms: DAY }],
    ['0/h', undefined],
    ['201/h', undefined],
    ['20', undefined],
  ])('the rate %s', (text, rate) => expect(parseRate(text)).toEqual(rate));
});

describe('digests', () => {
  test.each([
    ['an interval ends on its full multiples', '1h', 'UTC', '2026-05-01T10:00:00Z', '2026-05-01T11:00:00.000Z'],
    ['and within one', '30m', 'UTC', '2026-05-01T10:29:59Z', '2026-05-01T10:30:00.000Z'],
    ['in winter', '08:00', 'Europe/Berlin', '2026-01-10T07:00:00Z', '2026-01-11T07:00:00.000Z'],
    ['in summer', '08:00', 'Europe/Berlin', '2026-07-10T05:59:59Z', '2026-07-10T06:00:00.000Z'],
    [
      'a time that is left out comes an hour later',
      '02:30',
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:30:00.000Z',
    ],
    [
      'a time that comes twice counts once',
      '02:30',
      'Europe/Berlin',
      '2026-10-24T12:00:00Z',
      '2026-10-25T00:30:00.000Z',
    ],
    ['and then on the next day', '02:30', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
  ])('%s', (_, text, zone, after, next) => {
    const times = parseDigest(text);
    expect(times && shown(digestAfter(times, zone, at(after)))).toBe(next);
  });

  test('a daily digest comes once a day: the next is the only one until then, at its time or, where that is left out, behind it', () => {
    fc.assert(
      fc.property(instants, minutes, zones, (after, minute, zone) => {
        const next = digestAfter({ kind: 'daily', minute }, zone, after);
        expect(next).toBeGreaterThan(after);
        expect(next - after).toBeLessThanOrEqual(DAY + 2 * 3_600_000);
        const [day = '', time = ''] = wall(next, zone).split(' ');
        const wanted = timeOf(minute);
        // Nowhere is a clock put forward by more than an hour, here.
        const isLeftOut = !wall(next - 3_600_000, zone).endsWith(wanted);
        expect(time === wanted || isLeftOut).toBe(true);
        expect(time >= wanted).toBe(true);
        // The next one is of another day.
        const later = digestAfter({ kind: 'daily', minute }, zone, next);
        expect(wall(later, zone).slice(0, 10) > day).toBe(true);
      }),
    );
  });
});

describe('quiet hours', () => {
  const nights: QuietHours = { from: 1_320, to: 420 };

  test.each([
    ['before them', '2026-07-10T19:59:00Z', undefined],
    ['from their first minute on', '2026-07-10T20:00:00Z', '2026-07-11T05:00:00.000Z'],
    ['past midnight', '2026-07-11T03:12:34Z', '2026-07-11T05:00:00.000Z'],
    ['their last minute is not one of them', '2026-07-11T05:00:00Z', undefined],
    ['the night is shorter where the clock is put forward', '2026-03-28T21:00:00Z', '2026-03-29T05:00:00.000Z'],
    ['and longer where it is put back', '2026-10-24T20:00:00Z', '2026-10-25T06:00:00.000Z'],
  ])('%s', (_, now, until) => expect(shown(quietUntil(nights, 'Europe/Berlin', at(now)))).toBe(until));

  test('end at the first minute that is not one of them, however the clock is set', () => {
    fc.assert(
      fc.property(instants, minutes, minutes, zones, (now, from, to, zone) => {
        fc.pre(from !== to);
        const quiet = { from, to };
        const time = wall(now, zone).slice(11);
        const [start, end] = [timeOf(from), timeOf(to)];
        const isWithin = start < end ? time >= start && time < end : time >= start || time < end;
        const until = quietUntil(quiet, zone, now);
        expect(until !== undefined).toBe(isWithin);
        if (until === undefined) return;
        expect(isQuiet(quiet, zone, until)).toBe(false);
        for (let minute = Math.ceil((now + 1) / MINUTE) * MINUTE; minute < until; minute += 7 * MINUTE) {
          expect(isQuiet(quiet, zone, minute)).toBe(true);
        }
        expect(isQuiet(quiet, zone, until - MINUTE)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe('so many messages at most', () => {
  test('in no span of that length are there more, and none waits longer than it has to', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 60 }), gaps, (messages, ms, waits) => {
        const rate = { messages, ms };
        const sent: number[] = [];
        let now = 1_000;
        for (const wait of waits) {
          now += wait;
          const { left, from } = quotaAt(rate, sent, now);
          if (left > 0) {
            sent.push(now);
            continue;
          }
          expect(from).toBeGreaterThan(now);
          expect(quotaAt(rate, sent, from - 1).left).toBe(0);
          expect(quotaAt(rate, sent, from).left).toBeGreaterThan(0);
        }
        for (const [index, first] of sent.entries()) {
          const beyond = sent[index + messages];
          expect((beyond ?? Infinity) - first).toBeGreaterThanOrEqual(ms);
        }
      }),
    );
  });

  test('what a clock that was ahead has noted holds nobody up', () => {
    expect(quotaAt({ messages: 1, ms: 100 }, [9_000], 1_000)).toEqual({ left: 1, from: 1_000 });
  });
});
