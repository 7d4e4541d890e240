import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DamagedDatabase, PAGE_BYTES } from '../../../src/daemon/salvage/damaged-database.ts';
import { treeRows } from '../../../src/daemon/salvage/tree-rows.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hydrant-salvage-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function opened(file: Buffer): DamagedDatabase {
  const path = join(directory, 'hydrant.db');
  writeFileSync(path, file);
  return new DamagedDatabase(path);
}

describe('a database that was tampered with', () => {
  const PAGES = 60;
  const LEAF = 3;
  /** Of a row: 1,200 bytes in the leaf, and all pages behind it. */
  const LENGTH = 1_200 + (PAGES - LEAF) * (PAGE_BYTES - 4);

  /** A leaf whose cells overlap: each says that it goes on through all the other pages. The map of pages is lost. */
  function claims(rows: number): Buffer {
    const file = Buffer.alloc(PAGES * PAGE_BYTES);
    for (let page = LEAF + 1; page < PAGES; page += 1) file.writeUInt32BE(page + 1, (page - 1) * PAGE_BYTES);
    const leaf = file.subarray((LEAF - 1) * PAGE_BYTES, LEAF * PAGE_BYTES);
    const start = PAGE_BYTES - 4_000;
    leaf.writeUInt8(13, 0);
    leaf.writeUInt16BE(rows, 3);
    leaf.writeUInt16BE(start, 5);
    // Behind its bytes in this page stands the page that a row goes on with.
    for (let at = start; at + 4 <= PAGE_BYTES; at += 5) leaf.writeUInt32BE(LEAF + 1, at);
    for (let row = 0; row < rows; row += 1) {
      const place = start + 5 * row;
      leaf.writeUInt16BE(place, 8 + 2 * row);
      // Lengths of three bytes and rowids of two.
      leaf.set([0x80 | (LENGTH >> 14), 0x80 | ((LENGTH >> 7) & 0x7f), LENGTH & 0x7f], place);
      leaf.set([0x80 | (row >> 7), row & 0x7f], place + 3);
    }
    return file;
  }

  test('has each page read a few times, however many rows claim it', () => {
    const rows = 240;
    const database = opened(claims(rows));
    const page = vi.spyOn(database, 'page');
    const losses = { pages: 0, rows: 0 };
    const found = [...treeRows(database, { page: LEAF, isIndex: false }, losses)].filter((row) => row !== undefined);
    expect({ found, lost: losses.rows }).toEqual({ found: [], lost: rows });
    expect(page.mock.calls.length).toBeGreaterThan(PAGES);
    expect(page.mock.calls.length).toBeLessThan(6 * PAGES);
    database.close();
  });
});
