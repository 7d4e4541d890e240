import { PassThrough } from 'node:stream';
import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { formOf, secondsOf } from '../../../../src/cli/commands/tail/tail.ts';

function streams(stdin: boolean, stdout: boolean) {
  const stream = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY });
  return { environment: {}, io: { stdin: stream(stdin), stdout: stream(stdout), stderr: stream(true) } };
}

describe('the form of the matches', () => {
  it.each([
    ['a screen where both ends are a terminal', {}, true, true, 'screen'],
    ['JSON in a pipe', {}, true, false, 'json'],
    ['lines where the keys cannot be read', {}, false, true, 'plain'],
    ['lines where it ends by itself at the head', { once: true }, true, true, 'plain'],
    ['lines in a pipe when asked for', { plain: true }, true, false, 'plain'],
    ['JSON for a part of it, and for a command', { fields: 'id', exec: 'true' }, true, true, 'json'],
    ['a line of your own', { format: '{id}' }, true, true, 'template'],
    ['JSON on a terminal when asked for', { json: true }, true, true, 'json'],
  ] as const)('is %s', (_, flags, stdin, stdout, expected) => {
    expect(formOf(flags, streams(stdin, stdout))).toBe(expected);
  });

  it('is lines where the terminal cannot move its cursor', () => {
    expect(formOf({}, { ...streams(true, true), environment: { TERM: 'dumb' } })).toBe('plain');
  });
});

describe('a span of time', () => {
  it.each([
    ['30s', 30],
    ['90', 90],
    ['2h', 7_200],
    ['30d', 2_592_000],
  ])('%s', (text, seconds) => {
    expect(secondsOf(text)).toBe(seconds);
  });

  it.each(['0s', '31d', '1w', '', '-5s', '1.5h'])('%j is refused', (text) => {
    expect(() => secondsOf(text)).toThrow(InvalidArgumentError);
  });
});
