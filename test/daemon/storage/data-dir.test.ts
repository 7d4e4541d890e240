import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { StartFailure } from '../../../src/daemon/start-failure.ts';
import { DAEMON_NOTICE } from '../../../src/shared/daemon-notice.ts';
import { openIn, temporaryDir } from './data-dirs.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('the data directory', () => {
  test('is made with its parents, and only its owner can look into it', async () => {
    const dataDir = join(temporaryDir(), 'not', 'there', 'yet');
    await openIn(dataDir);
    expect(modeOf(dataDir)).toBe(0o700);
    const open = readdirSync(dataDir).filter((name) => modeOf(join(dataDir, name)) !== 0o600);
    expect(open).toEqual([]);
    expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['catalog.json', 'hydrant.db', 'lock']));
  });

  test('admits one daemon, and names the one that is there', async () => {
    const dataDir = temporaryDir();
    const first = await openIn(dataDir);
    writeFileSync(join(dataDir, DAEMON_NOTICE), JSON.stringify({ pid: process.pid }));
    const fix = 'stop it, or give this one its own --data-dir';
    const refusal = new StartFailure(
      'environment',
      `another hydrantd (pid ${process.pid}) is using ${dataDir}; ${fix}`,
    );
    await expect(openIn(dataDir)).rejects.toThrow(refusal);
    await first.close();
    await openIn(dataDir);
  });

  test.each([
    ['no notice', undefined],
    ['the notice of a daemon that was killed', JSON.stringify({ pid: 2 ** 22 + 1 })],
    ['a notice that is no JSON', '{'],
    ['a notice without a pid', '{}'],
  ])('with %s, the holder has no name', async (_, notice) => {
    const dataDir = temporaryDir();
    await openIn(dataDir);
    if (notice !== undefined) writeFileSync(join(dataDir, DAEMON_NOTICE), notice);
    await expect(openIn(dataDir)).rejects.toThrow(`another hydrantd is using ${dataDir}; stop it`);
  });

  test('a refused second daemon does not take the lock away from the first', async () => {
    const dataDir = temporaryDir();
    await openIn(dataDir);
    await expect(openIn(dataDir)).rejects.toThrow('is using');
    await expect(openIn(dataDir)).rejects.toThrow('is using');
  });

  test('a start that fails lets go of the lock', async () => {
    const dataDir = temporaryDir();
    writeFileSync(join(dataDir, 'catalog.json'), '{');
    await expect(openIn(dataDir)).rejects.toThrow('is damaged');
    await expect(openIn(dataDir)).rejects.toThrow('is damaged');
  });

  test('a file in its place, or on the way to it, is named with the way out', async () => {
    const path = join(temporaryDir(), 'file');
    writeFileSync(path, '');
    for (const dataDir of [path, join(path, 'below')]) {
      await expect(openIn(dataDir)).rejects.toThrow(`the data directory ${dataDir} cannot be used: a file `);
      await expect(openIn(dataDir)).rejects.toMatchObject({ kind: 'configuration' });
      await expect(openIn(dataDir)).rejects.toThrow('give a directory that this user may write to with --data-dir');
    }
  });

  test('what stands in the place of one of its files is named', async () => {
    const dataDir = temporaryDir();
    mkdirSync(join(dataDir, 'catalog.json'));
    const opening = openIn(dataDir);
    await expect(opening).rejects.toThrow(`${dataDir} cannot be used: a directory is in the way`);
    await expect(opening).rejects.toMatchObject({ name: 'StartFailure' });
  });

  // Root may write everywhere.
  test.skipIf(process.getuid?.() === 0)('a directory of someone else is refused', async () => {
    const dataDir = join(temporaryDir(), 'theirs');
    mkdirSync(dataDir, { mode: 0o500 });
    await expect(openIn(dataDir)).rejects.toThrow(`${dataDir} cannot be used: this user may not write there`);
  });

  test('closing twice is closing once, and closed storage refuses', async () => {
    const storage = await openIn(temporaryDir());
    await Promise.all([storage.close(), storage.close()]);
    await storage.close();
    await expect(storage.eventLog.count()).rejects.toThrow('the storage is closed');
    await expect(storage.frontier.removeSource('s')).rejects.toThrow('the storage is closed');
    await expect(storage.catalog.update(() => undefined)).rejects.toThrow('the catalog is closed');
  });
});
