import { describe, expect, test } from 'vitest';
import { loadLanguages } from '../../../src/shared/label/language/language.ts';
import { languageOfPage } from '../../../src/shared/label/labels.ts';
import type { Label } from '../../../src/shared/label/label.ts';
import { pageOf } from '../page/reading.ts';

const model = await loadLanguages();
const label = (html: string, url = 'https://shop.example/list'): Label | undefined =>
  languageOfPage(pageOf(html, { url }), model);
const language = (html: string, url?: string): string | undefined => label(html, url)?.value;

const TITLES = [
  'Wireless Headphones with Noise Cancelling',
  'The Return of the Lighthouse Keeper, Complete Edition',
  'Ultra Bright Desk Lamp for the Home Office',
  'Stainless Steel Water Bottle with a Straw',
];
const listed = TITLES.map((title, at) => `<li><a href=/${at}>${title}</a><p>${title} ${at}</p>`).join('');
const shop = (attributes: string, text: string): string =>
  `<html ${attributes}><title>Shop</title><h1>Shop</h1><ul>${listed}</ul><div>${text}</div>`;

const TURKISH = 'Sepete ekle. Kargo bedava. Ürünler yarın teslim edilir ve otuz gün içinde iade hakkınız vardır.';
const INDONESIAN = 'Keranjang belanja Anda masih kosong. Pengiriman gratis untuk semua pesanan di seluruh Jakarta.';
const PORTUGUESE = 'Adicionar ao carrinho. Frete grátis para todo o país. Compre agora e receba amanhã em sua casa.';

describe('the language of a page', () => {
  test.each([
    ['tr', 'lang=tr', TURKISH],
    ['id', 'lang=id', INDONESIAN],
    ['pt', 'lang=pt-BR', PORTUGUESE],
  ])('is %s where a page that declares it lists English titles', (code, attributes, text) => {
    expect(language(shop(attributes, text))).toBe(code);
  });

  test('the domain of a country may say it too', () => {
    expect(label(shop('', TURKISH), 'https://shop.com.tr/list')).toEqual({
      value: 'tr',
      reason: expect.stringMatching(/^domain, \d+ of \d+ parts of the text$/),
    });
  });

  test('a declaration that no part of the text agrees with is none', () => {
    const english = 'All orders are delivered tomorrow, and you can send back what you do not like within thirty days.';
    expect(language(shop('lang=tr', english))).toBe('en');
    expect(language(`<html lang=en><title>Mağaza</title><p>${TURKISH}</p>`)).toBe('tr');
  });

  test('is that of all the content where the main text is short', () => {
    const menu = ['ニュース', '会社', '製品のご案内', 'お知らせ', 'よくある質問', 'お問い合わせ', 'ご利用規約について']
      .map((text) => `<p>${text}</p>`)
      .join('');
    expect(language(`<html lang=ja><title>会社</title><main><h1>会社概要</h1></main>${menu}`)).toBe('ja');
    const german =
      '<p>Winterharte Stauden, Ziersträucher und Rosen für den Garten, frisch aus der Gärtnerei geliefert.</p>';
    expect(language(`<html><title>x</title><main><h1>Suche</h1><p>0 Artikel</p></main>${german.repeat(3)}`)).toBe('de');
  });

  test('a text that stands thirty times says no more than once', () => {
    const french =
      '<p>Notre équipe vous répond tous les jours et vous aide à choisir ce qui vous convient le mieux.</p>';
    const html = `<html lang=fr><title>Salon</title>${'<p>The Hub TV</p>'.repeat(30)}${french}`;
    expect(language(html)).toBe('fr');
  });

  test('none where nothing on the page is language and nothing is declared', () => {
    expect(language('<title>7</title><p>12 + 7 = 19</p>')).toBeUndefined();
  });
});
