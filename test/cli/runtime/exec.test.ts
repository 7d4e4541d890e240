import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { Exec } from '../../../src/cli/runtime/exec.ts';
import { printableJson } from '../../../src/cli/text/printable.ts';

test('a command is given no tag characters, in its input or its environment', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hydrant-exec-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const title = 'a\u{e0041}\u{e007f}b';
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const environment = { PATH: process.env['PATH'], DIR: directory };
  const command = 'cat > "$DIR/input"; printf %s "$HYDRANT_MATCH_TITLE" > "$DIR/title"';
  const exec = new Exec({ command, jobs: 1, environment, stdout, stderr }, new AbortController().signal);
  for (const input of [JSON.stringify({ title }), printableJson({ title })]) {
    expect(await exec.run({ input, variables: { MATCH_TITLE: title } })).toBeUndefined();
    expect(JSON.parse(readFileSync(join(directory, 'input'), 'utf8'))).toEqual({ title: 'a\u{fffd}\u{fffd}b' });
    expect(readFileSync(join(directory, 'title'), 'utf8')).toBe('a\u{fffd}\u{fffd}b');
  }
});
