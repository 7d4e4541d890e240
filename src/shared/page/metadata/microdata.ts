import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { Offers } from './offers.ts';
import { FOREIGN, placeOf, TypesByPlace, UNDATED, type Place } from './schema.ts';
import { attribute } from '../read/walk.ts';

/**
 * What the microdata of a page and its RDFa (Lite) say in the words of schema.org: types, the date of publication,
 * breadcrumbs. Whose statement it is, the nearest item around it tells; items under `author` or `comment` are left out,
 * as they are in JSON-LD.
 */
export class Microdata {
  readonly types = new TypesByPlace();
  readonly dates: string[] = [];
  readonly crumbs: string[] = [];
  readonly familyFriendly: string[] = [];
  readonly #offers: Offers;
  #left = ELEMENTS;

  constructor(offers: Offers) {
    this.#offers = offers;
  }

  enter(element: Tree.Element): void {
    const said = read(element);
    if (!said || this.#left <= 0) return;
    this.#left -= 1;
    if (said.types.length > 0) this.#item(said);
    for (const name of said.properties) this.#property(name, element);
  }

  #item({ types, properties }: Said): void {
    const places = properties.map((name) => placeOf(name, 'own'));
    if (places.includes(undefined)) return;
    for (const type of types) this.types.add(type, places[0] ?? 'own');
  }

  #property(name: string, element: Tree.Element): void {
    if (name === 'datePublished') this.#date(element);
    else if (OFFERED.has(name)) this.#offers.property(name, element, itemAround(element)?.element);
    else if (name === 'isFamilyFriendly') this.familyFriendly.push(valueOf(element));
    else if ((name === 'name' || name === 'title') && this.crumbs.length < CRUMBS && isCrumb(element)) {
      this.crumbs.push(textOf(element, NAME_LENGTH));
    }
  }

  #date(element: Tree.Element): void {
    const owner = itemAround(element);
    if (owner && (isLeftOut(owner) || owner.types.some((type) => UNDATED.test(type) || FOREIGN.test(type)))) return;
    const written = valueOf(element);
    if (written !== '') this.dates.push(written);
  }
}

const OFFERED: ReadonlySet<string> = new Set(['price', 'lowPrice', 'highPrice', 'priceCurrency', 'availability']);
/** Elements with microdata that are looked at in one page. */
const ELEMENTS = 3_000;
const CRUMBS = 16;
/** Characters of a name or a date that are read. */
const NAME_LENGTH = 200;
/** Elements between a property and its item. */
const DEPTH = 40;

interface Said {
  readonly types: readonly string[];
  readonly properties: readonly string[];
}

interface Item extends Said {
  readonly element: Tree.Element;
}

/** Undefined for an element without any. */
function read(element: Tree.Element): Said | undefined {
  let [types, properties]: [string, string] = ['', ''];
  for (const { name, value } of element.attrs) {
    if (name === 'itemtype' || name === 'typeof') types = value;
    else if (name === 'itemprop' || (name === 'property' && element.tagName !== 'meta')) properties = value;
  }
  if (types === '' && properties === '') return undefined;
  return {
    types: words(types).flatMap(typeNamed),
    properties: words(properties).map((name) => name.replace(/^\w+:/, '')),
  };
}

/** Names in one attribute that are read. */
function words(text: string): string[] {
  return text.slice(0, 500).trim().split(/\s+/, 8).filter(Boolean);
}

/** `http://schema.org/Article`, `schema:Article` and `Article`; other vocabularies say other things by the same words. */
function typeNamed(name: string): string[] {
  const found = /^(?:https?:\/\/(?:www\.)?(?:schema|data-vocabulary)\.org\/|schema:|v:)?([A-Z]\w{1,60})$/.exec(name);
  return found?.[1] === undefined ? [] : [found[1]];
}

function valueOf(element: Tree.Element): string {
  return attribute(element, 'content') ?? attribute(element, 'datetime') ?? textOf(element, NAME_LENGTH);
}

function itemAround(element: Tree.Element): Item | undefined {
  let above = element.parentNode;
  for (let depth = 0; above && 'tagName' in above && depth < DEPTH; depth += 1) {
    const said = read(above);
    if (said && (said.types.length > 0 || attribute(above, 'itemscope') !== undefined))
      return { ...said, element: above };
    above = above.parentNode;
  }
  return undefined;
}

function isLeftOut(item: Said): boolean {
  const place = (name: string): Place | undefined => placeOf(name, 'own');
  return item.properties.some((name) => place(name) === undefined || place(name) === 'other');
}

/** Breadcrumbs are items of a list of their own; what a crumb names may be an item in between. */
function isCrumb(element: Tree.Element): boolean {
  let item = itemAround(element);
  if (item?.properties.includes('item')) item = itemAround(item.element);
  if (item?.types.includes('Breadcrumb')) return true;
  if (!item?.types.includes('ListItem')) return false;
  return itemAround(item.element)?.types.includes('BreadcrumbList') ?? false;
}

/** The text inside an element, at most `length` characters of it. */
function textOf(element: Tree.Element, length: number): string {
  const waiting = element.childNodes.slice(0, length).reverse();
  let text = '';
  for (
    let left = length, node = waiting.pop();
    node && left > 0 && text.length < length;
    left -= 1, node = waiting.pop()
  ) {
    if ('value' in node) text += node.value.slice(0, length);
    else if ('tagName' in node) waiting.push(...node.childNodes.slice(0, length).reverse());
  }
  return text.slice(0, length);
}
