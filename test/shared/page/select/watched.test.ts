import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_HISTORY } from '../../../../src/shared/page/history.ts';
import type { PlacedHunk } from '../../../../src/shared/page/change.ts';
import { NO_FACTS, type Page } from '../../../../src/shared/page/page.ts';
import {
  applied,
  compareTexts,
  compareWatched,
  countedLines,
  oneSide,
  unapplied,
  type WatchedDifference,
} from '../../../../src/shared/page/select/watched.ts';

const page = (texts: readonly string[], title?: string): Page => ({
  url: 'https://example.com/',
  ...(title !== undefined && { title }),
  segments: texts.map((text) => ({ text, kind: 'sentence', zone: 'body' })),
  anchors: [],
  links: [],
  facts: NO_FACTS,
});
const difference = (before: readonly string[], after: readonly string[]): WatchedDifference =>
  compareWatched(page(before), page(after), NO_HISTORY, 1);
const hunks = (before: readonly string[], after: readonly string[]): readonly PlacedHunk[] =>
  difference(before, after).hunks;
const letters = (text: string): string[] => text.split(' ').filter(Boolean);
/** `-a +b` of the only hunk, or of all of them. */
const shown = (before: readonly string[], after: readonly string[]): string =>
  hunks(before, after)
    .flatMap(({ blocks }) => blocks.flatMap((block) => Object.entries(block)))
    .flatMap(([kind, found]) => found.map((line: string) => `${MARKS[kind] ?? ''}${line}`))
    .join('\n');
const MARKS: Readonly<Record<string, string>> = { ctx: ' ', del: '-', ins: '+' };
const sorted = (lines: readonly string[]): string[] => [...lines].sort();

describe('hunks of a watch have places', () => {
  test('from 1, in the new lines and in the old ones', () => {
    expect(hunks(letters('a b c d e f g'), letters('a b c d E f g'))).toEqual([
      { before: 2, after: 2, blocks: [{ ctx: letters('b c d') }, { del: ['e'] }, { ins: ['E'] }, { ctx: ['f', 'g'] }] },
    ]);
  });

  test('that count what came and went before them', () => {
    const before = letters('x 1 2 3 4 5 6 7 8 9 y 11 12 13 14 15 16 17 18 z');
    const after = letters('X W 1 2 3 4 5 6 7 8 9 11 12 13 14 15 16 17 18 Z');
    expect(hunks(before, after).map(({ before: b, after: a }) => [b, a])).toEqual([
      [1, 1],
      [8, 9],
      [17, 17],
    ]);
  });

  test('in a text that was empty, or is', () => {
    expect(hunks([], ['a', 'b'])).toEqual([{ before: 1, after: 1, blocks: [{ ins: ['a', 'b'] }] }]);
    expect(hunks(['a', 'b'], [])).toEqual([{ before: 1, after: 1, blocks: [{ del: ['a', 'b'] }] }]);
    expect(hunks([], [])).toEqual([]);
  });

  test('old lines are the new ones with the hunks taken back, and the other way round', () => {
    const after = letters('a b X d');
    const found = hunks(letters('a b c d'), after);
    expect(unapplied(after, found)).toEqual(letters('a b c d'));
    expect(applied(letters('a b c d'), found)).toEqual(after);
  });

  test('what moved stands in both where it is now', () => {
    const after = letters('b c a NEW');
    expect(unapplied(after, hunks(letters('a b c'), after))).toEqual(letters('b c a'));
  });

  test('hunks of other lines are not applied', () => {
    const found = hunks(letters('a b c d'), letters('a b X d'));
    expect(applied(letters('a b q d'), found)).toBeUndefined();
    expect(unapplied(letters('a b q d'), found)).toBeUndefined();
    expect(applied(['a'], found)).toBeUndefined();
  });
});

