import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FetchedPage } from '../../../../src/cli/runtime/context.ts';
import { FakeDaemon, type Ran, run, type RunOptions } from '../../harness.ts';

const HTML = `<!doctype html><title>Prices &amp; plans</title><body><main><h1>Prices</h1>
<p class="ad">Buy our great new thing today, it is really cheap.</p>
<p class="price">Team plan: 20 euros a month</p><p class="price">Basic plan: 5 euros a month</p>
<p>Updated on Monday</p></main></body>`;

const BYTES = new TextEncoder().encode(HTML);
const URL_ = 'https://example.org/prices';
const page = async (): Promise<FetchedPage> => ({
  outcome: 'fetched',
  url: URL_,
  contentType: 'text/html; charset=utf-8',
  bytes: BYTES,
});

async function tried(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(['watch', 'try', ...words], { fetchPage: page, env: { HYDRANT_DATA_DIR: '/nowhere' }, ...options });
}

describe('hydrant watch try', () => {
  test('shows the lines that would be compared, without a daemon', async () => {
    const { code, stdout, stderr } = await tried([URL_]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'Prices & plans',
        'url       https://example.org/prices',
        `watched   5 lines of ${BYTES.length} bytes of text/html; charset=utf-8`,
        '',
        '   1  Prices',
        '   2  Buy our great new thing today, it is really cheap.',
        '   3  Team plan: 20 euros a month',
        '   4  Basic plan: 5 euros a month',
        '   5  Updated on Monday',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe('5 lines would be watched\nnext: hydrant watch add https://example.org/prices\n');
  });

  test('tells what each selector and each expression has found, and repeats them for `watch add`', async () => {
    const { stdout, stderr } = await tried([URL_, '--select', '.price', '--ignore', '/^Basic/', '--confirm']);
    expect(stdout).toContain('found     .price: 2 elements\nleft out  /^Basic/: 1 line\n');
    expect(stdout).toContain('\n\n   1  Team plan: 20 euros a month\n');
    expect(stderr).toContain(`next: hydrant watch add ${URL_} --select .price --ignore '/^Basic/' --confirm\n`);
  });

  test.each([
    ['euros', 'matches'],
    ['dollars', 'does not match'],
  ])('asks the trigger %s as if all of the page were new', async (trigger, answer) => {
    const { stdout } = await tried([URL_, '--trigger', trigger]);
    expect(stdout).toContain(`trigger   ${trigger}: ${answer}, if all of the page were new\n`);
  });

  test('with --json is one object', async () => {
    const { stdout } = await tried([URL_, '--select', '.price', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      url: URL_,
      title: 'Prices & plans',
      content_type: 'text/html; charset=utf-8',
      bytes: BYTES.length,
      selected: [{ selector: '.price', found: 2 }],
      ignored: [],
      account: { read: expect.any(Number), boilerplate: 0, hidden: expect.any(Number), notes: [] },
      lines: ['Team plan: 20 euros a month', 'Basic plan: 5 euros a month'],
    });
  });

  test('reads a page from stdin, with the address that it had', async () => {
    const { stdout, stderr } = await tried(['-', '--as', URL_, '-q'], { input: HTML });
    expect(stdout).toContain('Team plan: 20 euros a month\n');
    expect(stderr).toBe('');
  });

  test('of a selector that finds nothing says so, and what to do', async () => {
    const { code, stderr } = await tried([URL_, '--select', '.prize']);
    expect(code).toBe(2);
    expect(stderr).toContain('.prize');
    expect(stderr).toContain('hydrant watch try https://example.org/prices\n');
  });

  test.each([
    [['--select', 'p::before'], '--select `p::before`: '],
    [['--ignore', '/(/'], '--ignore `/(/`: '],
    [['--trigger', 'title:('], 'error: '],
    [['--as', 'https://example.org/'], '--as gives the URL of a file'],
  ])('%j is refused before anything is fetched', async (flags, message) => {
    const fetchPage = (): Promise<FetchedPage> => Promise.reject(new Error('fetched'));
    const { code, stderr } = await tried([URL_, ...flags], { fetchPage });
    expect([1, 2]).toContain(code);
    expect(stderr).toContain(message);
  });

  describe('with a daemon on this machine', () => {
    let daemon: FakeDaemon;
    beforeEach(async () => {
      daemon = await FakeDaemon.onSocket();
    });
    afterEach(async () => daemon.stop());

    test('tells what robots.txt says, where it is known', async () => {
      const robots = { verdict: 'refused', detail: 'robots.txt refuses /prices' };
      const report = { url: URL_, host: 'example.org', trap: null, sources: [], robots, page: null };
      daemon.on(`GET /admin/urls?url=${encodeURIComponent(URL_)}`, 200, { data: report });
      const { code, stdout, stderr } = await tried([URL_], { env: { HYDRANT_DATA_DIR: daemon.directory } });
      expect(stdout).toContain('robots    robots.txt refuses /prices\n');
      expect([code, stderr]).toEqual([2, 'a watch of it would fail: robots.txt refuses /prices\n']);
    });
  });
});
