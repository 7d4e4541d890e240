import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { Out } from '../../../src/cli/runtime/output.ts';

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

describe('fields', () => {
  const fields = [
    ['id', 'r1'],
    ['query', 'ferry OR storm'],
  ] as const;

  function told(columns?: number): string {
    const stdout = Object.assign(new PassThrough(), { isTTY: columns !== undefined, columns });
    const io = { stdin: new PassThrough(), stdout, stderr: new PassThrough() };
    new Out({ io, environment: {}, now: () => 0 }, {}).fields({}, { id: 'r1', fields, more: ['+ a line'] });
    return String(stdout.read());
  }

  test('go on below where they began, at a word', () => {
    expect(told(14)).toBe('id    r1\nquery ferry OR\n      storm\n+ a line\n');
  });

  test('are a line each in a pipe, with a tab', () => {
    expect(told()).toBe('id\tr1\nquery\tferry OR storm\n+ a line\n');
  });
});
