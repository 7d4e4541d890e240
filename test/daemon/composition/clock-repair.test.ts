import { beforeEach, expect, test } from 'vitest';
import { ClockRepair } from '../../../src/daemon/composition/clock-repair.ts';
import { openMemory } from '../../reference/storage/memory.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';
import { append, seed, versionOf, visitOf } from '../../fixtures/visits.ts';

const NOW = Date.UTC(2026, 5, 1);
const AHEAD = Date.UTC(2027, 5, 1);

let storage: Storage;
let now: number;
let notes: string[];
let repair: ClockRepair;
beforeEach(() => {
  storage = openMemory();
  now = NOW;
  notes = [];
  const onRepaired = (message: string): void => void notes.push(message);
  repair = new ClockRepair({ storage, outside: { now: () => now }, onRepaired });
});

test('what a clock that was ahead has written is put right, and said once', async () => {
  await append(storage, AHEAD, 't');
  await append(storage, NOW - 5_000, 't');
  const page = await seed(storage.frontier, 's');
  await storage.pages.commit(visitOf(page, { at: AHEAD, version: versionOf('x'), recent: new Uint8Array(1) }));
  await repair.run();
  await repair.run();
  expect(notes).toEqual([
    'the clock was ahead and had written 2 events and 1 recent change later than now; they now have the current time, and are kept for a day from it',
  ]);
  expect(await append(storage, NOW + 1, 't')).toMatchObject([{ at: NOW + 1 }]);
});

test('a clock that is right finds nothing to say', async () => {
  await append(storage, NOW, 't');
  await repair.run();
  expect(notes).toEqual([]);
});

test('a clock that cannot be right repairs nothing: by it all would be thrown away when it is set', async () => {
  await append(storage, NOW, 't');
  now = 0;
  await repair.run();
  expect(notes).toEqual([]);
  expect(await storage.eventLog.read('t', 0, { events: 1, bytes: 1 })).toMatchObject([{ at: NOW }]);
});
