import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atomFeed } from '../../src/shared/documents/atom.ts';
import { changeFeed, subjectOfWatch } from '../../src/shared/documents/change-feed.ts';
import { jsonFeed } from '../../src/shared/documents/json-feed.ts';
import { matchFeed } from '../../src/shared/documents/match-feed.ts';
import { matchOf, sha1, TAP_ID } from '../shared/digest/match-sample.ts';
import { CHANGE } from '../shared/documents/change-sample.ts';
import { hostileText, hostileUrl } from '../shared/documents/hostile-text.ts';
import { faultsOfAtom, faultsOfJsonFeed } from './feed-rules.ts';

const WATCH = {
  id: 'w-1',
  url: 'https://example.org/prices',
  title: 'Prices',
  created_at: '2026-02-01T00:00:00+00:00',
};
const SUBJECT = { id: TAP_ID, name: 'news', since: '2026-02-27T00:00:00.000Z' };
const MATCHES = matchFeed(SUBJECT, [matchOf({ text: 'a < b' }), matchOf({ id: '0-2', text: 'c' })]);
const CHANGES = changeFeed(subjectOfWatch(WATCH), [{ cursor: 1, watch: WATCH, check: CHANGE }]);
const NOTHING = matchFeed(SUBJECT, []);

const ATOM = atomFeed(MATCHES, sha1);
const JSON_FEED = jsonFeed(CHANGES, sha1);

describe('feeds', () => {
  test('of matches, of changes and of nothing are valid, in both forms', () => {
    for (const feed of [MATCHES, CHANGES, NOTHING]) {
      expect(faultsOfAtom(atomFeed(feed, sha1))).toEqual([]);
      expect(faultsOfJsonFeed(jsonFeed(feed, sha1))).toEqual([]);
    }
  });

  test('are valid whatever pages say', () => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileUrl, hostileText, (title, text, url, tag) => {
        const blocks = [{ del: text.split('\n') }, { ins: title.split('\n') }];
        const change = {
          cursor: 1,
          watch: { ...WATCH, url, tags: [tag] },
          title,
          check: { ...CHANGE, hunks: [{ before: 1, after: 1, blocks }] },
        };
        const feeds = [
          matchFeed({ ...SUBJECT, name: title }, [matchOf({ url, title, text, tags: [tag === '' ? 'x' : tag] })]),
          changeFeed(subjectOfWatch({ ...WATCH, url, title }), [
            { ...change, watch: { ...change.watch, tags: [`x${tag}`] } },
          ]),
        ];
        for (const feed of feeds) {
          expect(faultsOfAtom(atomFeed(feed, sha1))).toEqual([]);
          expect(faultsOfJsonFeed(jsonFeed(feed, sha1))).toEqual([]);
        }
      }),
    );
  });
});

/** What is done to a feed that is right, and what is said of it then. */
const replaced =
  (from: string | RegExp, to: string) =>
  (text: string): string =>
    text.replace(from, to);

