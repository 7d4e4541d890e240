import { describe, expect, test } from 'vitest';
import { mainText } from '../../../../src/shared/page/structure/content.ts';
import type { Zone } from '../../../../src/shared/page/page.ts';
import { pageOf } from '../reading.ts';

const PARAGRAPHS = Array.from(
  { length: 6 },
  (_, index) =>
    `<p>Ferry number ${index} leaves the old harbour at dawn, crosses the bay in the lee of the island, and is back by noon.</p>`,
);
const STORY = PARAGRAPHS.join('');
const link = (text: string): string => `<a href="/${encodeURIComponent(text)}">${text}</a>`;

/** The zone of the segment with this text. */
function zoneIn(html: string, text: string): Zone | undefined {
  return pageOf(html).segments.find((segment) => segment.text === text)?.zone;
}

describe('main', () => {
  test('is the text that the page is about, without headline, byline and what follows it', () => {
    const html = `<div class="site"><div><h1>Ferries</h1><div class="who">Ann Example</div><p>3 May</p></div>
      <div class="story">${STORY}<h3>More to come</h3></div></div>`;
    const page = pageOf(html);
    expect(page.segments.filter(({ zone }) => zone === 'main')).toHaveLength(PARAGRAPHS.length);
    expect(zoneIn(html, 'Ferries')).toBe('body');
    expect(zoneIn(html, 'Ann Example')).toBe('body');
    expect(mainText(page).split('\n')).toHaveLength(PARAGRAPHS.length);
  });

  test('holds the lists, subheads, quotes and tables of the text', () => {
    const html = `<article>${STORY}<h2>By day</h2><ul><li>Monday</li><li>${link('Tuesday')}</li><li>Wednesday</li></ul>
      <table><tr><td>Dawn<td>06:10<tr><td>Noon<td>12:00</table><blockquote>Mind the gap.</blockquote>${STORY}</article>`;
    for (const text of ['By day', 'Monday', 'Tuesday', 'Dawn | 06:10', 'Mind the gap.']) {
      expect([text, zoneIn(html, text)]).toEqual([text, 'main']);
    }
  });

  test('goes on where a text is parted into sections', () => {
    const parts = PARAGRAPHS.map((paragraph) => `<div class="part">${paragraph.repeat(3)}</div>`).join('');
    const html = `<div class="page"><div class="text">${parts}</div><div class="list">${link('Tides').repeat(40)}</div></div>`;
    expect(pageOf(html).segments.filter(({ zone }) => zone === 'main')).toHaveLength(3 * PARAGRAPHS.length);
  });

  test('is where the text is, and not where the comments are, however many', () => {
    const comment =
      '<p>I took it last week and must say that it was late, loud and full, but the view was splendid.</p>';
    const html = `<div class="story">${STORY}</div><div id="commentsContainer">${`<div class="comment">${comment}</div>`.repeat(60)}</div>`;
    const page = pageOf(html);
    expect(page.segments.filter(({ zone }) => zone === 'main')).toHaveLength(PARAGRAPHS.length);
    expect(page.segments.filter(({ zone }) => zone === 'body')).toHaveLength(60);
  });

  test('is the comments, where the page is nothing else', () => {
    const posts = PARAGRAPHS.map((paragraph) => `<div class="comment">${paragraph}</div>`).join('');
    expect(mainText(pageOf(`<div class="thread">${posts}</div>`)).split('\n')).toHaveLength(PARAGRAPHS.length);
  });

  test('is found in scripts that write no spaces', () => {
    const text =
      '<p>渡船在黎明时分离开老港口，在岛屿的背风处穿过海湾，中午之前返回码头，然后再次出发前往对岸的小镇。</p>';
    const html = `<div class="story">${text.repeat(8)}</div><div>${link('首页')} ${link('新闻')}</div>`;
    expect(new Set(pageOf(html).segments.map(({ zone }) => zone))).toEqual(new Set(['main', 'chrome']));
  });
});

