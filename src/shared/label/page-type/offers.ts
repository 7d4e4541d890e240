import type { Page } from '../../page/page.ts';
import type { Clue, Evidence } from './evidence.ts';
import type { Signs } from './signs.ts';
import type { Counts } from './counts.ts';

/** Offers that the page lists, or is one of: homes, events, and what a shop sells. */
export function offerClues(page: Page, counts: Counts, signs: Signs, evidence: Evidence): void {
  if (propertyClue(page, counts, evidence) || eventClue(page, signs, evidence)) return;
  const isProduct = evidence.has('/Listing/Product', 6);
  const shop = shopOf(page, counts, signs);
  const worded = sortedClue(shop, isProduct) ?? wordedClue(shop);
  evidence.add(worded ?? (isProduct ? undefined : (pricedClue(shop) ?? thinClue(shop))));
}

interface Shop extends Counts {
  /** Distinct words that stand beside one offer, and beside a list of them. */
  readonly single: number;
  readonly many: number;
  /** Whether there is a cart. */
  readonly isShop: boolean;
  readonly isListed: boolean;
  readonly images: number;
  readonly inputs: number;
}

function shopOf({ facts }: Page, counts: Counts, signs: Signs): Shop {
  const [single, many] = [signs.distinct('single'), signs.distinct('many')];
  const isShop = signs.of('shop cart') > 0;
  const isListed = isList(counts, isShop || many > 0);
  return {
    ...counts,
    single,
    many,
    isShop,
    isListed,
    images: facts.counts.image ?? 0,
    inputs: facts.counts.input ?? 0,
  };
}

function sortedClue({ single, many, isShop, isListed, images }: Shop, isProduct: boolean): Clue | undefined {
  if (many < 2 || many <= single || !(isListed || (isShop && images >= MANY))) return undefined;
  return { value: LIST, points: isProduct ? LOUDER : 9, reason: 'words for sorting what a shop has' };
}

function wordedClue({ single, many, linked, priced, isShop, images }: Shop): Clue | undefined {
  if (images > GALLERY || single < 2 || single <= many || linked >= LINKED || !(priced > 0 || isShop)) return undefined;
  return { value: '/Listing/Product', points: 7, reason: 'words of an offer, with a price or a cart' };
}

function pricedClue({ isListed, anchors, priced, sells, linked, single, images }: Shop): Clue | undefined {
  // Below one offer stand others that go with it.
  const isMany = single === 0 || priced >= 2 * MANY;
  if (isListed && isMany && anchors >= 2 * MANY)
    return { value: LIST, points: 9, reason: `${priced} prices on the page` };
  if (!sells || priced === 0 || linked >= LINKED || images > GALLERY) return undefined;
  return { value: '/Listing/Product', points: 6, reason: 'something to order, with a price' };
}

/** Of a shop of whose words we know few. */
function thinClue({ isShop, single, priced, prose, images, inputs, anchors }: Shop): Clue | undefined {
  if (!isShop || priced === 0 || prose >= SHORT) return undefined;
  if (single > 0 && inputs > 0 && images <= 2 * MANY)
    return { value: '/Listing/Product', points: 5, reason: 'an offer in a shop' };
  if (images < 2 * MANY || anchors < 2 * MANY) return undefined;
  return { value: LIST, points: 5, reason: `${images} pictures in a shop` };
}

const LIST = '/Listing_Collection/Product';

/** Whether the prices are those of a list; more text may stand beside them where other things speak for a shop. */
function isList({ priced, prose }: Counts, isShop: boolean): boolean {
  return priced >= MANY && prose < (isShop ? PROSE_OF_ONE : PROSE_OF_ONE / 3) * priced;
}

/** More pictures than one offer has. */
const GALLERY = 40;
/** Things of a kind that make a list. */
const MANY = 6;
/** Characters of prose beside each price of a list of offers, and of links in the text about one offer, at most. */
const PROSE_OF_ONE = 400;
const LINKED = 600;
/** Characters of prose of a list in a shop, at most. */
const SHORT = 2500;
/** More than the points of what a page says of itself. */
const LOUDER = 11;

/** Homes: rooms, baths and areas, or an address or title that says so beside a price. */
function propertyClue(page: Page, counts: Counts, evidence: Evidence): boolean {
  const texts = numbered(page).flatMap((text) => (text.length <= 80 ? [text.toLowerCase()] : []));
  const measures = MEASURES.map((pattern) => texts.filter((text) => pattern.test(text)).length);
  const reason = homeReason(page, counts, measures.filter((count) => count > 0).length);
  if (reason === undefined) return false;
  const isMany = Math.max(...measures) >= MANY || counts.priced >= 2 * MANY;
  const value = isMany && counts.anchors >= 2 * MANY ? '/Listing_Collection/Property' : '/Listing/Property';
  evidence.add({ value, points: 7, reason });
  return true;
}

