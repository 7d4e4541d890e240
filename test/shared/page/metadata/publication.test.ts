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
    ['https://example.com/why-the-ferry-is-late-20260213/', '2026-02-13'],
    ['https://example.com/2026/02/13/', undefined],
    ['https://example.com/news/20260213/', undefined],
    ['https://example.com/part-12345-20260213', undefined],
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

const day = (html: string, url = 'https://example.com/news/14.html'): string | undefined =>
  pageOf(html, { url }).publishTime?.local.slice(0, 10);

describe('the date as readers of each language see it', () => {
  test.each([
    ['it', 'Il traghetto è in ritardo', 'Notizia del 14 Gennaio 2020'],
    ['it', 'Il traghetto è in ritardo', 'Pubblicato il 14/01/2020 alle 10:30'],
    ['es', 'El ferry llega tarde', 'Redacción | 14 ENE 2020 - 10:30 CET'],
    ['es', 'El ferry llega tarde', '14/01/2020 10H30 - ACTUALIZADO A 15/01/2020 11H00'],
    ['fr', 'Le bac a du retard', 'Par Anne Leport — 14 janvier 2020 à 10h30, mis à jour le 15 janvier 2020'],
    ['pt', 'A balsa está atrasada', 'Publicada em 14/01/2020 às 10:30'],
    ['de', 'Die Fähre ist zu spät', 'Veröffentlicht am Dienstag, 14.01.2020, 10:30 Uhr'],
    ['nl', 'De veerboot is te laat', 'Geplaatst op dinsdag 14 januari 2020'],
    ['pl', 'Prom się spóźnia', 'Data publikacji: 14 stycznia 2020 r.'],
    ['ru', 'Паром опаздывает', 'Опубликовано: 14 января 2020, 10:30'],
    ['tr', 'Vapur gecikti', 'Yayınlanma: 14 Ocak 2020 Salı 10:30'],
    ['cs', 'Trajekt má zpoždění', 'Zveřejněno 14. ledna 2020'],
    ['sv', 'Färjan är försenad', 'Publicerad 14 januari 2020'],
    ['ar', 'العبارة متأخرة اليوم', 'الثلاثاء 14 جانفي 2020'],
    ['ar', 'العبارة متأخرة اليوم', 'تاريخ النشر: 14 كانون الثاني/يناير 2020'],
    ['fa', 'کشتی دیر رسید', 'انتشار: ۱۴ ژانویهٔ ۲۰۲۰'],
    ['hi', 'नौका देर से पहुँची', 'प्रकाशित: 14 जनवरी 2020 10:30 IST'],
    ['th', 'เรือข้ามฟากมาสาย', 'เผยแพร่: 14 ม.ค. 2563 10:30 น.'],
    ['id', 'Feri terlambat lagi', 'Selasa, 14 Januari 2020 10:30 WIB'],
    ['vi', 'Phà đến muộn', 'Thứ ba, 14/1/2020, 10:30 (GMT+7)'],
    ['he', 'המעבורת מאחרת', 'פורסם: 14 בינואר 2020'],
    ['ja', 'フェリーが遅れている', '掲載日：2020年1月14日 10時30分'],
    ['ja', 'フェリーが遅れている', '令和2年1月14日'],
    ['zh', '渡轮今天晚点了', '来源：港口日报 发布时间：2020-01-14 10:30'],
    ['zh', '渡輪今天晚點了', '民國109年1月14日'],
    ['ko', '여객선이 늦었다', '기사입력 : [ 2020-01-14 10:30 ]'],
    ['en-US', 'The ferry is late', 'By Ann Harbour - 1/14/20 10:30 AM EST'],
    ['en', 'The ferry is late', 'Published Tue, Jan 14 202010:30 AM EST'],
  ])('%s: %s, %s', (lang, title, line) => {
    const long = `<p>${`${title}. `.repeat(40)}</p>`;
    expect(day(`<html lang=${lang}><title>${title}</title><h1>${title}</h1><p>${line}</p>${long}`)).toBe('2020-01-14');
  });

  test('the headline is the heading that the title repeats most of, not the name of the site', () => {
    const html = `<title>The ferry is late today - Harbour Post</title><h1>Harbour Post</h1><ul><li>News</ul>
      <h2>The ferry is late today</h2><p>14 January 2020</p>${text}`;
    expect(day(html)).toBe('2020-01-14');
  });

  test('buttons and topics between headline and date do not end the byline, and quotes are written in many ways', () => {
    const topics = Array.from({ length: 14 }, (_, at) => `<li><a href=/${at}>topic ${at}</a>`).join('');
    const html = `<title>The ferry's late</title><h1>The ferry’s late</h1><ul>${topics}</ul><p>14 January 2020</p>${text}`;
    expect(day(html)).toBe('2020-01-14');
  });

  test('a line that says so of itself counts wherever it stands, but not among comments', () => {
    const end = 'This entry was posted on January 14th, 2020 by Ann in Ferries.';
    expect(day(`<title>t</title>${H1}${text}<p>${end}</p>`)).toBe('2020-01-14');
    expect(day(`<title>t</title>${H1}${text}<h3>2 comments</h3><p>${end}</p>`)).toBeUndefined();
    expect(day(`<title>t</title>${H1}${text}<p>${end}</p><p>Posted on 3 May 2019</p>`)).toBeUndefined();
  });

  test('so does the only <time> of a long text', () => {
    const time = '<p><time datetime="2020-01-14">im Januar</time></p>';
    expect(day(`<title>t</title>${H1}${text.repeat(3)}${time}`)).toBe('2020-01-14');
    expect(day(`<title>t</title>${H1}${text.repeat(3)}${time}${time.replaceAll('14', '15')}`)).toBeUndefined();
    expect(day(`<title>t</title>${H1}<p>Short.</p><h2>One</h2><p>Two.</p><h2>Three</h2>${time}`)).toBeUndefined();
  });
});

