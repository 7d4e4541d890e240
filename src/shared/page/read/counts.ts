import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { Counted, Facts } from '../page.ts';
import type { Region } from '../structure/regions.ts';
import type { Scope } from '../structure/scope.ts';
import { attribute } from './walk.ts';

/** Counts the elements that tell the kind of a page, where a reader sees them and outside the furniture of the site. */
export class Counts {
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
      if (region.verdict !== 'furniture') counts[what] = (counts[what] ?? 0) + 1;
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