/** `known` is how many of rooms, baths and areas the page names. */
function homeReason(page: Page, { priced }: Counts, known: number): string | undefined {
  const isWorded = homeWords(page) >= 2;
  if (known >= 2 || (known > 0 && isWorded)) return 'rooms and areas';
  const said = PROPERTY.test(page.url) || FOR_SALE.test(page.title?.toLowerCase() ?? '');
  return said && (priced > 0 || isWorded) ? 'a home, by its address or title' : undefined;
}

/** How many different words that stand beside homes on offer the page has. */
function homeWords({ segments }: Page): number {
  const words = new Set(
    segments.slice(0, SEGMENTS).map(({ text }) => HOME_WORDS.exec(text.slice(0, HOME_LENGTH).toLowerCase())?.[0]),
  );
  words.delete(undefined);
  return words.size;
}

/** Short texts outside chrome that hold a number. */
function numbered({ segments }: Page): string[] {
  return segments.flatMap(({ text, zone }) =>
    zone !== 'chrome' && text.length <= 120 && /\d/.test(text) ? [text] : [],
  );
}

const SEGMENTS = 3000;
/** Characters of a text that can be one of the words and what follows. */
const HOME_LENGTH = 60;
/** Short lines that stand beside a home on offer. */
const HOME_WORDS =
  /^(?:energy (?:rating|certificate|performance)|epc rating|council tax|tenure|leasehold|freehold|furnished|unfurnished|available from|security deposit|deposit|lot size|year built|square footage|living area|floor ?plans?|parking spaces?|property type|property id|pets allowed|kaltmiete|warmmiete|nebenkosten|kaution|wohnfläche|grundstück(?:sfläche)?|baujahr|energieausweis|heizungsart|bezugsfrei|etage|provision|loyer|charges comprises|dépôt de garantie|surface habitable|classe énergie|dpe|gastos de comunidad|certificado energético|superficie construida|metros cuadrados|fianza|condomínio|área útil|iptu|spese condominiali|classe energetica|superficie commerciale|canone|woonoppervlakte|perceeloppervlakte|energielabel|bouwjaar|huurprijs|powierzchnia|rok budowy|czynsz|kaucja|piętro|общая площадь|жилая площадь|этаж|год постройки|ипотека)(?!\p{L})/u;
const MEASURES: readonly RegExp[] = [
  /\b\d+(?:\.5)?\+?[\s-]?(?:bed(?:room)?s?|br|zimmer|schlafzimmer|dormitorios?|habitaciones|chambres?|pièces|quartos?|camere|locali|slaapkamers?|pok(?:oje|oi)|комнат)\b|^(?:bed(?:room)?s|zimmer|schlafzimmer|dormitorios|habitaciones|chambres|pièces|quartos|camere|locali|slaapkamers|liczba pokoi)\s?:?\s\d/u,
  /\b\d+(?:\.5)?\+?[\s-]?(?:bath(?:room)?s?|ba|badezimmer|baños?|salles? de bains?|banheiros?|bagni|badkamers?|łazienk[ai])\b|^(?:bath(?:room)?s|badezimmer|baños|salles? de bains?|banheiros|bagni|badkamers)\s?:?\s\d/u,
  /\b\d[\d.,]*\s?(?:sq\.?\s?(?:ft|feet|m)|sqft|sqm|square (?:feet|met(?:er|re)s)|m²|m2\b|qm\b|mq\b|кв\.?\s?м)/u,
];
const PROPERTY =
  /[/-](?:apartments?|condos?|homes-for-sale|for-sale|for-rent|to-let|rentals?|lettings?|real-?estate|immobilien?|wohnung(?:en)?|inmuebles?|pisos|alquiler|imove(?:l|is)|immobilier|appartements?|affitto|huurwoning(?:en)?|nedvizhimost)(?:[/-]|$)/i;
