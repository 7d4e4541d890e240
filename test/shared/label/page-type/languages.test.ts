import { describe, expect, test } from 'vitest';
import { pageTypesOf } from '../../../../src/shared/label/page-type/page-type.ts';
import { NO_FACTS, type Facts, type Page, type Segment } from '../../../../src/shared/page/page.ts';

function typesOf(url: string, title: string, rest: Partial<Page> = {}, facts: Partial<Facts> = {}): string[] {
  const page: Page = { url, title, segments: [], anchors: [], links: [], ...rest, facts: { ...NO_FACTS, ...facts } };
  return pageTypesOf(page).map(({ value }) => value);
}

const site = (path: string): string => `https://site.example${path}`;
const lines = (...texts: readonly string[]): readonly Segment[] =>
  texts.map((text) => ({ text, kind: 'sentence', zone: 'main' }));

describe('documents of software', () => {
  test.each([
    ['https://docs.site.example/guide/tables', 'Tables'],
    ['https://harbour.readthedocs.io/en/latest/tables.html', 'Tables'],
    [site('/dokumentacja/tabele'), 'Tabele'],
    [site('/x'), 'Documentación | Harbour'],
    [site('/x'), 'Документация — Harbour'],
    [site('/x'), 'Руководство пользователя'],
    [site('/x'), 'دليل المستخدم'],
    [site('/x'), 'คู่มือการใช้งาน'],
    [site('/x'), 'उपयोगकर्ता गाइड'],
    [site('/x'), 'ユーザーガイド'],
    [site('/x'), '用户手册'],
    [site('/x'), '사용자 가이드'],
    [site('/harbour/README.md'), 'harbour'],
    ['https://github.com/harbour/ferry', 'GitHub - harbour/ferry: timetables'],
    ['https://www.npmjs.com/package/ferry', 'ferry - npm'],
  ])('%s, %s: documentation', (url, title) => {
    expect(typesOf(url, title)[0]).toBe('/Document/Manual');
  });

  test('documentation is told by the words that programs write around it', () => {
    const around = lines('On this page', 'Edit this page', 'A table has rows. '.repeat(20));
    expect(typesOf(site('/x'), 'Tables', { segments: around })[0]).toBe('/Document/Manual');
    const russian = lines('На этой странице', 'Редактировать эту страницу', 'В таблице есть строки. '.repeat(20));
    expect(typesOf(site('/x'), 'Таблицы', { segments: russian })[0]).toBe('/Document/Manual');
  });

  test.each([
    ['https://github.com/harbour/ferry/releases/tag/v2.0.0', 'Release v2.0.0'],
    [site('/CHANGELOG.md'), 'ferry'],
    [site('/x'), 'Release notes - Ferry'],
    [site('/x'), 'Versionshinweise'],
    [site('/x'), 'Notas de la versión 4.2'],
    [site('/x'), 'История изменений'],
    [site('/x'), 'ملاحظات الإصدار'],
    [site('/x'), 'รายการ | บันทึกการเปลี่ยนแปลง'],
    [site('/x'), 'リリースノート'],
    [site('/x'), '更新日志'],
    [site('/x'), 'Sürüm notları'],
    ['https://status.site.example/', 'Harbour'],
    [site('/x'), 'All systems operational'],
    [site('/x'), 'Состояние сервисов'],
    [site('/x'), 'システム稼働状況'],
  ])('%s, %s: news of a program or a service', (url, title) => {
    expect(typesOf(url, title).slice(0, 2)).toEqual(['/Article/News_Update', '/Article']);
  });

  test('an article that happens to name one is an article', () => {
    const facts = { schemaTypes: ['NewsArticle'] };
    expect(typesOf(site('/x'), 'Archive opens its documentation', {}, facts)[0]).toBe('/Article/News_Update');
  });
});

