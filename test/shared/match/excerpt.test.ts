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

  it('is at most 16 KiB of JSON and never splits a surrogate pair', () => {
    const text = fc
      .array(fc.constantFrom('ferry', ' ', '😀', '\u0001', '"', 'é', 'ipsum ', '東'), { maxLength: 3_000, size: 'max' })
      .map((parts) => parts.join(''));
    const chunk = fc.oneof(text.map(ins), text.map(del));
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 8 }), (chunks) => {
        const found = delivered(['title:ferry', 'ferry', 'removed:ferry'], chunks);
        const json = JSON.stringify({ chunks: found });
        expect(new TextEncoder().encode(json).length).toBeLessThanOrEqual(DIFF_BYTES);
        expect(json.isWellFormed()).toBe(true);
        expect(json).not.toMatch(/\\ud[89a-f]/);
      }),
      { numRuns: 50 },
    );
  });
});
