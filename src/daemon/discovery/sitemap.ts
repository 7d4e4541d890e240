import { SITEMAP_ENTRIES, XML_DEPTH, XML_MISTAKES } from '../../shared/limits.ts';
import { decode } from '../../shared/page/read/decode.ts';
import { parsePublishTime } from '../../shared/page/metadata/dates.ts';
import { resolved } from '../../shared/page/read/targets.ts';
import type { Entry, UrlList } from './url-list.ts';
import { SaxesParser } from 'saxes';

/** A sitemap, an index of sitemaps, a news sitemap; entries of pictures and videos are left out. */
export function readSitemap(bytes: Uint8Array, contentType: string, url: string): UrlList {
  const reader = new SitemapReader(url);
  const problem = readSitemapEvents(textOf(bytes, contentType), reader);
  return reader.listing(problem);
}

/** One URL a line. What is none is passed over. */
export function readTextSitemap(text: string): UrlList {
  const entries: Entry[] = [];
  for (const line of text.split('\n', SITEMAP_LINES)) {
    if (entries.length === SITEMAP_ENTRIES) break;
    const url = ADDRESS.test(line) ? resolved(line.trim(), NOWHERE) : undefined;
    if (url !== undefined) entries.push({ url });
  }
  return { kind: 'sitemap', entries, sitemaps: [] };
}

const ADDRESS = /^\s*https?:\/\/\S+\s*$/i;
const NOWHERE = 'http://invalid/';
const SITEMAP_LINES = 2 * SITEMAP_ENTRIES;

/** UTF-8, as nearly all are, in pieces; any other encoding at once. */
function* textOf(bytes: Uint8Array, contentType: string): Iterable<string> {
  const start = decode(bytes.subarray(0, DECLARATION), { contentType, xml: true });
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const declared = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/i.exec(start)?.[1] ?? 'utf-8';
  if (isUtf16 || !/^utf-?8$/i.test(declared)) {
    const text = decode(bytes, { contentType, xml: true });
    for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
    return;
  }
  const decoder = new TextDecoder();
  let isFirst = true;
  for (let at = 0; at < bytes.length; at += PIECE) {
    const text = decoder.decode(bytes.subarray(at, at + PIECE), { stream: true });
    // A declaration behind white space is a mistake that the parser would report for each of its characters.
    yield isFirst ? text.trimStart() : text;
    isFirst = false;
  }
  yield decoder.decode();
}

const DECLARATION = 1_024;
const PIECE = 65_536;

/** The fields of one `<url>` or `<sitemap>`. */
interface Item {
  readonly isSitemap: boolean;
  readonly prefix: string;
  loc?: string;
  lastmod?: string;
  publication?: string;
  readonly alternates: string[];
}

class SitemapReader implements SitemapVisitor {
  readonly #url: string;
  readonly #entries = new Map<string, Entry>();
  readonly #sitemaps = new Map<string, Entry>();
  #item: Item | undefined;
  #text: string | undefined;
  #isNews = false;

  constructor(url: string) {
    this.#url = url;
  }

