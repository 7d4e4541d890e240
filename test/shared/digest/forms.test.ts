import { parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import { groupsOf } from '../../../src/shared/digest/digest.ts';
import { toHtml, toMarkdown, toText } from '../../../src/shared/digest/forms.ts';
import { digestOf, storiesOf } from './match-sample.ts';

describe('a document', () => {
  const a = 'https://a.example/1';

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
    expect(toText(digest)).toContain('  > 03-01 11:30:00: 12 EUR\n  > 03-01 10:00:00: 10 EUR\n');
  });

  test('as text is as one reads it in a mail', () => {
    const text = 'The ferry leaves at ten o’clock, every day but Sunday.';
    const stories = storiesOf({ title: 'Ferry', text }, { title: 'Ferry', text, url: 'https://www.other.example/b' });
    const facts = { ...digestOf({}), title: 'hydrant: news', matches: 2, groups: groupsOf(stories, 'tag') };
    expect(toText(facts)).toBe(`hydrant: news
=============
2026-03-01 00:00 to 2026-03-02 00:00 UTC: 1 story from 2 matches

boats
-----

* Ferry – example.org
  <https://example.org/a>
  > The ferry leaves at ten o’clock, every day but Sunday.
  also: <https://www.other.example/b>
`);
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
});

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
    const stories = storiesOf({ title: 'a\u{e0041}b', text: 'c\u{e0041}d' });
    expect(JSON.stringify(stories)).not.toMatch(/[\u{e0000}-\u{e007f}]|\\udb40/iu);
  });
});
