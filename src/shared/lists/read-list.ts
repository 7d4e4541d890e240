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

  add(written: string, { title, line }: { title?: string | undefined; line?: number } = {}): void {
    const url = resolved(written, NOWHERE);
    if (url === undefined || url.startsWith(NOWHERE)) {
      const where = line === undefined ? '' : `Line ${line}: `;
      this.problem(`${where}"${written.slice(0, 100)}" is not an http or https URL.`);
    } else if (this.#urls.size === LISTED_URLS) this.#unsaid += 1;
    else if (!this.#urls.has(url)) {
      this.#urls.set(url, { url, ...(title && { title }), ...(line !== undefined && { line }) });
    }
  }

  problem(sentence: string): void {
    if (this.#problems.length < PROBLEMS) this.#problems.push(sentence);
  }

  as(format: UrlList['format']): UrlList {
    const more = this.#unsaid === 0 ? [] : [`${this.#unsaid} more than ${LISTED_URLS} URLs were left out.`];
    return { format, urls: [...this.#urls.values()], problems: [...this.#problems, ...more] };
  }
}

const PROBLEMS = 100;
const NOWHERE = 'http://invalid/';

/** `outline` of OPML 1 and 2, `loc` of a sitemap, `link` of RSS and Atom; by local name, since prefixes vary. */
class ListReader implements XmlVisitor {
  readonly list = new Collector();
  readonly #open: string[] = [];
  #text: string | undefined;

  open({ local, attributes }: XmlTag): void {
    const said = (name: string): string | undefined =>
      Object.values(attributes)
        .find((attribute) => attribute.local.toLowerCase() === name)
        ?.value.trim();
    const outer = this.#open.at(-1) ?? '';
    this.#open.push(local.toLowerCase());
    this.#text = undefined;
    if (local === 'outline') this.#outline(said);
    else if (this.#isAddress(local, outer)) {
      const href = said('href');
      if (href === undefined) this.#text = '';
      else if ((said('rel') ?? 'alternate') === 'alternate') this.list.add(href);
    }
  }

  text(value: string): void {
    if (this.#text !== undefined) this.#text += value;
  }

  close(): void {
    this.#open.pop();
    const text = this.#text?.trim() ?? '';
    this.#text = undefined;
    if (text !== '') this.list.add(text);
  }

  result(): UrlList {
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
    return local === 'link' && (outer === 'item' || outer === 'entry');
  }

  /** OPML 2 writes `xmlUrl`; a link or another list is `url`; others have a page only. */
  #outline(said: (name: string) => string | undefined): void {
    this.#format = 'opml';
    const url = said('xmlurl') ?? said('url') ?? said('htmlurl');
    if (url) this.list.add(url, { title: said('title') ?? said('text') });
  }
}
