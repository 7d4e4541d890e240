import { parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import { changePage } from '../../../src/shared/documents/change-html.ts';
import { shownHunks } from '../../../src/shared/documents/shown-change.ts';
import { CHANGE } from './change-sample.ts';

const page = (change: Partial<Parameters<typeof changePage>[0]> = {}): string =>
  changePage({
    url: 'https://example.org/prices?a=1&b="2"',
    title: 'Prices </title><script>',
    summary: '2 lines added, 1 removed',
    hunks: shownHunks(CHANGE),
    ...change,
  });

describe('the page of a change', () => {
  test('holds a stranger’s text as text', () => {
    const html = page();
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;\u{fffd}[2J');
    expect(html).toContain('<title>Prices &lt;/title&gt;&lt;script&gt;: what changed</title>');
  });

  test('marks the words that changed', () => {
    expect(page()).toContain('<tr class="del"><td>−</td><td>Team: <mark>20</mark> euros a month</td></tr>');
    expect(page()).toContain('<tr class="ins"><td>+</td><td>Team: <mark>25</mark> euros a month</td></tr>');
  });

  test('asks nothing of anyone, and says so to the browser', () => {
    expect(page()).not.toMatch(/\bsrc=|@import|url\(/);
    expect(page()).toContain("default-src 'none'");
  });

  test('is a link only where HTTP serves it', () => {
    expect(page()).toContain('<a href="https://example.org/prices?a=1&amp;b=&quot;2&quot;" rel="noreferrer">');
    expect(page({ url: 'javascript:alert(1)' })).not.toContain('href=');
  });

  test('is HTML without a mistake', () => {
    const mistakes: string[] = [];
    parse(page(), { onParseError: ({ code }) => mistakes.push(code) });
    expect(mistakes).toEqual([]);
  });
});
