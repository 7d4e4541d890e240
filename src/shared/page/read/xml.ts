import { html, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { feedPage } from './feed-page.ts';
import { FeedReader, isFeed } from './feed.ts';
import { NO_FACTS, type Page, type Segment } from '../page.ts';
import type { Found, Selected } from '../select/selection.ts';
import { segmentsOf } from './segments.ts';
import { isElement, isText } from './walk.ts';
import { readXmlEvents, type XmlTag, type XmlVisitor } from './xml-events.ts';

/** An XML document as a page: a feed, or the texts and attributes of its elements. Throws what `readXmlEvents` throws. */
export function readXml(xml: string, url: string): Page {
  const reader = new XmlReader(url);
  readXmlEvents(xml, reader);
  return reader.page();
}

/** The parts of it that are selected, as elements of a tree that selectors look through. Throws what `readXmlEvents` and `select` throw. */
export function readSelectedXml(
  xml: string,
  url: string,
  select: (document: Tree.Document) => Selected,
): { readonly page: Page; readonly found: readonly Found[] } {
  const builder = new XmlTree();
  readXmlEvents(xml, builder);
  const { elements, found } = select(builder.document);
  const rows = new Rows();
  for (const node of builder.document.childNodes) builder.replay(node, rows, elements);
  return { page: { url, ...segmentsOf(rows.rows), anchors: [], links: [], facts: NO_FACTS }, found };
}

/**
 * An XML document as a tree of HTML's parser. Selectors of CSS do not tell capitals from small letters, and here no name does;
 * elements are named without their prefix.
 */
class XmlTree implements XmlVisitor {
  readonly document: Tree.Document = { nodeName: '#document', mode: html.DOCUMENT_MODE.NO_QUIRKS, childNodes: [] };
  readonly #tags = new Map<Tree.ChildNode, XmlTag>();
  readonly #open: Tree.ParentNode[] = [this.document];

  open(tag: XmlTag): void {
    const parentNode = this.#open.at(-1) ?? this.document;
    const name = tag.local.toLowerCase();
    const attributes = Object.values(tag.attributes);
    const element: Tree.Element = {
      nodeName: name,
      tagName: name,
      attrs: attributes.map(({ local, value }) => ({ name: local.toLowerCase(), value })),
      // None of HTML's: no name has a meaning here.
      namespaceURI: html.NS.XML,
      childNodes: [],
      parentNode,
    };
    parentNode.childNodes.push(element);
    this.#tags.set(element, tag);
    this.#open.push(element);
  }

  text(value: string): void {
    const parentNode = this.#open.at(-1) ?? this.document;
    parentNode.childNodes.push({ nodeName: '#text', value, parentNode });
  }

  close(): void {
    this.#open.pop();
  }

  /** What is in a node, or in those elements of it that are selected, told once more. As deep as the document may be. */
  replay(node: Tree.ChildNode, visitor: XmlVisitor, selected: Selected['elements']): void {
    if (isText(node)) {
      if (selected === undefined) visitor.text(node.value);
      return;
    }
    const tag = this.#tags.get(node);
    if (!isElement(node) || tag === undefined) return;
    const isWhole = selected === undefined || selected.has(node);
    if (isWhole) visitor.open(tag);
    for (const child of node.childNodes) this.replay(child, visitor, isWhole ? undefined : selected);
    if (isWhole) visitor.close();
  }
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
