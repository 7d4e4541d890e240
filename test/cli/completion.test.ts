import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PRICES } from './changes/watch-sample.ts';
import { PHONE, TEAM } from './commands/notify/sink-sample.ts';
import { FakeDaemon, run, TAP } from './harness.ts';

const files = { bash: 'hydrant.bash', zsh: '_hydrant', fish: 'hydrant.fish' } as const;

/** The words that `hydrant __complete` offers for these, the last of which is under the cursor. */
async function offered(...words: readonly string[]): Promise<string[]> {
  return (await completion(...words)).map((line) => line.split('\t')[0] ?? '').filter((word) => !word.startsWith(':'));
}

async function completion(...words: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await run(['__complete', ...words], { env: { HOME: '/nowhere' } });
  expect([code, stderr]).toEqual([0, '']);
  return stdout.split('\n').slice(0, -1);
}

describe('hydrant __complete', () => {
  test('offers commands and verbs with what they do, and an alias to whoever has begun to type it', async () => {
    expect(await completion('dige')).toEqual([expect.stringMatching(/^digest\t.*matches/), ':nothing']);
    expect(await offered('ru')).toEqual(['rule', 'rules']);
    expect(await offered('tap', 're')).toEqual(['resume', 'rename', 'revoke', 'remove']);
    expect(await offered('tap', '')).not.toContain('rm');
    expect(await offered('taps', 'pa')).toEqual(['pause']);
    expect(await offered('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  test('offers the flags of the command, and those of all commands', async () => {
    expect(await offered('crawl', 'add', '--s')).toEqual(['--scope']);
    expect(await offered('crawl', 'add', '--js')).toEqual(['--json']);
    expect(await offered('tap', 'list', '--s')).toEqual([]);
  });

  test('offers the choices of a flag in both spellings, and steps over its value', async () => {
    expect(await offered('crawl', 'add', '--scope', '')).toEqual(['page', 'prefix', 'host', 'domain', 'any']);
    expect(await offered('crawl', 'add', '--scope=d')).toEqual(['--scope=domain']);
    expect(await offered('--url', 'tap', 'ru')).toEqual(['rule', 'rules']);
    expect(await offered('serve', '--log-level', 'w')).toEqual(['warn']);
    expect(await offered('tap', 'list', '--', '--js')).toEqual([]);
  });

  test('leaves out what the help leaves out', async () => {
    expect(await offered('rule', 'try', '--no-q')).toEqual([]);
    expect(await offered('rule', 'add', '--no-q')).toEqual(['--no-quality']);
  });

  test('leaves files and directories to the shell', async () => {
    expect(await completion('extract', 'REA')).toEqual([':files']);
    expect(await completion('diff', 'old.html', 'ne')).toEqual([':files']);
    expect(await completion('salvage', 'da')).toEqual([':directories']);
    expect(await completion('--data-dir', '')).toEqual([':directories']);
  });

  test('offers names that the daemon lists, and the beginning of an id where a shell would want quotes', async () => {
    const daemon = await FakeDaemon.onSocket();
    const names = ['news', 'new$(touch here)', 'two words', '-x'];
    daemon.on('GET /v1/taps', 200, {
      data: names.map((name, index) => Object.assign({}, TAP, { name, id: `${index}f1c2ab8-0` })),
    });
    const words = ['--data-dir', daemon.directory, 'tap', 'show'];
    expect(await offered(...words, '')).toEqual(['news', '1f1c2ab8', '2f1c2ab8', '3f1c2ab8']);
    expect(await offered(...words, 'ne')).toEqual(['news']);
    expect(await offered('--data-dir', daemon.directory, 'tap', 'create', 'ne')).toEqual([]);
    await daemon.stop();
  });

  test('offers watches by URL, wherever a command takes one that is there', async () => {
    const other = { ...PRICES, id: 'eeee5555-0', url: 'https://example.org/?a=1&b=2' };
    const daemon = (await FakeDaemon.onSocket()).on('GET /admin/watches', 200, { data: [PRICES, other] });
    for (const verb of ['show', 'edit', 'check', 'diff', 'follow']) {
      const words = ['watch', verb, '--data-dir', daemon.directory, ''];
      expect([verb, await offered(...words)]).toEqual([verb, ['https://example.org/prices', 'eeee5555']]);
    }
    expect(await offered('watch', 'add', '--data-dir', daemon.directory, '')).toEqual([]);
    await daemon.stop();
  });

  test('offers feeds to who removes one, and what a feed may be of to who makes one', async () => {
    const feed = {
      id: 'f1f1f1f1-0',
      name: 'phone',
      kind: 'tag',
      of: 'a',
      of_name: 'a',
      prefix: 'svcf_a',
      created_at: 'x',
    };
    const daemon = await FakeDaemon.onSocket();
    daemon.on('GET /admin/feeds', 200, { data: [feed] }).on('GET /v1/taps', 200, { data: [TAP] });
    const from = ['--data-dir', daemon.directory];
    expect(await offered(...from, 'feed', 'remove', 'ph')).toEqual(['phone']);
    expect(await offered(...from, 'feed', 'add', '--tap', '')).toEqual([TAP.name]);
    expect(await offered(...from, 'feed', 'add', '--ta')).toEqual(['--tap', '--tag']);
    await daemon.stop();
  });

  test('offers kinds of sinks, and sinks by name', async () => {
    const daemon = (await FakeDaemon.onSocket()).on('GET /admin/sinks', 200, { data: [PHONE, TEAM] });
    for (const verb of ['show', 'edit', 'test', 'pause', 'resume', 'replay', 'log', 'remove']) {
      const words = ['notify', verb, '--data-dir', daemon.directory, ''];
      expect([verb, await offered(...words)]).toEqual([verb, ['phone', 'team']]);
    }
    expect(await offered('notify', 'add', '--data-dir', daemon.directory, '')).toEqual([]);
    expect(await offered('notify', 'add', 'phone', 'p')).toEqual(['pushover']);
    expect(await offered('notify', 'kinds', 'te')).toEqual(['telegram']);
    await daemon.stop();
  });

  test.each([
    ['no daemon', ['tap', 'show', '--data-dir', '/nowhere', '']],
    ['two daemons', ['rule', 'show', '--url', 'http://127.0.0.1:1', '--context', 'home', '']],
  ])('with %s prints nothing', async (_, words) => {
    expect(await completion(...words)).toEqual([]);
  });
});

/** What bash offers after these words: the function is called as readline would, and `hydrant` is `fake`. */
function inBash(fake: string, line: string, ...words: readonly string[]): string[] {
  const script = `source completions/hydrant.bash
command() { shift; ${fake}; }
COMP_LINE=$1; COMP_POINT=\${#COMP_LINE}; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hydrant; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['--norc', '-c', script, 'bash', line, ...words];
  return execFileSync('bash', args, { encoding: 'utf8' })
    .split('\n')
    .filter((one) => one !== '');
}

describe('the completion scripts', () => {
  test.each(['bash', 'zsh', 'fish'] as const)('of %s is what the program prints', async (shell) => {
    const { code, stdout } = await run(['completion', shell]);
    expect([code, stdout]).toEqual([0, readFileSync(`completions/${files[shell]}`, 'utf8')]);
  });

  for (const [shell, flag] of [
    ['bash', '-n'],
    ['zsh', '-n'],
    ['fish', '--no-execute'],
  ] as const) {
    const isMissing = spawnSync(shell, ['--version']).error !== undefined;
    test.skipIf(isMissing)(`is accepted by ${shell}${isMissing ? ` (skipped: ${shell} is not installed)` : ''}`, () => {
      const { stderr, status } = spawnSync(shell, [flag, `completions/${files[shell]}`], { encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
    });
  }

  test('asks with all words up to the cursor, and takes a name as text', () => {
    const words = ['hydrant', 'tap', 'show', 'ne'];
    expect(inBash(`printf '%s\\n' "$*"`, 'hydrant tap show ne', ...words)).toEqual([]);
    expect(
      inBash(`[ "$*" = '__complete tap show ne' ] && printf 'nets\\t\\n'`, 'hydrant tap show ne', ...words),
    ).toEqual(['nets']);
    const names = `printf '%s\\t\\n' news nets 'ne$(exit 9)' other; echo :nothing`;
    expect(inBash(names, 'hydrant tap show ne', ...words)).toEqual(['news', 'nets', 'ne$(exit 9)']);
  });

  test('joins what bash cuts at colons and equal signs, and gives what follows the last cut', () => {
    const urls = `[ "$4" = https://exa ] && printf '%s\\t\\n' https://example.org/a http://example.org/b`;
    const url = ['hydrant', 'crawl', 'show', 'https', ':', '//exa'];
    expect(inBash(urls, 'hydrant crawl show https://exa', ...url)).toEqual(['//example.org/a']);
    const flag = ['hydrant', 'crawl', 'add', '--scope', '=', 'd'];
    expect(inBash(`printf -- '--scope=domain\\t\\n'`, 'hydrant crawl add --scope=d', ...flag)).toEqual(['domain']);
  });

  test('offers files, or directories alone, where the program says so', () => {
    expect(inBash('echo :files', 'hydrant extract READ', 'hydrant', 'extract', 'READ')).toEqual(['README.md']);
    expect(inBash('echo :directories', 'hydrant salvage doc', 'hydrant', 'salvage', 'doc')).toEqual(['docs']);
    expect(inBash('echo :directories', 'hydrant salvage READ', 'hydrant', 'salvage', 'READ')).toEqual([]);
  });
});