describe('chrome', () => {
  test.each([
    'menu',
    'cookie-banner',
    'share_buttons',
    'newsletter',
    'siteFooter',
    'breadcrumbs',
    'ad ad-top',
    'loginForm',
    'social-links',
  ])('is what is named %j', (name) => {
    expect(zoneIn(`<div class="${name}">Some words</div><div class="story">${STORY}</div>`, 'Some words')).toBe(
      'chrome',
    );
    expect(zoneIn(`<div class="story">${STORY}</div><div id="${name}">Some words</div>`, 'Some words')).toBe('chrome');
  });

  test.each([
    'has-sidebar no-menu',
    'category-cookies',
    'article-header',
    'entry-content',
    'tweet-embed',
    'shareholders',
  ])('is not what is named %j', (name) => {
    const html = `<div class="story">${STORY}<div class="${name}">Some words</div>${STORY}</div>`;
    expect(zoneIn(html, 'Some words')).not.toBe('chrome');
  });

  test('is never the most of a page, nor its headline, nor a chapter, whatever the names say', () => {
    expect(zoneIn(`<div class="cookie-popup">${STORY}</div>`, 'Ferry number 0')).toBeUndefined();
    expect(pageOf(`<div class="cookie-popup">${STORY}</div>`).segments.every(({ zone }) => zone === 'main')).toBe(true);
    expect(zoneIn(`<div class="header"><h1>Ferries</h1></div>${STORY}`, 'Ferries')).toBe('body');
    const chapter = `<section id="cookies"><h2 id="sharing">Cookies</h2>${STORY}</section>`;
    const terms = pageOf(`<div class="terms">${STORY.repeat(5)}${chapter}</div>`);
    expect(terms.segments.every(({ zone }) => zone === 'main')).toBe(true);
  });

  test('is links and teasers around a clear text, with the headings over them', () => {
    const links = `<ul><li>${link('Tides of May')}<li>${link('Lamps')}</ul>`;
    const box = (more: string): string => `<div><h3>Elsewhere</h3>${links}${more}</div>`;
    const html = (more = ''): string =>
      `<div class="story">${STORY}</div>${box(more)}<div class="related"><p>Boats we like</p></div>`;
    expect(['Elsewhere', 'Tides of May', 'Lamps', 'Boats we like'].map((text) => zoneIn(html(), text))).toEqual(
      Array.from({ length: 4 }, () => 'chrome'),
    );
    // A heading goes only with all that it heads.
    for (const text of ['10.5.0', 'Elsewhere']) expect(zoneIn(html('<p>10.5.0</p>'), text)).toBe('body');
  });

  test('a heading before something else than links, or between them, stays', () => {
    const verdict = `<div class="box"><p>Our ruling on what the minister said:</p><h4>False</h4></div>`;
    const html = `<div class="story">${STORY}</div>${verdict}<div><h3>More checks</h3><ul><li>${link('Tides')}<li>${link('Lamps')}</ul></div>`;
    expect(zoneIn(html, 'False')).toBe('body');
    expect(zoneIn(html, 'More checks')).toBe('chrome');
  });

  test('is not the links of a page that lists things', () => {
    const html = `<h1>Timetables</h1><p>Valid from May.</p><ul><li>${link('North pier')}<li>${link('South pier')}</ul>`;
    expect(pageOf(html).segments.map(({ zone }) => zone)).not.toContain('chrome');
  });
});

test('a link has the zone of the text it stands in, also in a table', () => {
  const html = `<nav>${link('Home')}</nav><div class="story">${STORY}<p>See ${link('the plan')} of all the ferries that call here.</p>
    <table><tr><td>${link('Pier 1')}<td>calls at dawn, at noon and late in the evening</table></div><div>${link('Teaser')}</div>`;
  expect(pageOf(html).anchors.map(({ text, zone }) => [text, zone])).toEqual([
    ['Home', 'chrome'],
    ['the plan', 'main'],
    ['Pier 1', 'main'],
    ['Teaser', 'chrome'],
  ]);
});

test('a link to a place in the page itself is text, not a link', () => {
  const contents = '<ul><li><a href="#a">Morning boats</a><li><a href="#b">Evening boats</a></ul>';
  expect(zoneIn(`<div>${STORY}${contents}${STORY}</div>`, 'Morning boats')).toBe('main');
});
