import { expect, test } from 'vitest';
import { simhash } from '../../../../src/shared/page/diff/simhash.ts';

/** A text of its own for each seed. */
function words(seed: number, count: number): string[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return `w${(state >>> 8) % 4_000}`;
  });
}

function distance(one: readonly string[], other: readonly string[]): number {
  const [a = '', b = ''] = [simhash(one.join(' ')), simhash(other.join(' '))];
  expect([a, b]).toEqual([expect.stringMatching(/^[\da-f]{16}$/), expect.stringMatching(/^[\da-f]{16}$/)]);
  const bits = (BigInt(`0x${a}`) ^ BigInt(`0x${b}`)).toString(2);
  return bits.replaceAll('0', '').length;
}

const seeds = Array.from({ length: 40 }, (_, index) => index + 1);

test('a text is its own duplicate, whatever its case, spaces and marks', () => {
  const text = words(1, 300);
  expect(
    distance(
      text,
      text.map((word) => `${word.toUpperCase()},\n`),
    ),
  ).toBe(0);
});

test('a long text with one word changed is within three bits', () => {
  const near = seeds.filter((seed) => {
    const text = words(seed, 2_000);
    return distance(text, text.with(1_000, 'changed')) <= 3;
  });
  expect(near.length).toBeGreaterThanOrEqual(38);
});

test('texts that share nothing differ in about half of the bits', () => {
  const distances = seeds.map((seed) => distance(words(seed, 300), words(seed + 1_000, 300)));
  expect(Math.min(...distances)).toBeGreaterThan(12);
  expect(distances.reduce((sum, bits) => sum + bits, 0) / distances.length).toBeGreaterThan(28);
});

test('pages of one template that differ in a paragraph are two', () => {
  const distances = seeds.map((seed) => {
    const template = words(seed, 300);
    return distance([...template, ...words(seed + 1_000, 40)], [...template, ...words(seed + 2_000, 40)]);
  });
  expect(Math.min(...distances)).toBeGreaterThan(3);
});

test('what a page repeats does not outvote what it says', () => {
  const repeated = Array.from({ length: 500 }, () => ['read', 'more', 'here']).flat();
  expect(distance([...repeated, ...words(1, 300)], [...repeated, ...words(2, 300)])).toBeGreaterThan(12);
});

test('a short text has none', () => {
  expect(simhash(words(1, 49).join(' '))).toBeUndefined();
  expect(simhash(words(1, 50).join(' '))).toBeDefined();
  expect(simhash('')).toBeUndefined();
});

test('where words have no spaces, characters are counted', () => {
  expect(simhash('新しい記事が公開されました'.repeat(5))).toBeDefined();
});

test('a hash stands in the database: it must not change', () => {
  expect(simhash(words(7, 100).join(' '))).toBe('ac614881c6010d81');
});
