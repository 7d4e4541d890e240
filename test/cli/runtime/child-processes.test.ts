import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { browse, browserOf, Exec, pagerOf, throughPager } from '../../../src/cli/runtime/child-processes.ts';
import { printableJson } from '../../../src/shared/text/printable.ts';

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

function contextOf(environment: Record<string, string>, isTTY: boolean, fd?: number) {
  const stream = Object.assign(new PassThrough(), { isTTY, ...(fd !== undefined && { fd }) });
  return { io: { stdin: stream, stdout: stream, stderr: stream }, environment };
}

describe('the pager', () => {
  test.each([
    [{}, true, 1, 'less'],
    [{ PAGER: 'more -s' }, true, 1, 'more -s'],
    [{ PAGER: '' }, true, 1, undefined],
    [{ PAGER: 'cat' }, true, 1, undefined],
    [{ TERM: 'dumb' }, true, 1, undefined],
    [{ PAGER: 'more' }, false, 1, undefined],
    [{ PAGER: 'more' }, true, undefined, undefined],
  ])('with %j, a terminal: %j on %j, is %j', (environment, isTTY, fd, pager) => {
    expect(pagerOf(contextOf(environment, isTTY, fd))).toBe(pager);
  });

  test.each([[{ PAGER: 'no-such-program-anywhere' }], [{ PAGER: 'cat' }]])(
    'with %j leaves the text to stdout',
    async (environment) => {
      const context = contextOf({ PATH: '/nowhere', ...environment }, true, 1);
      await throughPager(context, 'all of it\n');
      context.io.stdout.end();
      expect(await text(context.io.stdout)).toBe('all of it\n');
    },
  );
});

describe('the browser', () => {
  test.each([
    [{}, 'linux', ['xdg-open', 'https://example.org/']],
    [{}, 'darwin', ['open', 'https://example.org/']],
    [{ BROWSER: 'firefox' }, 'linux', ['firefox', 'https://example.org/']],
    [{ BROWSER: 'w3m -T %s -o x:lynx' }, 'linux', ['w3m', '-T', 'https://example.org/', '-o', 'x']],
    [{ BROWSER: ' ' }, 'linux', ['xdg-open', 'https://example.org/']],
  ] as const)('with %j on %s is %j', (environment, platform, words) => {
    expect(browserOf('https://example.org/', environment, platform)).toEqual(words);
  });

  test.each(['javascript:alert(1)', 'file:///etc/passwd', '-version', ''])('is not handed %j', (address) => {
    expect(() => browserOf(address, {}, 'linux')).toThrow('is not a web page');
  });

  test('that cannot be run is said to be none', async () => {
    const environment = { BROWSER: '/nowhere/browser' };
    await expect(browse('https://example.org/', environment, 'linux')).rejects.toThrow(
      'cannot open a browser: /nowhere/browser does not start; set BROWSER',
    );
  });

  test('takes a URL as one word, whatever is in it', () => {
    expect(browserOf('https://example.org/a b;$(reboot)', {}, 'linux')).toEqual([
      'xdg-open',
      'https://example.org/a%20b;$(reboot)',
    ]);
  });
});
