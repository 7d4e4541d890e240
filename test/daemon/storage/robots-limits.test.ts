import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/daemon/storage/sqlite/schema/database.ts';
import { RobotsStore } from '../../../src/daemon/storage/sqlite/crawl/robots-store.ts';
import { MemoryRobotsCopies } from '../../reference/storage/robots-copies.ts';
import type { RobotsCopies, RobotsLimits } from '../../../src/daemon/storage/robots-copies.ts';
import { robotsCopy } from '../../contract/robots-copies.ts';
import { temporaryDir } from './data-dirs.ts';

function sqlite(limits: RobotsLimits): RobotsCopies {
  const store = new RobotsStore(openDatabase(join(temporaryDir(), 'hydrant.db'), 0), limits);
  return {
    robotsCopy: async (origin) => store.copy(origin),
    saveRobotsCopy: async (copy) => {
      const saved = store.save(copy);
      // One a step, so that going on is tried, too.
      while (store.dropSome(saved, 1)) {
        // Until nothing is beyond the limits.
      }
    },
    robotsTotals: async () => store.totals(),
    answeredLast: async (atMost) => store.answeredLast(atMost),
  };
}

describe.each([
  ['memory', (limits: RobotsLimits): RobotsCopies => new MemoryRobotsCopies(limits)],
  ['sqlite', sqlite],
])('the limits of copies: %s', (_, open) => {
  const kept = async (copies: RobotsCopies, ...names: string[]): Promise<string[]> => {
    const found = await Promise.all(names.map((name) => copies.robotsCopy(name)));
    return found.flatMap((copy) => copy?.origin ?? []);
  };

  test('beyond the number, the one asked for longest ago goes', async () => {
    const copies = open({ copies: 2, bytes: 1_000 });
    await copies.saveRobotsCopy(robotsCopy('a', { askedAt: 5 }));
    await copies.saveRobotsCopy(robotsCopy('b', { askedAt: 3 }));
    await copies.saveRobotsCopy(robotsCopy('c', { askedAt: 4 }));
    expect(await kept(copies, 'a', 'b', 'c')).toEqual(['a', 'c']);
    expect(await copies.robotsTotals()).toMatchObject({ copies: 2 });
  });

  test('beyond the bytes, as many go as it takes, and never the one just saved', async () => {
    const copies = open({ copies: 10, bytes: 100 });
    for (const [index, name] of ['a', 'b', 'c', 'd'].entries()) {
      await copies.saveRobotsCopy(robotsCopy(name, { askedAt: index, file: new Uint8Array(25) }));
    }
    await copies.saveRobotsCopy(robotsCopy('e', { askedAt: 0, file: new Uint8Array(60) }));
    expect(await kept(copies, 'a', 'b', 'c', 'd', 'e')).toEqual(['d', 'e']);
    await copies.saveRobotsCopy(robotsCopy('huge', { askedAt: 9, file: new Uint8Array(500) }));
    expect(await kept(copies, 'd', 'e', 'huge')).toEqual(['huge']);
    expect(await copies.robotsTotals()).toEqual({ copies: 1, bytes: 500, unreachable: 0 });
  });
});
