import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { changeLines, wrapped } from '../../../src/cli/changes/change-lines.ts';
import { shownHunks } from '../../../src/shared/documents/shown-change.ts';
import type { Paint } from '../../../src/cli/runtime/output.ts';
import { CHANGE, OLD_CHANGE } from '../../shared/documents/change-sample.ts';

const plain: Paint = (_, text) => text;
const tagged: Paint = (style, text) => (style === 'inverse' ? `[${text}]` : text);

describe('a change for people', () => {
  test('is like a unified diff, with the words that changed', () => {
    expect(changeLines(shownHunks(CHANGE), { paint: tagged, width: undefined })).toEqual([
      '@@ -3,3 +3,4 @@',
      '  Plans & prices',
      '- Team: [20] euros a month',
      '+ Team: [25] euros a month',
      '+ <script>alert("x")</script>\u{fffd}[2J',
      '  All prices without taxes',
    ]);
  });

  test('of an entry of the older format has no places', () => {
    expect(changeLines(shownHunks(OLD_CHANGE), { paint: plain, width: undefined })).toEqual([
      '@@',
      '- one',
      '- two',
      '@@',
      '+ three',
    ]);
  });

  test('shows links that lead elsewhere with both targets, what changed of them marked', () => {
    const links = [{ text: 'Read more', before: 'https://a.example/may', after: 'https://a.example/june' }];
    const hunks = [{ before: 7, after: 9, blocks: [], links }];
    expect(changeLines(shownHunks({ hunks }), { paint: tagged, width: undefined })).toEqual([
      '@@ links @@',
      '- Read more -> https://a.example/[may]',
      '+ Read more -> https://a.example/[june]',
    ]);
  });

  test('pairs lines that came only with those that went right before them', () => {
    const blocks = [{ del: ['Team: 20 euros'] }, { ctx: ['and'] }, { ins: ['Team: 25 euros'] }];
    const lines = changeLines(shownHunks({ hunks: [{ before: 1, after: 1, blocks }] }), {
      paint: tagged,
      width: undefined,
    });
    expect(lines.slice(1)).toEqual(['- Team: 20 euros', '  and', '+ Team: 25 euros']);
  });

  test('leaves the later lines of a change that nobody reads to its end without marks', () => {
    const line = (price: number): string => `${'a plan that has many words '.repeat(40)}costs ${price} euros`;
    const blocks = [
      { del: Array.from({ length: 400 }, () => line(20)) },
      { ins: Array.from({ length: 400 }, () => line(25)) },
    ];
    const lines = changeLines(shownHunks({ hunks: [{ before: 1, after: 1, blocks }] }), {
      paint: tagged,
      width: undefined,
    });
    expect(lines[1]).toContain('costs [20] euros');
    expect(lines.at(-1)).toContain('costs 25 euros');
  });

  test('paints a changed word after the wrap as before it', () => {
    const parts = [
      { text: 'one two ', changed: false },
      { text: 'three four', changed: true },
      { text: ' five', changed: false },
    ];
    expect(wrapped(parts, 12)).toEqual([
      [{ text: 'one two', changed: false }],
      [{ text: 'three four', changed: true }],
      [{ text: 'five', changed: false }],
    ]);
  });

  test('wrapped, loses nothing but the blanks at which it is broken, and is no wider than its widest word', () => {
    const part = fc.record({ text: fc.stringMatching(/^[a-z 漢]{0,12}$/), changed: fc.boolean() });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.integer({ min: 4, max: 30 }), (parts, width) => {
        const text = parts.map((one) => one.text).join('');
        const rows = wrapped(parts, width).map((row) => row.map((one) => one.text).join(''));
        expect(rows.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        for (const row of rows.map((one) => one.trim()).filter((one) => one.includes(' '))) {
          expect(stringWidth(row)).toBeLessThanOrEqual(width - 2);
        }
      }),
    );
  });
});
