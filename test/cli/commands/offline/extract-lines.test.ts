import { describe, expect, test } from 'vitest';
import { run } from '../../harness.ts';
import { ferryPage, pageFiles } from './page-files.ts';

const file = pageFiles();
const head = '<meta property="article:published_time" content="2026-02-13T08:00:00Z">';
const page = file('ferry.html', ferryPage({ head }));

interface Row {
  readonly file?: string;
  readonly url?: string | null;
  readonly line?: number;
  readonly title?: string;
  readonly publish_time?: string;
  readonly future_publish_time?: string;
  readonly segments?: readonly { zone: string }[];
  readonly error?: { readonly reason: string; readonly detail: string };
}

async function extracted(lines: readonly (object | string)[], flags: readonly string[] = []) {
  const input = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const { code, stdout, stderr } = await run(['extract', '--jsonl', ...flags], { input });
  const rows = stdout.split('\n').slice(0, -1);
  return { code, stderr, rows: rows.map((row) => JSON.parse(row) as Row) };
}

describe('hydrant extract --jsonl', () => {
  test('answers each line in the order of the input, whatever the size of its page', async () => {
    const files = Array.from({ length: 40 }, (_, index) =>
      file(
        `${index}.html`,
        ferryPage({ title: `Page ${index}`, sentence: 'Boats. '.repeat(index % 3 === 0 ? 20_000 : 1) }),
      ),
    );
    const { code, rows, stderr } = await extracted(
      files.map((name, index) => ({ file: name, url: `https://a.example/${index}` })),
    );
    expect([code, stderr]).toEqual([0, '40 pages\n']);
    expect(rows.map(({ file: name, url, title }) => [name, url, title])).toEqual(
      files.map((name, index) => [name, `https://a.example/${index}`, `Page ${index}`]),
    );
  });

  test('bounds dates by the time of the visit, as text or in milliseconds', async () => {
    const visits = ['2026-02-12T09:00:00Z', '2026-02-12T09:00:00', Date.UTC(2026, 1, 12, 9), null, '2026-02-11', 0];
    const { rows } = await extracted(visits.map((at) => ({ file: page, url: null, at })));
    const there = '2026-02-13T08:00:00';
    expect(rows.map((row) => row.publish_time)).toEqual([there, there, there, there, undefined, undefined]);
    const ahead = [undefined, undefined, undefined, undefined, there, there];
    expect(rows.map((row) => row.future_publish_time)).toEqual(ahead);
  });

  test('tells of each line that fails in its place, and goes on', async () => {
    const { code, rows, stderr } = await extracted([
      { file: page, url: null },
      '',
      '{"file":',
      { url: 'https://a.example/' },
      { file: `${page}.gone`, url: 'https://a.example/' },
      { file: file('image.png', '\u0089PNG\u0000'), url: null },
      { file: page, url: 1 },
      { file: page, at: 'yesterday' },
      { file: page },
    ]);
    expect([code, stderr]).toEqual([2, '8 pages, 6 failed\n']);
    expect(rows.map(({ error, title }) => error?.reason ?? title)).toEqual([
      'Ferry timetable',
      'bad_line',
      'bad_line',
      'unreadable',
      'content_type',
      'bad_line',
      'bad_line',
      'Ferry timetable',
    ]);
    expect(rows[2]).toEqual({
      line: 4,
      error: { reason: 'bad_line', detail: 'the line has no `file`, which is a text' },
    });
    expect(rows[3]).toMatchObject({ file: `${page}.gone`, url: 'https://a.example/' });
  });

  test('--zone holds for each page', async () => {
    const { rows } = await extracted([{ file: page }], ['-', '--zone', 'chrome']);
    expect(new Set(rows[0]?.segments?.map(({ zone }) => zone))).toEqual(new Set(['chrome']));
  });

  test('of a file that is not there is an error', async () => {
    const { code, stderr } = await run(['extract', '--jsonl', 'nowhere.jsonl']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot read nowhere.jsonl')]);
  });
});