describe('25: a diff of lines', () => {
  test.each([
    ['no change is an empty diff', 'a b c', 'a b c', ''],
    ['an edited line is a del and then an ins', 'a b c', 'a B c', ' a\n-b\n+B\n c'],
    ['a line in another case has changed', 'price', 'Price', '-price\n+Price'],
    ['a line that came first', 'b c', 'a b c', '+a\n b\n c'],
    ['a line that came last', 'a b', 'a b c', ' a\n b\n+c'],
    ['a line that went first', 'a b c', 'b c', '-a\n b\n c'],
    ['a line that went last', 'a b c', 'a b', ' a\n b\n-c'],
    ['all lines are others', 'a b', 'c d', '-a\n-b\n+c\n+d'],
    ['three lines of context', '1 2 3 4 x 5 6 7 8', '1 2 3 4 y 5 6 7 8', ' 2\n 3\n 4\n-x\n+y\n 5\n 6\n 7'],
    ['two edits side by side are one run', 'a b c d', 'a B C d', ' a\n-b\n-c\n+B\n+C\n d'],
    ['a line between two edits stays context', 'a b c', 'A b C', '-a\n+A\n b\n-c\n+C'],
    ['a copy that came', 'a b', 'a a b', ' a\n+a\n b'],
    ['a copy that went', 'a a b', 'a b', ' a\n-a\n b'],
    ['lines that changed places are none', 'a b c d', 'd c b a', ''],
    ['a line that moved beside one that came', 'a b c', 'c NEW a b', ' c\n+NEW\n a\n b'],
    ['a line that moved into another hunk', 'a b c d', 'b c X a', ' b\n c\n-d\n+X\n a'],
    ['more lines than there were', 'a', 'x y z a', '+x\n+y\n+z\n a'],
    ['fewer lines than there were', 'x y z a', 'a', '-x\n-y\n-z\n a'],
  ])('%s', (_, before, after, expected) => {
    expect(shown(letters(before), letters(after)).replaceAll('  ', ' ')).toBe(expected);
  });

  test('changes with at most six lines between them are merged into one hunk', () => {
    expect(hunks(letters('x 1 2 3 4 5 6 y'), letters('X 1 2 3 4 5 6 Y'))).toHaveLength(1);
    expect(hunks(letters('x 1 2 3 4 5 6 7 y'), letters('X 1 2 3 4 5 6 7 Y'))).toHaveLength(2);
  });

  test('a price, a version, a number of cases have changed; a clock and a counter have not', () => {
    expect(shown(['Price: 10 EUR'], ['Price: 12 EUR'])).toBe('-Price: 10 EUR\n+Price: 12 EUR');
    expect(shown(['Version 2.1'], ['Version 2.2'])).not.toBe('');
    const quiet = difference(['Posted 3 hours ago', 'News'], ['Posted 4 hours ago', 'News']);
    expect(quiet.hunks).toEqual([]);
    expect(quiet.ignored).toEqual([
      { before: 'Posted 3 hours ago', after: 'Posted 4 hours ago', reason: 'relative time' },
    ]);
  });

  test('an empty line, which no page has, is one like others in texts that are compared', () => {
    expect(countedLines(compareTexts(['a', '', 'b'], ['a', 'b']))).toEqual({ inserted: 0, deleted: 1 });
  });

  test('thousands of lines that all differ are one hunk, soon', () => {
    const lines = (name: string): string[] => Array.from({ length: 20_000 }, (_, index) => `${name} ${index}`);
    const found = hunks(lines('a'), lines('b'));
    expect(found).toHaveLength(1);
    expect(countedLines(found)).toEqual({ inserted: 20_000, deleted: 20_000 });
    expect(applied(lines('a'), found)).toEqual(lines('b'));
  });
});

describe('what counts', () => {
  test('lines do; a title or the target of a link alone do not', () => {
    expect(compareWatched(page(['a'], 'One'), page(['a'], 'Two'), NO_HISTORY, 1).hunks).toEqual([]);
    const link = (href: string): Page => ({ ...page(['a']), anchors: [{ href, text: 'a', zone: 'body' }] });
    const found = compareWatched(link('https://example.com/1'), link('https://example.com/2'), NO_HISTORY, 1);
    expect(found.hunks).toEqual([]);
    expect(found.change?.addedAnchors).toEqual(['a']);
  });

  test('what takes turns at its place is no change any more when each text has come back once', () => {
    expect(tellings([0, 1, 2, 0, 1, 2, 0, 1, 2])).toEqual([true, true, true, true, true, false, false, false]);
  });

  test('A, B, C and B again are three changes: what is put back is told', () => {
    expect(tellings([0, 1, 2, 1])).toEqual([true, true, true]);
  });

  test('an entry that came on top of a list of counters is that one, and not the last', () => {
    const before = ['First', '3 comments', 'Second', '7 comments'];
    const after = ['New', '1 comment', 'First', '4 comments', 'Second', '8 comments'];
    expect(shown(before, after)).toBe('+New\n+1 comment\n First\n 4 comments\n Second');
  });
});

