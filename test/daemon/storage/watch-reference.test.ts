import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/daemon/storage/sqlite/schema/database.ts';
import { openMemory } from '../../reference/storage/memory.ts';
import { directPorts } from './direct-ports.ts';
import { temporaryDir } from './data-dirs.ts';
import { allOfWatches, type WatchPorts, watchHistory } from './watch-histories.ts';

/** Hundreds of histories are many commits, and what a power cut would do is not the question here. */
function openFast(): DatabaseSync {
  const database = openDatabase(join(temporaryDir(), 'hydrant.db'), 0);
  database.exec('PRAGMA synchronous = OFF');
  return database;
}

describe('the two implementations of watches', () => {
  test('answer everything alike after any history of watches and pages on the same hosts', async () => {
    await fc.assert(
      fc.asyncProperty(watchHistory, async (commands) => {
        const database = openFast();
        const sqlite: WatchPorts = { ...directPorts(database), ids: [] };
        const memory: WatchPorts = { ...openMemory(), ids: [] };
        for (const [name, run] of commands) {
          expect([name, await run(sqlite)]).toEqual([name, await run(memory)]);
        }
        expect(await allOfWatches(sqlite)).toEqual(await allOfWatches(memory));
        database.close();
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
