import { describe, expect, test } from 'vitest';
import { WatchKills } from './watch-kills.ts';
import { WATCH_FAULT_POINTS } from '../../src/daemon/fault-points.ts';

const WATCHES = 5;
/** At the same time, each with its share of the points. */
const DAEMONS = 2;

describe('kill -9 at each step of a check', () => {
  test('no change is lost, none is doubled, and the quota is counted once', async () => {
    const complaints = await Promise.all(
      Array.from({ length: DAEMONS }, async (_, share) => {
        const points = WATCH_FAULT_POINTS.filter((_point, index) => index % DAEMONS === share);
        const kills = await WatchKills.start({ watches: WATCHES, kills: points.length, seed: 7 + share });
        try {
          await kills.begin();
          for (const [index, point] of points.entries()) await kills.fall(point, 1 + ((index + share) % WATCHES));
          return await kills.complaints();
        } finally {
          await kills.close();
        }
      }),
    );
    expect(complaints.flat()).toEqual([]);
  });
});
