import { expect, test } from 'vitest';
import { delivered } from '../soak/sinks.ts';

test('killed while ten sinks fail in every way, the daemon brings each event to each of them, and says what it could not bring', async () => {
  const { faults, rows, fallen } = await delivered({ events: 800, kills: 6, seed: 3, longLives: 0 });
  expect(faults).toEqual([]);
  const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((all, row) => all + of(row), 0);
  expect(rows.map(({ events }) => events).every((events) => events > 0)).toBe(true);
  expect(sum(({ folded }) => folded)).toBeGreaterThan(0);
  expect(sum(({ together }) => together)).toBeGreaterThan(0);
  expect(sum(({ parked }) => parked)).toBeGreaterThan(0);
  expect(sum(({ dropped }) => dropped)).toBeGreaterThan(0);
  expect(fallen).toBeGreaterThan(0);
}, 300_000);