describe('the rules of Atom see', () => {
  test.each([
    ['a tag that is not closed', replaced('</entry>', ''), 'not well-formed'],
    ['a character that XML has not', replaced('News', 'Ne\u0001ws'), 'not well-formed'],
    ['another namespace', replaced('2005/Atom', '2004/Atom'), 'the root is feed of'],
    ['a feed without an id', replaced(/<id>.*<\/id>\n/, ''), 'feed: it has 0 of id'],
    ['an id that is no IRI', replaced(/<id>urn:/, '<id>7'), 'is no absolute IRI'],
    ['a relative id', replaced(/<id>.*<\/id>/, '<id>/news</id>'), 'feed/id: /news is no absolute IRI'],
    ['two titles', replaced('<title>', '<title>a</title><title>'), 'feed: it has 2 of title'],
    ['no time', replaced(/<updated>.*<\/updated>\n/, ''), 'feed: it has 0 of updated'],
    [
      'a time of another form',
      replaced(/<updated>.*<\/updated>/, '<updated>1 March 2026</updated>'),
      'is no time of RFC 3339',
    ],
    [
      'a time in small letters',
      replaced(/<updated>.*<\/updated>/, '<updated>2026-03-01t10:00:00z</updated>'),
      'is no time of RFC 3339',
    ],
    [
      'a day that there is not',
      replaced(/<updated>.*<\/updated>/, '<updated>2026-02-30T10:00:00Z</updated>'),
      'is no time of RFC 3339',
    ],
    [
      'a feed that is older than its entry',
      replaced(/<updated>.*<\/updated>/, '<updated>2026-01-01T10:00:00Z</updated>'),
      'updated is before an entry',
    ],
    ['no author', replaced(/<author>.*<\/author>\n/, ''), 'entry: there is no author'],
    ['an author without a name', replaced(/<name>.*<\/name>/, ''), 'feed/author: it has not one name'],
    ['a link without an address', replaced(/ href="[^"]*"/, ''), 'entry/link: there is no href'],
    ['a relative link', replaced(/ href="[^"]*"/, ' href="/a"'), 'entry/link: /a is no absolute IRI'],
    ['two links to the same', replaced(/(<link[^>]*>)/, '$1$1'), 'entry: there are two links to the same'],
    ['a category without a term', replaced(/ term="[^"]*"/, ''), 'entry/category: there is no term'],
    [
      'two entries of one id',
      (text: string) => text.replaceAll(/(?<=<entry>\n)<id>.*<\/id>/g, '<id>urn:a:b</id>'),
      'the id urn:a:b is there twice',
    ],
    [
      'an entry without content or link',
      replaced(/<link[^>]*>\n(.*\n)<content.*<\/content>/, '$1'),
      'entry: there is neither content',
    ],
    [
      'an unknown element',
      replaced('<entry>', '<entry><guid>1</guid>'),
      'guid of http://www.w3.org/2005/Atom is no element',
    ],
    [
      'mark-up that is not escaped',
      replaced('&lt;p&gt;', '<p>x</p>'),
      'p of http://www.w3.org/2005/Atom is no element',
    ],
    ['a script', replaced('&lt;p&gt;', '&lt;script&gt;a()&lt;/script&gt;&lt;p&gt;'), 'HTML with the element script'],
    ['a handler', replaced('&lt;p&gt;', '&lt;p onclick="a()"&gt;'), 'HTML with the attribute onclick'],
    [
      'an address that runs',
      replaced('&lt;p&gt;', '&lt;p&gt;&lt;a href="javascript:a()"&gt;x&lt;/a&gt;'),
      'is no address',
    ],
    ['a comment', replaced('&lt;p&gt;', '&lt;!-- x --&gt;&lt;p&gt;'), 'HTML with a comment'],
    ['a type of its own', replaced('type="html"', 'type="markdown"'), 'entry/content: its type is markdown'],
  ])('%s', (_, change, fault) => {
    expect(change(ATOM)).not.toBe(ATOM);
    expect(faultsOfAtom(change(ATOM))).toEqual(expect.arrayContaining([expect.stringContaining(fault)]));
  });
});

describe('the rules of JSON Feed see', () => {
  test.each([
    ['what is no JSON', replaced('{', ''), 'it is no JSON object'],
    ['another version', replaced('1.1', '1.0'), 'version is'],
    ['no title', replaced('"title":"changes of Prices",', ''), 'there is no title'],
    ['no items', replaced('"items":[', '"entries":['), 'there are no items'],
    ['a field of another form', replaced('"items":[', '"entries":[],"items":['), 'entries is no field of JSON Feed'],
    ['a number for an id', replaced(/"id":"[^"]*"/, '"id":7'), 'item: there is no id'],
    ['two items of one id', (text: string) => text.replace(/"items":\[(.*)\]/s, '"items":[$1,$1]'), 'is there twice'],
    ['no content', replaced('"content_html"', '"_content"'), 'item: there is no content'],
    ['a relative address', replaced(/"url":"[^"]*"/, '"url":"/prices"'), 'item/url: /prices is no address'],
    ['an address that runs', replaced(/"url":"[^"]*"/, '"url":"javascript:a()"'), 'is no address'],
    [
      'a relative page',
      replaced(/"home_page_url":"[^"]*"/, '"home_page_url":"prices"'),
      'home_page_url: prices is no address',
    ],
    [
      'a time of another form',
      replaced(/"date_published":"[^"]*"/, '"date_published":"yesterday"'),
      'is no time of RFC 3339',
    ],
    [
      'tags that are no texts',
      replaced('"date_published"', '"tags":[1],"date_published"'),
      'item: its tags are no texts',
    ],
    ['a title that is no text', replaced('"title":"Prices"', '"title":1'), 'its title or summary is no text'],
    ['authors that are none', replaced('"name":"hydrant"', '"nom":"hydrant"'), 'feed: its authors are no authors'],
    ['a script', replaced('<p>', '<script></script><p>'), 'HTML with the element script'],
  ])('%s', (_, change, fault) => {
    expect(change(JSON_FEED)).not.toBe(JSON_FEED);
    expect(faultsOfJsonFeed(change(JSON_FEED))).toEqual(expect.arrayContaining([expect.stringContaining(fault)]));
  });
});
