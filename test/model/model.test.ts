import { expect, test } from 'vitest';
import { walk } from './walk.ts';

test('taps, rules, filters, keys, limits, credit, streams, restarts and crashes: the service does what a list of them would', async () => {
  expect(await walk(1_500)).toBeGreaterThanOrEqual(1_000);
}, 120_000);
