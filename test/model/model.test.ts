import { expect, test } from 'vitest';
import { DirectoryDisk } from './disk.ts';
import { walk } from './walk.ts';

test('taps, rules, filters, keys, limits, credit, streams, restarts and crashes: the service does what a list of them would', async () => {
  expect(await walk(1_200)).toBeGreaterThanOrEqual(800);
}, 120_000);

test('the same on a disk: what was acknowledged is there after a crash', async () => {
  expect(await walk(120, undefined, () => new DirectoryDisk())).toBeGreaterThanOrEqual(40);
}, 120_000);
