import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bytes,
  changedLines,
  characters,
  cut,
  fitted,
  linesOf,
  oneLine,
  plainly,
  plainText,
  titleOf,
  webUrl,
  within,
} from '../../../src/daemon/notify/message-lines.ts';
import { hasControls } from '../../../src/shared/text/printable.ts';
import { hostileMessage, hostileText, itemOf, messageOf } from './messages.ts';

describe('the lines of a message', () => {
  test('of one piece are what came and went, and where it is from', () => {
    expect(linesOf(messageOf({ more: 37 })).map(plainly)).toEqual([
      '+ Copper rises to 9,400',
      '- Copper falls to 9,100',
      'tap metals · rules copper, prices',
      'and 37 more',
    ]);
  });

  test('of several have the title and the address of each, three lines of it, and those that say the same', () => {
    const lines = Array.from({ length: 6 }, (_, index) => ({ typ: 'ins' as const, text: `line ${index}` }));
    const alike = { count: 2, urls: ['https://www.a.example/x', 'https://b.example/'] };
    const items = [
      itemOf({ lines, labels: {}, alike }),
      itemOf({ title: 'Tin', url: 'javascript:alert(1)', lines: [], labels: { watch: 'Tin', tags: ['a'] } }),
    ];
    expect(linesOf(messageOf({ items })).map(plainly)).toEqual([
      '• Prices of copper\n  https://news.example/copper?id=7',
      '+ line 0',
      '+ line 1',
      '+ line 2',
      '… 3 more lines',
      '2 pages with the same text: a.example, b.example',
      '• Tin',
      'watch Tin · tags a',
    ]);
  });

  test('of a whole page are its beginning, and how many there are beside', () => {
    const lines = changedLines(itemOf({ lines: [{ typ: 'ins', text: 'a\n\n'.repeat(100_000) }] }));
    expect(lines).toHaveLength(501);
    expect(lines.at(-1)?.text).toBe('… 99,500 more lines');
  });

  test('have no line ends, no control characters and no half of a character', () => {
    fc.assert(
      fc.property(hostileMessage, (message) => {
        for (const { text, url } of linesOf(message)) {
          expect(text).not.toMatch(/[\n\r]/);
          expect(hasControls(text)).toBe(false);
          expect(text.isWellFormed()).toBe(true);
          expect(url ?? 'https:').toMatch(/^https?:/);
        }
        expect(titleOf(message)).not.toBe('');
      }),
    );
  });
});

describe('a limit', () => {
  const rooms = fc.record({ most: fc.integer({ min: 40, max: 3_000 }), lengthOf: fc.constantFrom(characters, bytes) });

  test('is kept, whatever the message is', () => {
    fc.assert(
      fc.property(hostileMessage, rooms, (message, room) => {
        expect(room.lengthOf(fitted(linesOf(message), plainly, room))).toBeLessThanOrEqual(room.most);
        expect(room.lengthOf(plainText(message, room))).toBeLessThanOrEqual(room.most);
      }),
    );
  });

  test('is kept by a text that is cut, with a word about it and no half of a character', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 400 }), rooms, (part, times, room) => {
        const text = part.toWellFormed().repeat(times);
        const shown = cut(text, room);
        expect(room.lengthOf(shown)).toBeLessThanOrEqual(room.most);
        expect(shown === text || shown.endsWith('… (cut: too long)')).toBe(true);
        expect(shown.isWellFormed()).toBe(true);
      }),
    );
  });

  test('is kept by a line, and by one whose mark-up makes it longer', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 40 }), (part, times) => {
        const text = part.repeat(times);
        expect(oneLine(text, 60).length).toBeLessThanOrEqual(60);
        const doubled = within(text, 60, (line) => line.replaceAll(/./gu, '$&$&'));
        expect(doubled.length).toBeLessThanOrEqual(60);
      }),
    );
  });

  test('says how many lines it left out', () => {
    const lines = Array.from({ length: 9 }, (_, index) => ({ kind: 'ins' as const, text: `line ${index}` }));
    expect(fitted(lines, plainly, { most: 40, lengthOf: characters })).toBe('+ line 0\n+ line 1\n… 7 more lines');
    expect(fitted(lines, plainly, { most: 80, lengthOf: characters })).not.toContain('…');
  });
});

describe('an address', () => {
  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'mailto:a@b.example',
    'file:///etc/passwd',
    'no address',
    '',
    `https://a.example/${'x'.repeat(3_000)}`,
  ])('like %.30s is no link', (text) => {
    expect(webUrl(text)).toBeUndefined();
  });
});
