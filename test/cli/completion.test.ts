import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { describe, expect, test } from 'vitest';
import { complete, SHELLS } from '../../src/cli/completion.ts';
import { createProgram } from '../../src/cli/commands/program.ts';
import { nodeOf } from '../../src/cli/commands/completion.ts';
import { makeContext } from '../../src/cli/context.ts';
import { PRICES } from './changes/watch-sample.ts';
import { FakeDaemon, noFetch, noUpkeep, run, TAP } from './harness.ts';

const programs = { serve: async () => 0, fetchPage: noFetch, upkeep: noUpkeep, daemonPath: '' };
const tree = nodeOf(await createProgram(makeContext(process, programs, AbortSignal.abort()), () => {}));
const files = { bash: 'hydrant.bash', zsh: '_hydrant', fish: 'hydrant.fish' } as const;

/** What bash offers after these words: the function is called as readline would. */
function offered(...words: readonly string[]): string[] {
  return offeredBy('', ...words);
}

/** @param before functions that take the place of commands */
function offeredBy(before: string, ...words: readonly string[]): string[] {
  const script = `${complete('bash', tree)}
${before}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hydrant; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const out = execFileSync('bash', ['--norc', '-c', script, 'bash', 'hydrant', ...words], { encoding: 'utf8' });
  return out.split('\n').filter((line) => line !== '');
}

describe('the completions', () => {
  test.each(SHELLS)('of %s are printed by the program and kept in completions/', async (shell) => {
    const { code, stdout } = await run(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toBe(complete(shell, tree));
    expect(readFileSync(`completions/${files[shell]}`, 'utf8')).toBe(stdout);
  });

  for (const [shell, flag] of [
    ['bash', '-n'],
    ['zsh', '-n'],
    ['fish', '--no-execute'],
  ] as const) {
    const isMissing = spawnSync(shell, ['--version']).error !== undefined;
    test.skipIf(isMissing)(
      `are accepted by ${shell}${isMissing ? ` (skipped: ${shell} is not installed)` : ''}`,
      () => {
        const { stderr, status } = spawnSync(shell, [flag, `completions/${files[shell]}`], { encoding: 'utf8' });
        expect([status, stderr]).toEqual([0, '']);
      },
    );
  }

  const hasFish = spawnSync('fish', ['--version']).error === undefined;
  test.skipIf(!hasFish)('offer the same in fish (skipped where fish is not installed)', () => {
    const script = 'source completions/hydrant.fish; for line in $argv; complete -C $line; end';
    const lines = [
      'hydrant tap res',
      'hydrant --url tap taps pau',
      'hydrant completion z',
      'hydrant serve --log-level w',
    ];
    const out = execFileSync('fish', ['--no-config', '-c', script, ...lines], { encoding: 'utf8' });
    expect(out.split('\n').map((line) => line.split('\t')[0])).toEqual(['resume', 'pause', 'zsh', 'warn', '']);
  });

  test('offer commands, verbs and aliases', () => {
    expect(offered('ru')).toEqual(['rule', 'rules']);
    expect(offered('tap', 're')).toEqual(['resume', 'rename', 'revoke', 'remove']);
    expect(offered('taps', 'pa')).toEqual(['pause']);
    expect(offered('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  test('offer the flags of the command, and those of all commands', () => {
    expect(offered('crawl', 'add', '--s')).toEqual(['--scope']);
    expect(offered('crawl', 'add', '--js')).toEqual(['--json']);
    expect(offered('tap', 'list', '--s')).toEqual([]);
  });

  test('offer the choices of a flag, and step over its value', () => {
    expect(offered('crawl', 'add', '--scope', '')).toEqual(['page', 'prefix', 'host', 'domain', 'any']);
    expect(offered('--url', 'tap', 'ru')).toEqual(['rule', 'rules']);
    expect(offered('serve', '--log-level', 'w')).toEqual(['warn']);
  });

  test('offer names that the daemon tells, and run nothing that stands in them', async () => {
    const daemon = await FakeDaemon.onSocket();
    const names = ['news', 'new$(touch here)', 'two words', '-x'];
    daemon.on('GET /v1/taps', 200, {
      data: names.map((name, index) => Object.assign({}, TAP, { name, id: `${index}f1c2ab8-0` })),
    });
    const { stdout, stderr, code } = await run(['__complete', 'tap', 'tap', '--data-dir', daemon.directory]);
    expect([stdout, stderr, code]).toEqual(['news\n1f1c2ab8\n2f1c2ab8\n3f1c2ab8\n', '', 0]);
    await daemon.stop();
  });

  test('of watches are their URLs, or ids where a shell would want quotes', async () => {
    const other = { ...PRICES, id: 'eeee5555-0', url: 'https://example.org/?a=1&b=2' };
    const daemon = (await FakeDaemon.onSocket()).on('GET /admin/watches', 200, { data: [PRICES, other] });
    const { stdout } = await run(['__complete', 'watch', 'watch', 'show', '--data-dir', daemon.directory]);
    expect(stdout).toBe('https://example.org/prices\neeee5555\n');
    await daemon.stop();
    const fake = 'command() { echo $3; };';
    for (const verb of ['show', 'edit', 'check', 'diff', 'follow']) {
      expect(offeredBy(fake, 'watch', verb, 'w')).toEqual(['watch']);
    }
    expect(offeredBy(fake, 'watch', 'add', 'w')).toEqual([]);
  });

  test.each([
    ['no daemon', ['tap', '--data-dir', '/nowhere']],
    ['no such kind', ['ship']],
    ['no kind', []],
    ['two daemons', ['rule', '--url', 'http://127.0.0.1:1', '--context', 'home']],
  ])('with %s print nothing', async (_, words) => {
    expect(await run(['__complete', ...words], { env: { HOME: '/nowhere' } })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });

  test('ask with the words before, and take a name as text', () => {
    const fake = `command() { printf '%s\\n' news nets '$(exit 9)'; };`;
    expect(offeredBy(fake, 'tap', 'show', 'ne')).toEqual(['news', 'nets']);
    expect(offeredBy(fake, 'tap', 'show', 'new')).toEqual(['news']);
    expect(offeredBy(fake, '--context', 'ne')).toEqual(['news', 'nets']);
    expect(offeredBy(fake, 'tap', 'create', 'ne')).toEqual([]);
  });

  test('of a URL give what follows the last colon, where bash cuts words', () => {
    const fake = `COMP_WORDBREAKS=:; COMP_LINE='hydrant crawl show https://exa'; COMP_POINT=\${#COMP_LINE};
      command() { echo https://example.org/a; echo http://example.org/b; };`;
    expect(offeredBy(fake, 'crawl', 'show', 'https', ':', '//exa')).toEqual(['//example.org/a']);
  });

  test('offer directories, and no files, where one is wanted', () => {
    expect(offered('salvage', 'RE')).toEqual([]);
    expect(offered('salvage', 'doc')).toEqual(['docs']);
  });

  test('offer files where a page is wanted', () => {
    expect(offered('extract', 'README')).toEqual(['README.md']);
    expect(offered('diff', 'READ')).toEqual(['README.md']);
  });

  test('leave out what the help leaves out', () => {
    const program = new Command('x')
      .addCommand(new Command('shown').addOption(new Option('--secret').hideHelp()).option('--open'))
      .addCommand(new Command('veiled'), { hidden: true });
    for (const shell of SHELLS) {
      const script = complete(shell, nodeOf(program));
      expect(script).toContain('shown');
      expect(script).toContain('open');
      expect(script).not.toMatch(/veiled|secret/);
    }
  });
});
