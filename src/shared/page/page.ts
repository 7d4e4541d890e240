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
export const EXTRACTOR = 5;

export type SegmentKind = 'heading' | 'sentence' | 'item' | 'row' | 'caption';

/** One sentence, heading, list item, table row or caption; white space folded, NFC, never empty. */
export interface Segment {
  readonly text: string;
  readonly kind: SegmentKind;
  readonly zone: Zone;
}

/**
 * What a place of the page is for: `main` what it is about, `body` other content (teasers, comments, boxes), `chrome`
 * the boilerplate of the site. A diff looks at main and body; labels look at main.
 */
export type Zone = 'main' | 'body' | 'chrome';

/** What was left out of a page for its size. */
export interface Cut {
  /** Lines behind the last segment, at least: paragraphs there are counted as one. */
  readonly lines: number;
  /** Segments that go on beyond `SEGMENT_LENGTH`. */
  readonly shortened: number;
}

/** A link that has a text and leads elsewhere. The target is http(s), absolute, without fragment. */
export interface Anchor {
  readonly href: string;
  readonly text: string;
  readonly zone: Zone;
}

export interface Page {
  /** The address the bytes came from, after redirects. */
  readonly url: string;
  readonly title?: string;
  readonly publishTime?: PublishTime;
  /** What the page says instead, where that is more than a day after the visit: not believed, and named to who asks. */
  readonly futureTime?: PublishTime;
  /** All text in reading order, with the zone it stands in. */
  readonly segments: readonly Segment[];
  /** What of its text is not among them; absent where all of it is. */
  readonly cut?: Cut;
  readonly anchors: readonly Anchor[];
  /** Every http(s) target of the page, navigation included, each once: where a crawl may go next. */
  readonly links: readonly string[];
  readonly facts: Facts;
  /** Of an HTML page: what was not read, and signs of why. */
  readonly unread?: Unread;
}

/** What an account of the reading is made of (`account.ts`). */
export interface Unread {
  /** UTF-16 units of text that no reader sees, and a hash of it. */
  readonly hidden: number;
  readonly hiddenHash: number;
  /** Of the boilerplate. */
  readonly boilerplateHash: number;
  /** Which of the elements are there that boilerplate stands in, as selectors: `nav`, `footer`. */
  readonly parts: readonly string[];
  /** Scripts, and an empty element for what they make. */
  readonly isScripted: boolean;
  /** A field for a password that a reader sees. */
  readonly asksForPassword: boolean;
}

export interface PublishTime {
  /** The page's own wall clock without a zone, as the match payload carries it: `2026-02-13T08:06:32`. */
  readonly local: string;
  /** Milliseconds since 1970; a wall clock without a zone is read as UTC. */
  readonly instant: number;
}

/** What a page says about itself to machines. Texts are folded and cut to `TITLE_LENGTH`; lists are short. */
export interface Facts {
  /** Absolute, as `rel=canonical` has it (og:url where there is none). */
  readonly canonical?: string;
  readonly alternates: readonly Alternate[];
  /** Directives of `<meta name=robots>` and of the header, lower case: `noindex`, `nofollow`. */
  readonly robots: readonly string[];
  /** `<html lang>`, else Content-Language or og:locale, as written: `en-GB`, `zh_TW`. */
  readonly language?: string;
  readonly siteName?: string;
  readonly description?: string;
  /** The section or keywords that the page files itself under: article:section, keywords, breadcrumbs. */
  readonly sections: readonly string[];
  /** schema.org types of JSON-LD, microdata and RDFa, the page's own first, without prefix: `NewsArticle`. */
  readonly schemaTypes: readonly string[];
  /** og:type in lower case. */
  readonly ogType?: string;
  /** `<meta name=generator>`: `WordPress 6.4`. */
  readonly generator?: string;
  /** `<meta name=rating>` and the Rating header, lower case. */
  readonly ratings: readonly string[];
  readonly isFamilyFriendly?: boolean;
  /** How often things stand on the page that tell its kind: `video`, `form`, `price`. Absent means 0. */
  readonly counts: Readonly<Partial<Record<Counted, number>>>;
}

export interface Alternate {
  readonly href: string;
  readonly type?: string;
  readonly hreflang?: string;
}

/** Counted outside chrome where that can be told. */
export type Counted =
  | 'article'
  | 'audio'
  | 'code'
  | 'form'
  | 'iframe'
  | 'image'
  | 'input'
  | 'price'
  | 'textarea'
  | 'time'
  | 'video';

export const NO_FACTS: Facts = {
  alternates: [],
  robots: [],
  sections: [],
  schemaTypes: [],
  ratings: [],
  counts: {},
};

/** Bytes of one visit, as the fetch stage hands them over. */
export interface Body {
  readonly url: string;
  /** The Content-Type header, or '' where there was none. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Headers that speak of the content, where the server sent them. */
  readonly headers?: { readonly rating?: string; readonly robots?: string; readonly contentLanguage?: string };
}
