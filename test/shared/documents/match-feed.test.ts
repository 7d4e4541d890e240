import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { atomFeed } from '../../../src/shared/documents/atom.ts';
import { type FeedSubject, matchFeed } from '../../../src/shared/documents/match-feed.ts';
import type { PastMatch } from '../../../src/shared/documents/past-match.ts';
import { matchOf, sha1, TAP_ID } from '../digest/match-sample.ts';

const toAtom = (subject: FeedSubject, matches: readonly PastMatch[]): string =>
  atomFeed(matchFeed(subject, matches), sha1);

describe('a feed', () => {
  const subject = { id: TAP_ID, name: 'news', since: '2026-02-27T00:00:00+00:00' };

  test('has what Atom asks for, the newest first, with ids that stay', () => {
    const two = [matchOf({ id: '0-1' }), matchOf({ id: '0-2', at: '2026-03-01T11:00:00Z', text: 'a < b\nc' })];
    const xml = toAtom(subject, two);
    const ids = [...xml.matchAll(/<id>(.*?)<\/id>/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids)
      expect(id).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect([...xml.matchAll(/<updated>(.*?)<\/updated>/g)].map(([, at]) => at)).toEqual([
      '2026-03-01T11:00:00.000Z',
      '2026-03-01T11:00:00.000Z',
      '2026-03-01T10:00:00.000Z',
    ]);
    expect(xml).toContain('&lt;p&gt;&lt;ins&gt;a &amp;lt; b&lt;br&gt;c&lt;/ins&gt;&lt;/p&gt;');
    const later = toAtom(subject, [...two, matchOf({ id: '0-3' })]);
    for (const id of ids) expect(later).toContain(`<id>${id}</id>`);
    expect(toAtom({ ...subject, id: '22222222-0000-4000-8000-000000000002' }, two)).not.toContain(ids[1]);
  });

  test('without an entry is as old as its tap', () => {
    expect(toAtom(subject, [])).toContain('<updated>2026-02-27T00:00:00.000Z</updated>');
  });

  test('is well-formed, whatever strangers wrote', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(anything, anything, anything, (title, text, tag) => {
        const xml = toAtom({ id: TAP_ID, name: tag, since: 'x' }, [matchOf({ title, text, tags: [tag] })]);
        const parser = new SaxesParser({ xmlns: true });
        parser.on('error', (error) => {
          throw error;
        });
        parser.write(xml).close();
      }),
    );
  });
});
