import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { Blocks } from './blocks.ts';
import { Counts } from './counts.ts';
import { Links } from './links.ts';
import { Metadata } from './metadata.ts';
import type { Page } from './page.ts';
import { Regions } from './regions.ts';
import { documentScope, isBlock, scopeInside, type Scope } from './scope.ts';
import { LINE_BREAK, segmentsOf } from './segments.ts';
import { treeOf, type TreeSize } from './tree.ts';
import { walk, type Visitor } from './walk.ts';
import { decideZones } from './zones.ts';

/** An HTML document as a page: parsed once, walked once. Throws what `treeOf` throws. */
export function readHtml(html: string, url: string, size: TreeSize = { elements: 0, targets: 0 }): Page {
  const reader = new Reader(size);
  walk(treeOf(html, size), reader.scope, reader);
  return reader.page(url);
}

/** Hands each node of the walk to those who collect something of it. */
class Reader implements Visitor<Scope> {
  readonly #regions = new Regions();
  readonly scope = documentScope(this.#regions);
  readonly #blocks = new Blocks();
  readonly #links: Links;
  readonly #metadata = new Metadata();
  readonly #counts = new Counts();

  constructor(size: TreeSize) {
    this.#links = new Links(size);
  }

  enter(element: Tree.Element, outer: Scope): Scope | undefined {
    this.#metadata.enter(element, outer, this.#blocks.done.length);
    const scope = scopeInside(element, outer, this.#regions);
    this.#counts.enter(element, scope ?? outer);
    if (!scope) return undefined;
    this.#links.enter(element, scope);
    this.#boundary(element);
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

  leave(element: Tree.Element): void {
    this.#links.leave(element);
    this.#boundary(element);
    if (element.tagName === 'tr') this.#blocks.closeRow();
  }

  page(url: string): Page {
    const blocks = this.#blocks.done;
    decideZones(blocks, this.#regions);
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

  #boundary(element: Tree.Element): void {
    if (!isBlock(element.tagName)) return;
    this.#blocks.boundary();
    // Inside a link, the end of a block parts two words.
    this.#links.text(' ');
  }
}
