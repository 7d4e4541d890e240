import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

/** The scripts in `completions/` as a shell runs them, with the real program behind them. */
const home = mkdtempSync(path.join(tmpdir(), 'hydrant-completion-'));
const env = { PATH: `${path.resolve('bin')}:${process.env['PATH'] ?? ''}`, HOME: home };
afterAll(() => rmSync(home, { recursive: true }));

function inBash(line: string): string[] {
  const words = line.split(' ');
  const script = `source completions/hydrant.bash
COMP_LINE=$1; COMP_POINT=\${#COMP_LINE}; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hydrant; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script, 'bash', line, ...words], {
    encoding: 'utf8',
    env,
  });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((offered) => offered !== '');
}

function inFish(line: string): string[] {
  const script = 'source completions/hydrant.fish; complete -C $argv[1]';
  const { stdout, stderr } = spawnSync('fish', ['--no-config', '-c', script, line], { encoding: 'utf8', env });
  expect(stderr).toBe('');
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((offered) => offered.split('\t')[0] ?? '');
}

const cases: readonly (readonly [line: string, offered: readonly string[]])[] = [
  ['hydrant dig', ['digest']],
  ['hydrant tap res', ['resume']],
  ['hydrant --url tap taps pau', ['pause']],
  ['hydrant completion z', ['zsh']],
  ['hydrant serve --log-level w', ['warn']],
  ['hydrant extract READ', ['README.md']],
  ['hydrant tap show n', []],
];

describe.each([
  ['bash', inBash],
  ['fish', inFish],
] as const)('completion in %s', (shell, complete) => {
  const isMissing = spawnSync(shell, ['--version']).error !== undefined;
  test.skipIf(isMissing).each(cases)('%s', (line, offered) => {
    expect(complete(line)).toEqual(offered);
  });
});