describe('pages of other languages', () => {
  test.each([
    ['/o-nas', 'Harbour', '/Core_Page/About_Page'],
    ['/hakkimizda', 'Harbour', '/Core_Page/About_Page'],
    ['/x', 'เกี่ยวกับเรา', '/Core_Page/About_Page'],
    ['/x', 'من نحن', '/Core_Page/About_Page'],
    ['/x', 'हमारे बारे में', '/Core_Page/About_Page'],
    ['/x', '회사소개', '/Core_Page/About_Page'],
    ['/about/history', 'From 1911 to today', '/Core_Page/About_Page'],
    ['/iletisim', 'Harbour', '/Core_Page/Contact_Page'],
    ['/x', 'اتصل بنا', '/Core_Page/Contact_Page'],
    ['/x', 'Συχνές ερωτήσεις', '/Core_Page/FAQ_Page'],
    ['/polityka-prywatnosci', 'Harbour', '/Core_Page/Privacy_Policy_Page'],
    ['/x', 'Kebijakan Privasi', '/Core_Page/Privacy_Policy_Page'],
    ['/kullanim-kosullari', 'Harbour', '/Core_Page/T&C_Page'],
    ['/wydarzenia', 'Harbour', '/Listing_Collection/Event'],
    ['/أخبار/14', 'العبارة متأخرة', '/Article/News_Update'],
    ['/समाचार/14', 'नौका देर से पहुँची', '/Article/News_Update'],
    ['/ข่าว/14', 'เรือมาสาย', '/Article/News_Update'],
    ['/berita/14', 'Feri terlambat', '/Article/News_Update'],
    ['/przepis/14', 'Zupa', '/Article/Recipe'],
    ['/startsida', 'Harbour', '/Core_Page/Homepage'],
  ])('%s, %s: %s', (path, title, value) => {
    expect(typesOf(site(path), title)).toContain(value);
  });

  test.each([
    ['ru', ['Последние сообщения', 'Ответов: 4', 'Ответов: 9', 'Просмотров: 80', 'Темы', 'Список тем', 'Новая тема']],
    ['tr', ['Konular', 'Cevaplar: 4', 'Cevaplar: 9', 'Görüntüleme: 80', 'Son mesaj', 'Son mesaj', 'Yeni konu']],
    ['ar', ['المواضيع', 'المشاركات: 4', 'الردود: 9', 'المشاهدات: 80', 'آخر مشاركة', 'آخر مشاركة', 'موضوع جديد']],
  ])('a forum in %s', (_, words) => {
    expect(typesOf(site('/x'), 'Harbour', { segments: lines(...words) })[0]).toBe(
      '/User_Generated_Content/Discussions',
    );
  });

  test('the site in its title is what the page is about', () => {
    expect(typesOf('https://harbour.example/x', 'About the Harbour')[0]).toBe('/Core_Page/About_Page');
    expect(typesOf('https://harbour.example/x', 'About whales')).toEqual([]);
  });
});

describe('what stands on the page', () => {
  const prose = 'The ferry to the islands leaves at noon, as it did last year and the year before, and nobody minds. ';

  test('an article is one although previews of many others stand below it', () => {
    const segments = lines(...Array.from({ length: 30 }, (_, at) => `${prose}${at}`));
    const anchors = Array.from({ length: 50 }, (_, at) => ({
      href: site(`/${at}`),
      text: `${at}`,
      zone: 'body' as const,
    }));
    const publishTime = { local: '2026-02-13T00:00:00', instant: 0 };
    expect(typesOf(site('/14'), 'The ferry', { segments, anchors, publishTime })[0]).toBe('/Article');
  });

  test('a home on offer is told by its area and the words beside it', () => {
    const segments = lines('Wohnfläche ca. 84 m²', 'Kaltmiete', 'Kaution', 'Energieausweis');
    expect(typesOf(site('/14'), 'Am Hafen', { segments })[0]).toBe('/Listing/Property');
  });

  test('events are told by their days where the title says events', () => {
    const segments = lines('3 May', '4 May', '9 May', '10 May', '17 May', '18 May', 'Venue');
    expect(typesOf(site('/14'), 'Concerts at the harbour', { segments })[0]).toBe('/Listing_Collection/Event');
  });

  test('an episode is told by its number and the places to hear it', () => {
    const links = ['https://podcasts.apple.com/x', 'https://open.spotify.com/show/x'];
    expect(typesOf(site('/14'), 'Episode 14: the ferry', { links })[0]).toBe('/Audio/Podcast');
    expect(typesOf(site('/14'), 'Episode 14: the ferry')).toEqual([]);
  });

  test('texts with a link to older ones are an index', () => {
    const rest = { segments: lines('Ältere Beiträge') };
    expect(typesOf(site('/14'), 'Harbour', rest, { counts: { article: 5 } })[0]).toBe('/Core_Page/Blog_Index');
  });

  test('a form to sign in does not make a page one for that', () => {
    const segments: Segment[] = [{ text: 'Login', kind: 'heading', zone: 'body' }];
    expect(typesOf(site('/14'), 'Ferries', { segments })).toEqual([]);
  });
});
