import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noRoom } from '../../../src/daemon/storage/sqlite/files/data-dir.ts';
import { temporaryDir } from './data-dirs.ts';

const writer = join(import.meta.dirname, '../../fixtures/storage-writer.ts');

test('a limit of the process, which SQLite calls an error of the disk, is told as what it is', () => {
  const dataDir = temporaryDir();
  const limited = ['-c', 'ulimit -f 4096; exec "$@"', 'sh', process.execPath, writer, dataDir, 'visits'];
  const { stderr } = spawnSync('sh', limited, { encoding: 'utf8' });
  expect(stderr).toMatch(/disk I\/O error[^]*code: 'EFBIG'/);
  expect(readdirSync(dataDir).filter((name) => name.includes('trial'))).toEqual([]);
});

const failed = (errcode: number): Error => Object.assign(new Error('failed'), { errcode });

test('only what has no room is told so: a write that would succeed elsewhere has failed for another reason', () => {
  const database = join(temporaryDir(), 'hydrant.db');
  writeFileSync(`${database}-wal`, 'journal');
  expect(noRoom(failed(13), database)).toBe('ENOSPC');
  expect(noRoom(failed(778), database)).toBeUndefined();
  expect(noRoom(failed(10), database)).toBeUndefined();
  expect(noRoom(new Error('failed'), database)).toBeUndefined();
});