  listing(problem: string | undefined): UrlList {
    const [entries, sitemaps] = [[...this.#entries.values()], [...this.#sitemaps.values()]];
    const read = entries.length + sitemaps.length;
    return {
      kind: 'sitemap',
      entries,
      sitemaps,
      ...(this.#isNews && { isNews: true }),
      ...(problem !== undefined && { problem: `Of the sitemap ${read} entries were read: ${problem}.` }),
    };
  }

  isDone(): boolean {
    return this.#entries.size >= SITEMAP_ENTRIES || this.#sitemaps.size >= SITEMAP_ENTRIES;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#text = undefined;
    const { prefix, local } = split(name);
    if (!this.#item && (local === 'url' || local === 'sitemap')) {
      this.#item = { isSitemap: local === 'sitemap', prefix, alternates: [] };
      this.#text = '';
    } else if (this.#item && isField(this.#item, prefix, local)) this.#text = '';
    else if (this.#item && local === 'link') this.#link(this.#item, attributes);
  }

  text(value: string): void {
    if (this.#text !== undefined && this.#text.length < TEXT_LENGTH) this.#text += value;
  }

  close(name: string): void {
    const text = this.#text?.trim() ?? '';
    this.#text = undefined;
    const item = this.#item;
    if (!item) return;
    const { prefix, local } = split(name);
    const isEnd = prefix === item.prefix && local === (item.isSitemap ? 'sitemap' : 'url');
    // Some write the address into the item itself.
    if (text !== '') say(item, isEnd ? 'loc' : local, text);
    if (isEnd) this.#add(item);
  }

  #link(item: Item, { rel, hreflang, href }: Readonly<Record<string, string>>): void {
    if (rel === 'alternate' && hreflang !== undefined && href !== undefined && item.alternates.length < ALTERNATES) {
      item.alternates.push(href);
    }
  }

  #add({ isSitemap, loc, lastmod = '', publication, alternates }: Item): void {
    this.#item = undefined;
    this.#isNews ||= publication !== undefined;
    const changedAt = parsePublishTime(lastmod)?.instant ?? parsePublishTime(publication ?? '')?.instant;
    if (loc !== undefined) put(isSitemap ? this.#sitemaps : this.#entries, resolved(loc, this.#url), changedAt);
    for (const alternate of alternates) {
      if (!this.isDone()) put(this.#entries, resolved(alternate, this.#url), undefined);
    }
  }
}

/** The first of each counts. */
function say(item: Item, local: string, text: string): void {
  if (local === 'loc') item.loc ??= text;
  else if (local === 'lastmod') item.lastmod ??= text;
  else item.publication ??= text;
}

/** Of the URL itself, not of a picture in it; and the date of its news. */
function isField(item: Item, prefix: string, local: string): boolean {
  if (local === 'publication_date') return prefix !== 'video';
  return prefix === item.prefix && (local === 'loc' || local === 'lastmod');
}

/** The first date stands, and a date beside none. */
function put(entries: Map<string, Entry>, url: string | undefined, changedAt: number | undefined): void {
  if (url === undefined) return;
  if (changedAt !== undefined && entries.get(url)?.changedAt === undefined) entries.set(url, { url, changedAt });
  else if (!entries.has(url)) entries.set(url, { url });
}

function split(name: string): { prefix: string; local: string } {
  const colon = name.indexOf(':');
  return { prefix: name.slice(0, Math.max(0, colon)), local: name.slice(colon + 1) };
}

/** An address of `URL_LENGTH` with white space around it. */
const TEXT_LENGTH = 4_096;
/** Languages of one page: there are about 200 of ISO 639-1. */
const ALTERNATES = 200;

/** Elements and texts of a sitemap, in order. Names are as they are written, with their prefix. */
interface SitemapVisitor {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  text(value: string): void;
  close(name: string): void;
  /** Whether more is wanted. */
  isDone(): boolean;
}

/**
 * Reads XML in pieces, so that 50 MB of it are never one string or one tree. Neither the document type nor an entity of
 * its own is read: a reference to anything but the five of XML stays as it is written. Namespaces are not looked up,
 * since every second generator has a wrong one. A sentence when it ends early; never throws.
 */
export function readSitemapEvents(pieces: Iterable<string>, visitor: SitemapVisitor): string | undefined {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let [mistakes, depth] = [0, 0];
  let problem: string | undefined;
  parser.on('error', () => {
    mistakes += 1;
    if (mistakes > XML_MISTAKES) problem = `it has more than ${XML_MISTAKES} mistakes`;
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > XML_DEPTH) problem = `it has more than ${XML_DEPTH} nested elements`;
    if (problem === undefined && !visitor.isDone()) visitor.open(name, attributes);
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    if (problem === undefined && !visitor.isDone()) visitor.close(name);
  });
  parser.on('text', (value) => visitor.text(value));
  // The ampersands of a CDATA section were amended, too. Who wrote `&amp;` there meant `&`.
  parser.on('cdata', (value) => visitor.text(value.replaceAll('&amp;', '&')));
  for (const piece of amended(pieces)) {
    parser.write(piece);
    if (problem !== undefined || visitor.isDone()) return problem;
  }
  parser.close();
  return depth > 0 ? 'it breaks off before its end' : problem;
}

/**
 * Ampersands that begin no reference of XML, as in the addresses of many sitemaps, become `&amp;`: the parser would look
 * for a semicolon behind the next tags. A piece ends before an ampersand that the next one may go on with.
 */
function* amended(pieces: Iterable<string>): Iterable<string> {
  let rest = '';
  for (const piece of pieces) {
    const text = rest + piece;
    const last = text.lastIndexOf('&');
    const cut = last === -1 || text.length - last > REFERENCE_LENGTH ? text.length : last;
    rest = text.slice(cut);
    yield text.slice(0, cut).replace(BARE, '&amp;');
  }
  yield rest.replace(BARE, '&amp;');
}

const BARE = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/gi;
/** `&#1114111;` */
const REFERENCE_LENGTH = 10;