/** Whether each text but the first is told as a change, in one place of a page. */
function tellings(order: readonly number[]): boolean[] {
  const quotes = ['one', 'two', 'three'].map((name) => `Our readers say of us the words ${name}, and mean it.`);
  const [first, ...pages] = order.map((quote) => page(['Top', quotes[quote] ?? '', 'End']));
  let last = first ?? page([]);
  let history = NO_HISTORY;
  return pages.map((next) => {
    const found = compareWatched(last, next, history, 1);
    ({ history } = found);
    last = next;
    return found.hunks.length > 0;
  });
}

describe('one side of a change', () => {
  const found = hunks(letters('a b c 1 2 3 4 5 6 7 x'), letters('a B c 1 2 3 4 5 6 7'));

  test('keeps the places and loses the other side; a hunk without its own is gone', () => {
    expect(oneSide(found, 'added')).toEqual([
      { before: 1, after: 1, blocks: [{ ctx: ['a'] }, { ins: ['B'] }, { ctx: letters('c 1 2') }] },
    ]);
    expect(oneSide(found, 'removed').map(({ before }) => before)).toEqual([1, 8]);
    expect(oneSide(hunks(['a'], ['a', 'b']), 'removed')).toEqual([]);
  });

  test('joins the context that now stands side by side', () => {
    const [hunk] = oneSide(hunks(letters('a b c D'), letters('a X b c')), 'removed');
    expect(hunk?.blocks).toEqual([{ ctx: letters('a b c') }, { del: ['D'] }]);
  });
});

describe('whatever the lines', () => {
  const line = fc.constantFrom(...letters('a b c d e f g'), '3 hours ago', '4 hours ago', '12 views', '13 views', '14');
  const lines = fc.array(line, { maxLength: 60 });

  test('hunks apply both ways', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const found = hunks(before, after);
        const old = unapplied(after, found);
        expect(old).toBeDefined();
        expect(applied(old ?? [], found)).toEqual(after);
      }),
    );
  });

  test('the old lines are those that were compared, but for their order and what changes by itself', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const { hunks: found, ignored } = difference(before, after);
        const old = unapplied(after, found) ?? [];
        expect(old).toHaveLength(before.length);
        expect(sorted([...old, ...ignored.map((pair) => pair.before)])).toEqual(
          sorted([...before, ...ignored.map((pair) => pair.after)]),
        );
      }),
    );
  });

  test('equal lines have no hunks, in any order', () => {
    fc.assert(
      fc.property(lines, (one) => {
        expect(hunks(one, one)).toEqual([]);
        expect(hunks(one, sorted(one))).toEqual([]);
      }),
    );
  });

  test('there are hunks if and only if a line came or went, and both ways of asking agree', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const { hunks: found, change } = difference(before, after);
        const { inserted, deleted } = countedLines(found);
        expect(found.length > 0).toBe(inserted + deleted > 0);
        expect(found.length > 0).toBe((change?.chunks.length ?? 0) > 0);
        expect(compareTexts(before, after)).toEqual(found);
        expect(inserted - deleted).toBe(after.length - before.length);
      }),
    );
  });

  test('the two sides of a change are the whole of it', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const found = hunks(before, after);
        const { inserted, deleted } = countedLines(found);
        expect(countedLines(oneSide(found, 'added'))).toEqual({ inserted, deleted: 0 });
        expect(countedLines(oneSide(found, 'removed'))).toEqual({ inserted: 0, deleted });
      }),
    );
  });
});
