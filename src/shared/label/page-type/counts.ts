import type { Page } from '../../page/page.ts';

/** What stands on the page, counted once for all rules. */
export interface Counts {
  /** Texts outside chrome that hold a price, or prices marked as such. */
  readonly priced: number;
  /** Characters of long texts that are no links, in the main text. */
  readonly prose: number;
  /** Links outside chrome, those of them beside the main text, and characters of those within it. */
  readonly anchors: number;
  readonly beside: number;
  readonly linked: number;
  /** Whether something can be ordered here: `Add to cart`, `in stock`. */
  readonly sells: boolean;
  /** Links outside chrome that lead to the rest of an article. */
  readonly teasers: number;
  /** Lines that begin with an amount: `200 g flour`. */
  readonly amounts: number;
}

export function countsOf(page: Page): Counts {
  const { title = '' } = page;
  let [priced, prose, amounts, sells] = [0, 0, 0, BUY.test(title.toLowerCase())];
  for (const { text, zone } of page.segments) {
    if (zone === 'chrome') continue;
    if (text.length <= PRICED) {
      if (PRICE.test(text)) priced += 1;
      const lower = text.toLowerCase();
      if (AMOUNT.test(lower)) amounts += 1;
      sells ||= SELLS.test(lower);
    }
    const size = DENSE.test(text) ? text.length * DENSER : text.length;
    if (zone === 'main' && size >= SENTENCE) prose += size;
  }
  const content = page.anchors.filter(({ zone }) => zone !== 'chrome');
  const within = content.filter(({ zone }) => zone === 'main');
  const teasers = content.filter(({ text }) => text.length <= MORE_LENGTH && MORE.test(text.toLowerCase())).length;
  const linked = within.reduce((sum, { text }) => sum + text.length, 0);
  const beside = content.length - within.length;
  priced = Math.max(priced, page.facts.counts.price ?? 0);
  return { priced, prose, sells, teasers, amounts, linked, beside, anchors: content.length };
}

/** Scripts whose letters are words say more with each. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{4}/u;
const DENSER = 2.5;
const BUY = /^(?:buy|shop|купить|купити|comprar|acheter|acquista|koop|kup)\s|\b(?:kaufen|online kopen)\b/u;
/** What follows the beginning of an article where several stand below each other; `more` alone leads to anything. */
const MORE =
  /^(?:read (?:more|on|the (?:rest|full))|continue(?: reading)?|keep reading|full (?:story|article)|weiter ?lesen|mehr lesen|leer más|seguir leyendo|lire (?:la suite|plus)|leia mais|continue lendo|leggi (?:tutto|di più)|continua a leggere|lees (?:meer|verder)|czytaj (?:więcej|dalej)|читать (?:далее|дальше|полностью)|les mer|läs mer|続きを読む|阅读更多|阅读全文)(?!\p{L})/u;
const MORE_LENGTH = 60;

/** Characters: the longest text that is a price rather than about one, and the shortest that is prose. */
const PRICED = 120;
const SENTENCE = 80;
const SELLS =
  /\badd to (?:cart|bag|basket|wish ?list)\b|\b(?:in|out of) stock\b|\bbuy now\b|\bfree shipping\b|\bin den warenkorb\b|\bauf lager\b|\blieferzeit\b|\bsofort lieferbar\b|\bart(?:ikel|\.)-?(?:nr|nummer)\b|\bañadir al carrito\b|\ben stock\b|\bajouter au panier\b|\badicionar ao carrinho\b|\baggiungi al carrello\b|\bdisponibil[ei]t[àa]\b|\bop voorraad\b|\bin winkelwagen\b|\bdo koszyka\b|в корзину|в наличии|カートに入れる|在庫|加入购物车/u;
const AMOUNT =
  /^(?:[-–•*▢]\s*)?(?:\d+\s)?[\d½⅓⅔¼¾⅛][\d.,/–½¼¾-]*\s?(?:g|gr|kg|mg|ml|cl|dl|l|oz|ounces?|lbs?|pounds?|tsp|tbsps?|teaspoons?|tablespoons?|cups?|cloves?|pinch|can|el|tl|prisen?|dosen?|bund|zehen?|stück|stk|cucharadas?|cucharaditas?|tazas?|cuillères?|gousses?|colheres?|xícaras?|cucchiai(?:ni|no|o)?|spicchi|eetlepels?|theelepels?|teentjes?|łyżk[ai]|łyżeczk[ai]|szklank[ai]|lžíc[e]?|lžičk[ay]|lyžic[ae]|hrnek|ks|msk|tsk|krm|dkg|ст|ч|стакана?)(?![\p{L}\d])/u;

/** A price as shops write it. */
const PRICE =
  /(?:US\$|CHF|EUR|USD|GBP|[$€£¥₹₺₪₫฿]|R\$|Rs\.?|Rp|RM|AED|SEK|NOK|DKK)\s?\d|\d(?:\s|,-|[.,]-)?(?:€|EUR|CHF|USD|zł|kr\b|грн|руб|₽|Kč|Ft\b|円|元|лв|Lt\b|TL\b|lei\b|kn\b|SEK|NOK|DKK|₺|₫)/u;
