import { parseAtomFeed } from 'feedsmith';
import { SaxesParser } from 'saxes';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atomFeed as atomOf } from '../../../src/shared/documents/atom.ts';
import { entryHtml } from '../../../src/shared/documents/change-html.ts';
import type { Feed, FeedEntry } from '../../../src/shared/documents/feed.ts';
import { shownHunks } from '../../../src/shared/documents/shown-change.ts';
import { sha1 } from '../digest/match-sample.ts';
import { CHANGE } from './change-sample.ts';

const atomFeed = (feed: Feed): string => atomOf(feed, sha1);

const ENTRY: FeedEntry = {
  key: 'w-1/12',
  at: CHANGE.at,
  url: 'https://example.org/prices?a=1&b=2',
  title: 'Prices & plans',
  summary: '2 lines added, 1 removed',
  content: entryHtml({ summary: '2 lines added, 1 removed', hunks: shownHunks(CHANGE) }),
};
const FEED = {
  key: 'w-1',
  title: 'https://example.org/prices',
  url: 'https://example.org/prices',
  since: '2026-02-01T00:00:00+00:00',
  entries: [ENTRY],
};

function mistakesIn(xml: string): string[] {
  const mistakes: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', ({ message }) => mistakes.push(message));
  parser.write(xml).close();
  return mistakes;
}

describe('a feed of changes', () => {
  test('is read by a reader of feeds', () => {
    const feed = parseAtomFeed(atomFeed(FEED));
    expect(feed).toMatchObject({
      title: { value: 'https://example.org/prices' },
      updated: '2026-02-27T14:02:00.000Z',
      links: [{ href: 'https://example.org/prices', rel: 'alternate' }],
    });
    expect(feed.entries).toMatchObject([
      {
        title: { value: 'Prices & plans' },
        links: [{ href: 'https://example.org/prices?a=1&b=2' }],
        updated: '2026-02-27T14:02:00.000Z',
      },
    ]);
    const content = JSON.stringify(feed.entries?.[0]?.content);
    expect(content).toContain('<del>- Team: <b>20</b> euros a month</del>');
    expect(content).toContain('&lt;script&gt;');
  });

  test('keeps its ids, and no two things have one', () => {
    const ids = (xml: string): string[] => [...xml.matchAll(/<id>(.*?)<\/id>/g)].map(([, id = '']) => id);
    const other = { ...ENTRY, key: 'w-1/13', at: '2026-03-01T00:00:00Z' };
    const [feed, newer, older] = ids(atomFeed({ ...FEED, entries: [other, ENTRY] }));
    expect(ids(atomFeed(FEED))).toEqual([feed, older]);
    expect(new Set([feed, newer, older]).size).toBe(3);
    expect(feed).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  test('of no change yet is a feed all the same', () => {
    expect(atomFeed({ ...FEED, url: undefined, entries: [] })).toContain('<updated>2026-02-01T00:00:00.000Z</updated>');
  });

  test('is XML without a mistake, whatever a page says', () => {
    const strange = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(']]>', '\u0000', '\u000b', '\ud800', '\uffff', '<![CDATA[', '&nbsp;', '\u001b[2J'),
    );
    fc.assert(
      fc.property(strange, strange, strange, (title, text, url) => {
        const hunks = shownHunks({ hunks: [{ before: 1, after: 1, blocks: [{ del: [title] }, { ins: [text] }] }] });
        const entry = { ...ENTRY, title, url, summary: text, content: entryHtml({ summary: text, hunks }) };
        expect(mistakesIn(atomFeed({ ...FEED, title, url, entries: [entry] }))).toEqual([]);
      }),
    );
  });
});
