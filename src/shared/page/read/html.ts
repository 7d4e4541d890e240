import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { Blocks } from './blocks.ts';
import { Links } from './links.ts';
import { Metadata } from '../metadata/metadata.ts';
import type { Counted, Facts, Page } from '../page.ts';
import { type Region, Regions } from '../structure/regions.ts';
import { documentScope, isBlock, type Scope, scopeInside, selectedScope, unselectedScope } from '../structure/scope.ts';
import { LINE_BREAK, segmentsOf } from './segments.ts';
import type { Found, Selected } from '../select/selection.ts';
import { treeOf, type TreeSize } from './tree.ts';
import { attribute, type Visitor, walk } from './walk.ts';
import { decideZones } from '../structure/zones.ts';

/** An HTML document as a page: parsed once, walked once. Throws what `treeOf` throws. */
export function readHtml(html: string, url: string, size: TreeSize = { elements: 0, targets: 0 }): Page {
  const reader = new Reader(size);
  walk(treeOf(html, size), reader.scope, reader);
  return reader.page(url);
}

/** The same, as far as a selection goes; `found` tells of its selectors. Throws what `select` throws, too. */
export function readSelected(
  html: string,
  url: string,
  select: (document: Tree.Document) => Selected,
): { readonly page: Page; readonly found: readonly Found[] } {
  const size = { elements: 0, targets: 0 };
  const document = treeOf(html, size);
  const { elements, found } = select(document);
  const reader = new Reader(size, elements);
  walk(document, reader.scope, reader);
  return { page: reader.page(url), found };
}

/** Hands each node of the walk to those who collect something of it. */
class Reader implements Visitor<Scope> {
  readonly #regions = new Regions();
  readonly scope: Scope;
  readonly #blocks = new Blocks();
  readonly #links: Links;
  readonly #metadata = new Metadata();
  readonly #counts = new Counts();

  readonly #selected: Selected['elements'];

  /** With `selected`, the text of these elements only; the title and the links are those of the page all the same. */
  constructor(size: TreeSize, selected?: Selected['elements']) {
    this.#links = new Links(size);
    this.#selected = selected;
    this.scope = selected ? unselectedScope(this.#regions) : documentScope(this.#regions);
  }

  enter(element: Tree.Element, outer: Scope): Scope | undefined {
    this.#metadata.enter(element, outer, this.#blocks.done.length);
    const isSelected = this.#selected?.has(element) === true;
    const scope = (isSelected ? selectedScope : scopeInside)(element, outer, this.#regions);
    this.#counts.enter(element, scope ?? outer);
    if (!scope) return undefined;
    this.#links.enter(element, scope);
    this.#boundary(element, scope);
    const tag = element.tagName;
    if (tag === 'tr') this.#blocks.openRow(scope.region);
    else if (tag === 'td' || tag === 'th') this.#blocks.openCell();
    else if (tag === 'br') this.text(LINE_BREAK, scope);
    return scope;
  }

  text(value: string, scope: Scope): void {
    if (scope.hidden) return;
    const block = this.#blocks.text(scope.preformatted ? value.replace(/\r?\n/g, LINE_BREAK) : value, scope);
    this.#links.text(value === LINE_BREAK ? ' ' : value, block);
  }

  leave(element: Tree.Element, scope: Scope): void {
    this.#links.leave(element);
    this.#boundary(element, scope);
    if (element.tagName === 'tr') this.#blocks.closeRow();
  }

  page(url: string): Page {
    const blocks = this.#blocks.done;
    if (this.#selected) for (const block of blocks) block.zone = 'main';
    else decideZones(blocks, this.#regions);
    const { facts, ...said } = this.#metadata.page(url, blocks);
    return {
      url,
      ...said,
      segments: segmentsOf(blocks),
      anchors: this.#links.anchors(url),
      links: this.#links.targets(url),
      facts: { ...facts, counts: this.#counts.counts },
    };
  }

  #boundary(element: Tree.Element, { selected }: Scope): void {
    if (!isBlock(element.tagName) && !(selected && this.#isApart(element))) return;
    this.#blocks.boundary();
    // Inside a link, the end of a block parts two words.
    this.#links.text(' ');
  }

  /** What was asked for is a text of its own: two prices that stand side by side are two lines. So is a button. */
  #isApart(element: Tree.Element): boolean {
    return element.tagName === 'button' || this.#selected?.has(element) === true;
  }
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
