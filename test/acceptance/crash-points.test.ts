import { expect, test } from 'vitest';
import type { FaultPoint } from '../../src/daemon/fault-points.ts';
import { survived } from '../soak/crash.ts';
import type { LifePlan } from '../soak/crash/plan.ts';
import { World } from '../soak/crash/world.ts';

/** A sample: `npm run soak -- crash` takes all of them, in turns. */
const POINTS: readonly FaultPoint[] = [
  'visit:commit-events',
  'ingest:committed',
  'group:committed',
  'charge:spent',
  'start:restored',
  'clean:forgotten',
];
const SEED = 9;
/** Each comes by its point within a second, and is not waited for longer; this ends one that never does. */
const LONGEST_MS = 60_000;

const atPoint = (point: FaultPoint, index: number): LifePlan => ({
  fault: `${point}:${point.startsWith('start:') || point.startsWith('clean:') ? 1 : 2}`,
  longestMs: LONGEST_MS,
  fillsDisk: false,
  diesFull: false,
  tears: index % 2 === 0,
  damages: point === 'visit:commit-events',
});
const FULL: LifePlan = { fault: undefined, longestMs: 500, fillsDisk: true, diesFull: false, tears: true };

test('killed at steps of its commits, with torn writes, damaged journals and a full disk, under everything at once, the daemon keeps its word', async () => {
  const lives = [...POINTS.map(atPoint), FULL];
  const world = await World.start(SEED);
  try {
    const run = { kills: lives.length, seed: SEED, lives: lives.values() };
    const [table, ...findings] = await survived(world, run);
    expect(findings).toEqual([]);
    expect(table).toContain(`${POINTS.length}, of ${POINTS.length} kinds`);
  } finally {
    await world.close();
  }
}, 300_000);
