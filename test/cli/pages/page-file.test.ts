import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { readPageFile, typeOfName } from '../../../src/cli/pages/page-source.ts';
import { PAGE_BYTES } from '../../../src/shared/limits.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'hydrant-page-file-'));
afterAll(() => rmSync(directory, { recursive: true }));

function written(name: string, bytes: Uint8Array | string): string {
  const file = path.join(directory, name);
  writeFileSync(file, bytes);
  return file;
}

test('a file is read as it is, and gzip is unpacked whatever its name', async () => {
  expect(Buffer.from(await readPageFile(written('a.html', '<p>Hello'))).toString()).toBe('<p>Hello');
  expect(Buffer.from(await readPageFile(written('b.html', gzipSync('<p>Hello')))).toString()).toBe('<p>Hello');
  expect(await readPageFile(written('empty', ''))).toHaveLength(0);
});

test('a page of the largest size is read, and one byte more is too large, packed or not', async () => {
  const most = Buffer.alloc(PAGE_BYTES, 'x');
  expect(await readPageFile(written('most', most))).toHaveLength(PAGE_BYTES);
  expect(await readPageFile(written('most.gz', gzipSync(most)))).toHaveLength(PAGE_BYTES);
  const more = Buffer.alloc(PAGE_BYTES + 1, 'x');
  await expect(readPageFile(written('more', more))).rejects.toMatchObject({ reason: 'too_large' });
  await expect(readPageFile(written('more.gz', gzipSync(more)))).rejects.toMatchObject({ reason: 'too_large' });
});

test('what never ends is too large', async () => {
  await expect(readPageFile('/dev/zero')).rejects.toMatchObject({ reason: 'too_large' });
});

test('damaged gzip, a directory and no file are told apart', async () => {
  const cut = gzipSync('<p>Hello').subarray(0, 15);
  await expect(readPageFile(written('cut.gz', cut))).rejects.toMatchObject({ reason: 'undecodable' });
  await expect(readPageFile(directory)).rejects.toThrow('illegal operation on a directory (EISDIR)');
  await expect(readPageFile(path.join(directory, 'none'))).rejects.toThrow('no such file or directory (ENOENT)');
});

test.each([
  ['page.html', 'text/html'],
  ['PAGE.HTM.GZ', 'text/html'],
  ['a.b/page.xhtml', 'application/xhtml+xml'],
  ['notes.txt', 'text/plain'],
  ['report.pdf.gz', 'application/pdf'],
  ['index.php', ''],
  ['a.html/page', ''],
])('by its name, %s is of type %j', (name, type) => {
  expect(typeOfName(name)).toBe(type);
});
