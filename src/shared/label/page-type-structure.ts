import type { Page } from '../page/page.ts';
import type { Evidence } from './page-type-evidence.ts';
import { decoded } from './page-type-path.ts';

/** What stands on the page, counted once for all rules. */
export interface Counts {
  /** Texts outside chrome that hold a price. */
  readonly priced: number;
  /** Characters of long texts that are no links, in the main text. */
  readonly prose: number;
  /** Links outside chrome. */
  readonly anchors: number;
  /** Whether something can be ordered here: `Add to cart`, `in stock`. */
  readonly sells: boolean;
  /** Links outside chrome that lead to the rest of an article. */
  readonly teasers: number;
}

export function countsOf(page: Page): Counts {
  let [priced, prose, sells] = [0, 0, BUY.test(page.title ?? '')];
  for (const { text, zone } of page.segments) {
    if (zone === 'chrome') continue;
    if (text.length <= PRICED) {
      if (PRICE.test(text)) priced += 1;
      sells ||= SELLS.test(text);
    }
    const size = DENSE.test(text) ? text.length * DENSER : text.length;
    if (zone === 'main' && size >= SENTENCE) prose += size;
  }
  const content = page.anchors.filter(({ zone }) => zone !== 'chrome');
  const teasers = content.filter(({ text }) => text.length <= MORE_LENGTH && MORE.test(text)).length;
  return { priced, prose, sells, teasers, anchors: content.length };
}

/** Scripts whose letters are words say more with each. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{4}/u;
const DENSER = 2.5;
const BUY = /^(?:buy|shop|купить|купити|comprar|acheter|acquista|koop|kup)\s|\b(?:kaufen|online kopen)\b/iu;
/** What follows the beginning of an article where several stand below each other. */
const MORE =
  /^(?:(?:read|learn|see) (?:more|on|the (?:rest|full))|continue(?: reading)?|keep reading|more|full (?:story|article)|weiter ?lesen|mehr (?:lesen|erfahren)|leer más|seguir leyendo|lire (?:la suite|plus)|leia mais|continue lendo|leggi (?:tutto|di più)|continua a leggere|lees (?:meer|verder)|czytaj (?:więcej|dalej)|читать (?:далее|дальше|полностью)|подробнее|les mer|läs mer|続きを読む|阅读更多|查看更多|阅读全文)(?!\p{L})/iu;
const MORE_LENGTH = 60;

/** Characters: the longest text that is a price rather than about one, and the shortest that is prose. */
const PRICED = 120;
const SENTENCE = 80;
const SELLS =
  /\badd to (?:cart|bag|basket|wish ?list)\b|\b(?:in|out of) stock\b|\bbuy now\b|\bfree shipping\b|\bin den warenkorb\b|\bauf lager\b|\blieferzeit\b|\bsofort lieferbar\b|\bart(?:ikel|\.)-?(?:nr|nummer)\b|\bañadir al carrito\b|\ben stock\b|\bajouter au panier\b|\badicionar ao carrinho\b|\baggiungi al carrello\b|\bdisponibil[ei]t[àa]\b|\bop voorraad\b|\bin winkelwagen\b|\bdo koszyka\b|в корзину|в наличии|カートに入れる|在庫|加入购物车/iu;
const PRICE =
  /(?:US\$|CHF|EUR|USD|GBP|[$€£¥₹₺₪₫฿]|R\$|Rs\.?|Rp|RM|AED|SEK|NOK|DKK)\s?\d|\d(?:\s|,-|[.,]-)?(?:€|EUR|CHF|USD|zł|kr\b|грн|руб|₽|Kč|Ft\b|円|元|лв|Lt\b|TL\b|lei\b|kn\b|SEK|NOK|DKK|₺|₫)/u;

/** Adds what the things on the page say, where nothing louder has spoken. */
export function structureClues(page: Page, counts: Counts, evidence: Evidence, isWritten: boolean): void {
  if (evidence.has('/Core_Page', 8)) return;
  mediaClues(page, counts, evidence);
  if (isWritten || evidence.has('/Article', 6)) return;
  if (counts.teasers >= TEASERS && counts.priced < MANY)
    evidence.add({
      value: '/Core_Page/Blog_Index',
      points: 8,
      reason: `${counts.teasers} links to the rest of a text`,
    });
  if (evidence.has('/Article', 5)) return;
  offerClues(page, counts, evidence);
  linkClues(page, evidence);
  if (!evidence.speaks) textClues(page, counts, evidence);
}

function mediaClues({ facts }: Page, { prose, anchors }: Counts, evidence: Evidence): void {
  const { audio = 0, video = 0 } = facts.counts;
  const said = `${facts.siteName ?? ''} ${facts.description ?? ''} ${facts.sections.join(' ')}`;
  if (audio > 0 && /podcast|подкаст|ポッドキャスト|播客/i.test(said))
    evidence.add({ value: '/Audio/Podcast', points: 9, reason: 'a recording, and the word podcast' });
  else if (audio > 0 && prose < LONG)
    evidence.add({ value: '/Audio', points: 7, reason: 'a recording, and little text' });
  if (video === 1 && prose < LONG / 2 && anchors < MANY)
    evidence.add({ value: '/Video', points: 6, reason: 'a video, and little text' });
}

