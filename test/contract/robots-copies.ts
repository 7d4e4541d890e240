import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RobotsCopies, RobotsCopy } from '../../src/daemon/storage/robots-copies.ts';
import type { Storage } from '../../src/daemon/storage/storage.ts';

/** The exam of every `RobotsCopies`. */
export function robotsCopiesContract(open: () => Promise<Storage>): void {
  describe('copies of robots.txt', () => {
    let storage: Storage;
    let robots: RobotsCopies;
    beforeEach(async () => {
      storage = await open();
      ({ robots } = storage);
    });
    afterEach(() => storage.close());

    test('there are none at first', async () => {
      expect(await robots.robotsCopy('http://a.example')).toBeUndefined();
      expect(await robots.robotsTotals()).toEqual({ copies: 0, bytes: 0, unreachable: 0 });
    });

    test('a copy is answered as it was saved, byte for byte, and for its origin alone', async () => {
      const file = Uint8Array.from({ length: 1_000 }, (_, index) => index % 256);
      const copy = robotsCopy('https://a.example:8443', { file });
      await robots.saveRobotsCopy(copy);
      expect(await robots.robotsCopy(copy.origin)).toEqual(copy);
      expect(await robots.robotsCopy('https://a.example')).toBeUndefined();
      expect(await robots.robotsTotals()).toEqual({ copies: 1, bytes: 1_000, unreachable: 0 });
    });

    test('an empty file is a file, and none is none', async () => {
      await robots.saveRobotsCopy(robotsCopy('http://a.example', { file: new Uint8Array() }));
      await robots.saveRobotsCopy(robotsCopy('http://b.example', { file: undefined }));
      expect(await robots.robotsCopy('http://a.example')).toMatchObject({ file: new Uint8Array() });
      expect(await robots.robotsCopy('http://b.example')).toMatchObject({ file: undefined });
    });

    test('a newer copy replaces the former one, also in the totals', async () => {
      await robots.saveRobotsCopy(robotsCopy('http://a.example', { file: new Uint8Array(500) }));
      const unreachable = { since: 2_000, reason: 'dns', detail: 'no address for a.example' };
      const newer = robotsCopy('http://a.example', { askedAt: 2_000, file: new Uint8Array(20), unreachable });
      await robots.saveRobotsCopy(newer);
      expect(await robots.robotsCopy('http://a.example')).toEqual(newer);
      expect(await robots.robotsTotals()).toEqual({ copies: 1, bytes: 20, unreachable: 1 });
      await robots.saveRobotsCopy({ ...newer, file: undefined, unreachable: undefined });
      expect(await robots.robotsTotals()).toEqual({ copies: 1, bytes: 0, unreachable: 0 });
    });

    test('those that answered are known by when they were asked last', async () => {
      expect(await robots.answeredLast(2)).toEqual([]);
      for (const [name, askedAt] of [
        ['a', 3_000],
        ['b', 1_000],
        ['c', 4_000],
        ['d', 2_000],
      ] as const) {
        await robots.saveRobotsCopy(robotsCopy(`http://${name}.example`, { askedAt, file: undefined }));
      }
      const unreachable = { since: 5_000, reason: 'timeout', detail: 'no connection' };
      await robots.saveRobotsCopy(robotsCopy('http://c.example', { askedAt: 5_000, unreachable }));
      expect(await robots.answeredLast(2)).toEqual(['http://a.example', 'http://d.example']);
    });

    test('what was saved is not changed by whoever goes on writing into it', async () => {
      const file = new Uint8Array(10);
      const saving = robots.saveRobotsCopy(robotsCopy('http://a.example', { file }));
      file.fill(7);
      await saving;
      expect(await robots.robotsCopy('http://a.example')).toMatchObject({ file: new Uint8Array(10) });
    });
  });
}

export function robotsCopy(origin: string, different: Partial<RobotsCopy> = {}): RobotsCopy {
  return {
    origin,
    askedAt: 1_000,
    expiresAt: 9_000,
    file: Buffer.from('User-agent: *'),
    unreachable: undefined,
    ...different,
  };
}
