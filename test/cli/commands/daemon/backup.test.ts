import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeWorkDir, unpackedBackup } from '../../../../src/cli/commands/daemon/backup.ts';
import type { Upkeep } from '../../../../src/cli/runtime/context.ts';
import type { BackupManifest } from '../../../../src/shared/api/backup.ts';
import { type Ran, run } from '../../harness.ts';

const manifest: BackupManifest = {
  format: 1,
  version: '0.1.0',
  created_at: '2026-02-27T00:00:00+00:00',
  schema: { catalog: 3, database: 9 },
  files: [{ name: 'secret', bytes: 5, sha256: '0'.repeat(64) }],
  holds: { organizations: 1, keys: 2, taps: 3, rules: 4, filters: 0, sources: 5 },
};

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'hydrant-backup-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

async function* archive(fault?: Error): AsyncGenerator<Uint8Array> {
  yield Buffer.from('the arch');
  if (fault) throw fault;
  yield Buffer.from('ive');
}

function upkeep(change: Partial<Upkeep> = {}): () => Promise<Upkeep> {
  const refuse = (): never => {
    throw new Error('not expected');
  };
  return async () => ({
    backUp: async () => ({ manifest, archive: archive() }),
    restore: refuse,
    salvage: refuse,
    migrate: refuse,
    inPostgres: async () => undefined,
    databaseHealth: refuse,
    leftBehind: async () => undefined,
    checkStore: refuse,
    settingsOf: refuse,
    rendererOf: refuse,
    ...change,
  });
}

function hydrant(
  words: readonly string[],
  change: Partial<Upkeep> = {},
  env: Record<string, string> = {},
): Promise<Ran> {
  return run([...words, '--data-dir', directory].slice(0, env['HYDRANT_URL'] === undefined ? undefined : -2), {
    env,
    upkeep: upkeep(change),
  });
}

const noRoom = Object.assign(new Error('/d has 1 MiB free; make room'), { name: 'StartFailure', kind: 'environment' });

describe('hydrant backup', () => {
  test.each([
    ['b.tar.zst', zstdDecompressSync],
    ['b.tar.gz', gunzipSync],
    ['b.tgz', gunzipSync],
    ['b.tar', (bytes: Buffer) => bytes],
  ])('packs %s as its name says, for its owner alone', async (name, unpack) => {
    const file = path.join(directory, name);
    const { code, stdout, stderr } = await hydrant(['backup', file]);
    expect([code, stdout]).toEqual([0, '']);
    expect(unpack(readFileSync(file)).toString()).toBe('the archive');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual([name]);
    expect(stderr).toContain('1 organization, 3 taps, 4 rules, 5 sources, 2 keys');
    expect(stderr).toContain('store it as you store passwords');
  });

  test('tells its manifest with --json, and its name with --quiet', async () => {
    const file = path.join(directory, 'b.tar');
    expect(JSON.parse((await hydrant(['backup', file, '--json'])).stdout)).toEqual({ file, ...manifest });
    expect((await hydrant(['backup', file, '--force', '--quiet'])).stdout).toBe(`${file}\n`);
  });

  test('that fails half-way leaves what was there, and nothing of its own', async () => {
    const file = path.join(directory, 'b.tar');
    writeFileSync(file, 'the one before');
    const backUp = async () => ({ manifest, archive: archive(noRoom) });
    const { code, stderr } = await hydrant(['backup', file, '--force'], { backUp });
    expect([code, stderr]).toEqual([1, expect.stringContaining('error: /d has 1 MiB free; make room')]);
    expect(readFileSync(file, 'utf8')).toBe('the one before');
    expect(readdirSync(directory)).toEqual(['b.tar']);
  });

  test.each([
    [['b.zip'], {}, 'a backup is called .tar.zst, .tar.gz or .tar'],
    [['b'], {}, 'try:'],
    [['b.tar'], { HYDRANT_URL: 'https://water.example' }, "works on the daemon's own machine only"],
  ])('of %j with %j is a usage error', async (words, env, message) => {
    const { code, stderr } = await hydrant(['backup', ...words], {}, env);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('is not written over a file, into a directory, or to a terminal', async () => {
    const file = path.join(directory, 'b.tar');
    writeFileSync(file, 'photos');
    expect((await hydrant(['backup', file])).stderr).toContain('already exists');
    expect(readFileSync(file, 'utf8')).toBe('photos');
    rmSync(file);
    const odd = mkdtempSync(path.join(directory, 'x'));
    expect((await hydrant(['backup', `${odd}/../${path.basename(odd)}/none/b.tar`])).stderr).toContain('ENOENT');
    const shown = await run(['backup', '-', '--data-dir', directory], { columns: 80, upkeep: upkeep() });
    expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining('cannot be written to a terminal')]);
  });

  test('to stdout is the archive and nothing else', async () => {
    const { code, stdout, stderr } = await hydrant(['backup', '-']);
    expect(code).toBe(0);
    // As text it is not what it was, but its beginning tells the form.
    expect(stdout.slice(0, 1)).toBe('(');
    expect(stderr).toContain('store it as you store passwords');
    expect(readdirSync(directory)).toEqual([]);
  });
});

test('hydrant restore hands over what is packed, and says what it became', async () => {
  const file = path.join(directory, 'b.tar.zst');
  writeFileSync(file, zstdCompressSync(Buffer.from('the archive')));
  const seen: string[] = [];
  const restore: Upkeep['restore'] = async (plan) => {
    for await (const chunk of plan.archive) seen.push(Buffer.from(chunk).toString());
    plan.onBegin(manifest);
    return manifest;
  };
  const { code, stderr } = await hydrant(['restore', file], { restore });
  expect([code, seen.join('')]).toEqual([0, 'the archive']);
  expect(stderr).toContain(`${directory} restored: 1 organization`);
  expect((await hydrant(['restore', `${file}.none`], { restore })).stderr).toContain('ENOENT');
});

test('a packing that is damaged or cut off is told as such', async () => {
  const packed = zstdCompressSync(Buffer.alloc(10_000, 'abc'));
  const all = async (bytes: Buffer): Promise<void> => {
    for await (const chunk of unpackedBackup(Readable.from([bytes]))) expect(chunk.length).toBeGreaterThan(0);
  };
  await all(packed);
  await expect(all(packed.subarray(0, -3))).rejects.toThrow('its compression is damaged, or it ends too early');
});

test('the work of a process that is no more is swept, that of a living one is not', async () => {
  const living = await makeWorkDir(directory);
  const dead = path.join(directory, '.hydrant-backup-999999999-abc');
  writeFileSync(dead, '');
  await makeWorkDir(directory);
  const names = readdirSync(directory);
  expect(names).toContain(path.basename(living));
  expect(names).not.toContain(path.basename(dead));
  expect(statSync(living).mode & 0o777).toBe(0o700);
  chmodSync(living, 0o700);
});
