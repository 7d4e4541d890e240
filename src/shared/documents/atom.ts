import { type Feed, type FeedEntry, instantOf, webAddress } from './feed.ts';
import { escaped } from './markup.ts';
import { nameBasedId, type Sha1 } from './name-based-id.ts';

/** An Atom feed (RFC 4287). */
export function atomFeed(feed: Feed, sha1: Sha1): string {
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${nameBasedId(feed.key, sha1)}</id>
<title>${escaped(feed.title)}</title>
<updated>${instantOf(feed.entries[0]?.at ?? feed.since)}</updated>
<author><name>hydrant</name></author>
<generator>hydrant</generator>
${linkTo(feed.url)}${feed.entries.map((entry) => entryOf(entry, sha1)).join('')}</feed>
`;
}

function entryOf({ key, at, url, title, tags = [], summary, content }: FeedEntry, sha1: Sha1): string {
  const terms = tags.map((tag) => `<category term="${escaped(tag)}"/>\n`).join('');
  const told = summary === undefined ? '' : `<summary>${escaped(summary)}</summary>\n`;
  return `<entry>
<id>${nameBasedId(key, sha1)}</id>
<title>${escaped(title ?? url)}</title>
<updated>${instantOf(at)}</updated>
${linkTo(url)}${terms}${told}<content type="html">${escaped(content)}</content>
</entry>
`;
}

function linkTo(url: string | undefined): string {
  const address = webAddress(url);
  return address === undefined ? '' : `<link rel="alternate" href="${escaped(address)}"/>\n`;
}
