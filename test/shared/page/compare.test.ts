import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../../src/shared/page/change.ts';
import { compare as comparison } from '../../../src/shared/page/compare.ts';
import { PAGE_LINKS } from '../../../src/shared/limits.ts';
import { NO_FACTS, type Anchor, type Page } from '../../../src/shared/page/page.ts';

function page(
  texts: readonly string[],
  { anchors = [], title }: { anchors?: readonly Anchor[]; title?: string } = {},
): Page {
  const segments = texts.map((text) => ({ text, kind: 'sentence' as const, zone: 'body' as const }));
  return {
    url: 'https://example.com/',
    ...(title !== undefined && { title }),
    segments,
    anchors,
    links: [],
    facts: NO_FACTS,
  };
}

/** What changed, for those who know nothing of the page but its two versions. */
function compare(before: Page | undefined, after: Page): Change | undefined {
  return comparison(before, after).change;
}

function chunks(before: readonly string[], after: readonly string[]): string[] {
  return (compare(page(before), page(after))?.chunks ?? []).map(({ typ, text }) => `${typ} ${text}`);
}

/** Segments that a change takes away or brings, as one sorted list. */
function moved(change: Change | undefined, typ: 'ins' | 'del'): string[] {
  return (change?.chunks ?? []).filter((chunk) => chunk.typ === typ).flatMap(({ text }) => text.split('\n'));
}

describe('a page with more links than are kept', () => {
  const links = (count: number, from = 0): Anchor[] =>
    Array.from({ length: count }, (_, at) => {
      return { href: `https://example.com/${from + at}`, text: `link ${from + at}`, zone: 'body' as const };
    });
  const kept = (anchors: readonly Anchor[]): Page => page(['same'], { anchors: anchors.slice(0, PAGE_LINKS) });

  test('one more at the top is one that came, and none has gone', () => {
    const change = compare(kept(links(6_000)), kept([...links(1, 9_999), ...links(6_000)]));
    expect([change?.addedAnchors, change?.removedAnchors]).toEqual([['link 9999'], []]);
    const back = compare(kept([...links(1, 9_999), ...links(6_000)]), kept(links(6_000)));
    expect([back?.addedAnchors, back?.removedAnchors]).toEqual([[], ['link 9999']]);
  });

  test('those that went above are told, and those of a page that has all of its links', () => {
    expect(compare(kept(links(6_000)), kept(links(6_000).toSpliced(7, 2)))?.removedAnchors).toEqual([
      'link 7',
      'link 8',
    ]);
    expect(compare(kept(links(10)), kept(links(8)))?.removedAnchors).toEqual(['link 8', 'link 9']);
  });
});

