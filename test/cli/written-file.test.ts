import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeWhole } from '../../src/cli/runtime/output.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'hydrant-file-'));
});
afterEach(async () => rm(directory, { recursive: true, force: true }));

describe('a file that is written whole', () => {
  test('takes the place of the one before, and leaves nothing else behind', async () => {
    const file = path.join(directory, 'feed.atom');
    await writeFile(file, 'old');
    await writeWhole(file, 'new');
    expect(await readFile(file, 'utf8')).toBe('new');
    expect(await readdir(directory)).toEqual(['feed.atom']);
  });

  test('that cannot be written says where and why, and leaves nothing behind', async () => {
    const file = path.join(directory, 'feed.atom');
    await expect(writeWhole(path.join(file, 'below'), 'new')).rejects.toThrow(/cannot write .*below: no such file/);
    await expect(writeWhole(directory, 'new')).rejects.toThrow(/cannot write/);
    expect(await readdir(directory)).toEqual([]);
    expect(
      (await readdir(path.dirname(directory))).filter((name) => name.startsWith(`${path.basename(directory)}.`)),
    ).toEqual([]);
  });
});
