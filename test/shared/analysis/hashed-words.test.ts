import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyze, LOWER_UNITS, lowerCase } from '../../../src/shared/analysis/analyze.ts';
import {
  eachHashedWord,
  hashOf,
  isWord,
  setBit,
  WordBatch,
  type WordSink,
} from '../../../src/shared/analysis/hashed-words.ts';

/** Every bit set: no word is passed over. */
const ALL = new Int32Array(1).fill(-1);

interface Token {
  readonly hash: number;
  readonly start: number;
  readonly end: number;
}

/** What a sink gets of the words whose bits are set. */
class Collected implements WordSink {
  readonly batch = new WordBatch();
  readonly tokens: Token[] = [];
  readonly indexes: number[] = [];
  words = 0;
  last: Token | undefined;

  constructor(text: string, bits = ALL) {
    eachHashedWord(text, bits, this);
  }

  found(count: number): void {
    const { hashes, starts, ends, indexes } = this.batch;
    for (let word = 0; word < count; word++) {
      this.tokens.push({ hash: hashes[word]!, start: starts[word]!, end: ends[word]! });
      this.indexes.push(indexes[word]!);
    }
  }

  ended(words: number, last: number): void {
    const { hashes, starts, ends } = this.batch;
    this.words = words;
    if (last !== -1) this.last = { hash: hashes[last]!, start: starts[last]!, end: ends[last]! };
  }
}

function hashed(text: string): readonly Token[] {
  return new Collected(text).tokens;
}

function analysed(text: string): { term: string; start: number; end: number }[] {
  const found: { term: string; start: number; end: number }[] = [];
  analyze(text, true, (term, _position, start, end) => found.push({ term, start, end }));
  return found;
}

function expectSameWords(text: string): void {
  const wanted = analysed(text);
  expect(hashed(text)).toEqual(wanted.map(({ term, start, end }) => ({ hash: hashOf(term), start, end })));
  for (const { term, start, end } of wanted) {
    expect(isWord(term, text, start, end)).toBe(true);
    expect(isWord(`${term}x`, text, start, end)).toBe(false);
    expect(isWord(`x${term.slice(1)}`, text, start, end)).toBe(term.startsWith('x'));
  }
}

describe('hashed words', { timeout: 60_000 }, () => {
  it('are counted, and the last one is told', () => {
    const { indexes, words, last } = new Collected('The ferry, and the tram.');
    expect(indexes).toEqual([0, 1, 2, 3, 4]);
    expect(words).toBe(5);
    expect(last).toEqual({ hash: hashOf('tram'), start: 19, end: 23 });
    expect(new Collected(' - ')).toMatchObject({ words: 0, last: undefined });
  });

  it('whose bit is not set are counted and passed over', () => {
    const bits = new Int32Array(64);
    setBit(bits, hashOf('tram'));
    const { indexes, words } = new Collected('A ferry and a TRAM, a tram.', bits);
    expect(indexes).toEqual([4, 6]);
    expect(words).toBe(7);
  });

  it('leave the last one where it can be read, whether it has its bit or filled the batch', () => {
    const bits = new Int32Array(64);
    setBit(bits, hashOf('a'));
    expect(new Collected('a ferry', bits).last).toEqual({ hash: hashOf('ferry'), start: 2, end: 7 });
    const texts = [511, 512, 513].map((count) => 'a '.repeat(count));
    expect(texts.map((text) => new Collected(text, bits).last?.start)).toEqual([1_020, 1_022, 1_024]);
  });

  it('are all reported, however many they are', () => {
    const { indexes } = new Collected('a '.repeat(3_000));
    expect(indexes).toEqual(Array.from({ length: 3_000 }, (_, index) => index));
  });

  it.each([
    "Don't stop, U.S.A. 3.14 1,000 10:30 v2.x x_y _ __a",
    'İSTANBUL ΟΔΟΣ Straße 𐐀𐐁 K',
    '東京タワー ภาษาไทย 서울시 שלום"ל ג\'',
    '👨‍👩‍👧 🇩🇪🇫🇷 #️⃣ 1️⃣ © a#b',
    `${'x'.repeat(300)} ${'x'.repeat(255)} ${'x'.repeat(256)}.y`,
    `${'_'.repeat(400)}a`,
    'e\u0301té \u0301x a\u00AD b\u200Bc',
    '',
  ])('are those of the analysis: %s', (text) => {
    expectSameWords(text);
  });

  it('are those of the analysis, whatever the text', () => {
    const unit = fc.oneof(
      fc.constantFrom(...Array.from('aZ1._\'":,; -#*東あアな한א̈\u200D\u200BİΣ😀𐐀\uD800\u0E20')),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    );
    const text = fc.array(unit, { maxLength: 60 }).map((units) => units.join(''));
    fc.assert(fc.property(text, expectSameWords), { numRuns: 1_000 });
  });

  const units = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code));

  it('are those of the analysis around every unit of the first plane', () => {
    const differing = units.filter((unit) => {
      const text = `a${unit}b ${unit} 1${unit}2 ${unit}${unit}c`;
      const wanted = analysed(text).map(({ term, start, end }) => ({ hash: hashOf(term), start, end }));
      return JSON.stringify(hashed(text)) !== JSON.stringify(wanted);
    });
    expect(differing).toEqual([]);
  });

  it('of an endless word are read in linear time', () => {
    const text = 'x'.repeat(2_000_000);
    expect(hashed(text).length).toBe(Math.ceil(text.length / 255));
    expect(hashed(`${text}_`).length).toBe(Math.ceil(text.length / 255));
    expect(hashed('a.'.repeat(1_000_000)).length).toBeGreaterThan(7_000);
  });

  it('lower units are lower-cased characters', () => {
    const differing = units.filter((unit) => String.fromCharCode(LOWER_UNITS[unit.charCodeAt(0)]!) !== lowerCase(unit));
    expect(differing).toEqual([]);
  });

  it('are those of the analysis in every text Lucene was asked about', () => {
    const file = new URL('../../vectors/lucene/e-tokens.jsonl', import.meta.url);
    for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
      expectSameWords((JSON.parse(line) as { text: string }).text);
    }
  });
});
