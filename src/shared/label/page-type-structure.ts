import type { Page } from '../page/page.ts';
import type { Evidence } from './page-type-evidence.ts';

/** What stands on the page, counted once for all rules. */
interface Counts {
  /** Texts outside chrome that hold a price. */
  readonly priced: number;
  /** Characters of long texts that are no links, in the main text. */
  readonly prose: number;
  /** Links outside chrome. */
  readonly anchors: number;
  /** Whether something can be ordered here: `Add to cart`, `in stock`. */
  readonly sells: boolean;
}

function countsOf(page: Page): Counts {
  let [priced, prose, sells] = [0, 0, false];
  for (const { text, zone } of page.segments) {
    if (zone === 'chrome') continue;
    if (text.length <= PRICED) {
      if (PRICE.test(text)) priced += 1;
      sells ||= SELLS.test(text);
    }
    if (zone === 'main' && text.length >= SENTENCE) prose += text.length;
  }
  return { priced, prose, sells, anchors: page.anchors.filter(({ zone }) => zone !== 'chrome').length };
}

/** Characters: the longest text that is a price rather than about one, and the shortest that is prose. */
const PRICED = 120;
const SENTENCE = 80;
const SELLS =
  /\badd to (?:cart|bag|basket|wish ?list)\b|\b(?:in|out of) stock\b|\bbuy now\b|\bfree shipping\b|\bin den warenkorb\b|\bauf lager\b|\blieferzeit\b|\bsofort lieferbar\b|\bart(?:ikel|\.)-?(?:nr|nummer)\b|\bañadir al carrito\b|\ben stock\b|\bajouter au panier\b|\badicionar ao carrinho\b|\baggiungi al carrello\b|\bdisponibil[ei]t[àa]\b|\bop voorraad\b|\bin winkelwagen\b|\bdo koszyka\b|в корзину|в наличии|カートに入れる|在庫|加入购物车/iu;
const PRICE =
  /(?:US\$|CHF|EUR|USD|GBP|[$€£¥₹])\s?\d|\d(?:\s|,-|[.,]-)?(?:€|EUR|CHF|USD|zł|kr\b|грн|руб|₽|Kč|Ft\b|円|元|лв|Lt\b)/u;

/** Adds what the things on the page say, where nothing louder has spoken. */
export function structureClues(page: Page, evidence: Evidence): void {
  if (evidence.has('/Core_Page', 8)) return;
  const counts = countsOf(page);
  mediaClues(page, counts, evidence);
  if (evidence.has('/Article', 5)) return;
  offerClues(page, counts, evidence);
  if (!evidence.has('/Listing', 7)) linkClues(page, evidence);
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
  if (PROPERTY.test(page.url) || FOR_SALE.test(page.title ?? '')) {
    const value = isMany && links ? '/Listing_Collection/Property' : '/Listing/Property';
    evidence.add({ value, points: 7, reason: `a property, ${reason}` });
  } else if (isMany && (links || !evidence.has('/Listing', 6))) {
    // A page of one product shows others too; what it says of itself to machines is surer.
    if (!evidence.has('/Listing/Product', 8)) evidence.add({ value: '/Listing_Collection/Product', points: 9, reason });
  } else if (counts.sells) {
    evidence.add({ value: '/Listing/Product', points: 6, reason: 'something to order, with a price' });
  }
}

function linkClues({ anchors }: Page, evidence: Evidence): void {
  const links = anchors.filter(({ zone }) => zone !== 'chrome').slice(0, LINKS);
  for (const [value, kind, shape] of TARGETS) {
    const targets = new Set(links.map(({ href }) => shape.exec(href)?.[0]));
    targets.delete(undefined);
    if (targets.size >= MANY) evidence.add({ value, points: 8, reason: `links to ${targets.size} ${kind}` });
  }
}

function textClues(page: Page, { priced, prose, anchors }: Counts, evidence: Evidence): void {
  if (prose >= LONG && page.publishTime && anchors < MANY * 3)
    evidence.add({ value: '/Article', points: 5, reason: 'long text with a date' });
  else if (prose >= 2 * LONG && priced < MANY && isSlug(page.url))
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
  /[/-](?:apartments?|condos?|real-?estate|immobilien?|wohnung(?:en)?|inmuebles?|pisos|alquiler|imove(?:l|is)|immobilier|appartements?|affitto|huurwoning(?:en)?|nedvizhimost)(?:[/-]|$)/i;

/** Things of a kind that make a list, and characters of prose that make an article. */
const MANY = 6;
const LONG = 900;

const FOR_SALE =
  /\b(?:apartments?|houses?|homes?|flats?|condos?|properties|studio|bedrooms?) (?:for|to) (?:sale|rent|let)\b|\b(?:wohnung|haus|immobilie)n? (?:zu )?(?:kaufen|mieten|verkaufen)\b|\b(?:piso|casa|apartamento|departamento)s? en (?:venta|alquiler)\b|\b(?:appartement|maison)s? à (?:vendre|louer)\b|\b(?:apartamento|casa|imóve[li]s?) (?:à venda|para alugar)\b|\bin (?:vendita|affitto)\b|\bte (?:koop|huur)\b|\b\d+ bedroom\b/iu;

/** An address that ends with a sentence: four words or more. */
function isSlug(url: string): boolean {
  return /(?:[\p{L}]{2,}[-_]){3,}[\p{L}]{2,}[^/]*\/?$/u.test(
    decodeURI(URL.parse(url)?.pathname.replaceAll('%', '') ?? ''),
  );
}
