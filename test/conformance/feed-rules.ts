import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { SaxesParser } from 'saxes';

/**
 * What the W3C's feed validator holds against a feed: the rules of RFC 4287 and of JSON Feed 1.1, and HTML that readers show.
 * Each function answers what is wrong, in words; nothing where nothing is.
 */
const ATOM = 'http://www.w3.org/2005/Atom';

interface Element {
  readonly name: string;
  readonly space: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Element[];
  text: string;
}

/** Faults of an Atom feed (RFC 4287). */
export function faultsOfAtom(xml: string): string[] {
  const { root, faults } = readXml(xml);
  if (root === undefined || faults.length > 0) return faults.length > 0 ? faults : ['there is no element'];
  if (root.space !== ATOM || root.name !== 'feed') return [`the root is ${root.name} of ${root.space}`];
  const entries = root.children.filter(({ name }) => name === 'entry');
  const hasAuthor = root.children.some(({ name }) => name === 'author');
  const newest = entries
    .flatMap((entry) => textsOf(entry, 'updated'))
    .toSorted()
    .at(-1);
  return [
    ...strangers(root),
    ...counts('feed', root, {
      one: ['id', 'title', 'updated'],
      most: ['generator', 'icon', 'logo', 'rights', 'subtitle'],
    }),
    ...root.children.filter(({ name }) => name !== 'entry').flatMap((child) => faultsOfPart('feed', child)),
    ...alternates('feed', root),
    ...entries.flatMap((entry) => faultsOfEntry(entry, hasAuthor)),
    ...doubles([...textsOf(root, 'id'), ...entries.flatMap((entry) => textsOf(entry, 'id'))]),
    ...(newest !== undefined && newest > (textsOf(root, 'updated')[0] ?? '')
      ? ['feed: updated is before an entry']
      : []),
  ];
}

function faultsOfEntry(entry: Element, isAuthored: boolean): string[] {
  const has = (wanted: string): boolean => entry.children.some(({ name }) => name === wanted);
  const isLinked = entry.children.some(
    ({ name, attributes }) => name === 'link' && relationOf(attributes) === 'alternate',
  );
  return [
    ...counts('entry', entry, {
      one: ['id', 'title', 'updated'],
      most: ['content', 'published', 'rights', 'source', 'summary'],
    }),
    ...(isAuthored || has('author') ? [] : ['entry: there is no author, nor has the feed one']),
    ...(has('content') || isLinked ? [] : ['entry: there is neither content nor a link to it']),
    ...entry.children.flatMap((child) => faultsOfPart('entry', child)),
    ...alternates('entry', entry),
  ];
}

function faultsOfPart(where: string, part: Element): string[] {
  return PARTS[part.name]?.(`${where}/${part.name}`, part) ?? [];
}

type PartRule = (what: string, part: Element) => string[];

const iri: PartRule = (what, { text }) => faultsOfIri(what, text);
const time: PartRule = (what, { text }) => faultsOfTime(what, text);
const text: PartRule = (what, part) => faultsOfText(what, part);
const person: PartRule = (what, { children }) => {
  const names = children.filter((child) => child.name === 'name' && child.text !== '');
  return names.length === 1 ? [] : [`${what}: it has not one name`];
};
const attribute = (what: string, { attributes }: Element, name: string): string[] =>
  attributes.get(name) ? [] : [`${what}: there is no ${name}`];

const PARTS: Readonly<Record<string, PartRule>> = {
  id: iri,
  icon: iri,
  logo: iri,
  updated: time,
  published: time,
  title: text,
  subtitle: text,
  summary: text,
  rights: text,
  content: text,
  author: person,
  contributor: person,
  category: (what, part) => attribute(what, part, 'term'),
  link: (what, part) => {
    const { attributes } = part;
    return [
      ...attribute(what, part, 'href'),
      ...(attributes.has('href') ? faultsOfIri(what, attributes.get('href') ?? '') : []),
    ];
  },
};

function faultsOfText(what: string, { attributes, children, text }: Element): string[] {
  const type = attributes.get('type') ?? 'text';
  if (!['text', 'html'].includes(type)) return [`${what}: its type is ${type}`];
  if (children.length > 0) return [`${what}: it has elements in it`];
  return type === 'html' ? faultsOfHtml(what, text) : [];
}

