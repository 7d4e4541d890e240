/** A feed, before it is Atom or JSON. */
export interface Feed {
  /** What the feed is of, which never changes: its id is made of it. */
  readonly key: string;
  readonly title: string;
  /** The page, where it is of one. */
  readonly url: string | undefined;
  /** When nothing has changed yet. */
  readonly since: string;
  /** Newest first. */
  readonly entries: readonly FeedEntry[];
}

/** An entry never changes and keeps its id, so that a reader shows it once. */
export interface FeedEntry {
  /** What it tells of: a watch and the number of its check, a tap and its event. */
  readonly key: string;
  /** ISO 8601. */
  readonly at: string;
  readonly url: string;
  readonly title: string | undefined;
  readonly tags?: readonly string[];
  readonly summary?: string;
  /** HTML that needs no style sheet: readers take those away. */
  readonly content: string;
}

/** Only an address that HTTP serves, in its canonical form: RFC 4287 wants an IRI, and readers follow it. */
export function webAddress(url: string | undefined): string | undefined {
  const address = url === undefined ? null : URL.parse(url);
  if (!address || !/^https?:$/.test(address.protocol)) return undefined;
  const [, origin = '', page = '', mark = '', fragment = ''] =
    /^(\w+:\/\/[^/]*)([^#]*)(#?)(.*)$/s.exec(address.href) ?? [];
  return origin + legal(page) + mark + legal(fragment);
}

/** Browsers leave what no URI may hold (RFC 3986): `|`, `[`, a `%` that stands alone, a second `#`. It leads to the same page. */
function legal(part: string): string {
  return part.replaceAll(/[^\w.~!$&'()*+,;=:@/?%-]|%(?![\da-f]{2})/gi, (found) => encodeURIComponent(found));
}

/** RFC 3339, in UTC; what is no time is the beginning of time. */
export function instantOf(timestamp: string): string {
  const at = new Date(timestamp);
  return (Number.isNaN(at.getTime()) ? new Date(0) : at).toISOString();
}
