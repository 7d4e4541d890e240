import { seeded } from '../fixtures/series.ts';
import { WatchKills } from '../acceptance/watch-kills.ts';
import { WATCH_FAULT_POINTS } from '../../src/daemon/fault-points.ts';

const WATCHES = 12;
const LONGEST_LIFE_MS = 1_500;

/** kill -9, so many times, at steps of a check and at any other moment: each version of a watched page has one entry. */
export async function watchKills(times: number): Promise<string[]> {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const random = seeded(seed);
  const kills = await WatchKills.start({ watches: WATCHES, kills: times, seed });
  try {
    await kills.begin();
    for (let kill = 0; kill < times; kill += 1) {
      const point = WATCH_FAULT_POINTS[Math.floor(random() * WATCH_FAULT_POINTS.length * 2)];
      if (point === undefined) await kills.kill(random() * LONGEST_LIFE_MS);
      else await kills.fall(point, 1 + Math.floor(random() * WATCHES * 2));
      if ((kill + 1) % 10 === 0) process.stderr.write(`  ${kill + 1} of ${times} kills\n`);
    }
    const faults = await kills.complaints();
    return [`${times} kills of ${WATCHES} watches (seed ${seed})`, ...faults.map((fault) => `FAULT: ${fault}`)];
  } finally {
    await kills.close();
  }
}
