import { describe, expect, test } from 'vitest';
import { findStart, formatStart, type LogTimes, type StreamPosition } from '../../../src/daemon/stream/request.ts';

const HOUR = 3_600_000;
/** Partition 2, offsets 100 to 199 are kept; an hour ago the log stood at 150, ten hours ago at 40. */
const BOUNDS = { partition: 2, floor: 100, head: 200 };

/** Nine and a half hours ago is when the newest event matched that was dropped. */
const NOW = 100 * HOUR;
const DROPPED = NOW - 9.5 * HOUR;

function start(position: StreamPosition, bounds = BOUNDS, droppedUpTo = DROPPED): Promise<string> {
  return findStart(position, bounds, logWith(droppedUpTo)).then(formatStart);
}

function logWith(droppedUpTo: number): LogTimes {
  return {
    now: NOW,
    firstAt: (at) => Promise.resolve(at < NOW - 9 * HOUR ? 40 : 150),
    droppedUpTo: () => Promise.resolve(droppedUpTo),
  };
}

const id = (partition: number, offset: number): StreamPosition => ({ lastEventId: { partition, offset } });

describe('where a stream starts', () => {
  test.each<[string, StreamPosition, string]>([
    ['nothing asked: at the head', {}, '2-200; live'],
    ['after the last event seen', id(2, 119), '2-120; resumed'],
    ['after the newest event: nothing is missing', id(2, 199), '2-200; resumed'],
    ['the next one is the oldest kept: nothing is missing', id(2, 99), '2-100; resumed'],
    ['expired: at the oldest kept', id(2, 98), '2-100; clamped'],
    ['the very first event, long gone', id(2, 0), '2-100; clamped'],
    ['an id that was not given yet waits for live', id(2, 200), '2-200; ahead'],
    ['far beyond the head', id(2, 999_999_999_999_999), '2-200; ahead'],
    ['an older life of the log', id(1, 150), '2-100; clamped'],
    ['a later life, from a log that was since restored', id(3, 150), '2-100; clamped'],
    ['an offset that is kept', { offset: 120 }, '2-120; offset'],
    ['the oldest offset', { offset: 100 }, '2-100; offset'],
    ['an expired offset', { offset: 0 }, '2-100; clamped'],
    ['the offset of the next event', { offset: 200 }, '2-200; offset'],
    ['an offset beyond the head waits for live', { offset: 201 }, '2-200; ahead'],
    ['a window', { sinceMs: HOUR }, '2-150; since'],
    ['a window longer than the buffer', { sinceMs: 10 * HOUR }, '2-100; clamped'],
    ['a window that begins before the oldest kept, and lost nothing', { sinceMs: 9.4 * HOUR }, '2-100; since'],
    ['Last-Event-ID before offset', { ...id(2, 119), offset: 130 }, '2-120; resumed'],
    ['Last-Event-ID before since', { ...id(2, 119), sinceMs: HOUR }, '2-120; resumed'],
    ['a foreign Last-Event-ID still comes before offset', { ...id(1, 119), offset: 130 }, '2-100; clamped'],
    ['offset before since', { offset: 130, sinceMs: HOUR }, '2-130; offset'],
    ['offset 0 is an offset', { offset: 0, sinceMs: HOUR }, '2-100; clamped'],
    ['all three', { ...id(2, 119), offset: 130, sinceMs: HOUR }, '2-120; resumed'],
  ])('%s', async (_, position, expected) => {
    expect(await start(position)).toBe(expected);
  });

  test('says from when on the log is complete, where that is later than what was asked for', async () => {
    const keptFrom = async (position: StreamPosition, bounds = BOUNDS): Promise<number | undefined> =>
      (await findStart(position, bounds, logWith(DROPPED))).keptFrom;
    expect(await keptFrom({ sinceMs: 10 * HOUR })).toBe(DROPPED + 1);
    expect(await keptFrom({ sinceMs: 9.4 * HOUR })).toBeUndefined();
    expect(await keptFrom(id(2, 0))).toBe(DROPPED + 1);
    // Other taps have lost something; this one has all it ever had.
    expect(await keptFrom({ sinceMs: 10 * HOUR }, { partition: 2, floor: 0, head: 200 })).toBeUndefined();
  });

  test.each<[string, StreamPosition, string]>([
    ['live', {}, '0-0; live'],
    ['offset 0', { offset: 0 }, '0-0; offset'],
    ['since', { sinceMs: HOUR }, '0-0; since'],
    ['an id of before', id(0, 5), '0-0; ahead'],
  ])('on an empty log: %s', async (_, position, expected) => {
    expect(await start(position, { partition: 0, floor: 0, head: 0 })).toBe(expected);
  });
});
