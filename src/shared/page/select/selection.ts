import type { DefaultTreeAdapterTypes as Tree } from 'parse5';

/** What of a page is read, by CSS selectors. `select`: nothing else; empty: the page. `ignore`: not this, wherever it is. */
export interface Selection {
  readonly select: readonly string[];
  readonly ignore: readonly string[];
}

/** How many elements a selector has found. */
export interface Found {
  readonly selector: string;
  readonly found: number;
}

/** The page has none of what was asked for, or looking for it took too much. The message is a sentence for the operator. */
export class NothingSelected extends Error {
  override readonly name = 'NothingSelected';
}

export interface Selected {
  /** Undefined: the page. An element of it may stand inside another. */
  readonly elements: ReadonlySet<Tree.Element> | undefined;
  /** Those of `select`, then those of `ignore`. */
  readonly found: readonly Found[];
}
