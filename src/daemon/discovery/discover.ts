import type { Page } from '../../shared/page/page.ts';
import type { Terms } from '../judging/case.ts';
import type { Discovered, PageKind } from '../storage/frontier.ts';

/** The visit that brought a body. */
export interface Origin {
  /** Where the body came from, after redirects. */
  readonly url: string;
  /** What its page is known as. */
  readonly kind: PageKind;
  readonly at: number;
  readonly isFirstVisit: boolean;
  readonly isBaseline: boolean;
  readonly holders: readonly Terms[];
}

export interface Discovery {
  /** One a holder that has something to follow; leads in the order of their worth. */
  readonly discovered: readonly Discovered[];
  /** What the page turned out to be. */
  readonly kind: PageKind;
  /** The page that it says it is: `rel=canonical` on its site. Of the identity that its lead has. */
  readonly sameAs?: { readonly host: string; readonly hash: number };
}

/** Where an ordinary page leads. */
export function discover(page: Page, from: Origin): Discovery {
  return { discovered: [], kind: page.url === '' ? from.kind : 'article' };
}
