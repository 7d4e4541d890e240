import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { parse } from 'parse5';
import { SaxesParser } from 'saxes';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { groupsOf, toHtml, toMarkdown } from '../../../../src/cli/commands/digest/digest.ts';
import { Fold, pageOf } from '../../../../src/cli/commands/digest/stories.ts';
import type { PastMatch } from '../../../../src/cli/commands/past-matches.ts';
import { toAtom } from '../../../../src/cli/commands/tap.ts';
import { FakeDaemon, OTHER_TAP, type Ran, RULE, run, TAP } from '../../harness.ts';

function matchOf(different: Partial<PastMatch> & { text?: string } = {}): PastMatch {
  const { text = '', ...rest } = different;
  return {
    id: '0-1',
    tapId: TAP.id,
    tap: 'news',
    at: '2026-03-01T10:00:00.000Z',
    url: 'https://example.org/a',
    title: 'News',
    tags: ['boats'],
    categories: [],
    chunks: text === '' ? [] : [{ typ: 'ins', text }],
    ...rest,
  };
}

function storiesOf(...matches: Partial<PastMatch & { text: string }>[]) {
  const fold = new Fold();
  for (const match of matches) fold.add(matchOf(match));
  return fold.stories();
}

const LONG = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ');

describe('a story', () => {
  const [a, b] = ['https://a.example/1', 'https://b.example/2'];
  const text = 'A ferry leaves the harbour at nine every day.';
  const said = (...matches: Parameters<typeof storiesOf>) =>
    storiesOf(...matches).map(({ changes }) => changes.map((change) => `${change.at.slice(11, 16)} ${change.excerpt}`));

  test('is one page, by whatever address, and the pages that say the same', () => {
    expect(storiesOf({ url: a, text }, { url: `${a}?utm_source=x#top`, text })).toMatchObject([
      { matches: 2, others: [], changes: [{ excerpt: text }] },
    ]);
    expect(storiesOf({ url: a, text, title: 'One' }, { url: b, text, title: 'Two' })).toMatchObject([
      { url: a, others: [{ url: b, title: 'Two' }], changes: [{ excerpt: text }] },
    ]);
  });

  test('folds nothing that differs: other texts under one title, short texts, two things of one shop', () => {
    const title = 'The new ferry leaves at nine';
    expect(storiesOf({ url: a, title, text }, { url: b, title, text: `${text} Not on Sundays.` })).toHaveLength(2);
    expect(storiesOf({ url: a, text: LONG }, { url: b, text: LONG.replace('word40', 'otherwise') })).toHaveLength(2);
    expect(storiesOf({ url: a, text: 'Sold out' }, { url: b, text: 'Sold out' })).toHaveLength(2);
    expect(storiesOf({ url: `${a}?id=1` }, { url: `${a}?id=2` })).toHaveLength(2);
    const [drill, saw] = [`${a}/drill`, `${a}/saw`];
    expect(storiesOf({ url: drill, title: 'Drill', text }, { url: saw, title: 'Saw', text })).toHaveLength(2);
  });

  test('shows all changes of its page, the newest first, each with its own time', () => {
    const change = (seconds: string, price: string) => ({ url: a, at: `2026-03-01T10:${seconds}Z`, text: price });
    const [ten, twelve, back] = [change('00:00', '10 EUR'), change('00:10', '12 EUR'), change('05:00', '10 EUR')];
    expect(said(ten, twelve)).toEqual([['10:00 12 EUR', '10:00 10 EUR']]);
    expect(said(back, twelve, ten)).toEqual([['10:05 10 EUR', '10:00 12 EUR', '10:00 10 EUR']]);
    const [story] = storiesOf(ten, twelve);
    expect(story).toMatchObject({ at: twelve.at, excerpt: '12 EUR' });
  });

  test('tells once what a page said in two taps', () => {
    expect(said({ url: a, text, tap: 'news' }, { url: a, text, tap: 'jobs' })).toEqual([[`10:00 ${text}`]]);
  });

  test('is told by the first of its pages, at the time of the newest', () => {
    const [story] = storiesOf(
      { url: a, at: '2026-03-01T12:00:00Z', title: 'Later', tags: ['b'] },
      { url: a, at: '2026-03-01T09:00:00Z', title: 'First', tags: ['a'], text: 'x'.repeat(400) },
    );
    expect(story).toMatchObject({ title: 'First', at: '2026-03-01T12:00:00Z', tags: ['a', 'b'], matches: 2 });
    expect(story?.excerpt).toHaveLength(281);
  });

  test('loses no text, whatever matches come in which order', () => {
    const texts = ['one', 'two', 'three', text];
    const match = fc.record({ url: fc.constantFrom(a, b), text: fc.constantFrom(...texts), minute: fc.nat(59) });
    fc.assert(
      fc.property(fc.array(match, { maxLength: 12 }), (some) => {
        const at = (minute: number): string => `2026-03-01T10:${String(minute).padStart(2, '0')}:00Z`;
        const stories = storiesOf(...some.map(({ minute, ...rest }) => ({ ...rest, at: at(minute) })));
        const shown = new Set(stories.flatMap(({ changes }) => changes.map(({ excerpt }) => excerpt)));
        expect(shown).toEqual(new Set(some.map((one) => one.text)));
        expect(stories.reduce((sum, { matches }) => sum + matches, 0)).toBe(some.length);
      }),
    );
  });

  test('with several changes has a line for each in a document', () => {
    const stories = storiesOf(
      { url: a, at: '2026-03-01T10:00:00Z', text: '10 EUR' },
      { url: a, at: '2026-03-01T11:30:00Z', text: '12 EUR' },
    );
    const facts = {
      since: '2026-03-01T00:00:00Z',
      until: '2026-03-02T00:00:00Z',
      kept_from: null,
      older_matches: 0,
      matches: 2,
      watch_changes: 0,
      stories: 1,
    };
    const digest = { title: 'x', ...facts, groups: groupsOf(stories, 'tag') };
    expect(toMarkdown(digest)).toContain('  - 03-01 11:30:00: 12 EUR\n  - 03-01 10:00:00: 10 EUR\n');
    expect(toHtml(digest)).toContain('<p>03-01 11:30:00: 12 EUR</p><p>03-01 10:00:00: 10 EUR</p>');
  });

  test('names what it is made of', () => {
    const facts = { since: '2026-03-01T00:00:00Z', until: '2026-03-02T00:00:00Z', kept_from: null, older_matches: 0 };
    const from = (matches: number, changes: number): string => {
      const stories = storiesOf({});
      const counts = { matches, watch_changes: changes, stories: 1 };
      return toMarkdown({ title: 'x', ...facts, ...counts, groups: groupsOf(stories, 'tag') });
    };
    expect(from(1, 0)).toContain(': 1 story from 1 match\n');
    expect(from(0, 1)).toContain(': 1 story from 1 change of watches\n');
    expect(from(1_200, 3)).toContain(': 1 story from 1,200 matches and 3 changes of watches\n');
  });

  test('of which the oldest are left out says so', () => {
    const facts = { since: '2026-03-01T00:00:00Z', until: '2026-03-02T00:00:00Z', kept_from: '2026-03-01T09:00:00Z' };
    const digest = {
      title: 'x',
      ...facts,
      matches: 1,
      watch_changes: 0,
      older_matches: 1_234,
      stories: 1,
      groups: groupsOf(storiesOf({}), 'tag'),
    };
    const said =
      '1 story from 1 match; 1,234 older ones are left out; matches from before 2026-03-01 09:00 UTC are no longer kept';
    expect(toMarkdown(digest)).toContain(said);
    expect(toHtml(digest)).toContain(said);
  });

  test.each([
    ['https://www.example.org/a/?fbclid=1&b=2&a=1#x', 'example.org/a?a=1&b=2'],
    ['http://example.org', 'example.org'],
    ['https://example.org:8443/a', 'example.org:8443/a'],
  ])('%s is %s', (url, page) => expect(pageOf(url)).toBe(page));
});