describe('compare', () => {
  test('an edited sentence is a del and then an ins, at its place', () => {
    expect(chunks(['a', 'b', 'c'], ['a', 'B', 'c'])).toEqual(['del b', 'ins B']);
  });

  test('runs are one chunk, in the order of the page', () => {
    expect(chunks(['a', 'b', 'c', 'd'], ['x', 'y', 'a', 'd', 'z'])).toEqual(['ins x\ny', 'del b\nc', 'ins z']);
  });

  test('a segment that moved is no change, also when others did', () => {
    expect(compare(page(['a', 'b', 'c']), page(['c', 'a', 'b']))).toBeUndefined();
    expect(chunks(['a', 'b', 'c', 'd'], ['d', 'a', 'x', 'c', 'b'])).toEqual(['ins x']);
  });

  test('a moved segment inside a run parts it', () => {
    expect(chunks(['a', 'b'], ['b', 'x', 'a', 'y'])).toEqual(['ins x', 'ins y']);
  });

  test('copies are counted', () => {
    expect(chunks(['a'], ['a', 'a', 'a'])).toEqual(['ins a\na']);
    expect(chunks(['a', 'b', 'a'], ['b', 'a'])).toEqual(['del a']);
  });

  test('a sentence that became a heading is no change', () => {
    const before = page(['a']);
    expect(compare(before, { ...before, segments: [{ text: 'a', kind: 'heading', zone: 'main' }] })).toBeUndefined();
  });

  test('a link is its target and its text', () => {
    const link = (href: string, text: string): Anchor => ({ href: `https://example.com/${href}`, text, zone: 'body' });
    const before = page(['a'], { anchors: [link('1', 'one'), link('2', 'two'), link('2', 'two')] });
    const after = page(['a'], { anchors: [link('2', 'two'), link('1', 'uno'), link('9', 'one')] });
    expect(compare(before, after)).toEqual({
      chunks: [],
      addedAnchors: ['uno', 'one'],
      removedAnchors: ['one', 'two'],
      links: [{ text: 'one', before: 'https://example.com/1', after: 'https://example.com/9' }],
      titleChanged: false,
    });
  });

  test('links that only changed places are no change', () => {
    const [one, two] = [
      { href: 'https://example.com/1', text: 'one', zone: 'body' },
      { href: 'https://example.com/2', text: 'two', zone: 'body' },
    ] as const;
    expect(compare(page([], { anchors: [one, two] }), page([], { anchors: [two, one] }))).toBeUndefined();
  });

  test('what a link has for each visitor is no part of it', () => {
    const change = (one: string, other: string): boolean => {
      const [before, after] = [one, other].map((path) =>
        page(['a'], { anchors: [{ href: `https://example.com/${path}`, text: 'Read', zone: 'body' }] }),
      );
      return compare(before, after ?? page([])) !== undefined;
    };
    const same: readonly (readonly [string, string])[] = [
      ['a?utm_source=x', 'a?utm_source=y'],
      ['a?id=3&fbclid=x', 'a?id=3'],
      ['a?t=1790000000', 'a?t=1790000123'],
      ['a?_=17', 'a?_=18'],
      ['a?PHPSESSID=0a1b2c3d4e5f6a7b8c9d', 'a?PHPSESSID=1a1b2c3d4e5f6a7b8c9d'],
      ['a;jsessionid=0A1B2C?x=1', 'a;jsessionid=3D4E5F?x=1'],
      ['(S(lit3py55t21z5v55vlm25s55))/a', '(S(abc3py55t21z5v55vlm25s55))/a'],
      ['out?csrf_token=0a1b2c3d4e5f6a7b', 'out?csrf_token=7b1b2c3d4e5f6a7b'],
      ['out?authenticity_token=0a1b2c3d4e5f6a7b', 'out?authenticity_token=7b1b2c3d4e5f6a7b'],
    ];
    expect(same.filter(([one, other]) => change(one, other))).toEqual([]);
    const different: readonly (readonly [string, string])[] = [
      ['a?v=3', 'a?v=4'],
      ['a?v=dQw4w9WgXcQ', 'a?v=9bZkp7q19f0'],
      ['a?sid=123', 'a?sid=124'],
      ['a?sid=2026010112', 'a?sid=2026010113'],
      ['a?t=30', 'a?t=90'],
      ['a?page=1&utm_source=x', 'a?page=2&utm_source=x'],
      ['0a1b2c3d4e5f6a7b', '7b1b2c3d4e5f6a7b'],
    ];
    expect(different.filter(([one, other]) => !change(one, other))).toEqual([]);
  });

  test('a bare number is a counter where its label says so', () => {
    expect(compare(page(['Visitors', '1,204', 'foot']), page(['Visitors', '1,311', 'foot']))).toBeUndefined();
    expect(compare(page(['head', '1,204', 'views']), page(['head', '1,311', 'views']))).toBeUndefined();
    expect(compare(page(['In stock', '12', 'foot']), page(['In stock', '11', 'foot']))).toBeDefined();
    const shop = (stock: string): Page => page(['In stock', stock, 'Visitors', '1,204', 'foot']);
    expect(compare(shop('12'), shop('11'))).toBeDefined();
    const count = (stock: string): Page => page(['1,204', 'Visitors', stock, 'in stock']);
    expect(compare(count('12'), count('11'))).toBeDefined();
  });

  test('a title alone is a change', () => {
    const change = compare(page(['a'], { title: 'old' }), page(['a'], { title: 'new' }));
    expect(change).toEqual({ chunks: [], addedAnchors: [], removedAnchors: [], titleChanged: true });
    expect(compare(page(['a'], { title: 'old' }), page(['a']))?.titleChanged).toBe(true);
  });

  test('what is neither text, link nor title does not count', () => {
    const before = page(['a']);
    const after = { ...before, url: 'https://example.com/moved', links: ['https://example.com/new'] };
    expect(compare(before, after)).toBeUndefined();
  });

  test('a page seen for the first time is all ins, in chunks of some 4,000 characters', () => {
    const texts = Array.from({ length: 300 }, (_, index) => `Sentence ${index} says ${'so '.repeat(20)}much.`);
    const anchors = [{ href: 'https://example.com/1', text: 'one', zone: 'body' as const }];
    const change = compare(undefined, page(texts, { anchors, title: 'new' }));
    expect(change?.addedAnchors).toEqual(['one']);
    expect(change?.titleChanged).toBe(true);
    expect(moved(change, 'ins')).toEqual(texts);
    expect(change?.chunks.length).toBeGreaterThan(4);
    expect(Math.max(...(change?.chunks ?? []).map(({ text }) => text.length))).toBeLessThanOrEqual(4_000);
    expect(compare(undefined, page(['x'.repeat(9_000), 'y']))?.chunks).toHaveLength(2);
    expect(compare(undefined, page([]))).toBeDefined();
  });
});

