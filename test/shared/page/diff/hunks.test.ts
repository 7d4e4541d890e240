import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compare } from '../../../../src/shared/page/compare.ts';
import type { Block, DiffHunk } from '../../../../src/shared/page/change.ts';
import { NO_FACTS, type Page } from '../../../../src/shared/page/page.ts';

const page = (texts: readonly string[]): Page => ({
  url: 'https://example.com/',
  segments: texts.map((text) => ({ text, kind: 'sentence', zone: 'body' })),
  anchors: [],
  links: [],
  facts: NO_FACTS,
});
const hunks = (before: string, after: string): DiffHunk[] =>
  compare(page(before.split(' ')), page(after.split(' '))).hunks();

const linesOf = (hunk: DiffHunk, kinds: readonly string[]): string[] =>
  hunk.flatMap((block: Block) => Object.entries(block).flatMap(([kind, lines]) => (kinds.includes(kind) ? lines : [])));

describe('hunks', () => {
  test('three lines of context on each side', () => {
    expect(hunks('a b c d e f g h i', 'a b c d E f g h i')).toEqual([
      [{ ctx: ['b', 'c', 'd'] }, { del: ['e'] }, { ins: ['E'] }, { ctx: ['f', 'g', 'h'] }],
    ]);
  });

  test('changes with no more than six lines between them share a hunk', () => {
    expect(hunks('x 1 2 3 4 5 6 y', 'X 1 2 3 4 5 6 Y')).toHaveLength(1);
    expect(hunks('x 1 2 3 4 5 6 7 y', 'X 1 2 3 4 5 6 7 Y')).toEqual([
      [{ del: ['x'] }, { ins: ['X'] }, { ctx: ['1', '2', '3'] }],
      [{ ctx: ['5', '6', '7'] }, { del: ['y'] }, { ins: ['Y'] }],
    ]);
  });

  test('what moved stands as context where it is now', () => {
    expect(hunks('m a b c', 'a b m c new')).toEqual([[{ ctx: ['b', 'm', 'c'] }, { ins: ['new'] }]]);
    expect(hunks('m a b c', 'a b c m')).toEqual([]);
  });

  test('a first version is one insertion', () => {
    expect(compare(undefined, page(['a', 'b'])).hunks()).toEqual([[{ ins: ['a', 'b'] }]]);
  });

  test('whatever the pages: the del and ins are those of the change, and the rest is in the new page, in its order', () => {
    const texts = fc.array(fc.constantFrom(...'abcdefgh'.split('')), { maxLength: 40 });
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const found = compare(page(before), page(after));
        const shown = found.hunks();
        for (const typ of ['del', 'ins'] as const) {
          const chunks = (found.change?.chunks ?? []).filter((chunk) => chunk.typ === typ);
          const lines = chunks.flatMap(({ text }) => text.split('\n'));
          expect(shown.flatMap((hunk) => linesOf(hunk, [typ]))).toEqual(lines);
        }
        let at = 0;
        for (const line of shown.flatMap((hunk) => linesOf(hunk, ['ctx', 'ins']))) {
          at = after.indexOf(line, at) + 1;
          expect(at).toBeGreaterThan(0);
        }
      }),
    );
  });
});
