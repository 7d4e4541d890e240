import { describe, expect, test } from 'vitest';
import { dateInUrl } from '../../../../src/shared/page/metadata/dates.ts';
import { pageOf } from '../reading.ts';

const text = `<p>${'The ferry to the islands leaves at noon, as it did last year and the year before. '.repeat(5)}</p>`;
const local = (html: string, url?: string): string | undefined =>
  pageOf(`<title>The ferry is late</title>${html}`, url === undefined ? {} : { url }).publishTime?.local;
const H1 = '<h1>The ferry is late</h1>';

describe('the day in an address', () => {
  test.each([
    ['https://example.com/2026/02/13/late', '2026-02-13'],
    ['https://example.com/news/2026/2/13/late.html', '2026-02-13'],
    ['https://example.com/2026/feb/13/late', '2026-02-13'],
    ['https://example.com/news/2026-02-13-late', '2026-02-13'],
    ['https://example.com/20260213/late', '2026-02-13'],
    ['https://example.com/2026/02/13/', undefined],
    ['https://example.com/2026/02/31/late', undefined],
    ['https://example.com/2026/02/late', undefined],
    ['https://example.com/late?day=/2026/02/13/x', undefined],
    ['https://example.com/12026/02/13/late', undefined],
  ])('%s', (url, day) => {
    expect(dateInUrl(url)?.local.slice(0, 10)).toBe(day);
  });
});

describe('the date beside the headline', () => {
  test.each([
    ['under it', `${H1}<p>By Ann Harbour</p><p>13 February 2026, 08:06</p>${text}`],
    ['before it', `<p>13.02.2026 08:06</p>${H1}${text}`],
    ['under a standfirst', `${H1}<h2>Nobody knows why</h2><p>Published: Feb 13, 2026 8:06 am</p>${text}`],
    ['in a <time>', `${H1}<p>By Ann, <time datetime="2026-02-13T08:06">last Friday</time></p>${text}`],
    ['after a line break', `${H1}<p>By Ann Harbour<br>13 Feb 2026 08:06</p>${text}`],
    ['under the caption of a picture', `${H1}<figcaption>${text}</figcaption><p>13 Feb 2026 08:06</p>${text}`],
    ['before the date of an update', `${H1}<p>13 Feb 2026 08:06. Updated: 15 Feb 2026 09:00</p>${text}`],
  ])('%s', (_, html) => {
    expect(local(html)).toBe('2026-02-13T08:06:00');
  });

  test.each([
    ['of an update', `${H1}<p>Last updated: 13 February 2026</p>${text}`],
    ['of an update, said behind it', `${H1}<p>2026年2月13日 更新</p>${text}`],
    ['of a last post', `${H1}<p>Topics: 12 Last Post: 13 Feb 2026 08:06</p>${text}`],
    ['of an event', `${H1}<p>13 February 2026 – 15 February 2026</p>${text}`],
    [
      'in a sentence',
      `${H1}<p>The first ferry of all left the old harbour on 13 February 2026 with nobody on it.</p>${text}`,
    ],
    ['after the text', `${H1}${text}<p>13 February 2026</p>`],
    ['under another heading', `${H1}<p>All news.</p><p>Today</p><h2>Rain</h2><p>13 February 2026</p>${text}`],
    ['in a table of facts', `${H1}<table><tr><td>Built<td>13 February 1998</table>${text}`],
    ['of a list', `${H1}<p>13 Feb 2026</p><p>Rain</p><p>14 Feb 2026</p><p>Sun</p><p>15 Feb 2026</p><p>Snow</p>`],
    ['that is a length', `${H1}<p><time datetime="PT14M38S">14:38</time></p>${text}`],
    ['without a headline', `<p>13 February 2026</p>${text}`],
  ])('none is taken that is %s', (_, html) => {
    expect(local(html)).toBeUndefined();
  });

  test('where the address names the same day, the line tells the hour; where it names another, the address counts', () => {
    const url = 'https://example.com/2026/02/13/late';
    expect(local(`${H1}<p>13 February 2026, 08:06</p>${text}`, url)).toBe('2026-02-13T08:06:00');
    expect(local(`${H1}<p>15 February 2026, 08:06</p>${text}`, url)).toBe('2026-02-13T00:00:00');
  });

  test('a home page is not published on a day, unless it says so to machines', () => {
    const home = 'https://example.com/';
    expect(local(`${H1}<p>13 February 2026</p>${text}`, home)).toBeUndefined();
    expect(local('<meta name=date content="2026-02-13">', home)).toBe('2026-02-13T00:00:00');
  });

  test('an English tag in a page of another language does not turn day and month around', () => {
    const html = '<html lang=en-US><title>Το πλοίο άργησε</title><h1>Το πλοίο άργησε</h1><p>10/03/2026</p>';
    expect(pageOf(html).publishTime).toBeUndefined();
    expect(local(`<html lang=en-US>${H1}<p>10/03/2026</p>`)).toBe('2026-10-03T00:00:00');
  });
});

describe('microdata', () => {
  test('dates an article by its text or content, never by a comment on it', () => {
    const item = (type: string, inside: string): string =>
      `<div itemscope itemtype="https://schema.org/${type}">${inside}</div>`;
    const date = '<span itemprop="datePublished">13 Feb 2026</span>';
    expect(local(item('Article', date))).toBe('2026-02-13T00:00:00');
    expect(local(item('Comment', date))).toBeUndefined();
    expect(local(item('Product', `<p itemprop=review itemscope>${date}`))).toBeUndefined();
  });
});

test('100,000 dates in every place are read in the same way', { timeout: 60_000 }, () => {
  const date = '<time datetime="x">13 Foo</time><p itemprop=datePublished>x<meta name=date content=y>';
  expect(local(`<article><header>${date.repeat(30_000)}</header>${H1}</article>`)).toBeUndefined();
});