const FOR_SALE =
  /\b(?:apartments?|houses?|homes?|flats?|condos?|properties|studio|bedrooms?) (?:for|to) (?:sale|rent|let)\b|\b(?:wohnung|haus|immobilie)n? (?:zu )?(?:kaufen|mieten|verkaufen)\b|\b(?:piso|casa|apartamento|departamento)s? en (?:venta|alquiler)\b|\b(?:appartement|maison)s? à (?:vendre|louer)\b|\b(?:apartamento|casa|imóve[li]s?) (?:à venda|para alugar)\b|\bin (?:vendita|affitto)\b|\bte (?:koop|huur)\b|\b\d+ bedroom\b/u;

/** Events: lines that name a day, and words that say what to do on it. */
function eventClue(page: Page, signs: Signs, evidence: Evidence): boolean {
  const { title = '', url } = page;
  const named = [title, URL.parse(url)?.pathname ?? ''].some((text) => EVENTS.test(text.toLowerCase()));
  const words = signs.distinct('event');
  const isShop = signs.distinct('single') + signs.distinct('many') > 0;
  if (!named && words < (isShop ? 2 : 1)) return false;
  const isDay = (text: string): boolean => DAY.test(text.toLowerCase()) || (named && DATE.test(text));
  const days = numbered(page).filter((text) => isDay(text) && !AGO.test(text)).length;
  if (days >= MANY) evidence.add({ value: '/Listing_Collection/Event', points: 8, reason: `${days} days of events` });
  else if (days > 0 && words > 0 && !evidence.has('/Listing_Collection/Event', 6))
    evidence.add({ value: '/Listing/Event', points: 6, reason: 'an event with its day' });
  else return false;
  return true;
}

const EVENTS =
  /(?<!\p{L})(?:events?|concerts?|gigs|festivals?|tour dates|what'?s[ -]on|exhibitions?|veranstaltung(?:en)?|termine|konzerte?|ausstellung(?:en)?|eventos?|conciertos?|agenda|événements?|evenements?|spectacles?|eventi|concerti|evenementen|agenda|kalender|афиша|мероприятия|события|концерты?|イベント|活动)(?!\p{L})/u;
/** A weekday beside a day of the month, or a day beside a time. */
const DAY =
  /(?<!\p{L})(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|mié|jue|vie|sáb|dom|gio|sab|seg|ter|qua|qui|sex|ma|wo|za|zo|пн|вт|ср|чт|пт|сб|вс)\p{L}{0,8}[.,]?\s(?:\p{L}{3,10}\.?\s)?\d{1,2}(?:st|nd|rd|th|\.|,|\s|$)|\b\d{1,2}[./ ](?:\d{1,2}|\p{L}{3,9})[./ ,]*(?:20\d\d)?[ ,–|-]*(?:um |at |@ )?\d{1,2}[:.h]\d\d\b/u;
/** A day of the month alone, where the page says that it is about events. */
const DATE =
  /^(?:\d{1,2}\.? ?(?:[-–—] ?\d{1,2}\.? ?)?(?:de )?\p{L}{3,10}\.?(?: (?:de )?20\d\d)?|\p{L}{3,10}\.? \d{1,2}(?:st|nd|rd|th)?(?: ?[-–—] ?\d{1,2})?(?:,? 20\d\d)?|\d{1,2}[./-]\d{1,2}[./-](?:20)?\d\d|\d{1,2}月\d{1,2}日)(?!\p{L})/u;
const AGO = /\b(?:posted|updated|published|comments?|by)\b/i;

/** What the page leads to makes it a list, unless it says of itself that it is one of them. */
export function linkClues({ anchors }: Page, evidence: Evidence): void {
  const links = anchors.filter(({ zone }) => zone !== 'chrome').slice(0, LINKS);
  const least = evidence.has('/Listing', 6) ? 2 * MANY : MANY;
  for (const [value, kind, shape] of TARGETS) {
    if (kind === 'products' && evidence.has('/Listing/Product', 6)) continue;
    const targets = new Set(links.map(({ href }) => shape.exec(href)?.[0]));
    targets.delete(undefined);
    if (targets.size >= least) evidence.add({ value, points: 9, reason: `links to ${targets.size} ${kind}` });
  }
}

/** What the links of a list lead to. */
const TARGETS: readonly (readonly [value: string, kind: string, shape: RegExp])[] = [
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
    /\/(?:events?|concerts?|exhibitions?|veranstaltung(?:en)?|konzerte?|eventos?|conciertos?|evenements?|eventi|evenementen)\/[^/?#]+/i,
  ],
  [
    '/Listing_Collection/Property',
    'properties',
    /\/(?:propert(?:y|ies)|immobilien?|inmuebles?|imovel|imoveis|homedetails)\/[^?#]+/i,
  ],
];
const LINKS = 400;
