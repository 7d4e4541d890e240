import { describe, expect, test } from 'vitest';
import { absence } from '../../../../src/shared/page/diff/absence.ts';
import { pageOf } from '../reading.ts';

const lines = (count: number, what: string): string[] =>
  Array.from({ length: count }, (_, line) => `<p>${what} of line ${line} leaves the old harbour at noon.</p>`);
const html = (title: string, ...body: readonly string[]): string =>
  `<title>${title}</title><main>${body.join('\n')}</main>`;
const story = pageOf(html('Ferries | Harbour News', '<h1>Ferries leave earlier</h1>', ...lines(40, 'The ferry')));
const popular = ['<h2>Popular stories</h2>', ...lines(40, 'Another tale')];

const NOT_FOUND = [
  ['404', '<p>Nothing here.</p>'],
  ['404 Not Found', '<h1>Not Found</h1><p>The requested URL was not found on this server.</p>'],
  ['Error 404 (Not Found)!!1', '<p>That’s an error.</p>'],
  ['Page not found | Harbour News', '<p>The page you are looking for does not exist.</p>'],
  ['Harbour News', '<h1>Oops! That page can’t be found.</h1><p>It looks like nothing was found.</p>'],
  ['Harbour News - 404 - Page Not Found', '<p>Try the search.</p>'],
  ['Sorry, this page no longer exists', '<p>It was removed.</p>'],
  ['Seite nicht gefunden – Hafenblatt', '<h1>Fehler 404</h1><p>Diese Seite gibt es nicht mehr.</p>'],
  ['Die Seite konnte leider nicht gefunden werden', '<p>Zur Startseite</p>'],
  ['Page introuvable', '<p>Cette page n’existe plus.</p>'],
  ['Página no encontrada', '<p>La página no existe.</p>'],
  ['Pagina non trovata', '<p>Torna alla home.</p>'],
  ['Página não encontrada', '<p>Volte ao início.</p>'],
  ['Pagina niet gevonden', '<p>Terug naar de voorpagina.</p>'],
  ['Sidan kunde inte hittas', '<p>Till startsidan</p>'],
  ['Strona nie została znaleziona', '<p>Wróć.</p>'],
  ['Страница не найдена', '<p>На главную</p>'],
  ['ページが見つかりません', '<p>トップへ</p>'],
  ['页面不存在', '<p>返回首页</p>'],
  ['페이지를 찾을 수 없습니다', '<p>홈으로</p>'],
] as const;

const MAINTENANCE = [
  ['Under maintenance', '<p>We will be back soon.</p>'],
  ['Harbour News | Site under scheduled maintenance', '<p>Please try again later.</p>'],
  ['We’ll be back soon!', '<p>Sorry for the inconvenience.</p>'],
  ['503 Service Unavailable', '<p>No server is available.</p>'],
  ['Wartungsarbeiten', '<p>Wir sind in Kürze wieder da.</p>'],
  ['Site en maintenance', '<p>De retour bientôt.</p>'],
  ['En mantenimiento', '<p>Volvemos pronto.</p>'],
  ['Технические работы', '<p>Скоро вернёмся.</p>'],
  ['メンテナンス中', '<p>しばらくお待ちください。</p>'],
  ['网站维护中', '<p>请稍后再试。</p>'],
] as const;

describe('a page that says it is not there', () => {
  test.each(NOT_FOUND)('%s: at the first visit, and in the place of a story', (title, body) => {
    const page = pageOf(html(title, body));
    expect(absence(page)).toMatchObject({ reason: 'not_found' });
    expect(absence(page, story)?.detail).toMatch(/^The page says that it does not exist: "/);
  });

  test.each(MAINTENANCE)('%s: its site is being worked on', (title, body) => {
    const page = pageOf(html(title, body));
    expect(absence(page)).toMatchObject({ reason: 'maintenance' });
    expect(absence(page, story)?.detail).toMatch(/^The page says that its site is down: "/);
  });

  test('with many stories to read instead is one where the former text is gone', () => {
    expect(absence(pageOf(html('Page not found', ...popular)), story)).toMatchObject({ reason: 'not_found' });
    expect(absence(pageOf(html('Page not found', ...popular)))).toBeUndefined();
  });

  test('may be known by where it leads: a page of errors, or the front page', () => {
    const at = (url: string): ReturnType<typeof absence> => absence(pageOf(html('Hello', ...popular), { url }), story);
    expect(at('https://example.com/errors/404.html')?.detail).toMatch(/redirects to \/errors\/404\.html/);
    expect(at('https://example.com/')?.detail).toMatch(/redirects to the front page/);
    expect(at('https://example.com/notes/today')).toBeUndefined();
    expect(at('https://example.com/notes/tomorrow')).toBeUndefined();
    const index = pageOf(html('Ferries', ...lines(40, 'The ferry')), { url: 'https://example.com/index.html' });
    expect(absence(pageOf(html('Hello', ...popular), { url: 'https://example.com/' }), index)).toBeUndefined();
  });
});

describe('a page that is there', () => {
  test.each([
    ['Page not found: how 404 pages became an art', '<p>An essay about pages that were not found.</p>'],
    ['How we designed our 404 page', '<p>The page you are looking for does not exist, it says.</p>'],
    ['The story not found in any book', '<p>A tale.</p>'],
    ['404 Fahrenheit | Harbour News', '<p>A novel.</p>'],
    ['Bus 410', '<p>Leaves at noon.</p>'],
    ['Bus 503 | Timetable', '<p>Leaves at noon.</p>'],
    ['Maintenance of old ships', '<p>It takes a while. We try again later.</p>'],
    ['Scheduled maintenance on the harbour bridge', '<p>The bridge closes on Sunday, and opens soon.</p>'],
    ['Gone fishing', '<p>Back soon with a catch.</p>'],
    ['Lost & found', '<p>An umbrella was not found.</p>'],
  ])('%s: called otherwise', (title, body) => {
    expect(absence(pageOf(html(title, body)))).toBeUndefined();
    expect(absence(pageOf(html(title, body)), story)).toBeUndefined();
  });

  test.each(['HTTP 404', '404 Not Found', 'Page not found', 'Maintenance'])('%s: long', (title) => {
    expect(absence(pageOf(html(title, ...lines(40, 'The error'))))).toBeUndefined();
  });

  test('that has always been called so may change', () => {
    const former = pageOf(html('404 Not Found', ...lines(40, 'The error')));
    expect(absence(pageOf(html('404 Not Found', ...lines(40, 'The remedy'))), former)).toBeUndefined();
  });

  test('with most of its text is not gone, whatever it is called', () => {
    expect(absence(pageOf(html('Maintenance', ...lines(40, 'The ferry'))), story)).toBeUndefined();
  });

  test('a short one may say anything else, and be replaced by anything else', () => {
    expect(absence(pageOf(html('Open', '<p>Yes.</p>')))).toBeUndefined();
    expect(absence(pageOf(html('Closed', '<p>No, we are back tomorrow.</p>')), story)).toBeUndefined();
  });

  test('a name without an end takes no time', () => {
    const long = pageOf(html(`${'404 error '.repeat(2_000)}x`, '<p>x</p>'));
    expect(absence(long)).toBeUndefined();
  });
});
