import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { Blocks } from './blocks.ts';
import { Links } from './links.ts';
import { Metadata } from '../metadata/metadata.ts';
import type { Counted, Facts, Page, Segment } from '../page.ts';
import { type Region, Regions } from '../structure/regions.ts';
import { documentScope, isBlock, type Scope, scopeInside, selectedScope, unselectedScope } from '../structure/scope.ts';
import { LINE_BREAK, segmentsOf } from './segments.ts';
import type { Found, Selected } from '../select/selection.ts';
import { TEMPLATE, treeOf, type TreeSize } from './tree.ts';
import { UnreadText } from './unread.ts';
import { attribute, ownText, type Visitor, walk } from './walk.ts';
import { controlText, isControl, textWithin } from './controls.ts';
import { contentLength } from '../structure/content.ts';
import { decideZones } from '../structure/zones.ts';

/**
 * An HTML document as a page: parsed once, walked once. Where it says little, what it has for readers without scripts is
 * read, too. Throws what `treeOf` throws.
 */
export function readHtml(html: string, url: string, size: TreeSize = { elements: 0, targets: 0 }): Page {
  const page = pageFrom(html, url, size, false);
  if (contentLength(page) >= LITTLE || !FALLBACK.test(html)) return page;
  const full = pageFrom(html, url, size, true);
  if (contentLength(full) <= contentLength(page)) return page;
  // A text for readers without scripts ("Enable JavaScript …") does not make an application a page.
  const isScripted = page.unread?.isScripted === true;
  return { ...full, ...(full.unread && { unread: { ...full.unread, isScripted } }) };
}

function pageFrom(html: string, url: string, size: TreeSize, readsFallback: boolean): Page {
  const controlled = new Set<string>();
  const document = treeOf(html, { size, controlled, scripting: !readsFallback });
  const reader = new Reader(size, new Regions({ controlled, readsFallback }));
  walk(document, reader.scope, reader);
  return reader.page(url);
}

/** Characters of content below which a page is likely to be built by scripts. */
const LITTLE = 80;
const FALLBACK = /<(?:noscript|template)[\s>]|<script[^>]{1,200}template/i;

/** The same, as far as a selection goes; `found` tells of its selectors. Throws what `select` throws, too. */
export function readSelected(
  html: string,
  url: string,
  select: (document: Tree.Document) => Selected,
): { readonly page: Page; readonly found: readonly Found[] } {
  const size = { elements: 0, targets: 0 };
  const controlled = new Set<string>();
  const document = treeOf(html, { size, controlled });
  const { elements, found } = select(document);
  const reader = new Reader(size, new Regions({ controlled }), elements);
  walk(document, reader.scope, reader);
  return { page: reader.page(url), found };
}

/** Hands each node of the walk to those who collect something of it. */
class Reader implements Visitor<Scope> {
  readonly #size: TreeSize;
  readonly #regions: Regions;
  readonly scope: Scope;
  readonly #blocks = new Blocks();
  readonly #links: Links;
  readonly #metadata = new Metadata();
  readonly #counts = new Counts();
  readonly #unread = new UnreadText();

  readonly #selected: Selected['elements'];
  /** An element that has just ended, with no text after it. */
  #ended: Tree.Element | undefined;
  /** Whether text that comes now stands apart from the text before it, although no space is between them. */
  #isApart = false;

  /** With `selected`, the text of these elements only; the title and the links are those of the page all the same. */
  constructor(size: TreeSize, regions: Regions, selected?: Selected['elements']) {
    this.#size = size;
    this.#links = new Links(size);
    this.#regions = regions;
    this.#selected = selected;
    this.scope = selected ? unselectedScope(regions) : documentScope(regions);
  }