describe('compare, whatever the pages', () => {
  const texts = fc.array(fc.constantFrom(...'a b c d e f g h'.split(' ')), { maxLength: 40 });
  const sorted = (list: readonly string[]): string[] => [...list].sort();

  test('taking away the del and adding the ins gives the new page', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const change = compare(page(before), page(after));
        const left = [...before];
        for (const text of moved(change, 'del')) {
          expect(left).toContain(text);
          left.splice(left.indexOf(text), 1);
        }
        expect(sorted([...left, ...moved(change, 'ins')])).toEqual(sorted(after));
      }),
    );
  });

  test('no text is both taken away and added', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const change = compare(page(before), page(after));
        const deleted = new Set(moved(change, 'del'));
        expect(moved(change, 'ins').filter((text) => deleted.has(text))).toEqual([]);
      }),
    );
  });

  test('the ins stand in the order of the new page, the del in that of the old', () => {
    const isSubsequence = (part: readonly string[], whole: readonly string[]): boolean => {
      let at = 0;
      for (const text of whole) if (text === part[at]) at += 1;
      return at === part.length;
    };
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const change = compare(page(before), page(after));
        expect(isSubsequence(moved(change, 'ins'), after)).toBe(true);
        expect(isSubsequence(moved(change, 'del'), before)).toBe(true);
      }),
    );
  });

  test('a page does not differ from itself, in any order', () => {
    const shuffled = texts.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        expect(compare(page(list), page(other))).toBeUndefined();
      }),
    );
  });
});

describe('compare on hostile pages', () => {
  const lines = (count: number, line: (index: number) => string): string[] =>
    Array.from({ length: count }, (_, index) => line(index));

  test('20,000 unrelated segments', () => {
    const change = compare(
      page(lines(20_000, (index) => `old ${index}`)),
      page(lines(20_000, (index) => `new ${index}`)),
    );
    expect(moved(change, 'del')).toHaveLength(20_000);
    expect(moved(change, 'ins')).toHaveLength(20_000);
  });

  test('20,000 segments of two kinds, in two disorders', () => {
    const one = lines(20_000, (index) => ((index * 7_919) % 13 < 6 ? 'a' : 'b'));
    const other = lines(20_000, (index) => ((index * 104_729) % 17 < 8 ? 'a' : 'b'));
    const surplus = Math.abs(one.filter((text) => text === 'a').length - other.filter((text) => text === 'a').length);
    expect(moved(compare(page(one), page(other)), 'ins')).toHaveLength(surplus);
  });

  test('20,000 segments upside down', () => {
    const texts = lines(20_000, (index) => `line ${index}`);
    expect(compare(page(texts), page(texts.toReversed()))).toBeUndefined();
  });

  test('many gaps, each beyond what is looked at', () => {
    const block = (seed: string) => (index: number) =>
      index % 200 === 0 ? `anchor ${index}` : `${seed}${(index * 31) % 3}`;
    const change = compare(page(lines(20_000, block('x'))), page(lines(20_000, block('y'))));
    expect(moved(change, 'ins')).toHaveLength(19_900);
  });
});
