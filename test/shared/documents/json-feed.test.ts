import { parseJsonFeed } from 'feedsmith';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atomFeed } from '../../../src/shared/documents/atom.ts';
import { subjectOfWatch, changeFeed } from '../../../src/shared/documents/change-feed.ts';
import type { Feed } from '../../../src/shared/documents/feed.ts';
import { jsonFeed } from '../../../src/shared/documents/json-feed.ts';
import { sha1 } from '../digest/match-sample.ts';
import { CHANGE } from './change-sample.ts';
import { hostileText, UNSEEN } from './hostile-text.ts';

const WATCH = {
  id: 'aaaa1111-0000-4000-8000-000000000001',
  url: 'https://example.org/prices?a=1&b=2',
  title: 'Prices & plans',
  created_at: '2026-02-01T00:00:00+00:00',
};
const ITEM = { cursor: 7, watch: { ...WATCH, tags: ['shop'] }, check: CHANGE };
const FEED = changeFeed(subjectOfWatch(WATCH), [ITEM]);

const idsOfAtom = (feed: Feed): string[] =>
  [...atomFeed(feed, sha1).matchAll(/<entry>\n<id>(.*?)<\/id>/g)].map(([, id = '']) => id);

describe('a JSON Feed', () => {
  test('is read by a reader of feeds, with the entries of the Atom feed', () => {
    const feed = parseJsonFeed(jsonFeed(FEED, sha1));
    expect(feed).toMatchObject({
      title: 'changes of Prices & plans',
      home_page_url: 'https://example.org/prices?a=1&b=2',
      items: [
        {
          id: idsOfAtom(FEED)[0],
          url: WATCH.url,
          title: 'Prices & plans',
          summary: 'changed: 2 lines added, 1 removed',
          tags: ['shop'],
        },
      ],
    });
    expect(JSON.parse(jsonFeed(FEED, sha1))).toMatchObject({ items: [{ date_published: '2026-02-27T14:02:00.000Z' }] });
    expect(feed.items?.[0]?.content_html).toContain('<del>- Team: <b>20</b> euros a month</del>');
    expect(feed.items?.[0]?.content_html).toContain('&lt;script&gt;');
  });

  test('of no change yet is a feed all the same', () => {
    const text = jsonFeed(changeFeed({ ...subjectOfWatch(WATCH), url: undefined }, []), sha1);
    expect(JSON.parse(text)).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'changes of Prices & plans',
      authors: [{ name: 'hydrant' }],
      items: [],
    });
  });

  test('has the newest first, whatever the order of the log', () => {
    const older = { ...ITEM, cursor: 3, check: { ...CHANGE, n: 11 } };
    const newer = { ...ITEM, cursor: 9, check: { ...CHANGE, n: 13 } };
    const feed = changeFeed(subjectOfWatch(WATCH), [older, newer, ITEM]);
    expect(feed.entries.map(({ key }) => key.split('/')[1])).toEqual(['13', '12', '11']);
  });

  test('has its ids, and nothing in it that is not seen, whatever a page says', () => {
    fc.assert(
      fc.property(hostileText, hostileText, hostileText, hostileText, (key, title, text, tag) => {
        const entry = { key, at: text, url: title, title, tags: [tag], summary: text, content: '' };
        const feed = { ...FEED, title, url: title, entries: [entry] };
        const read = JSON.parse(jsonFeed(feed, sha1)) as { title: string; items: { id: string; url?: string }[] };
        expect(read.items.map(({ id }) => id)).toEqual(idsOfAtom(feed));
        expect(JSON.stringify(Object.values(read)).replaceAll(/\\[nrt]/g, '')).not.toMatch(UNSEEN);
        expect(read.items[0]?.url ?? 'https:').toMatch(/^https?:/);
      }),
    );
  });
});
