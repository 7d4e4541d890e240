import { createHash } from 'node:crypto';
import { escaped } from './markup.ts';

export interface AtomFeed {
  /** What the feed is of, which never changes: its id is made of it. */
  readonly key: string;
  readonly title: string;
  /** The page, where it is of one. */
  readonly url: string | undefined;
  /** When nothing has changed yet. */
  readonly since: string;
  /** Newest first. */
  readonly entries: readonly AtomEntry[];
}

export interface AtomEntry {
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

/**
 * An Atom feed (RFC 4287). An entry never changes and keeps its id, so that a reader shows it once.
 */
export function atomFeed(feed: AtomFeed): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${idOf(feed.key)}</id>
<title>${escaped(feed.title)}</title>
<updated>${time(feed.entries[0]?.at ?? feed.since)}</updated>
<author><name>hydrant</name></author>
<generator>hydrant</generator>
${linkTo(feed.url)}${feed.entries.map(entry).join('')}</feed>
`;
}

function entry({ key, at, url, title, tags = [], summary, content }: AtomEntry): string {
  const terms = tags.map((tag) => `<category term="${escaped(tag)}"/>\n`).join('');
  const told = summary === undefined ? '' : `<summary>${escaped(summary)}</summary>\n`;
  return `<entry>
<id>${idOf(key)}</id>
<title>${escaped(title ?? url)}</title>
<updated>${time(at)}</updated>
${linkTo(url)}${terms}${told}<content type="html">${escaped(content)}</content>
</entry>
`;
}

/** Only an address that HTTP serves, in its canonical form: RFC 4287 wants an IRI, and readers follow it. */
function linkTo(url: string | undefined): string {
  const href = url === undefined ? undefined : URL.parse(url);
  if (!href || !/^https?:$/.test(href.protocol)) return '';
  return `<link rel="alternate" href="${escaped(href.href)}"/>\n`;
}

/** RFC 3339, in UTC; what is no time is the beginning of time. */
function time(timestamp: string): string {
  const at = new Date(timestamp);
  return (Number.isNaN(at.getTime()) ? new Date(0) : at).toISOString();
}

/** A name-based UUID (RFC 9562, version 5) in hydrant's namespace. */
function idOf(key: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(key).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = bytes.toString('hex');
  const groups = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ];
  return `urn:uuid:${groups.join('-')}`;
}

const NAMESPACE = Buffer.from('6f0d0a7e9b0c4d0fa1b76c2f4e8d5c31', 'hex');
