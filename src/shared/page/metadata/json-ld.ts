import { Offers } from './offers.ts';
import { ARTICLE, FOREIGN, placeOf, TypesByPlace, UNDATED, type Place } from './schema.ts';

/**
 * What the JSON-LD blocks of a page say about it (schema.org). A graph also describes the site, the author, the
 * comments and the pages that a list leads to, so what matters is whose statement it is: a node at the top, in a
 * `@graph` or under `mainEntity` is the page's own; one under any other property is a part; one under a property for
 * other pages is another page; persons, pictures and comments are left out. One instance reads all blocks of a page,
 * within one budget.
 */
export class JsonLd {
  readonly types = new TypesByPlace();
  readonly dates: DatedByJsonLd[] = [];
  readonly sections: string[] = [];
  readonly crumbs: string[] = [];
  readonly familyFriendly: string[] = [];
  readonly #offers: Offers;
  headline: string | undefined;
  description: string | undefined;
  siteName: string | undefined;
  #left = NODES;

  constructor(offers = new Offers()) {
    this.#offers = offers;
  }

  read(script: string): void {
    if (this.#left <= 0) return;
    // A script that cannot be read costs more than one that can.
    this.#left -= 1;
    const waiting: Waiting[] = [{ value: parsed(script), place: 'own' }];
    for (let next = waiting.pop(); next && this.#left > 0; next = waiting.pop()) {
      const { value, place } = next;
      if (typeof value !== 'object' || value === null) continue;
      this.#left -= 1;
      // The last is taken first: reversed, the first of the document comes first.
      waiting.push(...(Array.isArray(value) ? items(value, place) : this.#node(value, place)).reverse());
    }
  }

  /** Notes what the node says; its properties that are left to read. */
  #node(node: object, place: Place): Waiting[] {
    const types = typesOf(node);
    if (types.some((type) => FOREIGN.test(type)) && place !== 'own' && place !== 'main') return [];
    for (const type of types) this.types.add(type, place);
    const properties: [string, unknown][] = Object.entries(node).slice(0, NODES);
    if (types.includes('BreadcrumbList')) {
      this.crumbs.push(...crumbsOf(node));
      return [];
    }
    this.#date(types, properties, place);
    if (place === 'main' || place === 'own') {
      this.#say(types, node);
      this.#offers.node(node);
    }
    return properties.flatMap(([key, value]) => {
      const inner = typeof value === 'object' ? placeOf(key, place) : undefined;
      return inner === undefined ? [] : [{ value, place: inner }];
    });
  }

  #date(types: readonly string[], properties: readonly [string, unknown][], place: Place): void {
    if (place === 'other' || types.some((type) => UNDATED.test(type))) return;
    const isArticle = types.some((type) => ARTICLE.test(type));
    const published = isArticle && !types.includes('Review') ? 'article' : 'page';
    for (const [key, value] of properties) {
      const written: unknown = Array.isArray(value) ? value[0] : value;
      const of = key === 'datePublished' ? published : DATES.get(key);
      if (typeof written !== 'string' || of === undefined) continue;
      if (key !== 'dateCreated' || isArticle) this.dates.push({ written, of });
    }
  }

  #say(types: readonly string[], node: object): void {
    this.sections.push(...textsAt(node, 'articleSection'));
    this.familyFriendly.push(...textsAt(node, 'isFamilyFriendly'));
    this.headline ??= textsAt(node, 'headline')[0];
    if (types.includes('WebSite')) this.siteName ??= textsAt(node, 'name')[0];
    else if (!types.some((type) => FOREIGN.test(type))) this.description ??= textsAt(node, 'description')[0];
  }
}

export interface DatedByJsonLd {
  readonly written: string;
  readonly of: 'article' | 'page' | 'upload';
}

interface Waiting {
  readonly value: unknown;
  readonly place: Place;
}

/** Objects and lists looked at in one page: thousands are a catalogue, not an article. */
const NODES = 5_000;
/** Characters of one script: larger ones are the state of an application. */
const SCRIPT_LENGTH = 1_000_000;
/** Properties that date a node where `datePublished` does not. */
const DATES: ReadonlyMap<string, DatedByJsonLd['of']> = new Map([
  ['datePosted', 'upload'],
  ['uploadDate', 'upload'],
  ['dateCreated', 'upload'],
]);
/** Values kept of one property. */
const TEXTS = 16;

function items(list: readonly unknown[], place: Place): Waiting[] {
  return list.slice(0, NODES).map((value) => ({ value, place }));
}

function typesOf(node: object): string[] {
  const type: unknown = Object.hasOwn(node, '@type') ? Reflect.get(node, '@type') : undefined;
  const types: unknown[] = Array.isArray(type) ? type.slice(0, TEXTS) : [type];
  return types.filter((name) => typeof name === 'string').map((name) => name.slice(0, 200).replace(/^.*[/:#]/, ''));
}

/** The texts of a property, whether it holds one or a list of them. */
function textsAt(node: object, key: string): string[] {
  const value: unknown = Object.hasOwn(node, key) ? Reflect.get(node, key) : undefined;
  const values: unknown[] = Array.isArray(value) ? value.slice(0, TEXTS) : [value];
  return values.flatMap((text) => {
    if (typeof text === 'boolean') return [String(text)];
    return typeof text === 'string' ? [text] : [];
  });
}

/** Names on the way from the home page, of the items themselves or of what they point to. */
function crumbsOf(list: object): string[] {
  const elements: unknown = Object.hasOwn(list, 'itemListElement') ? Reflect.get(list, 'itemListElement') : undefined;
  if (!Array.isArray(elements)) return [];
  return elements.slice(0, TEXTS).flatMap((element: unknown) => {
    if (typeof element !== 'object' || element === null) return [];
    const item: unknown = Object.hasOwn(element, 'item') ? Reflect.get(element, 'item') : undefined;
    const name = textsAt(element, 'name')[0];
    return name ?? (typeof item === 'object' && item !== null ? textsAt(item, 'name').slice(0, 1) : []);
  });
}

/**
 * Old templates wrap scripts in comments or CDATA, and broken ones put raw line ends into strings. So only what lies
 * between the outermost braces is read; taking wrappers away by a pattern is a trap of backtracking, in a script of
 * thousands of spaces. The brackets are for the lists of objects that some scripts are.
 */
function parsed(script: string): unknown {
  if (script.length > SCRIPT_LENGTH) return undefined;
  const objects = `[${script.slice(script.indexOf('{'), script.lastIndexOf('}') + 1)}]`;
  try {
    return JSON.parse(objects);
  } catch {
    try {
      return JSON.parse(objects.replace(/[\n\r\t]+/g, ' '));
    } catch {
      return undefined;
    }
  }
}
