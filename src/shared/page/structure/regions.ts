import { Names, type Hint } from './names.ts';

/** An element that may hold blocks: what its class and id say, and what the walk found inside it. */
export interface Region {
  readonly parent: Region | undefined;
  readonly tag: string;
  readonly hint: Hint | undefined;
  /** Characters of content outside links, inside links, and of long blocks that are no links. */
  plain: number;
  linked: number;
  prose: number;
  holdsTitle: boolean;
  /** Whether it or a part of it is a row of values. */
  rows: boolean;
  /** Whether the hint is true, as far as one can tell by what the region holds. */
  believed: boolean;
  /** The hint that counts inside: furniture of whatever is around, else the innermost that is believed. */
  verdict: Hint | undefined;
  /** Characters of text that may be main, and how much more there is of it than of what is none. */
  kept: number;
  worth: number;
  /** How much speaks for this region as the home of the main text. */
  score: number;
  inMain: boolean;
}

/** The regions of a page, outer ones before those inside them. */
export class Regions {
  readonly root: Region = region(undefined, '', undefined);
  readonly all: Region[] = [this.root];
  readonly #names = new Names();

  /** The region inside an element: its own where it is a block or its names say something, else the outer one. */
  inside(outer: Region, tag: string, block: boolean, className: string | undefined, id: string | undefined): Region {
    const hint = UNNAMED.has(tag) ? undefined : this.#names.hint(className, id);
    if (!block && hint === undefined) return outer;
    const inner = region(outer, tag, hint);
    this.all.push(inner);
    return inner;
  }

  /** Believes hints as `believes` has it, and says for each region what counts inside. */
  inherit(believes: (region: Region) => boolean): void {
    for (const region of this.all) {
      const outer = region.parent?.verdict;
      region.believed = region.hint !== undefined && believes(region);
      region.verdict = outer !== 'furniture' && region.believed ? region.hint : outer;
    }
  }

  /** Adds to each region what those inside it hold, from the innermost outwards. */
  sumUp(add: (outer: Region, inner: Region) => void): void {
    for (let at = this.all.length - 1; at > 0; at -= 1) {
      const inner = this.all[at];
      const outer = inner?.parent;
      if (outer) add(outer, inner);
    }
  }
}

/** Names of these speak of the page as a whole, or, as the target of a link, of the subject of a chapter. */
const UNNAMED: ReadonlySet<string> = new Set('html body main article h1 h2 h3 h4 h5 h6 dt td th tr tbody'.split(' '));

function region(parent: Region | undefined, tag: string, hint: Hint | undefined): Region {
  return {
    parent,
    tag,
    hint,
    plain: 0,
    linked: 0,
    prose: 0,
    holdsTitle: false,
    rows: false,
    believed: false,
    verdict: undefined,
    kept: 0,
    worth: 0,
    score: 0,
    inMain: false,
  };
}
