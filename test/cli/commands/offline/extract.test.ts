import { stripVTControlCharacters } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { FetchPage } from '../../../../src/cli/runtime/context.ts';
import { run } from '../../harness.ts';
import { ferryPage, pageFiles } from './page-files.ts';

const file = pageFiles();
const published = '<meta property="article:published_time" content="2026-02-13T08:06:32+01:00">';
const page = file('ferry.html', ferryPage({ head: published }));

interface Extracted {
  readonly file?: string;
  readonly url?: string;
  readonly title?: string;
  readonly publish_time?: string;
  readonly published_at?: string;
  readonly segments: readonly { text: string; kind: string; zone: string }[];
  readonly anchors: readonly { href: string; text: string; zone: string }[];
  readonly links: readonly string[];
  readonly facts: Readonly<Record<string, unknown>>;
}

function objects(stdout: string): Extracted[] {
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Extracted);
}

const fetchPage: FetchPage = async (url) =>
  url.endsWith('/gone')
    ? { outcome: 'failed', reason: 'status', detail: 'the server answered 404 Not Found' }
    : { outcome: 'fetched', url: `${url}moved`, contentType: 'text/html', bytes: Buffer.from(ferryPage()) };

describe('hydrant extract', () => {
  test('shows people all of a page: what is known of it, then its text', async () => {
    const { code, stdout, stderr } = await run(['extract', page, '--as', 'https://harbour.example/ferry'], {
      columns: 80,
    });
    expect([code, stderr]).toEqual([0, '']);
    const plain = stripVTControlCharacters(stdout);
    expect(plain).not.toBe(stdout);
    expect(plain).toMatch(/^Ferry timetable\nhttps:\/\/harbour.example\/ferry\n\npublished {4}2026-02-13T08:06:32/);
    expect(plain).toContain('sentence  It takes an hour to the island.\n');
    expect(plain).toMatch(/\nchrome .*Harbour News\n$/);
    expect(plain.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('says the same in a pipe, without colours', async () => {
    const { stdout } = await run(['extract', page]);
    expect(stdout).toBe((await run(['extract', page, '--no-color'], { columns: 80 })).stdout);
  });

  test('--json is one object under the names of the query fields', async () => {
    const { stdout } = await run(['extract', '--json', page, '--as', 'https://harbour.example/ferry']);
    const [found] = objects(stdout);
    expect(found).toMatchObject({
      url: 'https://harbour.example/ferry',
      title: 'Ferry timetable',
      publish_time: '2026-02-13T08:06:32',
      published_at: '2026-02-13T07:06:32.000Z',
      links: ['https://harbour.example/', 'https://harbour.example/news', 'https://harbour.example/Tickets'],
      facts: { language: 'en' },
    });
    expect(found?.segments[0]).toMatchObject({ zone: 'chrome' });
    expect(found).not.toHaveProperty('file');
  });

  test('without an address, a file has no url, and its links begin at the root of its site', async () => {
    const canonical =
      '<link rel="canonical" href="/ferry"><link rel="alternate" hreflang="de" href="https://a.example/de">';
    const [found] = objects(
      (await run(['extract', '--json', file('canonical.html', ferryPage({ head: canonical }))])).stdout,
    );
    expect(found).not.toHaveProperty('url');
    expect(found?.links).toEqual(['/', '/news', '/Tickets']);
    expect(found?.anchors.at(-1)).toMatchObject({ href: '/Tickets', text: 'Tickets' });
    expect(found?.facts).toMatchObject({ canonical: '/ferry', alternates: [{ href: 'https://a.example/de' }] });
    expect((await run(['extract', page])).stdout).not.toContain('unknown.invalid');
  });

  test('--zone leaves the text and the links of one zone', async () => {
    const words = ['extract', '--json', '--zone', 'chrome', page, '--as', 'https://harbour.example/'];
    const [found] = objects((await run(words)).stdout);
    const zones = [...(found?.segments ?? []), ...(found?.anchors ?? [])].map(({ zone }) => zone);
    expect(new Set(zones)).toEqual(new Set(['chrome']));
    const { stdout } = await run(['extract', '-q', '--zone', 'chrome', page]);
    expect(stdout).toContain('Harbour News\n');
    expect(stdout).not.toContain('island');
  });

  test('reads stdin, and gzip, by their first bytes', async () => {
    const packed = file('packed', gzipSync(ferryPage()));
    for (const words of [['-'], [packed]]) {
      const [found] = objects((await run(['extract', '--json', ...words], { input: ferryPage() })).stdout);
      expect(found?.title).toBe('Ferry timetable');
    }
  });

  test('believes an extension: a text file has its mark-up as text', async () => {
    const notes = file('notes.txt', '<b>bold</b>');
    expect((await run(['extract', '-q', notes])).stdout).toBe('<b>bold</b>\n');
  });

  test('fetches a URL, and has the address that it was redirected to', async () => {
    const [found] = objects((await run(['extract', '--json', 'https://harbour.example/'], { fetchPage })).stdout);
    expect(found?.url).toBe('https://harbour.example/moved');
  });

  test('of several pages heads each, and goes on after one that cannot be read', async () => {
    const all = ['extract', 'https://harbour.example/gone', page, 'https://harbour.example/'];
    const { code, stdout, stderr } = await run(all, { fetchPage });
    expect(code).toBe(2);
    expect(stderr).toBe('error: https://harbour.example/gone: the server answered 404 Not Found\n');
    expect(stdout.match(/^==> .* <==$/gm)).toEqual([`==> ${page} <==`, '==> https://harbour.example/ <==']);
    const json = await run([...all, '--json'], { fetchPage });
    expect(objects(json.stdout).map((found) => found.file ?? found.url)).toEqual([
      page,
      'https://harbour.example/moved',
    ]);
    expect(JSON.parse(json.stderr)).toMatchObject({ code: 'status' });
  });

  test('of one page that cannot be read is an error with its reason', async () => {
    expect(await run(['extract', 'nowhere.html'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: nowhere.html: no such file or directory (ENOENT)\n',
    });
    const empty = await run(['extract', '--json', file('empty.html', '<p></p>')]);
    expect([empty.code, JSON.parse(empty.stderr)]).toMatchObject([2, { code: 'empty' }]);
  });

  test('warns of a challenge, which the crawl would not take for the page', async () => {
    const { stderr } = await run(['extract', file('challenge.html', '<title>Just a moment...</title><p>Please wait.')]);
    expect(stderr).toMatch(/^warning: The page is a challenge/);
  });

  test('leaves a date out that lies beyond tomorrow', async () => {
    const far = file('far.html', ferryPage({ head: published.replace('2026', '2926') }));
    expect(objects((await run(['extract', '--json', far])).stdout)[0]).not.toHaveProperty('publish_time');
  });

  test.each([
    [['extract'], 'the page is missing'],
    [['extract', '--as', 'harbour', 'x.html'], '`harbour` is not the URL'],
    [['extract', '--as', 'https://a.example/', 'https://b.example/'], 'a URL needs none'],
    [['extract', '--zone', 'header', 'x.html'], 'main, body, chrome'],
    [['extract', '--jsonl', 'pages.jsonl', 'x.html'], 'the pages come from its lines'],
  ])('%j is a usage error', async (words, message) => {
    const { code, stderr } = await run(words);
    expect([code, stderr.includes(message)]).toEqual([2, true]);
  });

  test('never sends a control character on', async () => {
    const nasty = file('nasty.html', ferryPage({ title: '\u001b]0;x\u0007 \u202eabc', sentence: 'A \u009b31m sign.' }));
    for (const flags of [[], ['--json'], ['-q']]) {
      const { stdout } = await run(['extract', '--no-color', ...flags, nasty]);
      expect(stdout).not.toMatch(/[[\p{Cc}\p{Bidi_Control}]--\n]/v);
    }
  });
});
