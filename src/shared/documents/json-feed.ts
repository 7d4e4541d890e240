import { type Feed, type FeedEntry, instantOf, webAddress } from './feed.ts';
import { legalText } from './markup.ts';
import { nameBasedId, type Sha1 } from './name-based-id.ts';

/** A JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/), with the entries and ids of the Atom feed. */
export function jsonFeed(feed: Feed, sha1: Sha1): string {
  const page = webAddress(feed.url);
  const document = {
    version: 'https://jsonfeed.org/version/1.1',
    title: legalText(feed.title),
    ...(page !== undefined && { home_page_url: page }),
    authors: [{ name: 'hydrant' }],
    items: feed.entries.map((entry) => itemOf(entry, sha1)),
  };
  return `${JSON.stringify(document)}\n`;
}

function itemOf({ key, at, url, title, tags = [], summary, content }: FeedEntry, sha1: Sha1): object {
  const page = webAddress(url);
  return {
    id: nameBasedId(key, sha1),
    ...(page !== undefined && { url: page }),
    title: legalText(title ?? url),
    ...(summary !== undefined && { summary: legalText(summary) }),
    content_html: content,
    date_published: instantOf(at),
    ...(tags.length > 0 && { tags: tags.map(legalText) }),
  };
}
