import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeDaemon, type Ran, run, type RunOptions, SOURCE } from '../harness.ts';

let daemon: FakeDaemon;
beforeEach(async () => {
  daemon = await FakeDaemon.onSocket();
  daemon.on('GET /admin/sources', 200, { data: [SOURCE] }).on('POST /admin/sources', 201, { data: SOURCE });
});
afterEach(async () => daemon.stop());

async function hydrant(words: string, options: RunOptions = {}): Promise<Ran> {
  return run([...words.split(' '), '--data-dir', daemon.directory], options);
}
const bodies = (): unknown[] => daemon.sent('POST /admin/sources').map(({ body }) => body);

describe('hydrant crawl add', () => {
  test('sends each URL with what was typed', async () => {
    const { code } = await hydrant(
      'crawl add https://a.example/ https://b.example/ --scope host --every 10m --max-pages 9',
    );
    const flags = { scope: 'host', every_seconds: 600, max_pages: 9 };
    expect(code).toBe(0);
    expect(bodies()).toEqual([
      { url: 'https://a.example/', ...flags },
      { url: 'https://b.example/', ...flags },
    ]);
  });

  test('reads URLs from stdin, a line each, without comments and repetitions', async () => {
    await hydrant('crawl add -', {
      input: '# mine\nhttps://a.example/\n\n  https://b.example/ \nhttps://a.example/\n',
    });
    expect(bodies()).toEqual([{ url: 'https://a.example/' }, { url: 'https://b.example/' }]);
  });

  test.each([
    ['crawl add example.org/x', 'did you mean https://example.org/x?'],
    ['crawl add ftp://example.org/', 'is not a URL that can be crawled'],
    ['crawl add https://a.example/ --every soon', 'It is a time like 30s'],
    ['crawl add https://a.example/ --every 0', 'It is a time like 30s'],
    ['crawl add https://a.example/ --scope all', 'Allowed choices are page, host'],
    ['crawl add https://a.example/ --max-pages 5', '--scope host'],
    ['crawl add https://a.example/ --max-pages x --scope host', 'whole number'],
    ['crawl add', "missing required argument 'url'"],
  ])('`%s` is a usage error and sends nothing', async (words, message) => {
    const { code, stderr } = await hydrant(words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(daemon.received).toEqual([]);
  });

  test('on a terminal does not wait for stdin', async () => {
    expect(await hydrant('crawl add -', { columns: 80 })).toMatchObject({ code: 2 });
  });

  test('that is refused half-way tells what was added', async () => {
    daemon = await FakeDaemon.onSocket();
    daemon.on('POST /admin/sources', 201, { data: SOURCE }).on('POST /admin/sources', 422, { message: 'private.' });
    const { code, stdout, stderr } = await hydrant('crawl add https://a.example/ http://10.0.0.1/ -q');
    expect([code, stdout, stderr]).toEqual([6, `${SOURCE.id}\n`, 'error: private.\n']);
  });
});

describe('hydrant crawl list', () => {
  test('tells the last visit, and why it failed', async () => {
    daemon = await FakeDaemon.onSocket();
    const last_visit = {
      url: SOURCE.url,
      at: '2026-02-27T00:00:00Z',
      outcome: 'failed',
      reason: 'http',
      detail: 'status 503',
    };
    daemon.on('GET /admin/sources', 200, { data: [{ ...SOURCE, last_visit, visits: 4 }] });
    expect((await hydrant('crawl ls')).stdout).toBe(
      's-0001\thttps://example.org/\tpage\t600\t1\t4\t2026-02-27T00:00:00Z failed: status 503\t\n',
    );
    expect((await hydrant('crawl ls', { columns: 200 })).stdout).toContain('failed: status 503, ');
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
