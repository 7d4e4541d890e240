import { describe, expect, test } from 'vitest';
import { event } from '../../../src/daemon/analysis/matching.ts';
import { NO_LABELS } from '../../../src/shared/label/label.ts';
import { LEGACY_MARKDOWN_LENGTH } from '../../../src/shared/limits.ts';
import type { ChangedPage } from '../../../src/shared/match/document.ts';
import { NO_FACTS, type Segment } from '../../../src/shared/page/page.ts';

const segments: Segment[] = [
  { text: 'Home', kind: 'item', zone: 'chrome' },
  { text: 'Harbour news', kind: 'heading', zone: 'main' },
  { text: 'The harbour opens at nine.', kind: 'sentence', zone: 'main' },
  { text: 'Bring a coat', kind: 'item', zone: 'main' },
];
const match = { tapId: 'tap', ruleIds: ['r1'], chunks: [] };

function changed(text: readonly Segment[]): ChangedPage {
  const page = { url: 'https://news.example.com/', segments: text, anchors: [], links: [], facts: NO_FACTS };
  return {
    page,
    change: { chunks: [], anchors: [], titleChanged: false },
    domains: [],
    labels: NO_LABELS,
  } as unknown as ChangedPage;
}

function documentOf(text: readonly Segment[], legacy: boolean): { readonly markdown?: string } {
  return JSON.parse(event(match, changed(text), legacy).document) as { readonly markdown?: string };
}

describe('the event of a match', () => {
  test('for older clients carries the page, without the boilerplate of its site', () => {
    expect(documentOf(segments, true).markdown).toBe('## Harbour news\n\nThe harbour opens at nine.\n\n- Bring a coat');
  });

  test('carries links that lead elsewhere where no text differs', () => {
    const links = [{ text: 'Read more', before: 'https://a.example/1', after: 'https://a.example/2' }];
    const found = changed(segments);
    const linked = { ...found, change: { ...found.change, links } };
    expect(JSON.parse(event(match, linked).document)).toMatchObject({
      diff: {
        chunks: [
          { typ: 'del', text: 'Read more -> https://a.example/1' },
          { typ: 'ins', text: 'Read more -> https://a.example/2' },
        ],
      },
    });
    const chunks = [{ typ: 'ins' as const, text: 'news' }];
    const told = { ...linked, change: { ...linked.change, chunks } };
    expect(JSON.parse(event({ ...match, chunks }, told).document)).toMatchObject({ diff: { chunks } });
  });

  test('carries no page for others', () => {
    expect(documentOf(segments, false)).toEqual({ url: 'https://news.example.com/' });
  });

  test('of a long page carries whole blocks, as many as there is room for', () => {
    const block: Segment = { text: 'x'.repeat(10_000), kind: 'sentence', zone: 'main' };
    const { markdown = '' } = documentOf(
      Array.from({ length: 20 }, () => block),
      true,
    );
    expect(markdown.length).toBeLessThanOrEqual(LEGACY_MARKDOWN_LENGTH);
    expect(markdown.split('\n\n')).toEqual(Array.from({ length: 6 }, () => block.text));
  });
});