function relationOf(attributes: Element['attributes']): string {
  return attributes.get('rel') ?? 'alternate';
}

/** No two that are the same thing in the same form and language (4.1.1, 4.1.2). */
function alternates(where: string, { children }: Element): string[] {
  const forms = children
    .filter(({ name, attributes }) => name === 'link' && relationOf(attributes) === 'alternate')
    .map(({ attributes }) => `${attributes.get('type') ?? ''} ${attributes.get('hreflang') ?? ''}`);
  return new Set(forms).size === forms.length ? [] : [`${where}: there are two links to the same`];
}

function counts(where: string, { children }: Element, { one, most }: { one: string[]; most: string[] }): string[] {
  const count = (wanted: string): number => children.filter(({ name }) => name === wanted).length;
  return [
    ...one.filter((name) => count(name) !== 1).map((name) => `${where}: it has ${count(name)} of ${name}`),
    ...most.filter((name) => count(name) > 1).map((name) => `${where}: it has ${count(name)} of ${name}`),
  ];
}

const KNOWN = new Set(
  'feed entry id title updated author contributor name uri email link category content summary published rights source generator icon logo subtitle'.split(
    ' ',
  ),
);

function strangers({ name, space, children }: Element): string[] {
  const own = space === ATOM && KNOWN.has(name) ? [] : [`${name} of ${space} is no element of Atom`];
  return [...own, ...children.flatMap(strangers)];
}

function textsOf({ children }: Element, wanted: string): string[] {
  return children.filter(({ name }) => name === wanted).map(({ text }) => text);
}

