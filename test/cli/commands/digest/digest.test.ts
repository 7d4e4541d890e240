import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeDaemon, OTHER_TAP, type Ran, RULE, run, TAP } from '../../harness.ts';

describe('hydrant digest and hydrant tap feed', () => {
  let daemon: FakeDaemon;
  let directory: string;
  beforeEach(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'hydrant-digest-'));
    daemon = await FakeDaemon.onSocket();
    daemon.on('GET /v1/taps', 200, { data: [TAP, OTHER_TAP] }).on('GET /v1/rules', 200, { data: [RULE] });
  });
  afterEach(async () => {
    rmSync(directory, { recursive: true, force: true });
    await daemon.stop();
  });

  /** A stream that is at its end. */
  function streaming(...documents: object[]): void {
    const frames = documents.map((document, offset) => {
      const data = { tap_id: TAP.id, query_ids: [RULE.id], matched_at: '2026-03-01T10:00:00.000Z', document };
      return `id: 0-${offset}\nevent: update\ndata: ${JSON.stringify(data)}\n\n`;
    });
    const text = `event: connected\ndata: {}\n\n${frames.join('')}event: end\ndata: {}\n\n`;
    for (const since of [86_400, 3_600]) {
      daemon.on(`GET /v1/stream?since=${since}s`, 200, text, { 'content-type': 'text/event-stream' });
    }
  }

  const hydrant = (...words: string[]): Promise<Ran> => run(words, { env: { HYDRANT_DATA_DIR: daemon.directory } });

  test('tell each story once, over all taps, in the form that was asked for', async () => {
    streaming({ url: 'https://example.org/a?utm_source=x', title: 'Ferry', page_category: ['/Travel'] });
    const { code, stdout } = await hydrant('digest');
    expect([code, stdout]).toEqual([0, expect.stringContaining('# hydrant: news, jobs\n')]);
    expect(stdout).toContain('1 story from 2 matches');
    expect(stdout).toContain('## linux\n\n- [Ferry](<https://example.org/a?utm_source=x>) – example.org\n');
    const json = JSON.parse((await hydrant('digest', 'news', '--by', 'category', '--json')).stdout) as object;
    expect(json).toMatchObject({
      matches: 1,
      stories: 1,
      groups: [{ name: '/Travel', stories: [{ title: 'Ferry' }] }],
    });
    expect((await hydrant('digest', 'news', '--format', 'html')).stdout).toMatch(/^<!doctype html>/);
    const text = (await hydrant('digest', 'news', '--format', 'text')).stdout;
    expect(text).toContain('* Ferry – example.org\n  <https://example.org/a?utm_source=x>\n');
  });

  test('tell as many stories as are wanted, and leave out what may not be linked to', async () => {
    const url = 'https://example.org/';
    streaming({ url: `${url}1` }, { url: `${url}2` }, { url: 'javascript:alert(1)' });
    const { stdout } = await hydrant('digest', 'news', '--since', '1h', '--limit', '1', '--title', 'Mine');
    expect(stdout).toContain('# Mine\n');
    expect(stdout).toContain('2 stories from 2 matches; the newest 1 are shown');
    expect(stdout).not.toContain('javascript');
  });

  test('say that nothing matched, or nothing at all where that is wanted', async () => {
    streaming();
    expect((await hydrant('digest', 'news')).stdout).toContain('nothing matched');
    expect(await hydrant('digest', 'news', '--quiet-when-empty')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('fail where the daemon breaks off, and print no half of a day', async () => {
    const text = 'event: connected\ndata: {}\n\nevent: error\ndata: {"message":"No credit is left."}\n\n';
    daemon.on('GET /v1/stream?since=86400s', 200, text, { 'content-type': 'text/event-stream' });
    const { code, stdout, stderr } = await hydrant('digest', 'news');
    expect([code, stdout, stderr]).toEqual([6, '', 'error: news: No credit is left.\n']);
  });

  test('write a feed to a file, all at once', async () => {
    streaming({ url: 'https://example.org/a', title: 'Ferry' });
    const file = path.join(directory, 'news.atom');
    expect(await hydrant('tap', 'feed', 'news', '--output', file)).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(file, 'utf8')).toBe((await hydrant('tap', 'feed', 'news')).stdout);
    expect(readFileSync(file, 'utf8')).toContain('<category term="linux"/>');
    const { stdout: json } = await hydrant('tap', 'feed', 'news', '--format', 'json');
    const { items } = JSON.parse(json) as { items: { id: string; title: string; tags: string[] }[] };
    expect(items).toMatchObject([{ title: 'Ferry', tags: ['linux'] }]);
    expect(readFileSync(file, 'utf8')).toContain(`<id>${items[0]?.id}</id>`);
    const nowhere = await hydrant('tap', 'feed', 'news', '--output', path.join(directory, 'no', 'x'));
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('cannot write')]);
    expect((await hydrant('tap', 'feed')).stderr).toContain('there are 2 taps; specify one');
  });
});
