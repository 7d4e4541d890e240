import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { collectGarbage } from '../../../src/daemon/collect-garbage.ts';
import { trimAllocator } from '../../../src/daemon/process/allocator.ts';

/** Bytes that are no file's. */
function anonymousBytes(): number {
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]) * 1_024;
}

test.runIf(isGlibc())('freed memory between what is in use goes back to the system', async () => {
  await trimAllocator();
  // Below the size that has pages of its own, and one block in a hundred stays.
  const blocks = Array.from({ length: 2_000 }, () => Buffer.alloc(32 * 1_024, 1));
  const kept = blocks.filter((_, index) => index % 100 === 99);
  const used = anonymousBytes();
  blocks.length = 0;
  await collectGarbage();
  expect(await trimAllocator()).toBe(true);
  expect(used - anonymousBytes()).toBeGreaterThan(30 * 1_024 * 1_024);
  expect(kept.every((block) => block.every((byte) => byte === 1))).toBe(true);
});

test.skipIf(isGlibc())('without glibc nothing happens', async () => {
  expect(await trimAllocator()).toBe(false);
});

function isGlibc(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime !== undefined && ['x64', 'arm64'].includes(process.arch);
}
