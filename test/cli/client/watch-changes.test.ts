import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WatchNews, WatchNewsItem } from '../../../src/shared/api/watch.ts';
import { Refused, Unreachable } from '../../../src/cli/client/transport.ts';
import { cursorBefore, followedChanges, type Outage } from '../../../src/cli/client/watch-changes.ts';
import type { ChangesAsked } from '../../../src/cli/client/watches.ts';
import { CHANGE } from '../../shared/documents/change-sample.ts';

function item(cursor: number, ms = cursor): WatchNewsItem {
  const watch = { id: 'w', url: 'https://example.org/' };
  return { cursor, watch, check: { ...CHANGE, at: new Date(ms).toISOString() } };
}

const away = (): Error => new Unreachable({ kind: 'socket', path: '/run/admin.sock' }, new Error('gone'));
const stopping = (): Error => new Refused({ status: 503, headers: {} }, {});

/** A daemon that answers, or fails, in the order of a script; then it never answers. */
function daemonOf(script: readonly (WatchNews | Error)[]) {
  const asked: ChangesAsked[] = [];
  const changes = async (question: ChangesAsked = {}): Promise<WatchNews> => {
    const next = script[asked.length];
    asked.push(question);
    if (next === undefined) return new Promise(() => {});
    if (next instanceof Error) throw next;
    return next;
  };
  return { asked, watches: { changes } };
}

async function followed(script: readonly (WatchNews | Error)[], count: number) {
  const { asked, watches } = daemonOf(script);
  const leaving = new AbortController();
  const outages: (Outage | undefined)[] = [];
  const waits: number[] = [];
  const cursors: number[] = [];
  const following = followedChanges({
    watches,
    after: 0,
    signal: leaving.signal,
    now: () => 0,
    random: () => 0.5,
    onOutage: (outage) => outages.push(outage),
    wait: async (ms) => waits.push(ms),
  });
  for await (const { cursor } of following) {
    cursors.push(cursor);
    if (cursors.length === count) break;
  }
  return { asked: asked.map(({ after }) => after), outages, waits, cursors };
}

describe('following the changes of watches', () => {
  test('finds a daemon that was away again, leaves nothing out and tells nothing twice', async () => {
    const found = await followed(
      [
        { changes: [item(1)], cursor: 1 },
        away(),
        stopping(),
        // A daemon that repeats itself.
        { changes: [item(1), item(2)], cursor: 2 },
        { changes: [], cursor: 2 },
        { changes: [item(5)], cursor: 5 },
      ],
      3,
    );
    expect(found.cursors).toEqual([1, 2, 5]);
    expect(found.asked).toEqual([0, 1, 1, 1, 2, 2]);
    expect(found.outages.map((outage) => outage?.delayMs)).toEqual([...found.waits, undefined]);
    expect(found.waits[0]).toBeLessThan(found.waits[1] ?? 0);
  });

  test('goes on behind what it has told, whatever cursor an empty answer has', async () => {
    const found = await followed(
      [
        { changes: [item(7)], cursor: 7 },
        { changes: [], cursor: 3 },
        { changes: [item(8)], cursor: 8 },
      ],
      2,
    );
    expect(found.asked).toEqual([0, 7, 7]);
  });

  test('ends with what is no outage', async () => {
    await expect(followed([new Refused({ status: 403, headers: {} }, {})], 1)).rejects.toThrow('403');
  });

  test('ends at once when it is left while the daemon is away', async () => {
    const leaving = new AbortController();
    const following = followedChanges({
      ...daemonOf([away()]),
      after: 0,
      signal: leaving.signal,
      now: () => 0,
      random: () => 0.5,
      onOutage: () => leaving.abort(),
    });
    expect(await following.next()).toEqual({ done: true, value: undefined });
  });
});

describe('where to begin for a time', () => {
  test('is right before the first change since then, whatever cursors there are', async () => {
    const log = fc
      .uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 40 })
      .map((cursors) => cursors.toSorted((one, other) => one - other));
    await fc.assert(
      fc.asyncProperty(log, fc.integer({ min: 0, max: 510 }), async (cursors, instant) => {
        let questions = 0;
        const changes = async ({ after = 0, newest }: ChangesAsked = {}): Promise<WatchNews> => {
          questions += 1;
          const cursor = newest === true ? cursors.at(-1) : cursors.find((one) => one > after);
          return { changes: cursor === undefined ? [] : [item(cursor)], cursor: cursor ?? after };
        };
        const before = await cursorBefore({ changes }, instant);
        expect(cursors.find((one) => one > before)).toBe(cursors.find((one) => one >= instant));
        expect(questions).toBeLessThanOrEqual(2 + Math.ceil(Math.log2(500)));
      }),
    );
  });
});
