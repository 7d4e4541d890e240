import { describe, expect, test } from 'vitest';
import { compare } from '../../../../src/shared/page/compare.ts';
import { linkChunks } from '../../../../src/shared/page/diff/link-lines.ts';
import { DIFF_BYTES } from '../../../../src/shared/limits.ts';
import { type Anchor, NO_FACTS, type Page, type Zone } from '../../../../src/shared/page/page.ts';
import { compareWatched } from '../../../../src/shared/page/select/watched.ts';
import { NO_HISTORY } from '../../../../src/shared/page/history.ts';

const link = (text: string, path: string, zone: Zone = 'main'): Anchor => ({
  text,
  href: `https://example.com/${path}`,
  zone,
});

function page(anchors: readonly Anchor[], ...texts: readonly string[]): Page {
  const segments = texts.map((text) => ({ text, kind: 'sentence' as const, zone: 'main' as const }));
  return { url: 'https://example.com/', segments, anchors, links: [], facts: NO_FACTS };
}

describe('a link that leads elsewhere under the same text', () => {
  const before = page([link('Read more', 'old')], 'one');
  const after = page([link('Read more', 'new')], 'one');
  const found = compare(before, after);

  test('is told with both targets', () => {
    expect(found.change?.links).toEqual([
      { text: 'Read more', before: 'https://example.com/old', after: 'https://example.com/new' },
    ]);
    expect(found.change?.addedAnchors).toEqual(['Read more']);
  });

  test('is the last hunk, after those of the text', () => {
    expect(found.hunks()).toEqual([
      [{ del: ['Read more -> https://example.com/old'] }, { ins: ['Read more -> https://example.com/new'] }],
    ]);
    const both = compareWatched(before, page([link('Read more', 'new')], 'two'), NO_HISTORY, 1);
    expect(both.hunks.map(({ links }) => links?.length ?? 0)).toEqual([0, 1]);
    expect(both.hunks.at(-1)).toMatchObject({ before: 2, after: 2, blocks: [] });
  });

  test('is delivered where no text differs, in no more bytes than a diff has', () => {
    expect(linkChunks(found.change ?? { chunks: [] })).toEqual([
      { typ: 'del', text: 'Read more -> https://example.com/old' },
      { typ: 'ins', text: 'Read more -> https://example.com/new' },
    ]);
    const texts = Array.from({ length: 300 }, (_, index) => `${'読'.repeat(40)}${index}`);
    const many = compare(page(texts.map((text) => link(text, 'a'))), page(texts.map((text) => link(text, 'b'))));
    expect(many.change?.links).toHaveLength(100);
    const chunks = linkChunks(many.change ?? { chunks: [] });
    expect(chunks[0]?.text.split('\n').length).toBeGreaterThan(20);
    expect(Buffer.byteLength(JSON.stringify({ chunks }))).toBeLessThanOrEqual(DIFF_BYTES);
    expect(linkChunks({ chunks: [{ typ: 'ins', text: 'x' }], links: [] })).toEqual([]);
  });

  test('is paired by its text, in the order of the page, and what is left came or went', () => {
    const change = compare(
      page([link('more', '1'), link('more', '2'), link('gone', '3')]),
      page([link('more', '4'), link('more', '5'), link('more', '6')]),
    ).change;
    expect(change?.links?.map((one) => [one.before, one.after].map((href) => href.slice(-1)).join())).toEqual([
      '1,4',
      '2,5',
    ]);
    expect(change?.removedAnchors).toEqual(['more', 'more', 'gone']);
  });

  test('is none where only what it has for each visitor differs', () => {
    const session = (id: string): Page => page([link('Read', `a?utm_source=${id}`)]);
    expect(compare(session('x'), session('y')).change).toBeUndefined();
  });
});

describe('what moves between the content and the boilerplate of a site', () => {
  const zoned = (...segments: readonly (readonly [text: string, zone: Zone])[]): Page => ({
    ...page([]),
    segments: segments.map(([text, zone]) => ({ text, kind: 'sentence', zone })),
  });

  test('has neither come nor gone', () => {
    const inside = zoned(['News of the harbour', 'main'], ['Opening hours', 'body']);
    const outside = zoned(['News of the harbour', 'main'], ['Opening hours', 'chrome']);
    for (const [before, after] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      const found = compare(before, after);
      expect(found.change).toBeUndefined();
      expect(found.ignored).toEqual([
        { before: 'Opening hours', after: 'Opening hours', reason: 'moved between content and boilerplate' },
      ]);
    }
  });

  test('is counted: one copy less of two is gone', () => {
    const before = zoned(['Closed', 'main'], ['Closed', 'body'], ['Home', 'chrome']);
    const after = zoned(['Home', 'chrome'], ['Closed', 'chrome']);
    expect(compare(before, after).change?.chunks).toEqual([{ typ: 'del', text: 'Closed' }]);
    const stays = zoned(['Closed', 'main'], ['Closed', 'chrome']);
    expect(compare(stays, zoned(['Closed', 'chrome'])).change?.chunks).toEqual([{ typ: 'del', text: 'Closed' }]);
  });

  test('takes its links along', () => {
    const inside = page([link('Hours', 'hours')], 'one');
    const outside = page([link('Hours', 'hours', 'chrome')], 'one');
    expect(compare(inside, outside).change).toBeUndefined();
    expect(compare(outside, inside).change).toBeUndefined();
    expect(compare(inside, page([link('Hours', 'times', 'chrome')], 'one')).change?.removedAnchors).toEqual(['Hours']);
  });
});

test('full-width letters and digits are those of ASCII, and are kept as the page has them', () => {
  expect(compare(page([], '最大３時間'), page([], '最大3時間')).change).toBeUndefined();
  const change = compare(page([], '最大３時間', 'one'), page([], '最大５時間', 'one')).change;
  expect(change?.chunks.map(({ text }) => text)).toEqual(['最大３時間', '最大５時間']);
});
