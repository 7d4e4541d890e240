import { feedPage } from './feed-page.ts';
import { FeedReader, isFeed } from './feed.ts';
import { NO_FACTS, type Page, type Segment } from '../page.ts';
import { segmentsOf } from './segments.ts';
import { readXmlEvents, type XmlTag, type XmlVisitor } from './xml-events.ts';

/** An XML document as a page: a feed, or the texts and attributes of its elements. Throws what `readXmlEvents` throws. */
export function readXml(xml: string, url: string): Page {
  const reader = new XmlReader(url);
  readXmlEvents(xml, reader);
  return reader.page();
}

/** Which reader has the document is known at its first element. */
class XmlReader implements XmlVisitor {
  readonly #url: string;
  #reader: FeedReader | Rows | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  open(tag: XmlTag): void {
    this.#reader ??= isFeed(tag) ? new FeedReader(this.#url) : new Rows();
    this.#reader.open(tag);
  }

  text(value: string): void {
    this.#reader?.text(value);
  }

  close(): void {
    this.#reader?.close();
  }

  page(): Page {
    if (this.#reader instanceof FeedReader) return feedPage(this.#reader.feed, this.#url);
    return { url: this.#url, ...segmentsOf(this.#reader?.rows ?? []), anchors: [], links: [], facts: NO_FACTS };
  }
}

/** An element with a text or attributes is a row: `rate: 1.0876 | currency: USD`. Text goes on after an inner element. */
class Rows implements XmlVisitor {
  readonly rows: Segment[] = [];
  readonly #open: { name: string; text: string; attributes: string }[] = [];

  open({ local, attributes }: XmlTag): void {
    this.#flush();
    const said = Object.values(attributes).filter(({ prefix, value }) => !SILENT.has(prefix) && value.trim() !== '');
    this.#open.push({
      name: local,
      text: '',
      attributes: said
        .filter(({ local }) => local !== 'xmlns')
        .map(({ local, value }) => `${local}: ${value}`)
        .join(' | '),
    });
  }

  text(value: string): void {
    const top = this.#open.at(-1);
    if (top) top.text += value;
  }

  close(): void {
    this.#flush();
    this.#open.pop();
  }

  #flush(): void {
    const top = this.#open.at(-1);
    if (!top) return;
    const { name, attributes } = top;
    const text = top.text.trim();
    const parts = [text === '' ? name : `${name}: ${text}`, attributes].filter((part) => part !== '');
    if (text !== '' || attributes !== '') this.rows.push({ text: parts.join(' | '), kind: 'row', zone: 'main' });
    top.text = '';
    top.attributes = '';
  }
}

/** Attributes about the document, not of it: name spaces, languages, schemas. */
const SILENT: ReadonlySet<string> = new Set(['xmlns', 'xml', 'xsi']);
