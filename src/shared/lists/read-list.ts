import { Malformed } from '../page/read/malformed.ts';
import { resolved } from '../page/read/targets.ts';
import { TreeTooLarge } from '../page/read/tree.ts';
import { readXmlEvents, type XmlTag, type XmlVisitor } from '../page/read/xml-events.ts';
import { LISTED_URLS } from '../limits.ts';

/**
 * Lists of addresses that people keep in files: OPML of a feed reader, a URL a line, a sitemap, or a feed. Text comes
 * in, addresses go out, with a sentence for each that is none. Nothing is fetched.
 */
export interface UrlList {
  readonly format: 'opml' | 'sitemap' | 'feed' | 'lines';
  /** Each once, in the order of the list. */
  readonly urls: readonly ListedUrl[];
  /** Sentences: what was left out, and where. */
  readonly problems: readonly string[];
}

export interface ListedUrl {
  /** Absolute http(s), as the URL parser writes it, without fragment. */
  readonly url: string;
  readonly title?: string;
  /** Of OPML: the folders that it is in, the outer one first, and its categories; each once. */
  readonly tags?: readonly string[];
  /** Counted from 1, where the list is one of lines. */
  readonly line?: number;
}

/** Whatever list it is; never throws. */
export function readList(text: string): UrlList {
  return /^[\s\uFEFF]*</.test(text) ? readXmlList(text.replace(/^\uFEFF/, '')) : readLines(text);
}

/** A URL a line; empty lines, and those that begin with `#`, say nothing. */
function readLines(text: string): UrlList {
  const list = new Collector();
  for (const [index, written] of text.split('\n').entries()) {
    const line = written.replace(/^\uFEFF/, '').trim();
    if (line !== '' && !line.startsWith('#')) list.add(line, { line: index + 1 });
  }
  return list.as('lines');
}

function readXmlList(xml: string): UrlList {
  const reader = new ListReader();
  try {
    readXmlEvents(xml, reader);
  } catch (failure) {
    if (!(failure instanceof Malformed || failure instanceof TreeTooLarge)) throw failure;
    reader.list.problem(failure.message);
  }
  return reader.result();
}

/** Addresses, each once, and what was wrong with others. */
class Collector {
  readonly #urls = new Map<string, ListedUrl>();
  readonly #problems: string[] = [];
  #unsaid = 0;

  add(written: string, { title, tags = [], line }: About = {}): void {
    const url = resolved(written, NOWHERE);
    if (url === undefined || url.startsWith(NOWHERE)) {
      const where = line === undefined ? '' : `Line ${line}: `;
      this.problem(`${where}"${written.slice(0, 100)}" is not an http or https URL.`);
      return;
    }
    const former = this.#urls.get(url);
    if (former === undefined && this.#urls.size === LISTED_URLS) {
      this.#unsaid += 1;
      return;
    }
    const own = former ?? { url, ...(title && { title }), ...(line !== undefined && { line }) };
    this.#urls.set(url, tagged(own, tags));
  }

  problem(sentence: string): void {
    if (this.#problems.length < PROBLEMS) this.#problems.push(sentence);
  }

  as(format: UrlList['format']): UrlList {
    const more = this.#unsaid === 0 ? [] : [`${this.#unsaid} more than ${LISTED_URLS} URLs were left out.`];
    return { format, urls: [...this.#urls.values()], problems: [...this.#problems, ...more] };
  }
}

/** A feed that is in two folders stands in a list twice. */
function tagged(own: ListedUrl, more: readonly string[]): ListedUrl {
  const tags = [...new Set([...(own.tags ?? []), ...more])].slice(0, LISTED_TAGS);
  return tags.length === 0 ? own : { ...own, tags };
}

interface About {
  readonly title?: string | undefined;
  readonly tags?: readonly string[];
  readonly line?: number;
}

const PROBLEMS = 100;
/** Tags of one address. */
const LISTED_TAGS = 100;
const NOWHERE = 'http://invalid/';

/** `outline` of OPML 1 and 2, `loc` of a sitemap, `link` of RSS and Atom; by local name, since prefixes vary. */
class ListReader implements XmlVisitor {
  readonly list = new Collector();
  readonly #open: string[] = [];
  /** For each open outline its name, where it is a folder, and nothing otherwise. */
  readonly #folders: string[] = [];
  #text: string | undefined;
  /** The addresses of the entry of a feed that is open, and its title, which may come after them. */
  #entry: { title?: string; readonly links: string[] } | undefined;

  open({ local, attributes }: XmlTag): void {
    const said = (name: string): string | undefined =>
      Object.values(attributes)
        .find((attribute) => attribute.local.toLowerCase() === name)
        ?.value.trim();
    const outer = this.#open.at(-1) ?? '';
    this.#open.push(local.toLowerCase());
    this.#text = undefined;
    if (local === 'outline') this.#outline(said);
    else if (local === 'item' || local === 'entry') this.#entry = { links: [] };
    else if (local === 'title' && isEntry(outer)) this.#text = '';
    else if (this.#isAddress(local, outer)) {
      const href = said('href');
      if (href === undefined) this.#text = '';
      else if ((said('rel') ?? 'alternate') === 'alternate') this.#address(href);
    }
  }

  text(value: string): void {
    if (this.#text !== undefined) this.#text += value;
  }

  close(): void {
    const closed = this.#open.pop() ?? '';
    const text = this.#text?.trim() ?? '';
    this.#text = undefined;
    if (closed === 'outline') this.#folders.pop();
    if (isEntry(closed)) this.#endEntry();
    if (text === '') return;
    if (closed !== 'title') this.#address(text);
    else if (this.#entry) this.#entry.title ??= text;
  }

  result(): UrlList {
    this.#endEntry();
    const list = this.list.as(this.#format);
    if (list.urls.length > 0 || list.problems.length > 0) return list;
    return { ...list, problems: ['It is not a list in a known format: URLs, OPML, a sitemap or a feed.'] };
  }

  #format: UrlList['format'] = 'feed';

  #isAddress(local: string, outer: string): boolean {
    if (local === 'loc' && (outer === 'url' || outer === 'sitemap')) {
      this.#format = 'sitemap';
      return true;
    }
    return local === 'link' && isEntry(outer);
  }

  /** Of a feed it is added with its entry. */
  #address(written: string): void {
    if (this.#entry) this.#entry.links.push(written);
    else this.list.add(written);
  }

  #endEntry(): void {
    const { title, links = [] } = this.#entry ?? {};
    for (const link of links) this.list.add(link, { title });
    this.#entry = undefined;
  }

  /** OPML 2 writes `xmlUrl`; a link or another list is `url`; others have a page only. */
  #outline(said: (name: string) => string | undefined): void {
    this.#format = 'opml';
    const url = said('xmlurl') ?? said('url') ?? said('htmlurl');
    const title = said('title') ?? said('text');
    if (url) this.list.add(url, { title, tags: [...this.#folders.filter(Boolean), ...categories(said('category'))] });
    this.#folders.push(url ? '' : (title ?? ''));
  }
}

function isEntry(local: string): boolean {
  return local === 'item' || local === 'entry';
}

/** OPML 2: `/News/Local,ferries`, a list of paths. */
function categories(written = ''): string[] {
  return written
    .split(',')
    .map((path) => path.trim().replaceAll(/^\/+|\/+$/g, ''))
    .filter(Boolean);
}