  enter(element: Tree.Element, outer: Scope): Scope | undefined {
    this.#metadata.enter(element, outer, this.#blocks.done.length);
    const scope = this.#scopeOf(element, outer);
    this.#counts.enter(element, scope ?? outer);
    this.#unread.enter(element, scope ?? outer);
    this.#sayOf(element, outer);
    if (!scope) {
      if (this.#regions.readsFallback && isScriptTemplate(element)) this.#readTemplate(ownText(element), outer);
      return undefined;
    }
    this.#links.enter(element, scope);
    this.#boundary(element, scope);
    const tag = element.tagName;
    if (tag === 'tr') this.#blocks.openRow(scope.region);
    else if (tag === 'td' || tag === 'th') this.#blocks.openCell();
    else if (tag === 'br') this.text(LINE_BREAK, scope);
    else if (isStruck(element)) this.text(STRUCK, scope);
    return scope;
  }

  #scopeOf(element: Tree.Element, outer: Scope): Scope | undefined {
    if (isMark(element)) return undefined;
    const isSelected = this.#selected?.has(element) === true;
    return (isSelected ? selectedScope : scopeInside)(element, outer, this.#regions);
  }

  /** What an element says by itself, and not by the text inside it. */
  #sayOf(element: Tree.Element, outer: Scope): void {
    if (this.#ended?.parentNode === element.parentNode) this.#isApart ||= standApart(this.#ended, element, outer);
    this.#ended = undefined;
    if (outer.hidden) return;
    if (this.#blocks.isInCell && PICTURES.has(element.tagName)) this.#blocks.picture(labelOf(element), outer);
    else if (isControl(element.tagName)) this.#sayControl(element, outer);
  }

  #sayControl(element: Tree.Element, outer: Scope): void {
    // What was asked for, and the handle of an accordion, is read as it is.
    if (element.tagName === 'button' && (outer.selected || outer.kind === 'heading')) return;
    const said = controlText(element);
    if (!said) return;
    if (said.apart) this.#blocks.boundary();
    this.text(said.text, said.apart ? { ...outer, kind: 'caption' } : outer);
    if (said.apart) this.#blocks.boundary();
  }

  text(value: string, scope: Scope): void {
    if (scope.hidden) {
      this.#unread.text(value);
      return;
    }
    this.#ended = undefined;
    if (this.#isApart) {
      this.#isApart = false;
      this.#blocks.part(value);
    }
    const block = this.#blocks.text(scope.preformatted ? value.replace(/\r?\n/g, LINE_BREAK) : value, scope);
    this.#links.text(value === LINE_BREAK ? ' ' : value, block);
  }

  /** Markup that a script of the page puts in its place. Templates inside of it are scripts no more. */
  #readTemplate(html: string, outer: Scope): void {
    if (outer.hidden) return;
    this.#blocks.boundary();
    walk(treeOf(html, { size: this.#size }), outer, this);
    this.#blocks.boundary();
  }

  leave(element: Tree.Element, scope: Scope): void {
    if (isStruck(element)) this.text(STRUCK, scope);
    this.#links.leave(element);
    this.#boundary(element, scope);
    this.#ended = element;
    if (element.tagName === 'tr') this.#blocks.closeRow();
    else if (element.tagName === 'td' || element.tagName === 'th') this.#blocks.closeCell();
  }

  page(url: string): Page {
    const blocks = this.#blocks.done;
    if (this.#selected) for (const block of blocks) block.zone = 'main';
    else decideZones(blocks, this.#regions);
    const { facts, ...said } = this.#metadata.page(url, blocks);
    const read = segmentsOf([...blocks, ...(this.#selected ? [] : this.#metadata.offers.map(offerLine))]);
    return {
      url,
      ...said,
      ...read,
      anchors: this.#links.anchors(url),
      links: this.#links.targets(url),
      facts: { ...facts, counts: this.#counts.counts },
      unread: this.#unread.found(read.segments),
    };
  }

  #boundary(element: Tree.Element, { selected }: Scope): void {
    if (!isBlock(element.tagName) && !(selected && this.#isText(element))) return;
    this.#blocks.boundary();
    // Inside a link, the end of a block parts two words.
    this.#links.text(' ');
  }

  /** What was asked for is a text of its own: two prices that stand side by side are two lines. So is a button. */
  #isText(element: Tree.Element): boolean {
    return element.tagName === 'button' || this.#selected?.has(element) === true;
  }
}

function offerLine(text: string): Segment {
  return { text, kind: 'row', zone: 'body' };
}

function isScriptTemplate(element: Tree.Element): boolean {
  return element.tagName === 'script' && TEMPLATE.test(attribute(element, 'type') ?? '');
}

/** Around a text that is struck out, as in Markdown: a price that is not struck out any more is another price. */
const STRUCK = '~~';

function isStruck(element: Tree.Element): boolean {
  return STRIKING.has(element.tagName) && /\d/.test(ownText(element));
}

const STRIKING: ReadonlySet<string> = new Set(['s', 'strike', 'del']);

/**
 * Whether two elements with nothing between them are two texts for a reader: an old price and a new one, boxes that a
 * style sheet parts.
 */
function standApart(before: Tree.Element, element: Tree.Element, { preformatted }: Scope): boolean {
  if (STRIKING.has(before.tagName) || before.tagName === 'ins') return true;
  if (preformatted || before.tagName !== element.tagName) return false;
  return attribute(before, 'class') !== undefined && attribute(element, 'class') !== undefined;
}

const PICTURES: ReadonlySet<string> = new Set(['img', 'svg', 'i', 'span']);

/** The sign of a heading's own address ("¶"), which sites put beside it. */
function isMark(element: Tree.Element): boolean {
  if (element.tagName !== 'a' || attribute(element, 'href')?.startsWith('#') !== true) return false;
  return MARK.test(textWithin(element));
}

const MARK = /^(?:[¶#§🔗⚓∞]|\[?#\]?|\p{Co})\ufe0f?$/u;

/** What a picture shows, in words, where its page says so. */
function labelOf(element: Tree.Element): string {
  if (element.tagName === 'img') return attribute(element, 'alt') ?? '';
  const isPicture =
    element.tagName === 'svg' || attribute(element, 'role') === 'img' || element.childNodes.length === 0;
  return (isPicture ? (attribute(element, 'aria-label') ?? attribute(element, 'title')) : undefined) ?? '';
}

/** Counts the elements that tell the kind of a page, where a reader sees them and outside the boilerplate of the site. */
class Counts {
  readonly #seen: { readonly what: Counted; readonly region: Region }[] = [];

  /** `scope` is that of the element itself, or that around it where nothing inside is read. */
  enter(element: Tree.Element, { chrome, hidden, region }: Scope): void {
    if (chrome || hidden) return;
    const what = COUNTED.get(element.tagName);
    if (what !== undefined && isMeant(what, element)) this.#seen.push({ what, region });
    if (element.attrs.length > 0 && PRICES.has(attribute(element, 'itemprop') ?? '')) {
      this.#seen.push({ what: 'price', region });
    }
  }

  /** Once the zones are decided. What does not occur is left out. */
  get counts(): Facts['counts'] {
    const counts: Partial<Record<Counted, number>> = {};
    for (const { what, region } of this.#seen) {
      if (region.verdict !== 'boilerplate') counts[what] = (counts[what] ?? 0) + 1;
    }
    return counts;
  }
}

const COUNTED: ReadonlyMap<string, Counted> = new Map([
  ['article', 'article'],
  ['audio', 'audio'],
  ['code', 'code'],
  ['pre', 'code'],
  ['form', 'form'],
  ['iframe', 'iframe'],
  ['img', 'image'],
  ['input', 'input'],
  ['textarea', 'textarea'],
  ['time', 'time'],
  ['video', 'video'],
]);
/** Properties of schema.org's Offer and AggregateOffer. */
const PRICES: ReadonlySet<string> = new Set(['price', 'lowPrice', 'highPrice']);

/** A field that nobody fills in is none, and neither is a picture of one pixel. */
function isMeant(what: Counted, element: Tree.Element): boolean {
  if (what === 'input') return !UNFILLED.has(attribute(element, 'type')?.toLowerCase() ?? 'text');
  if (what !== 'image') return true;
  return !PIXEL.test(attribute(element, 'width') ?? '') && !PIXEL.test(attribute(element, 'height') ?? '');
}

const UNFILLED: ReadonlySet<string> = new Set(['hidden', 'submit', 'button', 'image', 'reset']);
const PIXEL = /^[01](?:px)?$/;
