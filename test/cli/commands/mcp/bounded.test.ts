import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ANSWER_LENGTH, bounded } from '../../../../src/cli/commands/mcp/bounded.ts';

const lengthOf = (value: unknown): number => JSON.stringify(value).length;

describe('an answer', () => {
  test('that fits is told whole', () => {
    const value = { rules: [{ id: 'a', tag: null }], total: 1, ok: true };
    expect(bounded(value)).toEqual({ value, cut: [] });
  });

  test('that is too long loses the end of its longest list, and says so', () => {
    const rules = Array.from({ length: 2_000 }, (_, id) => ({ id, value: 'title:ferry '.repeat(5), tags: ['a', 'b'] }));
    const { value, cut } = bounded({ rules, total: 2_000 });
    const shown = value['rules'] as typeof rules;
    expect(lengthOf(value)).toBeLessThanOrEqual(ANSWER_LENGTH);
    expect(shown).toEqual(rules.slice(0, shown.length));
    expect(shown.length).toBeGreaterThan(100);
    expect(cut).toEqual([`rules: ${shown.length} of 2,000 are shown`]);
    expect(value['total']).toBe(2_000);
  });

  test('with long texts has their beginnings', () => {
    const { value, cut } = bounded({ document: { title: 'a'.repeat(10_000) } });
    expect(value).toEqual({ document: { title: `${'a'.repeat(4_000)}… [6,000 more characters]` } });
    expect(cut).toEqual(['1 text shortened']);
  });

  test('of many lists names the place of those that were cut once', () => {
    const block = { ins: Array.from({ length: 400 }, () => 'a line of a page that has changed') };
    const { value, cut } = bounded({ hunks: [{ blocks: [block] }, { blocks: [block] }] }, 10_000);
    expect(lengthOf(value)).toBeLessThanOrEqual(10_000);
    expect(cut).toEqual(['hunks.blocks.ins: the ends of 2 lists are left out']);
  });

  test('of lists within lists is cut in few steps, and says nothing of what is gone with the rest', () => {
    const texts = Array.from({ length: 400 }, (_, n) => `line ${n}`);
    const hunks = Array.from({ length: 400 }, () => ({ lines: [...texts] }));
    const { value, cut } = bounded({ hunks }, 10_000);
    const shown = value['hunks'] as typeof hunks;
    expect(lengthOf(value)).toBeLessThanOrEqual(10_000);
    expect(cut).toEqual([
      `hunks: ${shown.length} of 400 are shown`,
      `hunks.lines: the ends of ${shown.length} lists are left out`,
    ]);
  });

  test('has no more characters than it may, whatever is in it, and keeps its form', () => {
    const text = fc.string({ maxLength: 3_000 });
    const match = fc.record({ title: text, chunks: fc.array(fc.record({ typ: fc.constant('ins'), text })) });
    fc.assert(
      fc.property(fc.record({ cursor: fc.integer(), matches: fc.array(match, { maxLength: 30 }) }), (answer) => {
        const { value, cut } = bounded(answer, 5_000);
        expect(lengthOf(value)).toBeLessThanOrEqual(5_000);
        expect(value['cursor']).toBe(answer.cursor);
        const shown = value['matches'] as typeof answer.matches;
        expect(shown.every(({ title, chunks }) => typeof title === 'string' && Array.isArray(chunks))).toBe(true);
        expect(shown.length < answer.matches.length).toBe(cut.some((one) => one.startsWith('matches: ')));
      }),
      { numRuns: 50 },
    );
  });
});
