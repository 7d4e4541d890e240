import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { PagePool } from '../../../src/cli/pages/page-pool.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'hydrant-pool-'));
afterAll(() => rmSync(directory, { recursive: true }));

const at = Date.UTC(2026, 1, 13);

/** A thread that answers with the name of the file, and dies of one that is called so. */
const fragile = path.join(directory, 'thread.mjs');
writeFileSync(
  fragile,
  `import { parentPort } from 'node:worker_threads';
  parentPort.on('message', ({ file }) => {
    if (file === 'deadly') throw new Error('no more memory');
    if (file !== 'endless') parentPort.postMessage({ line: file, failed: false });
  });`,
);

test('a thread that dies fails its page and no other', async () => {
  const pool = new PagePool({ threads: 2 }, pathToFileURL(fragile));
  const files = ['a', 'deadly', 'b', 'deadly', 'deadly', 'c', 'd'];
  const answers = await Promise.all(files.map((file) => pool.ask({ file, url: null, at })));
  expect(answers.map(({ failed }) => failed)).toEqual(files.map((file) => file === 'deadly'));
  expect(answers.filter(({ failed }) => !failed).map(({ line }) => line)).toEqual(['a', 'b', 'c', 'd']);
  expect(JSON.parse(answers[1]?.line ?? '')).toEqual({
    file: 'deadly',
    url: null,
    error: { reason: 'internal', detail: 'the thread that read this page has died: no more memory' },
  });
  await pool.close();
});

test('closed, it calls off what is under way, what waits and what comes', async () => {
  const pool = new PagePool({ threads: 1 }, pathToFileURL(fragile));
  const asked = ['endless', 'a'].map((file) => pool.ask({ file, url: null, at }));
  await pool.close();
  const answers = await Promise.all([...asked, pool.ask({ file: 'b', url: null, at })]);
  expect(answers.map(({ line }) => (JSON.parse(line) as { error: { reason: string } }).error.reason)).toEqual([
    'aborted',
    'aborted',
    'aborted',
  ]);
});

test('a page that takes too long is given up, and the next one is read', async () => {
  // A thread starts within it, on a busy machine too.
  const pool = new PagePool({ threads: 1, deadlineMs: 4_000 }, pathToFileURL(fragile));
  const [endless, next] = await Promise.all(['endless', 'a'].map((file) => pool.ask({ file, url: null, at })));
  expect(JSON.parse(endless?.line ?? '')).toMatchObject({ error: { reason: 'too_large' } });
  expect(next).toEqual({ line: 'a', failed: false });
  await pool.close();
});
