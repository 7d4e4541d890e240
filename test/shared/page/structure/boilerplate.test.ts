import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compare } from '../../../../src/shared/page/compare.ts';
import { Boilerplate } from '../../../../src/shared/page/structure/boilerplate.ts';
import { type Anchor, NO_FACTS, type Page } from '../../../../src/shared/page/page.ts';

const page = (texts: readonly string[], anchors: readonly Anchor[] = []): Page => ({
  url: 'https://example.com/',
  segments: texts.map((text) => ({ text, kind: 'sentence', zone: 'body' })),
  anchors,
  links: [],
  facts: NO_FACTS,
});

const NOW = Date.UTC(2026, 0, 10);
const DAY = 24 * 3_600_000;

const letters = 'a b c d e f g h'.split(' ');

/** A host whose pages have a notice in common, and two sentences each of their own. */
function host(pages: number, days = 10): Boilerplate {
  const boilerplate = Boilerplate.from(Boilerplate.from(undefined, NOW - days * DAY).toBytes(), NOW);
  for (let index = 0; index < pages; index += 1) {
    boilerplate.learn(undefined, page(['We bake cookies.', `Page ${index} begins.`, `Page ${index} ends.`]));
  }
  return boilerplate;
}

describe('the boilerplate of a host', () => {
  test('is what stands on ten of its pages and a fifth of them', () => {
    expect(host(9).has('We bake cookies.')).toBe(false);
    expect(host(10).has('We bake cookies.')).toBe(true);
    expect(host(10).has('Page 3 begins.')).toBe(false);
    const rare = host(10);
    for (let index = 0; index < 50; index += 1) rare.learn(undefined, page([`Another ${index}.`]));
    expect(rare.has('We bake cookies.')).toBe(false);
  });

  test('counts a text once a page, and pages that lose it no more', () => {
    const boilerplate = Boilerplate.from(undefined, NOW);
    boilerplate.learn(undefined, page(Array.from({ length: 30 }, () => 'Again.')));
    expect(boilerplate.has('Again.')).toBe(false);
    const many = host(12);
    for (let index = 0; index < 3; index += 1) many.learn(page(['We bake cookies.']), page(['No more.']));
    expect(many.has('We bake cookies.')).toBe(false);
  });

  test('comes back from its bytes as it was', () => {
    const texts = fc.array(fc.array(fc.constantFrom(...letters), { maxLength: 6 }), { maxLength: 40 });
    fc.assert(
      fc.property(texts, (pages) => {
        const boilerplate = Boilerplate.from(undefined, NOW);
        for (const texts of pages) boilerplate.learn(undefined, page(texts));
        const again = Boilerplate.from(boilerplate.toBytes(), NOW);
        expect(letters.map((text) => again.has(text))).toEqual(letters.map((text) => boilerplate.has(text)));
        expect(again.toBytes()).toEqual(boilerplate.toBytes());
      }),
    );
  });

  test('is unknown where the bytes are of no form it knows', () => {
    const other = host(10).toBytes();
    other[1] = (other[1] ?? 0) + 1;
    expect(Boilerplate.from(other, NOW).has('We bake cookies.')).toBe(false);
    expect(Boilerplate.from(Uint8Array.of(9, 9, 9, 9), NOW).toBytes()).toEqual(
      Boilerplate.from(undefined, NOW).toBytes(),
    );
    expect(Boilerplate.from(new Uint8Array(), NOW).has('x')).toBe(false);
  });

  test('stays small, and finds what is common among what is not', () => {
    const boilerplate = Boilerplate.from(undefined, NOW);
    for (let index = 0; index < 3_000; index += 1) {
      const own = Array.from({ length: 40 }, (_, line) => `Line ${line} of ${index}.`);
      boilerplate.learn(undefined, page(['We bake cookies.', ...own]));
    }
    expect(boilerplate.toBytes().length).toBeLessThan(13_000);
    expect(boilerplate.has('We bake cookies.')).toBe(true);
    expect(boilerplate.has('Line 3 of 2999.')).toBe(false);
  });

  test('is no change, neither when it comes nor when it is first known', () => {
    const known = host(10);
    const isBoilerplate = known.has.bind(known);
    const [without, withIt] = [page(['Page 3 begins.']), page(['Page 3 begins.', 'We bake cookies.'])];
    expect(compare(without, withIt).change).toBeDefined();
    expect(compare(without, withIt, { isBoilerplate }).change).toBeUndefined();
    expect(compare(withIt, without, { isBoilerplate }).change).toBeUndefined();
    expect(compare(undefined, withIt, { isBoilerplate }).change?.chunks).toEqual([
      { typ: 'ins', text: 'Page 3 begins.' },
    ]);
  });

  test('has no sentence of the main text in the first days of a host', () => {
    const isBoilerplate = (known: Boilerplate) => (key: string, isMainSentence?: boolean) =>
      known.has(key, isMainSentence);
    const [without, withIt] = [page(['Page 3 begins.']), page(['Page 3 begins.', 'We bake cookies.'])];
    const early = compare(without, withIt, { isBoilerplate: isBoilerplate(host(10, 2)) });
    expect(early.change?.chunks).toEqual([{ typ: 'ins', text: 'We bake cookies.' }]);
    expect(early.ignored).toEqual([]);
    const later = compare(without, withIt, { isBoilerplate: isBoilerplate(host(10, 3)) });
    expect(later.change).toBeUndefined();
    const said = { before: '', after: 'We bake cookies.', reason: 'on many pages of its host' };
    expect(later.ignored).toEqual([said]);
    expect(compare(undefined, withIt, { isBoilerplate: isBoilerplate(host(10, 3)) }).ignored).toEqual([said]);
  });

  test('has links, too', () => {
    const link: Anchor = { href: 'https://example.com/offer', text: 'Offer', zone: 'body' };
    const boilerplate = Boilerplate.from(undefined, NOW);
    for (let index = 0; index < 10; index += 1) boilerplate.learn(undefined, page([`Page ${index}.`], [link]));
    const isBoilerplate = boilerplate.has.bind(boilerplate);
    expect(compare(page(['a']), page(['a'], [link]), { isBoilerplate }).change).toBeUndefined();
    const other = { ...link, href: 'https://example.com/other' };
    expect(compare(page(['a']), page(['a'], [other]), { isBoilerplate }).change?.addedAnchors).toEqual(['Offer']);
  });

  test('what stands beside the main text of many pages is news on the page that is about it', () => {
    const headline = 'Harbour closed by storm';
    const link: Anchor = { href: 'https://example.com/storm', text: headline, zone: 'body' };
    const zoned = (main: readonly string[], beside: readonly string[], anchors: readonly Anchor[] = []): Page => ({
      ...page([], anchors),
      segments: [
        ...main.map((text) => ({ text, kind: 'sentence' as const, zone: 'main' as const })),
        ...beside.map((text) => ({ text, kind: 'sentence' as const, zone: 'body' as const })),
      ],
    });
    const boilerplate = Boilerplate.from(undefined, NOW);
    for (let index = 0; index < 20; index += 1) {
      boilerplate.learn(undefined, zoned([`Story ${index}.`], [headline], [link]));
    }
    const isBoilerplate = boilerplate.has.bind(boilerplate);
    const [another, without] = [zoned(['Story.'], [headline], [link]), zoned(['Story.'], [])];
    expect(compare(without, another, { isBoilerplate }).change).toBeUndefined();
    const story = zoned([headline, 'Ferries wait.'], [headline]);
    expect(compare(undefined, story, { isBoilerplate }).change?.chunks).toEqual([
      { typ: 'ins', text: `${headline}\nFerries wait.` },
    ]);
    const front = compare(page(['News']), page(['News', headline], [link]), { isBoilerplate }).change;
    expect(front).toMatchObject({ chunks: [{ typ: 'ins', text: headline }], addedAnchors: [headline] });
    // It neither goes nor comes when it moves between the two, nor when its box lets go of it.
    const moved = zoned(['Ferries wait.'], [headline]);
    expect(compare(story, moved, { isBoilerplate }).change).toBeUndefined();
    expect(compare(moved, story, { isBoilerplate }).change).toBeUndefined();
    expect(compare(story, zoned([headline, 'Ferries wait.'], []), { isBoilerplate }).change).toBeUndefined();
  });
});
