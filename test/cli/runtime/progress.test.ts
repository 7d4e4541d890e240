import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { Progress } from '../../../src/cli/runtime/progress.ts';

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
