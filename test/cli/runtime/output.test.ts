import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { Out, Progress } from '../../../src/cli/runtime/output.ts';

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

function house(isTTY: boolean): {
  context: ConstructorParameters<typeof Progress>[0];
  clock: { ms: number };
  said: () => string;
} {
  const clock = { ms: 0 };
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const io = { stdin: new PassThrough(), stdout: new PassThrough(), stderr };
  return { context: { io, now: () => clock.ms }, clock, said: () => String(stderr.read() ?? '') };
}

test('what is done at once says nothing', () => {
  const { context, said } = house(true);
  const progress = new Progress(context, { silent: false });
  progress.tell(() => 'never said');
  progress.end();
  expect(said()).toBe('');
});

test('on a terminal it is one line that changes and goes in the end', () => {
  const { context, clock, said } = house(true);
  const progress = new Progress(context, { silent: false });
  for (const words of ['one', 'two']) {
    clock.ms += 500;
    progress.tell(() => words);
    progress.tell(() => 'too soon');
  }
  progress.end();
  expect(said()).toBe('\r\u001b[2Kone\r\u001b[2Ktwo\r\u001b[2K');
});

test('elsewhere it is a line every ten seconds', () => {
  const { context, clock, said } = house(false);
  const progress = new Progress(context, { silent: false });
  for (let second = 0; second < 25; second += 1) {
    progress.tell(() => `${second} s`);
    clock.ms += 1_000;
  }
  progress.end();
  expect(said()).toBe('10 s\n20 s\n');
});

test('silent, it says nothing at all', () => {
  const { context, clock, said } = house(false);
  const progress = new Progress(context, { silent: true });
  clock.ms += 60_000;
  progress.tell(() => 'never said');
  expect(said()).toBe('');
});
