import { describe, expect, test } from 'vitest';
import { hasPostgres, WITHOUT_POSTGRES } from '../postgres-cluster.ts';
import { onPostgres, onPostgresByThree, onSqlite } from './services.ts';
import { walk } from './walk.ts';

test('taps, rules, filters, keys, limits, credit, streams, restarts and crashes: the service does what a list of them would', async () => {
  expect(await walk(1_200)).toBeGreaterThanOrEqual(800);
}, 120_000);

test('the same on a disk: what was acknowledged is there after a crash', async () => {
  expect(await walk(120, { open: onSqlite })).toBeGreaterThanOrEqual(40);
}, 120_000);

test('three clients that ask at once are answered as in some order, on a disk too', async () => {
  expect(await walk(600, { isInterleaved: true })).toBeGreaterThanOrEqual(400);
  expect(await walk(120, { isInterleaved: true, open: onSqlite })).toBeGreaterThanOrEqual(40);
}, 120_000);

describe.skipIf(!hasPostgres)(`on PostgreSQL${hasPostgres ? '' : `: ${WITHOUT_POSTGRES}`}`, () => {
  test('one daemon does the same', async () => {
    expect(await walk(120, { open: onPostgres })).toBeGreaterThanOrEqual(40);
  }, 120_000);

  test('three daemons with a client each do the same, and what is asked at once is answered as in some order', async () => {
    expect(await walk(240, { isInterleaved: true, open: onPostgresByThree })).toBeGreaterThanOrEqual(80);
  }, 240_000);
});
