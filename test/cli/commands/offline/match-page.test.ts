import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { FetchPage } from '../../../../src/cli/runtime/context.ts';
import { type Ran, run, type RunOptions } from '../../harness.ts';
import { ferryPage, pageFiles } from './page-files.ts';

const file = pageFiles();
const head = '<meta property="article:published_time" content="2026-02-13T08:00:00Z">';
const page = file('page.html', ferryPage({ head }));
const old = file('old.html', ferryPage({ head, sentence: 'It takes two days.', link: 'Prices' }));
const bare = file('bare', ferryPage({ head }));
const document = file('document', '{"title":"A ferry"}');
const NOW = ['--now', '2026-02-14T08:00:00Z'];

const fetchPage: FetchPage = async (url) => ({
  outcome: 'fetched',
  url,
  contentType: 'text/html',
  bytes: Buffer.from(ferryPage()),
});

async function match(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(['match', ...words, ...NOW], options);
}

interface Answer {
  readonly account: { readonly boilerplate: number };
  readonly differs: readonly { readonly where: string }[];
}

describe('hydrant match on a page', () => {
  test('takes all of it for new, and explains as of a document', async () => {
    const { code, stdout, stderr } = await match(['title:ferry AND added:"takes an hour" AND recent:2d', page]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^match\n {2}yes \+title:ferry\n {8}title.*: \[Ferry\] timetable\n {2}yes \+added:/);
    expect(stdout).toContain('It [takes] an');
  });

  test('with --was asks about the change alone, its links too', async () => {
    const change = [page, '--was', old];
    expect((await match(['added:hour AND removed:days', ...change])).code).toBe(0);
    expect((await match(['added:coins', ...change])).code).toBe(1);
    expect((await match(['added_anchor:tickets AND removed_anchor:prices', ...change])).code).toBe(0);
  });

  test('where nothing changed is no match, whatever the query', async () => {
    const { code, stdout } = await match(['title:ferry', page, '--was', page]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^no match\n {2}yes title:ferry\n[^]* {2}no {2}no relevant change\n/);
    const json = await match(['title:ferry', page, '--was', page, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      match: false,
      explanation: { refusals: ['no relevant change'] },
    });
  });

  test('says what was not read, and where two versions without a change differ', async () => {
    const navigation = (word: string): string => file(`${word}.html`, `<nav>${word}</nav>${ferryPage({ head })}`);
    const change = [navigation('Piers'), '--was', navigation('Boats')];
    const { stdout } = await match(['ferry', ...change]);
    expect(stdout).toContain('  no change  1 changed piece in navigation');
    expect(stdout).toMatch(/^ {2}not read {3}\d+ characters of boilerplate$/m);
    const { account, differs } = JSON.parse((await match(['ferry', ...change, '--json'])).stdout) as Answer;
    expect(account.boilerplate).toBeGreaterThan(4);
    expect(differs.map(({ where }) => where)).toEqual(['boilerplate']);
  });

  test('has the address of --as, or none', async () => {
    const words = ['domain:harbour.example', page];
    expect((await match([...words, '--as', 'https://www.harbour.example/'])).code).toBe(0);
    expect((await match(words)).stdout).toContain('no  domain:harbour.example');
    expect((await match(['url:*', page])).code).toBe(1);
  });

  test('fetches a URL', async () => {
    const words = ['domain:harbour.example AND added:ferry', 'https://harbour.example/ferry'];
    expect((await match(words, { fetchPage })).code).toBe(0);
  });

  test.each([
    ['a page without an extension', bare],
    ['a packed page', file('packed', gzipSync(ferryPage()))],
    ['a document without an extension', document],
  ])('tells %s by its first bytes', async (_, name) => {
    expect((await match(['title:ferry', name])).code).toBe(0);
  });

  test.each([
    ['a page', ferryPage()],
    ['a page behind a byte order mark', `\ufeff\n${ferryPage()}`],
    ['a document', '{"title":"A ferry"}'],
  ])('tells %s on stdin', async (_, input) => {
    expect((await match(['title:ferry', '-'], { input })).code).toBe(0);
  });

  test('fixes a query with the flags of its page', async () => {
    const { stderr } = await match(['titel:ferry', page, '--was', old]);
    expect(stderr).toContain(`try:  hydrant match title:ferry ${page} --was ${old}\n`);
  });

  test.each([
    [['x', document, '--was', old], 'which has its own fields'],
    [['x', page, '--was', 'nowhere.html'], 'nowhere.html: no such file or directory (ENOENT)'],
    [['x', page, '--as', 'harbour'], 'is not the URL of a page'],
    [['x', '-', '--was', '-'], 'one of the two'],
    [['--cases', 'cases.jsonl', '--was', old], 'are for pages'],
  ])('%j is a usage error', async (words, message) => {
    const { code, stderr } = await match(words);
    expect([code, stderr.includes(message)]).toEqual([2, true]);
  });
});
