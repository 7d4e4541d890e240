import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { PAGE_LINKS, SEGMENT_LENGTH } from '../../limits.ts';
import type { Block } from './blocks.ts';
import { cut, fold } from './fold.ts';
import type { Anchor, Zone } from '../page.ts';
import type { Scope } from '../structure/scope.ts';
import { Targets } from './targets.ts';
import type { TreeSize } from './tree.ts';
import { attribute } from './walk.ts';

/**
 * Links, collected during the walk and resolved after it, since a `<base>` may stand behind the first of them. Two
 * lists come out: every target, for the crawl, and the anchors of the content, for the diff.
 */
export class Links {
  readonly #found: Found[] = [];
  readonly #open: Found[] = [];
  #targets: Targets | undefined;
  #base: string | undefined;
  readonly #size: TreeSize;

  constructor(size: TreeSize) {
    this.#size = size;
  }

  enter(element: Tree.Element, scope: Scope): void {
    const tag = element.tagName;
    if (!TARGETS.has(tag)) return;
    const href = attribute(element, tag === 'frame' ? 'src' : 'href');
    if (href === undefined) return;
    if (tag === 'base') {
      this.#base ??= href;
      return;
    }
    const found: Found = { href, text: '', block: undefined, hidden: scope.hidden };
    this.#found.push(found);
    if (tag === 'a') this.#open.push(found);
  }

  /** Text inside whatever link is open, and the block it stands in. */
  text(value: string, block?: Block): void {
    const open = this.#open.at(-1);
    if (!open || open.text.length >= SEGMENT_LENGTH) return;
    open.text += value;
    if (open.block === undefined && VISIBLE.test(value)) open.block = block;
  }

  leave(element: Tree.Element): void {
    if (element.tagName === 'a' && attribute(element, 'href') !== undefined) this.#open.pop();
  }

  /** Every http(s) target, absolute, without fragment, each once. */
  targets(pageUrl: string): string[] {
    const resolver = this.#targetsOf(pageUrl);
    const targets = new Set<string>();
    for (const { href } of this.#found) {
      const target = resolver.resolve(href);
      if (target !== undefined) targets.add(target);
      if (targets.size === PAGE_LINKS) break;
    }
    return [...targets];
  }

  /**
   * Links with a text, in reading order. One to a place in the page itself (`#top`, a footnote) leads nowhere else
   * and is none.
   */
  anchors(pageUrl: string): Anchor[] {
    const targets = this.#targetsOf(pageUrl);
    const anchors: Anchor[] = [];
    for (const found of this.#found) {
      if (found.hidden || found.href.trimStart().startsWith('#')) continue;
      const text = cut(fold(found.text), SEGMENT_LENGTH);
      const href = text === '' ? undefined : targets.resolve(found.href);
      if (href !== undefined) anchors.push({ href, text, zone: zoneOf(found.block) });
      if (anchors.length === PAGE_LINKS) break;
    }
    return anchors;
  }

  #targetsOf(pageUrl: string): Targets {
    this.#targets ??= new Targets(pageUrl, this.#base, this.#size);
    return this.#targets;
  }
}

interface Found {
  readonly href: string;
  text: string;
  /** Where the text of the link begins. */
  block: Block | undefined;
  readonly hidden: boolean;
}

const VISIBLE = /\S/;

function zoneOf(block: Block | undefined): Zone {
  return (block?.row ?? block)?.zone ?? 'body';
}

const TARGETS: ReadonlySet<string> = new Set(['a', 'area', 'base', 'frame']);