function readXml(xml: string): { readonly root: Element | undefined; readonly faults: string[] } {
  const faults: string[] = [];
  const open: Element[] = [];
  let root: Element | undefined;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', ({ message }) => faults.push(`not well-formed: ${message}`));
  parser.on('opentag', ({ local, uri, attributes }) => {
    const named = Object.values(attributes).map(({ name, value }) => [name, value] as const);
    const element = { name: local, space: uri, attributes: new Map(named), children: [], text: '' };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const add = (text: string): void => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return { root, faults };
}

/** Faults of a JSON Feed (https://www.jsonfeed.org/version/1.1/). */
export function faultsOfJsonFeed(text: string): string[] {
  const feed = readJson(text);
  if (feed === undefined) return ['it is no JSON object'];
  const { version, items } = feed;
  const listed = Array.isArray(items) ? items : [];
  return [
    ...(version === 'https://jsonfeed.org/version/1.1' ? [] : [`version is ${String(version)}`]),
    ...(typeof feed['title'] === 'string' ? [] : ['there is no title']),
    ...(Array.isArray(items) ? [] : ['there are no items']),
    ...['home_page_url', 'feed_url', 'icon', 'favicon', 'next_url'].flatMap((name) =>
      faultsOfAddress(name, feed[name]),
    ),
    ...faultsOfAuthors('feed', feed['authors']),
    ...unknown('feed', feed, FEED_FIELDS),
    ...listed.flatMap((item: unknown) => faultsOfItem(item)),
    ...doubles(listed.map((item) => (isRecord(item) ? String(item['id']) : ''))),
  ];
}

const FEED_FIELDS =
  'version title home_page_url feed_url description user_comment next_url icon favicon authors author language expired hubs items'.split(
    ' ',
  );
const ITEM_FIELDS =
  'id url external_url title content_html content_text summary image banner_image date_published date_modified authors author tags language attachments'.split(
    ' ',
  );

function faultsOfItem(item: unknown): string[] {
  if (!isRecord(item)) return ['an item is no object'];
  const { id, title, summary, content_html: html, content_text: text, tags } = item;
  const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';
  return [
    ...(typeof id === 'string' && id !== '' ? [] : ['item: there is no id that is a text']),
    ...(typeof html === 'string' || typeof text === 'string' ? [] : ['item: there is no content']),
    ...(typeof html === 'string' ? faultsOfHtml('item/content_html', html) : []),
    ...([title, summary].every(isText) ? [] : ['item: its title or summary is no text']),
    ...['url', 'external_url', 'image', 'banner_image'].flatMap((name) => faultsOfAddress(`item/${name}`, item[name])),
    ...['date_published', 'date_modified'].flatMap((name) =>
      item[name] === undefined ? [] : faultsOfTime(`item/${name}`, said(item[name])),
    ),
    ...(tags === undefined || (Array.isArray(tags) && tags.every((tag) => typeof tag === 'string'))
      ? []
      : ['item: its tags are no texts']),
    ...faultsOfAuthors('item', item['authors']),
    ...unknown('item', item, ITEM_FIELDS),
  ];
}

function faultsOfAuthors(where: string, authors: unknown): string[] {
  if (authors === undefined) return [];
  const isAuthor = (one: unknown): boolean =>
    isRecord(one) && ['name', 'url', 'avatar'].some((name) => typeof one[name] === 'string');
  return Array.isArray(authors) && authors.every(isAuthor) ? [] : [`${where}: its authors are no authors`];
}

function faultsOfAddress(what: string, value: unknown): string[] {
  if (value === undefined) return [];
  return typeof value === 'string' && /^https?:\/\//.test(value)
    ? faultsOfIri(what, value)
    : [`${what}: ${said(value)} is no address`];
}

/** A text as it is; anything else as JSON. */
function said(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Fields of one's own begin with `_`. */
function unknown(where: string, fields: object, known: readonly string[]): string[] {
  const strange = Object.keys(fields).filter((name) => !name.startsWith('_') && !known.includes(name));
  return strange.map((name) => `${where}: ${name} is no field of JSON Feed`);
}

function readJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function doubles(ids: readonly string[]): string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `the id ${id} is there twice`);
}

/** Absolute, and of the characters that an IRI may have where it has them (RFC 3987, 2.2). */
function faultsOfIri(what: string, text: string): string[] {
  const part = String.raw`(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2}|[^\p{ASCII}\p{Cc}\p{Bidi_Control}\p{Z}])*`;
  const host = String.raw`(?://(?:[^/?#[\]@]*@)?(?:\[[\da-f:.]+\]|[^/?#[\]\s]*))?`;
  const iri = new RegExp(
    String.raw`^[a-z][a-z\d+.-]*:${host}${part}(?:\?(?:${part}|\?)*)?(?:#(?:${part}|\?)*)?$`,
    'iu',
  );
  return iri.test(text) && URL.canParse(text) ? [] : [`${what}: ${text} is no absolute IRI`];
}

/** RFC 3339, with `T` and `Z` in capitals (RFC 4287, 3.3), and a day that there is. */
function faultsOfTime(what: string, text: string): string[] {
  const isForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
  return isForm && isDay && !Number.isNaN(Date.parse(text)) ? [] : [`${what}: ${text} is no time of RFC 3339`];
}

/** Elements that no reader of feeds takes away. */
const HTML_ELEMENTS = new Set(
  'a abbr b blockquote br code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins li ol p pre s span strong sub sup table tbody td th thead tr u ul'.split(
    ' ',
  ),
);
const HTML_ATTRIBUTES = new Set(['href', 'src', 'alt', 'title', 'cite', 'datetime']);
const HTML_ADDRESSES = new Set(['href', 'src', 'cite']);

function faultsOfHtml(what: string, html: string): string[] {
  const faults: string[] = [];
  const onParseError = ({ code }: { code: string }): void => void faults.push(`${what}: HTML with a mistake, ${code}`);
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if (node.nodeName === '#comment') faults.push(`${what}: HTML with a comment`);
    if ('tagName' in node) {
      if (!HTML_ELEMENTS.has(node.tagName)) faults.push(`${what}: HTML with the element ${node.tagName}`);
      for (const { name, value } of node.attrs) {
        if (!HTML_ATTRIBUTES.has(name)) faults.push(`${what}: HTML with the attribute ${name}`);
        else if (HTML_ADDRESSES.has(name)) faults.push(...faultsOfAddress(`${what}/${name}`, value));
      }
    }
    if ('childNodes' in node) for (const child of node.childNodes) visit(child);
  };
  visit(parseFragment(html, { sourceCodeLocationInfo: true, onParseError }));
  return faults;
}