describe('the day a thread began', () => {
  const forum = 'https://forum.example.com/showthread.php?t=12';
  const posts = (...dates: readonly string[]): string =>
    `${H1}${text}${dates.map((date) => `<div><p>Ann</p><p>${date}</p><p>Join Date: 1 May 2005</p>${text}</div>`).join('')}`;

  test.each([
    ['a number in its line', posts('post #1 of 9, 02-13-2026, 08:06 AM', '02-14-2026, 08:06 AM')],
    ['a number beside its line', posts('#1</p><p>13 Feb 2026, 08:06', '#2</p><p>14 Feb 2026, 08:06')],
    ['the order of its posts', posts('13 Feb 2026, 08:06', '13 Feb 2026, 09:00', '14 Feb 2026, 08:06')],
    ['the order of posts that say it', posts(...[13, 14, 15].map((day) => `Posted: ${day} Feb 2026, 08:06`))],
  ])('is that of the first post, told by %s', (_, html) => {
    expect(local(html, forum)).toBe('2026-02-13T08:06:00');
  });

  test.each([
    ['a list of threads, youngest first', posts('15 Feb 2026', '14 Feb 2026', '13 Feb 2026'), forum],
    ['an answer with the number 1', posts('Reply #1 on: 13 Feb 2026', 'Reply #2 on: 14 Feb 2026'), forum],
    ['comments elsewhere', posts('13 Feb 2026', '14 Feb 2026', '15 Feb 2026'), 'https://example.com/late'],
    [
      'a later page',
      `<title>The ferry is late - Page 2</title>${posts('13 Feb 2026', '14 Feb 2026', '15 Feb 2026')}`,
      forum,
    ],
  ])('is not told by %s', (_, html, url) => {
    expect(pageOf(html, { url }).publishTime).toBeUndefined();
  });
});

test('a line that begins with the word for a date tells that of the text', () => {
  expect(local(`${H1}${text}<p>Date 13.02.2026</p>${text}`)).toBe('2026-02-13T00:00:00');
  expect(local(`${H1}${text}<p>Closing date 13.02.2026</p>${text}`)).toBeUndefined();
  expect(local(`${H1}${text}<p>Date 13.02.2026</p>${text}<p>Date 14.02.2026</p>${text}`)).toBeUndefined();
});

describe('no date is invented from', () => {
  const H = '<title>The ferry is late</title><h1>The ferry is late</h1>';
  const teaser = (at: number): string =>
    `<h2><a href=/${at}>Ferry ${at} leaves the old harbour</a></h2><p>${10 + at} January 2020</p><p>It left at noon.</p>`;
  test.each([
    ['a joining date', `${H}<p>Member since: 14 January 2020</p>${text}`],
    ['a joining date below its label', `${H}<dl><dt>Mitglied seit<dd>14. Januar 2020</dl>${text}`],
    ['the end of a sale', `${H}<p>Offer ends Tuesday, 14 January 2020</p>${text}`],
    ['a validity', `${H}<p>Gültig bis 14.01.2020</p>${text}`],
    ['a concert', `${H}<p>Tue 14 January 2020, 20:00</p><p>Venue: Harbour Hall</p><p>Get tickets</p>${text}`],
    ['a release', `${H}<p>Release: 14.01.2020</p>${text}`],
    ['a book', `${H}<p>14 January 2020</p><p>ISBN 978-3-16-148410-0</p>${text}`],
    ['a commit', `${H}<p>Latest commit 0af3 on 14 Jan 2020</p>${text}`],
    ['the first teaser of an index page', `<title>Ferries</title><h1>Ferries</h1>${[1, 2, 3, 4].map(teaser).join('')}`],
  ])('%s', (_, html) => {
    expect(day(html)).toBeUndefined();
  });

  test.each(['events/14', 'concerts/late', 'users/ann', 'category/ferries', 'tag/late', 'news/', 'de/aktuelles/'])(
    'a line of /%s',
    (path) => {
      expect(day(`${H}<p>14 January 2020</p>${text}`, `https://example.com/${path}`)).toBeUndefined();
    },
  );

  test('what a product or an event shows of itself', () => {
    const item = (type: string): string => `<div itemscope itemtype="https://schema.org/${type}"></div>`;
    expect(day(`${H}${item('Product')}<p>14 January 2020</p>${text}`)).toBeUndefined();
    expect(day(`${H}${item('MusicEvent')}<p>14 January 2020</p>${text}`)).toBeUndefined();
    expect(day(`${H}${item('NewsArticle')}<p>14 January 2020</p>${text}`)).toBe('2020-01-14');
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