/** Offers that the page lists, or is one of. */
function offerClues(page: Page, counts: Counts, evidence: Evidence): void {
  if (counts.priced === 0) return;
  const reason = `${counts.priced} prices on the page`;
  const links = counts.anchors >= 2 * MANY;
  const isMany = counts.priced >= MANY && counts.prose < PROSE_OF_ONE * counts.priced;
  if (PROPERTY.test(page.url) || FOR_SALE.test(page.title ?? ''))
    evidence.add({ value: isMany && links ? '/Listing_Collection/Property' : '/Listing/Property', points: 7, reason });
  else if (isMany && (links || !evidence.has('/Listing', 6))) productsClue(reason, evidence);
  else if (counts.sells)
    evidence.add({ value: '/Listing/Product', points: 6, reason: 'something to order, with a price' });
}

/** A page of one product shows others too; what it says of itself to machines is surer. */
function productsClue(reason: string, evidence: Evidence): void {
  if (!evidence.has('/Listing/Product', 8)) evidence.add({ value: '/Listing_Collection/Product', points: 9, reason });
}

/** What the page leads to makes it a list, unless it says of itself that it is one of them. */
function linkClues({ anchors }: Page, evidence: Evidence): void {
  const links = anchors.filter(({ zone }) => zone !== 'chrome').slice(0, LINKS);
  const least = evidence.has('/Listing', 6) ? 2 * MANY : MANY;
  for (const [value, kind, shape] of TARGETS) {
    if (kind === 'products' && evidence.has('/Listing/Product', 6)) continue;
    const targets = new Set(links.map(({ href }) => shape.exec(href)?.[0]));
    targets.delete(undefined);
    if (targets.size >= least) evidence.add({ value, points: 9, reason: `links to ${targets.size} ${kind}` });
  }
}

function textClues(page: Page, { priced, prose, anchors }: Counts, evidence: Evidence): void {
  if (prose >= LONG && page.publishTime && anchors < MANY * 3)
    evidence.add({ value: '/Article', points: 5, reason: 'long text with a date' });
  else if (prose >= LONG && priced < MANY && anchors < MANY * 5 && isSlug(page.url))
    evidence.add({ value: '/Article', points: 5, reason: 'long text of one subject' });
}

/** What the links of a list lead to. */
const TARGETS: readonly (readonly [value: string, kind: string, shape: RegExp])[] = [
  [
    '/User_Generated_Content/Discussions',
    'threads',
    /\/(?:discussions?|threads?|topics?)\/[^/?#]+|\/(?:viewtopic|showthread)\.php\?[^#]+|\/t\/[^/]+\/\d+/i,
  ],
  ['/User_Generated_Content/Q&A', 'questions', /\/questions?\/\d+[^?#]*/i],
  [
    '/Listing_Collection/Product',
    'products',
    /\/(?:products?|produkte?|productos?|produits?|produtos?|prodott[oi]|items?|dp)\/[^?#]+/i,
  ],
  [
    '/Listing_Collection/Job',
    'jobs',
    /\/(?:jobs?|vacanc(?:y|ies)|stellenangebote?|empleos?|emplois?|vagas?|vacatures?)\/[^/?#]+/i,
  ],
  [
    '/Listing_Collection/Event',
    'events',
    /\/(?:events?|veranstaltung(?:en)?|eventos?|evenements?|eventi|evenementen)\/[^/?#]+/i,
  ],
  [
    '/Listing_Collection/Property',
    'properties',
    /\/(?:propert(?:y|ies)|immobilien?|inmuebles?|imovel|imoveis|homedetails)\/[^?#]+/i,
  ],
];
const LINKS = 400;
/** Characters of prose beside each price of a list of offers, at most. */
const PROSE_OF_ONE = 400;
const PROPERTY =
  /[/-](?:apartments?|condos?|homes-for-sale|for-sale|for-rent|to-let|rentals?|lettings?|real-?estate|immobilien?|wohnung(?:en)?|inmuebles?|pisos|alquiler|imove(?:l|is)|immobilier|appartements?|affitto|huurwoning(?:en)?|nedvizhimost)(?:[/-]|$)/i;

/** Things of a kind that make a list, and characters of prose that make an article. */
const MANY = 6;
const LONG = 900;
const TEASERS = 4;

const FOR_SALE =
  /\b(?:apartments?|houses?|homes?|flats?|condos?|properties|studio|bedrooms?) (?:for|to) (?:sale|rent|let)\b|\b(?:wohnung|haus|immobilie)n? (?:zu )?(?:kaufen|mieten|verkaufen)\b|\b(?:piso|casa|apartamento|departamento)s? en (?:venta|alquiler)\b|\b(?:appartement|maison)s? à (?:vendre|louer)\b|\b(?:apartamento|casa|imóve[li]s?) (?:à venda|para alugar)\b|\bin (?:vendita|affitto)\b|\bte (?:koop|huur)\b|\b\d+ bedroom\b/iu;

/** Whether the page is an article by its markup, its date and its text: its folders are then sections of a magazine. */
export function isWritten(page: Page, { prose }: Counts, evidence: Evidence): boolean {
  return evidence.has('/Article', 5) && page.publishTime !== undefined && prose >= LONG;
}

/** An address that ends with a sentence: four words or more. */
function isSlug(url: string): boolean {
  return /(?:[\p{L}]{2,}[-_]){3,}[\p{L}]{2,}[^/]*\/?$/u.test(decoded(URL.parse(url)?.pathname ?? ''));
}
