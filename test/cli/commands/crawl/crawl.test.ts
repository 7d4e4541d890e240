import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Source, SourceBatchReport } from '../../../../src/shared/api/crawl.ts';
import { FakeDaemon, type Ran, run, type RunOptions, SOURCE } from '../../harness.ts';

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
  daemon.on('GET /admin/sources', 200, { data: [SOURCE] });
});
afterEach(async () => daemon.stop());

async function hydrant(words: string, options: RunOptions = {}): Promise<Ran> {
  return run([...words.split(' '), '--data-dir', daemon.directory], options);
}

const ADD = 'POST /admin/sources/batch';
const report = (given: Partial<SourceBatchReport>): { data: SourceBatchReport } => ({
  data: { added: [], known: [], refused: [], ...given },
});
const bodies = (): unknown[] => daemon.sent(ADD).map(({ body }) => body);

describe('hydrant crawl add', () => {
  beforeEach(() => {
    daemon.on(ADD, 200, report({ added: [SOURCE] }));
  });

  test('sends all URLs in one request, each with what was typed', async () => {
    const { code } = await hydrant(
      'crawl add https://a.example/ https://b.example/ --scope host --depth 3 --every 10m --max-pages 9 --baseline',
    );
    const flags = { scope: 'host', depth: 3, every_seconds: 600, max_pages: 9, baseline: true };
    expect(code).toBe(0);
    expect(bodies()).toEqual([
      {
        sources: [
          { url: 'https://a.example/', ...flags },
          { url: 'https://b.example/', ...flags },
        ],
      },
    ]);
  });

  test('sends how a page is rendered; a selector or a time says that it is', async () => {
    await hydrant('crawl add https://a.example/ --render');
    await hydrant('crawl add https://a.example/ --wait-for .price --within 30s');
    expect(bodies()).toEqual([
      { sources: [{ url: 'https://a.example/', render: {} }] },
      { sources: [{ url: 'https://a.example/', render: { wait_for: '.price', within_seconds: 30 } }] },
    ]);
    const { code, stderr } = await hydrant('crawl add https://a.example/ --within 5m');
    expect([code, stderr]).toEqual([2, expect.stringContaining('It must be a time from 1s to 60s.')]);
  });

  test('reads URLs from stdin, a line each, without comments and repetitions', async () => {
    await hydrant('crawl add -', {
      input: '# mine\nhttps://a.example/\n\n  https://b.example/ \nhttps://a.example/\n',
    });
    expect(bodies()).toEqual([{ sources: [{ url: 'https://a.example/' }, { url: 'https://b.example/' }] }]);
  });

  test('reads the feeds of an OPML file, and says that it is one', async () => {
    const file = path.join(daemon.directory, 'feeds.opml');
    const opml = '<opml version="2.0"><body><outline type="rss" xmlUrl="https://a.example/feed"/></body></opml>';
    await writeFile(file, opml);
    const { stderr } = await hydrant(`crawl add --file ${file} --every 10m`);
    expect(bodies()).toEqual([{ sources: [{ url: 'https://a.example/feed', every_seconds: 600 }] }]);
    expect(stderr).toContain('feeds.opml is OPML: 1 URL\n');
  });

  test('sends ten thousand a request', async () => {
    const input = Array.from({ length: 10_001 }, (_, index) => `https://a.example/${index}`).join('\n');
    const { code } = await hydrant('crawl add -', { input });
    expect(code).toBe(0);
    expect(bodies().map((body) => (body as { sources: unknown[] }).sources.length)).toEqual([10_000, 1]);
  });

  test.each([
    ['crawl add example.org/x', 'did you mean https://example.org/x?'],
    ['crawl add ftp://example.org/', 'is not a URL that hydrant can crawl\n'],
    ['crawl add https://a.example/ --every soon', 'It must be a time like 30s'],
    ['crawl add https://a.example/ --every 0s', 'It must be a time like 30s'],
    ['crawl add https://a.example/ --every 5', 'Its unit is missing: 5s, 5m or 5h.'],
    ['crawl add https://a.example/ --every 91d', 'up to 90d'],
    ['crawl add https://a.example/ --scope all', 'Allowed choices are page, prefix, host, domain, any'],
    ['crawl add https://a.example/ --depth -1', 'whole number'],
    ['crawl add https://a.example/ --depth 101', 'whole number from 0 to 100'],
    ['crawl add https://a.example/ --max-pages x --scope host', 'whole number'],
    ['crawl add', 'there is no URL to add'],
    ['crawl add --file /nowhere/list', 'cannot read /nowhere/list'],
  ])('`%s` is a usage error and sends nothing', async (words, message) => {
    const { code, stderr } = await hydrant(words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(daemon.received).toEqual([]);
  });

  test('on a terminal does not wait for stdin', async () => {
    expect(await hydrant('crawl add -', { columns: 80 })).toMatchObject({ code: 2 });
  });

  test('warns of a scope without a border, and how far it goes', async () => {
    const { stderr } = await hydrant('crawl add https://a.example/ --scope any');
    expect(stderr).toContain('warning: --scope any follows links to every site: 2 steps deep, 100 pages at most');
  });

  test('of a URL that is refused fails with the daemon’s sentence', async () => {
    daemon = await FakeDaemon.onSocket();
    const refused = [{ index: 0, url: 'http://10.0.0.1/', message: 'private.' }];
    daemon.on(ADD, 200, report({ refused }));
    const { code, stdout, stderr } = await hydrant('crawl add http://10.0.0.1/');
    expect([code, stdout, stderr]).toEqual([6, '', 'error: private.\n']);
  });

  test('of a list tells which lines are refused, and adds the others', async () => {
    daemon = await FakeDaemon.onSocket();
    const refused = [{ index: 1, url: 'http://10.0.0.1/', message: 'private.' }];
    daemon.on(ADD, 200, report({ added: [SOURCE], refused }));
    const { code, stdout, stderr } = await hydrant('crawl add - -q', {
      input: '# mine\nhttps://example.org/\nhttp://10.0.0.1/\n',
    });
    expect([code, stdout]).toEqual([6, `${SOURCE.id}\n`]);
    expect(stderr).toBe(
      'warning: stdin line 3: http://10.0.0.1/: private.\nerror: 1 of 2 URLs refused; the others were added\n',
    );
  });

  test('of a URL that is known is no error, and says how its terms are changed', async () => {
    daemon = await FakeDaemon.onSocket();
    daemon.on(ADD, 200, report({ known: [{ index: 0, id: 's-0001', url: SOURCE.url }] }));
    const { code, stderr } = await hydrant('crawl add https://example.org/ --every 1h');
    expect(code).toBe(0);
    expect(stderr).toBe(
      'https://example.org/ is source s-0001 already, and is unchanged\nnext: hydrant crawl edit s-0001 --help\n',
    );
  });

  test('with --json is the whole report', async () => {
    const { stdout } = await hydrant('crawl add https://example.org/ --json');
    expect(JSON.parse(stdout)).toEqual(report({ added: [SOURCE] }).data);
  });
});

describe('hydrant crawl list', () => {
  async function listed(change: Partial<Source>, options: RunOptions = {}): Promise<string> {
    daemon = await FakeDaemon.onSocket();
    daemon.on('GET /admin/sources', 200, { data: [{ ...SOURCE, ...change }] });
    return (await hydrant('crawl ls', options)).stdout;
  }

  test('tells the last visit, and why it failed', async () => {
    const at = '2026-02-27T00:00:00Z';
    const last_visit = { url: SOURCE.url, at, outcome: 'failed', reason: 'http', detail: 'status 503' } as const;
    expect(await listed({ last_visit, visits: 4 })).toBe(
      's-0001\thttps://example.org/\tpage\t600\t1\t4\t2026-02-27T00:00:00Z failed: status 503\t\tok\n',
    );
    expect(await listed({ last_visit, visits: 4 }, { columns: 200 })).toContain('failed: status 503, ');
  });

  test('on 80 columns shows which source it is before how it is doing', async () => {
    const url = 'http://127.0.0.1:36393/news/';
    const at = new Date().toISOString();
    const table = await listed({ url, last_visit: { url, at, outcome: 'changed' } }, { columns: 80 });
    expect(table).toContain(`  ${url}  `);
    const tooLong = { url: `https://example.org/${'a'.repeat(200)}`, next_visit_at: at };
    const [head = ''] = (await listed(tooLong, { columns: 60 })).split('\n');
    expect(head).toContain('LAST VISIT');
    expect(head).not.toContain('VISITS');
  });

  test('tells what is paused, and what has no interval of its own', async () => {
    expect(await listed({ paused: true, every_seconds: null })).toBe(
      's-0001\thttps://example.org/\tpage\tauto\t1\t0\t\tpaused\tpaused\n',
    );
  });

  test('tells which fail, first and alone', async () => {
    const problem = { reason: '404', detail: 'the server answered 404', failures: 3, since: '2026-02-27T00:00:00Z' };
    const failing = { ...SOURCE, id: 's-0002', url: 'https://gone.example/', visits: 3, problem };
    daemon = await FakeDaemon.onSocket();
    daemon.on('GET /admin/sources', 200, { data: [SOURCE, failing] });
    const rows = (text: string): (string | undefined)[] => text.split('\n').map((line) => line.split('\t').at(-1));
    expect(rows((await hydrant('crawl list')).stdout)).toEqual(['failing: 404', 'new', '']);
    expect(rows((await hydrant('crawl list --failing')).stdout)).toEqual(['failing: 404', '']);
    expect((await hydrant('crawl show https://gone.example/')).stdout).toContain(
      'problem\tthe server answered 404, 3 times in a row, since 2026-02-27T00:00:00Z\n',
    );
    daemon = await FakeDaemon.onSocket();
    daemon.on('GET /admin/sources', 200, { data: [SOURCE] });
    expect(await hydrant('crawl list --failing')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('none of 1 source is failing'),
    });
  });
});

