import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { Out } from '../../src/cli/output.ts';

function noticed(text: string, columns?: number): string {
  const stderr = Object.assign(new PassThrough(), { isTTY: columns !== undefined, columns });
  const io = { stdin: new PassThrough(), stdout: new PassThrough(), stderr };
  new Out({ io, environment: { NO_COLOR: '1' }, now: () => 0 }, {}).notice(text, 'hydrant restore a-file-of-some-name');
  return String(stderr.read());
}

describe('a notice', () => {
  test('is broken between words by a terminal’s width, the command to copy is not', () => {
    expect(noticed('it holds keys: keep it well', 20)).toBe(
      'it holds keys: keep\nit well\nnext: hydrant restore a-file-of-some-name\n',
    );
  });

  test('keeps its indentation on each line', () => {
    expect(noticed('  no match, among 2 changes', 20).split('\nnext')[0]).toBe('  no match, among 2\n  changes');
  });

  test('is one line in a pipe', () => {
    expect(noticed('it holds keys: keep it well')).toContain('it holds keys: keep it well\n');
  });
});
