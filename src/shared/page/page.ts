/**
 * What a page says, as far as the product is concerned. Bytes come in (`decode`, `extract`), a `Page` comes out, and
 * two pages of one URL become a `Change` (`compare`). Everything here is a pure function of its input, so the CLI
 * runs it offline and a worker thread can run it anywhere.
 *
 * Decided against: keeping the tree. A page is a list of segments; what needs structure (links, dates) is read
 * in the same walk.
 */

/**
 * Raised whenever the same bytes would give other segments, anchors or titles. A stored version made by another
 * extractor is extracted again from its bytes before it is compared: our own change is no change of the page.
 */
export const EXTRACTOR = 2;

export type SegmentKind = 'heading' | 'sentence' | 'item' | 'row' | 'caption';

/** One sentence, heading, list item, table row or caption; white space folded, NFC, never empty. */
export interface Segment {
  readonly text: string;
  readonly kind: SegmentKind;
}

/** A link of the content that has a text and leads elsewhere. The target is http(s), absolute, without fragment. */
export interface Anchor {
  readonly href: string;
  readonly text: string;
}

export interface Page {
  /** The address the bytes came from, after redirects. */
  readonly url: string;
  readonly title?: string;
  readonly publishTime?: PublishTime;
  /** Content in reading order; navigation, header, footer and asides of the site are left out. */
  readonly segments: readonly Segment[];
  readonly anchors: readonly Anchor[];
  /** Every http(s) target of the page, navigation included, each once: where a crawl may go next. */
  readonly links: readonly string[];
}

export interface PublishTime {
  /** The page's own wall clock without a zone, as the match payload carries it: `2026-02-13T08:06:32`. */
  readonly local: string;
  /** Milliseconds since 1970; a wall clock without a zone is read as UTC. */
  readonly instant: number;
}

/** Bytes of one visit, as the fetch stage hands them over. */
export interface Body {
  readonly url: string;
  /** The Content-Type header, or '' where there was none. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
}
