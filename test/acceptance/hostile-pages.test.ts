import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readHostilePages } from '../soak/hostile-load.ts';
import { RealDaemon } from './real-daemon.ts';

const MB = 1_000_000;

/** The short form of `npm run soak -- pages 200`: what each kind of memory is made of, one page of each. */
test('hostile pages take less than 600 MB, and less than 350 MB stay', { timeout: 300_000 }, async () => {
  const kinds = ['paragraphs', 'paragraphs with attributes', 'links', 'words', 'json', 'pdf encrypted'];
  const { most, after, visits } = await readHostilePages(kinds.length, kinds, 350 * MB);
  expect(Math.round(most / MB)).toBeLessThan(600);
  expect(Math.round(after / MB)).toBeLessThan(350);
  // A page whose garbage is not collected yet when its thread is looked at is refused as those that keep what they take are.
  expect(Object.keys(visits).sort()).toEqual(['changed', 'too_large']);
  expect(visits['too_large']).toBeGreaterThanOrEqual(2);
});

const isLinux = process.platform === 'linux';

test.runIf(isLinux)('a daemon has the allocator settings that only who starts a process can give it', async () => {
  const daemon = await RealDaemon.start();
  try {
    const read = (name: string): string[] => readFileSync(`/proc/${daemon.pid}/${name}`, 'utf8').split('\0');
    expect(read('environ')).toEqual(
      expect.arrayContaining(['MALLOC_MMAP_THRESHOLD_=131072', 'MALLOC_TRIM_THRESHOLD_=131072']),
    );
    expect(read('cmdline')).toContain('--max-semi-space-size=4');
    expect(daemon.notice.pid).toBe(daemon.pid);
    expect(await daemon.stop()).toBe(0);
  } finally {
    await daemon.dispose();
  }
});