describe('hydrant crawl show', () => {
  test('finds a source by its URL as one types it, and tells its terms', async () => {
    const { stdout } = await hydrant('crawl show https://example.org');
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining(['scope\tpage', 'every\t10 m', 'pages\t1 of 1,000 at most', 'last visit\tnone yet']),
    );
  });

  test('of a URL with several sources names their ids and scopes', async () => {
    daemon = await FakeDaemon.onSocket();
    daemon.on('GET /admin/sources', 200, { data: [SOURCE, { ...SOURCE, id: 's-0002', scope: 'host' }] });
    const { code, stderr } = await hydrant('crawl show https://example.org/');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'https://example.org/ is 2 sources; specify one by its id: s-0001 (page), s-0002 (host)\n',
    );
  });

  test('of an unknown source is exit code 5', async () => {
    expect(await hydrant('crawl show nothing')).toMatchObject({ code: 5, stdout: '' });
  });
});

describe('hydrant crawl pause, resume and edit', () => {
  const CHANGE = `PATCH /admin/sources/${SOURCE.id}`;

  test.each([
    ['pause', { paused: true }],
    ['resume', { paused: false }],
    ['edit --every 1h', { every_seconds: 3_600 }],
    ['edit --every auto --depth all', { every_seconds: null, depth: null }],
    ['edit --depth 0 --max-pages 7', { depth: 0, max_pages: 7 }],
  ])('%s sends what changes and nothing else', async (words, change) => {
    daemon.on(CHANGE, 200, { data: { ...SOURCE, ...change } });
    const { code, stdout } = await hydrant(`crawl ${words} https://example.org/ --json`);
    expect(code).toBe(0);
    expect(daemon.sent(CHANGE).map(({ body }) => body)).toEqual([change]);
    expect(JSON.parse(stdout)).toEqual({ ...SOURCE, ...change });
  });

  test('edit without a change is a usage error', async () => {
    expect(await hydrant('crawl edit https://example.org/')).toMatchObject({ code: 2 });
    expect(daemon.received).toEqual([]);
  });

  test('change nothing when one of the names is wrong', async () => {
    expect(await hydrant('crawl pause https://example.org/ nothing')).toMatchObject({ code: 5 });
    expect(daemon.sent(CHANGE)).toEqual([]);
  });
});

describe('hydrant crawl remove', () => {
  test('finds a source by its URL, and needs a yes', async () => {
    daemon.on(`DELETE /admin/sources/${SOURCE.id}`, 204);
    expect(await hydrant('crawl rm https://example.org/')).toMatchObject({ code: 2 });
    expect(daemon.sent(`DELETE /admin/sources/${SOURCE.id}`)).toHaveLength(0);
    expect(await hydrant('crawl rm https://example.org/ -y')).toMatchObject({ code: 0, stdout: '' });
    expect(daemon.sent(`DELETE /admin/sources/${SOURCE.id}`)).toHaveLength(1);
  });
});
