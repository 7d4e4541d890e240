import { PAGE_SEGMENTS } from '../../limits.ts';
import type { Feed, FeedEntry, FeedText } from './feed-page.ts';
import { resolved } from './targets.ts';
import type { XmlTag, XmlVisitor } from './xml-events.ts';

/** Whether the first element of a document is one of RSS 0.9 to 2.0, RDF or Atom. */
export function isFeed({ local, uri }: XmlTag): boolean {
  if (local === 'rss' || local === 'channel') return true;
  return local === 'feed' ? OWN.has(uri) : local === 'RDF' && uri === RDF;
}

/** Collects the entries of a feed, whatever its dialect. Only direct children of the feed and of an entry count. */
export class FeedReader implements XmlVisitor {
  readonly #entries: FeedEntry[] = [];
  readonly #said: Said = new Map();
  readonly #open: Open[] = [];
  readonly #url: string;
  #more = 0;
  #atom = false;
  #entry: { said: Said; base: string; link?: string } | undefined;
  #capture: Capture | undefined;
  #language: string | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  get feed(): Feed {
    const { title, description } = texts(this.#said);
    const language = this.#language ?? this.#said.get('language')?.value.trim();
    return { title, description, language, entries: this.#entries, more: this.#more };
  }

  open(tag: XmlTag): void {
    const outer = this.#open.at(-1);
    const base = attribute(tag, 'xml:base');
    const inner: Open = { name: nameOf(tag), base: baseOf(base, outer?.base ?? this.#url) };
    this.#open.push(inner);
    if (!outer) {
      this.#atom = inner.name === 'feed';
      this.#language = attribute(tag, 'xml:lang');
    }
    if (this.#capture) this.#capture.value += opened(tag);
    else if (!this.#entry && ENTRIES.has(inner.name)) {
      this.#entry = { said: new Map(), base: inner.base };
    } else this.#field(tag, inner, outer);
  }

  text(value: string): void {
    if (this.#capture) this.#capture.value += this.#capture.type === 'xhtml' ? escaped(value) : value;
  }

  close(): void {
    const { name = '' } = this.#open.pop() ?? {};
    if (this.#capture) this.#endOf(this.#capture, name);
    else if (this.#entry && ENTRIES.has(name)) {
      const { said, base, link } = this.#entry;
      const { title, text } = texts(said);
      if (this.#entries.length < PAGE_SEGMENTS) this.#entries.push({ title, text, link: link ?? linkIn(said), base });
      else this.#more += 1;
      this.#entry = undefined;
    }
  }

  #field(tag: XmlTag, { name, base }: Open, outer: Open | undefined): void {
    if (outer === undefined || !HOLDERS.has(outer.name)) return;
    const href = name === 'link' ? attribute(tag, 'href') : undefined;
    const type = typeOf(attribute(tag, 'type'), this.#atom);
    if (href !== undefined) this.#link(resolved(href, base), attribute(tag, 'rel'));
    else if (FIELDS.has(name) && type) this.#capture = { depth: this.#open.length, value: '', type };
    if (this.#entry && name === 'content') this.#entry.base = base;
  }

  #link(href: string | undefined, rel = 'alternate'): void {
    if (this.#entry && href !== undefined && rel === 'alternate') this.#entry.link ??= href;
  }

  #endOf(capture: Capture, name: string): void {
    if (this.#open.length >= capture.depth) {
      if (!VOID.has(name)) capture.value += `</${name}>`;
      return;
    }
    this.#capture = undefined;
    const said = this.#entry?.said ?? this.#said;
    const { value, type } = capture;
    if (value.trim() !== '' && !said.has(name)) said.set(name, { value, type: type === 'text' ? 'text' : 'html' });
  }
}

interface Open {
  readonly name: string;
  /** `xml:base`, down to here. */
  readonly base: string;
}

interface Capture {
  /** Open elements, with the one that is captured. */
  readonly depth: number;
  value: string;
  readonly type: 'text' | 'html' | 'xhtml';
}

type Said = Map<string, FeedText>;

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const ATOM = ['http://www.w3.org/2005/Atom', 'http://purl.org/atom/ns#', ''];
const OWN: ReadonlySet<string> = new Set([...ATOM, RDF, 'http://purl.org/rss/1.0/']);
const ENTRIES: ReadonlySet<string> = new Set(['item', 'entry']);
/** Elements whose children are fields. */
const HOLDERS: ReadonlySet<string> = new Set(['channel', 'feed', 'item', 'entry', 'media:group']);
/** The text of an entry: the whole one first. */
const TEXTS = ['content:encoded', 'content', 'description', 'summary', 'itunes:summary', 'media:description'];
const FIELDS: ReadonlySet<string> = new Set([...TEXTS, 'title', 'link', 'guid', 'subtitle', 'tagline', 'language']);
const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'input', 'area', 'col', 'embed', 'source', 'wbr']);

function texts(said: Said): Pick<Feed, 'title' | 'description'> & Pick<FeedEntry, 'text'> {
  return {
    title: said.get('title'),
    description: first(said, ['description', 'subtitle', 'tagline']),
    text: first(said, TEXTS),
  };
}

function first(said: Said, names: readonly string[]): FeedText | undefined {
  return names.map((name) => said.get(name)).find((text) => text !== undefined);
}

/** RSS keeps it in `<link>`, or in a `<guid>` that is an address. */
function linkIn(said: Said): string | undefined {
  const guid = said.get('guid')?.value.trim() ?? '';
  return said.get('link')?.value.trim() ?? (/^https?:/.test(guid) ? guid : undefined);
}

/** `dc:title` is not `title`, but Atom under a prefix is Atom: the names of feeds come without one. */
function nameOf({ local, prefix, uri }: XmlTag): string {
  return prefix === '' || (uri !== '' && OWN.has(uri)) ? local : `${prefix}:${local}`;
}

function attribute({ attributes }: XmlTag, name: string): string | undefined {
  return attributes[name]?.value;
}

/** RSS writes HTML in texts, with or without saying so; Atom says what it writes. Undefined for pictures and the like. */
function typeOf(said: string | undefined, atom: boolean): Capture['type'] | undefined {
  const type = said?.toLowerCase() ?? '';
  if (type.includes('xhtml')) return 'xhtml';
  if (type.includes('html')) return 'html';
  if (!atom) return 'html';
  return type === '' || type.startsWith('text') ? 'text' : undefined;
}

function opened({ local, attributes }: XmlTag): string {
  const said = Object.values(attributes).map(({ local, value }) => ` ${local}="${escaped(value)}"`);
  return `<${local}${said.join('')}>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** One that is too long to be visited is none: each element below would be resolved against a megabyte. */
function baseOf(href: string | undefined, base: string): string {
  return (href === undefined ? undefined : resolved(href, base)) ?? base;
}