describe('groups', () => {
  test('are by what was asked, the largest first; what has nothing of it is other', () => {
    const stories = storiesOf(
      { url: 'https://a.example/1', tags: ['x'], categories: ['/News'] },
      { url: 'https://www.b.example/2', tags: ['y'] },
      { url: 'https://b.example/3', tags: ['y', 'x'] },
    );
    const names = (by: 'tag' | 'domain' | 'category' | 'tap'): [string, number][] =>
      groupsOf(stories, by).map((group) => [group.name, group.stories.length]);
    expect(names('tag')).toEqual([
      ['y', 2],
      ['x', 1],
    ]);
    expect(names('domain')).toEqual([
      ['b.example', 2],
      ['a.example', 1],
    ]);
    expect(names('category')).toEqual([
      ['other', 2],
      ['/News', 1],
    ]);
    expect(names('tap')).toEqual([['news', 3]]);
  });
});

const digestOf = (match: Partial<PastMatch & { text: string }>) => {
  const stories = storiesOf(match);
  const facts = {
    since: '2026-03-01T00:00:00Z',
    until: '2026-03-02T00:00:00Z',
    kept_from: null,
    older_matches: 0,
    watch_changes: 0,
    matches: 1,
    stories: 1,
  };
  return { title: match.title ?? 'x', ...facts, groups: groupsOf(stories, 'tag') };
};

