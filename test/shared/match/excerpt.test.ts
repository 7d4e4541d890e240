import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DIFF_BYTES, DIFF_UNHIT_CHARS } from '../../../src/shared/limits.ts';
import { RuleIndex } from '../../../src/shared/match/rule-index.ts';
import type { Chunk } from '../../../src/shared/page/change.ts';
import { changedPage, del, ins, NOW, queryOf } from './changed-page.ts';

/** What a tap with these rules gets of these chunks. */
function delivered(queries: string | readonly string[], chunks: readonly Chunk[], title = 'Ferry'): readonly Chunk[] {
  const index = new RuleIndex();
  for (const [id, text] of [queries].flat().entries()) {
    index.register({ id: `${id}`, tapId: 'tap', query: queryOf(text), quality: false, nsfw: false });
  }
  const [match] = index.match(changedPage({ chunks, title }), NOW).matches;
  if (!match) throw new Error('no match');
  return match.chunks;
}

function bytesOf(chunks: readonly Chunk[]): number {
  return new TextEncoder().encode(JSON.stringify({ chunks })).length;
}

const filler = (count: number): string => 'lorem ipsum dolor '.repeat(count).trim();

describe('the delivered diff', () => {
  it('is the chunk that was hit and its neighbours, in the order of the page', () => {
    const chunks = [ins('one'), del('two'), ins('A ferry'), del('four'), ins('five')];
    expect(delivered('ferry', chunks)).toEqual(chunks.slice(1, 4));
  });

  it('joins the hits of all rules of the tap, and shares neighbours', () => {
    const chunks = [ins('one'), del('old tram'), ins('between'), ins('new ferry'), del('five'), ins('six')];
    expect(delivered(['ferry', 'removed:tram'], chunks)).toEqual(chunks.slice(0, 5));
  });

  it('leaves out what NOT, or a failed AND beside OR, says', () => {
    const chunks = [ins('council'), ins('x'), ins('y'), ins('z'), ins('ferry')];
    expect(delivered('ferry OR (council AND tram)', chunks)).toEqual(chunks.slice(3));
  });

  it('a long chunk is cut to 200 characters around each hit, at spaces', () => {
    const text = `${filler(100)} ferry ${filler(100)} second ferry line ${filler(100)}`;
    const [chunk] = delivered('ferry', [ins(text)]);
    expect(chunk?.text).toMatch(
      /^…(?:lorem|ipsum|dolor) .* ferry .* … .* second ferry line .* (?:lorem|ipsum|dolor)…$/,
    );
    for (const context of chunk?.text.split(/ferry| … /) ?? []) expect(context.length).toBeLessThanOrEqual(200);
    expect(chunk?.text.length).toBeGreaterThan(700);
  });

  it('hits that are close to one another share their context', () => {
    const text = `${filler(50)} ferry and ferry and ferry ${filler(50)}`;
    const [chunk] = delivered('ferry', [ins(text)]);
    expect(chunk?.text).toContain('ferry and ferry and ferry');
    expect(chunk?.text).not.toContain(' … ');
  });

  it('a phrase is shown where it stands, not where its words stand alone', () => {
    const text = `ferry ${filler(100)} ferry line ${filler(100)} line`;
    const [chunk] = delivered('"ferry line"', [ins(text)]);
    expect(chunk?.text.match(/ferry|line/g)).toEqual(['ferry', 'line']);
  });

  it('a long neighbour is cut', () => {
    const [hit, neighbour] = delivered('ferry', [ins('ferry'), del(filler(100))]);
    expect(hit).toEqual(ins('ferry'));
    expect(neighbour?.text).toMatch(/^lorem .{300,400}…$/);
    expect(neighbour?.text.length).toBeLessThanOrEqual(400);
  });

  it('where no text clause hit, it is the first chunks up to 2,000 characters', () => {
    const chunks = Array.from({ length: 30 }, (_, index) => ins(`${index} ${filler(10)}`));
    const found = delivered('title:ferry', chunks);
    const length = found.reduce((sum, chunk) => sum + chunk.text.length, 0);
    expect(length).toBeGreaterThan(DIFF_UNHIT_CHARS - 200);
    expect(length).toBeLessThanOrEqual(DIFF_UNHIT_CHARS);
    expect(found.slice(0, -1)).toEqual(chunks.slice(0, found.length - 1));
  });

  it('is empty when only the title changed', () => {
    expect(delivered('title:ferry', [])).toEqual([]);
  });

  it('of a whole new page is never the whole page', () => {
    const [chunk, ...others] = delivered('ferry', [ins(`${filler(1_000)} ferry ${filler(1_000)}`)]);
    expect(others).toEqual([]);
    expect(chunk?.text.length).toBeLessThanOrEqual(405);
  });

  describe('of a short page that is seen for the first time', () => {
    /** What is delivered of a page that is new, with these lines. */
    function first(query: string, ...lines: string[]): string | undefined {
      const index = new RuleIndex();
      index.register({ id: 'r', tapId: 'tap', query: queryOf(query), quality: false, nsfw: false });
      const page = changedPage({ chunks: [ins(lines.join('\n'))], content: lines });
      const [match] = index.match(page, NOW).matches;
      expect(match?.chunks).toHaveLength(1);
      return match?.chunks[0]?.text;
    }

    it('is the line that was hit with those beside it', () => {
      expect(first('ferry', 'one', 'two', 'A ferry', 'four', 'five')).toBe('…two\nA ferry\nfour…');
    });

    it('is the line that was hit alone where the page has no more than those', () => {
      expect(first('ferry', 'A ferry', 'two')).toBe('A ferry…');
      expect(first('ferry', 'one', 'A ferry', 'three')).toBe('…A ferry…');
      expect(first('ferry AND tram', 'ferry', 'x', 'tram')).toBe('ferry … tram');
    });

    it('is the first line of each word where all lines were hit', () => {
      expect(first('ferry', 'A ferry', 'Ferry two', 'a ferry three')).toBe('A ferry…');
      expect(first('ferry AND tram', 'A ferry', 'Ferry two', 'a tram')).toBe('A ferry … a tram');
    });

    it('is all of it where nothing less carries the match', () => {
      expect(first('ferry', 'A ferry')).toBe('A ferry');
      expect(first('ferry AND tram', 'A ferry', 'a tram')).toBe('A ferry\na tram');
    });

    it('is less than the page too where the context of its hits would be all of it', () => {
      const lines = ['A ferry', 'x'.repeat(190), 'y'.repeat(190), 'ferry again'];
      expect(first('ferry', ...lines)).toBe('A ferry … ferry again');
    });

    it('is a chunk like any other where the page says more than what is new', () => {
      const index = new RuleIndex();
      index.register({ id: 'r', tapId: 'tap', query: queryOf('ferry'), quality: false, nsfw: false });
      const page = changedPage({ chunks: [ins('A ferry\ntwo')], content: ['A ferry', 'two', 'known before'] });
      expect(index.match(page, NOW).matches[0]?.chunks).toEqual([ins('A ferry\ntwo')]);
    });
  });

  it('puts hits before neighbours when there is more than 16 KiB', () => {
    const chunks = Array.from({ length: 200 }, (_, index) => [
      ins(`ferry ${index} ${filler(4)}`),
      del(filler(20)),
    ]).flat();
    const found = delivered('ferry', chunks);
    expect(found.filter((chunk) => chunk.typ === 'ins').length).toBeGreaterThan(140);
    expect(found.findLastIndex((chunk) => chunk.typ === 'del')).toBeLessThan(5);
  });

  describe('of more hits than 16 KiB can show', () => {
    /** 110 hits of one rule, each in a chunk of its own, and `rare` among them. */
    function crowd(...rare: readonly Chunk[]): readonly Chunk[] {
      const common = Array.from({ length: 110 }, (_, index) => ins(`ferry ${index} ${filler(8)}`));
      return [...common.flatMap((chunk) => [del('gone'), chunk]), ...rare];
    }

    it('shows a rule that hit once beside one that hit often, and is filled up in the order of the page', () => {
      const chunks = crowd(del('gone'), ins('a lonely octopus'));
      const found = delivered(['ferry', 'octopus'], chunks);
      expect(found.at(-1)).toEqual(ins('a lonely octopus'));
      // The last of the others may be cut.
      expect(found.slice(0, -2)).toEqual(chunks.filter(({ typ }) => typ === 'ins').slice(0, found.length - 2));
      expect(found.length).toBeGreaterThan(80);
    });

    it('shows a rule that hit what was removed', () => {
      const found = delivered(['ferry', 'removed:octopus'], crowd(del('an octopus')));
      expect(found.at(-1)).toEqual(del('an octopus'));
    });

    it('shows what each clause of a rule hit', () => {
      const found = delivered('ferry AND octopus AND "blue whale"', crowd(ins('an octopus'), ins('a blue whale')));
      expect(found.slice(-2)).toEqual([ins('an octopus'), ins('a blue whale')]);
    });

    it('shows a rule that hit once in a long chunk that another one hits all over', () => {
      const text = `${'渡船 ferry '.repeat(2_000)}octopus ${'渡船 ferry '.repeat(40)}`;
      const [chunk, ...others] = delivered(['ferry', 'octopus'], [ins(text)]);
      expect(others).toEqual([]);
      const [often, once] =
        chunk?.text.split(' … ').map((part) => [part.length, part.slice(0, 8), part.slice(-8)]) ?? [];
      expect(often).toEqual([expect.any(Number), '渡船 ferry', '渡船 ferry']);
      expect(once?.[0]).toBeLessThan(500);
      expect(chunk?.text).toContain('渡船 ferry octopus 渡船');
      expect(bytesOf([chunk!])).toBeGreaterThan((DIFF_BYTES * 3) / 4);
    });

    it('shows all rules of a tap with less around them where that is too much', () => {
      const names = Array.from({ length: 100 }, (_, index) => `name${index}`);
      const found = delivered(
        ['ferry', ...names],
        crowd(...names.map((name) => ins(`${filler(20)} ${name} ${filler(20)}`))),
      );
      for (const name of names) expect(found.filter(({ text }) => text.split(' ').includes(name))).toHaveLength(1);
    });

    it('shows a rule whatever is in the way', () => {
      const word: fc.Arbitrary<string> = fc.constantFrom('ferry', '渡船', '\u0001', '"', '😀', 'ipsum');
      const text = fc
        .tuple(fc.array(word, { minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 60 }))
        .map(([words, times]) => Array.from({ length: times }, () => words).flat());
      const rare = Array.from({ length: 25 }, (_, index) => `rare${index}`);
      const places = fc.array(fc.tuple(fc.nat(7), fc.nat(900)), { minLength: rare.length, maxLength: rare.length });
      fc.assert(
        fc.property(fc.array(text, { minLength: 8, maxLength: 8 }), places, (texts, at) => {
          for (const [index, [chunk, word]] of at.entries()) texts[chunk]?.splice(word, 0, rare[index] ?? '');
          const chunks = texts.map((words, index) => (index % 2 === 0 ? ins : del)(words.join(' ')));
          const found = delivered(
            ['ferry', 'removed:ferry', ...rare, ...rare.map((name) => `removed:${name}`)],
            chunks,
          );
          const shown = new Set(found.flatMap((chunk) => chunk.text.split(/[\s…]+/)));
          expect(rare.filter((name) => !shown.has(name))).toEqual([]);
          expect(bytesOf(found)).toBeLessThanOrEqual(DIFF_BYTES);
        }),
        { numRuns: 30, endOnFailure: true },
      );
    });
  });

  it('is at most 16 KiB of JSON and never splits a surrogate pair', () => {
    const text = fc
      .array(fc.constantFrom('ferry', ' ', '😀', '\u0001', '"', 'é', 'ipsum ', '東'), { maxLength: 3_000, size: 'max' })
      .map((parts) => parts.join(''));
    const chunk = fc.oneof(text.map(ins), text.map(del));
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 8 }), (chunks) => {
        const found = delivered(['title:ferry', 'ferry', 'removed:ferry'], chunks);
        const json = JSON.stringify({ chunks: found });
        expect(bytesOf(found)).toBeLessThanOrEqual(DIFF_BYTES);
        expect(json.isWellFormed()).toBe(true);
        expect(json).not.toMatch(/\\ud[89a-f]/);
      }),
      { numRuns: 50 },
    );
  });
});
