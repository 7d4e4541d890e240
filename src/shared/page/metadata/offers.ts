import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { isObject } from '../json-value.ts';
import { cut, fold } from '../read/fold.ts';
import { attribute } from '../read/walk.ts';

/**
 * What a page offers for sale, as it tells machines: JSON-LD, else microdata and RDFa (schema.org), else `<meta>` (Open
 * Graph). Each offer is a line of the page: `Drill GSR 18V | 129.90 EUR | in stock`. A shop whose price is put in its
 * place by a script, or whose stock is a picture, says both here.
 */
export class Offers {
  readonly #jsonLd: Offer[] = [];
  readonly #items = new Map<Tree.Element, Draft>();
  readonly #meta: Draft = {};

  /** A node of JSON-LD that the page is about: a product, or a group of its variants. */
  node(node: object): void {
    for (const product of [node, ...listAt(node, 'hasVariant')]) {
      const name = textAt(product, 'name') ?? textAt(node, 'name');
      for (const offer of listAt(product, 'offers')) {
        for (const one of [offer, ...listAt(offer, 'offers')]) {
          if (this.#jsonLd.length < OFFERS) this.#jsonLd.push({ name, ...offerOf(one) });
        }
      }
    }
  }

  /** A property of microdata or RDFa; `item` is the element it is said of. */
  property(name: string, element: Tree.Element, item: Tree.Element | undefined): void {
    const key = KEYS.get(name);
    if (key === undefined || item === undefined) return;
    const draft = this.#items.get(item) ?? {};
    if (!this.#items.has(item) && this.#items.size >= OFFERS) return;
    this.#items.set(item, draft);
    draft[key] ??= attribute(element, 'content') ?? attribute(element, 'href');
  }

  meta(name: string, content: string): void {
    const key = META.get(name);
    if (key !== undefined) this.#meta[key] ??= content;
  }

  /** Each once, in the order of the document. */
  lines(): string[] {
    for (const offers of [this.#jsonLd, [...this.#items.values()], [this.#meta]]) {
      const lines = new Set(offers.map(lineOf).filter((line) => line !== undefined));
      if (lines.size > 0) return [...lines];
    }
    return [];
  }
}

interface Draft {
  price?: string | undefined;
  high?: string | undefined;
  currency?: string | undefined;
  availability?: string | undefined;
}

interface Offer extends Readonly<Draft> {
  readonly name?: string | undefined;
}

/** Offers of one page that are lines of it; a page that lists more shows them, too. */
const OFFERS = 30;
const TEXT_LENGTH = 200;

const KEYS: ReadonlyMap<string, keyof Draft> = new Map([
  ['price', 'price'],
  ['lowPrice', 'price'],
  ['highPrice', 'high'],
  ['priceCurrency', 'currency'],
  ['availability', 'availability'],
]);
const META: ReadonlyMap<string, keyof Draft> = new Map([
  ['product:price:amount', 'price'],
  ['og:price:amount', 'price'],
  ['product:price:currency', 'currency'],
  ['og:price:currency', 'currency'],
  ['product:availability', 'availability'],
  ['og:availability', 'availability'],
]);

function offerOf(node: object): Draft {
  const [specification = node] = listAt(node, 'priceSpecification');
  const of = (key: string): string | undefined => textAt(node, key) ?? textAt(specification, key);
  return {
    price: of('price') ?? of('lowPrice'),
    high: of('highPrice'),
    currency: of('priceCurrency'),
    availability: of('availability'),
  };
}

/** Undefined for what says neither a price nor whether there is any. */
function lineOf({ name, price, high, currency, availability }: Offer): string | undefined {
  const range = high === undefined || high === price ? price : `${price ?? ''}–${high}`;
  const cost = range === undefined || !/\d/.test(range) ? undefined : [range, currency].filter(Boolean).join(' ');
  const stock = availability === undefined ? undefined : spelled(availability);
  if (cost === undefined && !stock) return undefined;
  return fold([name ?? 'offer', cost, stock].filter(Boolean).join(' | '));
}

/** `https://schema.org/OutOfStock`, `instock`: words. */
function spelled(availability: string): string {
  const word = cut(availability.trim(), TEXT_LENGTH).replace(/^.*[/#:]/s, '');
  return word
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/^(in|out of|pre|back)_?(?=stock|order)/i, '$1 ')
    .replace(/^(out)(of)(stock)$/i, '$1 $2 $3')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();
}

function listAt(node: object, key: string): object[] {
  const value: unknown = Object.hasOwn(node, key) ? Reflect.get(node, key) : undefined;
  return (Array.isArray(value) ? value.slice(0, OFFERS) : [value]).filter(isObject);
}

function textAt(node: object, key: string): string | undefined {
  const value: unknown = Object.hasOwn(node, key) ? Reflect.get(node, key) : undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? cut(value.trim(), TEXT_LENGTH) : undefined;
}
