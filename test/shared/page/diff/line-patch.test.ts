import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linePatch } from '../../../../src/shared/page/diff/line-patch.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'hydrant-patch-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const file = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** The text after `git apply`. */
function patched(before: readonly string[], patch: string, ...flags: string[]): string {
  writeFileSync(path.join(directory, 'page.txt'), file(before));
  execFileSync('git', ['apply', '--whitespace=nowarn', ...flags, '-'], {
    cwd: directory,
    input: patch,
    env: { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(directory) },
  });
  return readFileSync(path.join(directory, 'page.txt'), 'utf8');
}

describe('a patch of two texts', () => {
  test('is a unified diff with three lines of context', () => {
    const before = ['1', '2', '3', '4', '5', '6', '7', '8'];
    const after = ['1', '2', '3', '4', 'five', '6', '7', '8'];
    expect(linePatch('page.txt', before, after)).toBe(
      '--- a/page.txt\n+++ b/page.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n',
    );
  });

  test('is nothing where nothing differs', () => {
    expect(linePatch('page.txt', ['a'], ['a'])).toBe('');
  });

  test('is taken by git apply, whatever the texts, and backwards too', () => {
    const line = fc.constantFrom(
      '',
      ' ',
      '-',
      '+ a',
      'a',
      'b',
      'c',
      '\\ No newline at end of file',
      '@@ -1 +1 @@',
      '日本',
    );
    const text = fc.array(line, { maxLength: 24 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const patch = linePatch('page.txt', before, after);
        // Git takes no empty patch.
        const [there, back] =
          patch === '' ? [file(before), file(after)] : [patched(before, patch), patched(after, patch, '--reverse')];
        expect([there, back]).toEqual([file(after), file(before)]);
      }),
      { numRuns: 40 },
    );
  });
});
