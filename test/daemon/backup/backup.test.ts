import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  paddingOf,
  readBackup,
  readTarHeader,
  type Receiver,
  TAR_END,
  tarHeader,
} from '../../../src/daemon/backup/backup.ts';
import type { BackupManifest } from '../../../src/shared/api/backup.ts';

const contents = { 'hydrant.db': 'pages '.repeat(300), 'catalog.json': '{"schema":3}', secret: 's'.repeat(32) };

function manifestOf(files: Readonly<Record<string, string>>): object {
  return {
    format: 1,
    version: '0.1.0',
    created_at: '2026-02-27T00:00:00+00:00',
    schema: { catalog: 3, database: 9 },
    files: Object.entries(files).map(([name, text]) => ({
      name,
      bytes: Buffer.byteLength(text),
      sha256: createHash('sha256').update(text).digest('hex'),
    })),
    holds: { organizations: 1, keys: 1, taps: 1, rules: 1, filters: 0, sources: 0 },
  };
}

function entry(name: string, text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([tarHeader({ name, bytes: bytes.length }, 0), bytes, Buffer.alloc(paddingOf(bytes.length))]);
}

function archive(manifest: object = manifestOf(contents), files: Readonly<Record<string, string>> = contents): Buffer {
  const entries = Object.entries(files).map(([name, text]) => entry(name, text));
  return Buffer.concat([entry('manifest.json', JSON.stringify(manifest)), ...entries, TAR_END]);
}

class Kept implements Receiver {
  readonly files: Record<string, string> = {};
  readonly whole: string[] = [];
  manifest: BackupManifest | undefined;

  async begin(manifest: BackupManifest): Promise<void> {
    this.manifest = manifest;
  }

  async receive(name: string, chunk: Uint8Array | undefined): Promise<void> {
    if (chunk === undefined) this.whole.push(name);
    else this.files[name] = (this.files[name] ?? '') + Buffer.from(chunk).toString('latin1');
  }
}

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Buffer, size = 4_096): Promise<Kept> {
  const kept = new Kept();
  await readBackup(cut(bytes, size), kept);
  return kept;
}

describe('a backup', () => {
  test('gives back what was put into it, however it is cut', async () => {
    for (const size of [1, 511, 512, 513, 100_000]) {
      const kept = await read(archive(), size);
      expect(kept.files).toEqual(contents);
      expect(kept.whole).toEqual(Object.keys(contents));
      expect(kept.manifest).toEqual(manifestOf(contents));
    }
  });

  test('that is cut off anywhere is none', async () => {
    const whole = archive();
    const end = whole.length - TAR_END.length;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: end - 1 }), async (length) => {
        await expect(read(whole.subarray(0, length))).rejects.toThrow('this is not a complete backup');
      }),
      { numRuns: 60 },
    );
  });

  test('with a stream of nothing behind its end is none, however small it was packed', async () => {
    let taken = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield archive();
      for (; taken < 1_000; taken += 1) yield new Uint8Array(64 * 1_024);
    }
    await expect(readBackup(endless(), new Kept())).rejects.toThrow('there is more data after its end');
    expect(taken).toBeLessThan(20);
  });

  test('with any byte of a file changed is none, and says which file', async () => {
    const at = archive().indexOf('pages ');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1_799 }), async (offset) => {
        const bytes = archive();
        bytes.writeUInt8(bytes.readUInt8(at + offset) ^ 1, at + offset);
        await expect(read(bytes)).rejects.toThrow('hydrant.db differs from what was written');
      }),
      { numRuns: 20 },
    );
  });

  test.each([
    ['../../etc/passwd', 'its manifest is incomplete'],
    ['/etc/passwd', 'its manifest is incomplete'],
    ['hydrant.db/../../x', 'its manifest is incomplete'],
  ])('whose manifest names %s writes nothing', async (name, message) => {
    const files = { [name]: 'x', 'catalog.json': '{}', secret: 's' };
    const kept = new Kept();
    await expect(readBackup(cut(archive(manifestOf(files), files), 512), kept)).rejects.toThrow(message);
    expect(kept.files).toEqual({});
  });

  test('whose archive holds another name than its manifest says stops there', async () => {
    const other = { '../hydrant.db': contents['hydrant.db'], 'catalog.json': '{}', secret: 's' };
    await expect(read(archive(manifestOf(contents), other))).rejects.toThrow(
      'it has "../hydrant.db" in the place of hydrant.db',
    );
  });

  test('with a link in it is none', async () => {
    const bytes = archive();
    const at = bytes.indexOf('hydrant.db\0');
    bytes.write('2', at + 156, 'latin1');
    // The sum of the header, with a link's type in it.
    const sum = Number.parseInt(bytes.toString('latin1', at + 148, at + 154), 8) + 2;
    bytes.write(sum.toString(8).padStart(6, '0'), at + 148, 'latin1');
    await expect(read(bytes)).rejects.toThrow('hydrant.db is missing');
  });

  test.each([
    [{ format: 2 }, 'a format that this version of hydrant does not know'],
    [{ files: [] }, 'its manifest is incomplete'],
    [{ schema: { catalog: 3 } }, 'its manifest is incomplete'],
    [{ holds: { taps: -1 } }, 'its manifest is incomplete'],
  ])('with %j in its manifest is none', async (change, message) => {
    await expect(read(archive({ ...manifestOf(contents), ...change }))).rejects.toThrow(message);
  });

  test('is no text file, no empty file and no other archive', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('hello'), Buffer.alloc(4_096), entry('x', 'y')]) {
      await expect(read(bytes)).rejects.toThrow('this is not a complete backup');
    }
  });
});

test('a header of a file says its size, also beyond what octal digits can', () => {
  const sizes = fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 8 ** 11 - 2, max: 2 ** 45 }));
  fc.assert(
    fc.property(sizes, (bytes) => {
      expect(readTarHeader(tarHeader({ name: 'hydrant.db', bytes }, 1_700_000_000))).toEqual({
        name: 'hydrant.db',
        bytes,
      });
    }),
  );
});
