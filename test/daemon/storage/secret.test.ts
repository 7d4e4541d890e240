import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { outside } from '../../../src/daemon/outside.ts';
import { openSecret } from '../../../src/daemon/storage/sqlite/files/data-dir.ts';
import { temporaryDir } from './data-dirs.ts';

describe("the instance's secret", () => {
  test('is made once, of 32 bytes, for its owner alone', async () => {
    const dataDir = temporaryDir();
    const secret = await openSecret(dataDir, outside);
    expect(secret).toHaveLength(32);
    expect(new Uint8Array(readFileSync(join(dataDir, 'secret')))).toEqual(new Uint8Array(secret));
    expect(statSync(join(dataDir, 'secret')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['secret']);
    expect(new Uint8Array(await openSecret(dataDir, outside))).toEqual(new Uint8Array(secret));
  });

  test('two instances have two secrets', async () => {
    const [one, other] = await Promise.all([openSecret(temporaryDir(), outside), openSecret(temporaryDir(), outside)]);
    expect(one).not.toEqual(other);
  });

  test.each([0, 31, 33])('one of %i bytes stops the start, with the way out, and is not touched', async (length) => {
    const dataDir = temporaryDir();
    const path = join(dataDir, 'secret');
    writeFileSync(path, Buffer.alloc(length, 7));
    const opening = openSecret(dataDir, outside);
    await expect(opening).rejects.toThrow(
      `${path} is damaged: it has ${length} bytes instead of 32. Restore the one from your backup`,
    );
    await expect(opening).rejects.toMatchObject({ kind: 'configuration' });
    expect(readFileSync(path)).toHaveLength(length);
  });
});