const hostile = '</title><script>alert(1)</script> [x](javascript:1) "\'& \u001b[31m\u202e';

describe('text of strangers', () => {
  test('is no mark-up in HTML', () => {
    const html = toHtml(digestOf({ title: hostile, text: hostile, tags: [hostile] }));
    for (const part of ['<script', '\u001b', '\u202e']) expect(html).not.toContain(part);
    const names = new Set<string>();
    const visit = (node: object): void => {
      if ('tagName' in node && typeof node.tagName === 'string') names.add(node.tagName);
      if ('childNodes' in node && Array.isArray(node.childNodes)) for (const child of node.childNodes) visit(child);
    };
    visit(parse(html));
    expect([...names].sort()).toEqual(
      ['a', 'body', 'h1', 'h2', 'head', 'html', 'li', 'meta', 'p', 'span', 'style', 'title', 'ul'].sort(),
    );
    expect(html).not.toMatch(/(?:src|href)="(?!https:\/\/example\.org)/);
  });

  test('is no mark-up in Markdown', () => {
    const markdown = toMarkdown(digestOf({ title: hostile, text: `# ${hostile}`, tags: [hostile] }));
    expect(markdown).toContain(String.raw`- [\</title\>\<script\>alert\(1\)\</script\> \[x\]\(javascript:1\)`);
    for (const part of ['\u001b', '\u202e']) expect(markdown).not.toContain(part);
    expect(markdown).toContain(String.raw`  \# \</title`);
    expect(toMarkdown(digestOf({ text: '1. one' }))).toContain(String.raw`  1\. one`);
    expect(toMarkdown(digestOf({ text: '127.0.0.1 answers' }))).toContain('  127.0.0.1 answers');
  });

  test('is no link in Markdown, by itself or by what stands in it', () => {
    const markdown = toMarkdown(
      digestOf({ title: 'see http://evil.example/a', text: 'WWW.evil.example or me@evil.example' }),
    );
    expect(markdown).toContain(String.raw`- [see http\://evil.example/a](<`);
    expect(markdown).toContain('  WWW\\.evil.example or me`@`evil.example');
    expect(toMarkdown(digestOf({ text: 'ask @ferry at 5 @ 3' }))).toContain('  ask @ferry at 5 @ 3');
  });

  test('brings no tag characters into a digest, whatever its form', () => {
    const fold = new Fold();
    fold.add(matchOf({ title: 'a\u{e0041}b', text: 'c\u{e0041}d' }));
    expect(JSON.stringify(fold.stories())).not.toMatch(/[\u{e0000}-\u{e007f}]|\\udb40/iu);
  });

  test('leaves a feed well-formed, whatever it is', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(anything, anything, anything, (title, text, tag) => {
        const xml = toAtom({ id: TAP.id, name: tag, since: 'x' }, [matchOf({ title, text, tags: [tag] })]);
        const parser = new SaxesParser({ xmlns: true });
        parser.on('error', (error) => {
          throw error;
        });
        parser.write(xml).close();
      }),
    );
  });
});

describe('a feed', () => {
  const subject = { id: TAP.id, name: 'news', since: '2026-02-27T00:00:00+00:00' };

  test('has what Atom asks for, the newest first, with ids that stay', () => {
    const two = [matchOf({ id: '0-1' }), matchOf({ id: '0-2', at: '2026-03-01T11:00:00Z', text: 'a < b\nc' })];
    const xml = toAtom(subject, two);
    const ids = [...xml.matchAll(/<id>(.*?)<\/id>/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids)
      expect(id).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect([...xml.matchAll(/<updated>(.*?)<\/updated>/g)].map(([, at]) => at)).toEqual([
      '2026-03-01T11:00:00.000Z',
      '2026-03-01T11:00:00.000Z',
      '2026-03-01T10:00:00.000Z',
    ]);
    expect(xml).toContain('&lt;p&gt;&lt;ins&gt;a &amp;lt; b&lt;br&gt;c&lt;/ins&gt;&lt;/p&gt;');
    const later = toAtom(subject, [...two, matchOf({ id: '0-3' })]);
    for (const id of ids) expect(later).toContain(`<id>${id}</id>`);
    expect(toAtom({ ...subject, id: OTHER_TAP.id }, two)).not.toContain(ids[1]);
  });

  test('without an entry is as old as its tap', () => {
    expect(toAtom(subject, [])).toContain('<updated>2026-02-27T00:00:00.000Z</updated>');
  });
});

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
    const nowhere = await hydrant('tap', 'feed', 'news', '--output', path.join(directory, 'no', 'x'));
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('cannot write')]);
    expect((await hydrant('tap', 'feed')).stderr).toContain('there are 2 taps; specify one');
  });
});
