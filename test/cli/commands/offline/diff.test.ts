import { describe, expect, test } from 'vitest';
import type { FetchPage } from '../../../../src/cli/runtime/context.ts';
import { run } from '../../harness.ts';
import { ferryPage, type PageParts, pageFiles } from './page-files.ts';

const file = pageFiles();
const minutes = (often: number): PageParts => ({ sentence: `Updated ${often} minutes ago` });
const old = file('old.html', ferryPage());
const recent = file('new.html', ferryPage({ sentence: 'It takes two hours to the island.', link: 'Fares' }));
const retitled = file('retitled.html', ferryPage({ title: 'No ferry today' }));
const early = file('early.html', ferryPage(minutes(3)));
const late = file('late.html', ferryPage(minutes(5)));

describe('hydrant diff', () => {
  test('shows what went and what came between what stayed, and the links', async () => {
    const { code, stdout, stderr } = await run(['diff', old, recent]);
    expect([code, stderr]).toEqual([1, '']);
    const lines = stdout.split('\n');
    expect(lines.slice(0, 3)).toEqual([`--- ${old}`, `+++ ${recent}`, '@@ text @@']);
    expect(lines).toContain('- It takes an hour to the island.');
    expect(lines).toContain('+ It takes two hours to the island.');
    expect(lines).toContain('  The ferry sails from May, twice a day, whatever the weather on the sound may be.');
    expect(lines.slice(lines.indexOf('@@ links @@'))).toEqual(['@@ links @@', '- Tickets', '+ Fares', '']);
  });

  test('is coloured and folded on a terminal', async () => {
    const { stdout } = await run(['diff', old, recent], { columns: 40 });
    expect(stdout).toContain('\u001b[31m- It takes an hour to the island.\u001b[39m\n');
    expect(stdout).toContain('\u001b[32m+ It takes two hours to the island.\u001b[39m\n');
    expect(stdout).toContain('  The ferry sails from May, twice a day,\n  whatever the weather on the sound may\n');
  });

  test('shows a title that changed', async () => {
    const { code, stdout } = await run(['diff', old, retitled]);
    expect(code).toBe(1);
    expect(stdout).toContain('@@ title @@\n- Ferry timetable\n+ No ferry today\n');
  });

  test('says nothing and ends with 0 where nothing counts, and --explain tells what was ignored', async () => {
    expect(await run(['diff', early, late])).toEqual({ code: 0, stdout: '', stderr: '' });
    const { code, stdout } = await run(['diff', early, late, '--explain']);
    expect([code, stdout]).toEqual([
      0,
      '@@ ignored @@\n  relative time\n- Updated 3 minutes ago\n+ Updated 5 minutes ago\n@@ not counted @@\n  volatile: changes by itself: relative time\n@@ reading @@\n  not read: 20 characters of boilerplate\n',
    ]);
    const onTerminal = await run(['diff', early, late], { columns: 80 });
    expect(onTerminal.stderr).toBe('no relevant change: changes by itself: relative time; --explain shows all\n');
  });

  test('says what of a list was not compared, and that no row of it went', async () => {
    const rows = Array.from({ length: 150_005 }, (_, row) => `${row},open`);
    const [was, is] = [file('was.csv', rows.join('\n')), file('is.csv', ['new,open', ...rows].join('\n'))];
    const { code, stdout, stderr } = await run(['diff', was, is]);
    expect([code, stdout.match(/^[-+] .*$/gm)]).toEqual([1, ['+ new | open']]);
    const left = (lines: number): string =>
      `warning: The page has more than 150,000 lines: at least ${lines} lines at its end are not compared.`;
    expect(stderr).toBe(`${left(5)}\n${left(6)}\n`);
    const found = JSON.parse((await run(['diff', was, is, '--json'])).stdout) as { account: object };
    expect(found.account).toMatchObject({ cut: { lines: 6, shortened: 0 } });
    expect((await run(['extract', is])).stdout).toContain('6 lines beyond the limit');
  });

  test('--json has all of it', async () => {
    const { code, stdout } = await run(['diff', '--json', old, retitled]);
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      {
        changed: true,
        title: { before: 'Ferry timetable', after: 'No ferry today' },
        hunks: [],
        chunks: [],
        added_anchor: [],
        removed_anchor: [],
        ignored: [],
        differs: [],
        account: { read: expect.any(Number), boilerplate: 20, hidden: 0, notes: [] },
      },
    ]);
    expect(JSON.parse((await run(['diff', '--json', early, late])).stdout)).toMatchObject({
      changed: false,
      ignored: [{ before: 'Updated 3 minutes ago', after: 'Updated 5 minutes ago', reason: 'relative time' }],
    });
  });

  test('--chunks is what the stream delivers', async () => {
    const { stdout } = await run(['diff', '--chunks', old, recent]);
    expect(stdout).toMatch(/^- It takes an hour to the island.\n(- .*\n)?\n\+ It takes two hours to the island.\n/);
    const { chunks } = JSON.parse((await run(['diff', '--chunks', '--json', old, recent])).stdout) as {
      chunks: { typ: string; text: string }[];
    };
    expect(chunks.map(({ typ }) => typ)).toContain('ins');
    expect(chunks[0]).toMatchObject({ typ: 'del', text: expect.stringMatching(/^It takes an hour/) });
  });

  test('a link that leads elsewhere under the same text is shown with both targets, in each form', async () => {
    const linked = (name: string, target: string): string =>
      file(
        name,
        ferryPage({ sentence: `The timetable is a file. <a href="https://harbour.example/${target}">Read it</a>` }),
      );
    const files = [linked('linked-old.html', 'may.pdf'), linked('linked-new.html', 'june.pdf')];
    const [was, is] = ['Read it -> https://harbour.example/may.pdf', 'Read it -> https://harbour.example/june.pdf'];
    expect(await run(['diff', ...files])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(new RegExp(`@@ links @@\n- ${was}\n\\+ ${is}\n$`)),
    });
    expect(JSON.parse((await run(['diff', '--json', ...files])).stdout)).toMatchObject({
      hunks: [[{ del: [was] }, { ins: [is] }]],
      links: [
        { text: 'Read it', before: 'https://harbour.example/may.pdf', after: 'https://harbour.example/june.pdf' },
      ],
      added_anchor: ['Read it'],
      removed_anchor: ['Read it'],
    });
    expect((await run(['diff', '--chunks', ...files])).stdout).toBe(`- ${was}\n\n+ ${is}\n`);
  });

  test('-q is the exit code alone', async () => {
    expect(await run(['diff', '-q', old, recent])).toEqual({ code: 1, stdout: '', stderr: '' });
  });

  test('a file has the address of the version that was fetched, so that its links are the same', async () => {
    const fetchPage: FetchPage = async (url) => ({
      outcome: 'fetched',
      url,
      contentType: 'text/html',
      bytes: Buffer.from(ferryPage()),
    });
    expect(await run(['diff', old, 'https://harbour.example/ferry'], { fetchPage })).toMatchObject({
      code: 0,
      stdout: '',
    });
  });

  test('one version may come from stdin', async () => {
    expect(await run(['diff', '-', old], { input: ferryPage() })).toMatchObject({ code: 0, stdout: '' });
  });

  test('warns when most of the text is gone, which the crawl would look at again', async () => {
    const long = file('long.html', ferryPage({ sentence: 'The boats are painted every year. '.repeat(40) }));
    const { code, stderr } = await run(['diff', long, file('short.html', '<p>Gone fishing.')]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^warning: Of \d+ characters/)]);
  });

  test.each([
    [['diff', 'nowhere.html', 'x.html'], 'nowhere.html: no such file or directory (ENOENT)'],
    [['diff', '-', '-'], 'one of the two'],
    [['diff', 'old.html'], "missing required argument 'new'"],
    [['diff', '--chunks', '--explain', 'a', 'b'], 'give one of them'],
  ])('%j is trouble: 2', async (words, message) => {
    const { code, stdout, stderr } = await run(words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});
