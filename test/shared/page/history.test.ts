import { describe, expect, test } from 'vitest';
import { compare } from '../../../src/shared/page/compare.ts';
import { NO_HISTORY, type PageHistory } from '../../../src/shared/page/history.ts';
import { NO_FACTS, type Page } from '../../../src/shared/page/page.ts';

const page = (...texts: string[]): Page => ({
  url: 'https://example.com/',
  segments: texts.map((text) => ({ text, kind: 'sentence', zone: 'body' })),
  anchors: [],
  links: [],
  facts: NO_FACTS,
});

/** What each visit reports, of a page whose middle is one text after the other. */
function visits(middles: readonly (readonly string[])[]): string[] {
  let history: PageHistory = NO_HISTORY;
  let last = page('head', ...(middles[0] ?? []), 'foot');
  return middles.slice(1).map((middle) => {
    const next = page('head', ...middle, 'foot');
    const found = compare(last, next, { history });
    ({ history } = found);
    last = next;
    return found.change ? 'change' : found.ignored.map(({ reason }) => reason).join();
  });
}

/** So many changes, and then so many that are none. */
const times = (changes: number, ignored: number): string[] =>
  Array.from({ length: changes + ignored }, (_, index) => (index < changes ? 'change' : 'rotates or counts'));

const one = (text: string): string[] => [text];

describe('text that changes by itself, by what the visits have shown', () => {
  test('a teaser that rotates is a change until it has been seen to come round', () => {
    expect(visits('abcabcabc'.split('').map(one))).toEqual(times(2, 6));
  });

  test('a page that goes back once has changed twice', () => {
    expect(visits(['old text', 'new text', 'old text'].map(one))).toEqual(['change', 'change']);
  });

  test('what is new is reported, however often its place changes', () => {
    const news = Array.from({ length: 12 }, (_, index) => one(`Headline number ${index} of the day`));
    expect(new Set(visits(news))).toEqual(new Set(['change']));
  });

  test('a list that grows at its top is news each time', () => {
    const list = Array.from({ length: 10 }, (_, index) =>
      Array.from({ length: index + 1 }, (_, item) => `Item ${index - item}`),
    );
    expect(new Set(visits(list))).toEqual(new Set(['change']));
  });

  test('a bare counter is a change until it has counted at five visits', () => {
    expect(visits(['12', '13', '17', '18', '21', '22', '31'].map(one))).toEqual(times(4, 2));
  });

  test('a price is a change for ever', () => {
    const prices = Array.from({ length: 12 }, (_, index) => one(`$ ${index}.99`));
    expect(new Set(visits(prices))).toEqual(new Set(['change']));
  });

  test('a page remembers a bounded number of places and texts', () => {
    let history: PageHistory = NO_HISTORY;
    for (let visit = 0; visit < 20; visit += 1) {
      const texts = (round: number): string[] =>
        Array.from({ length: 400 }, (_, index) => (index % 2 === 0 ? `stays ${index}` : `${round} at ${index}`));
      ({ history } = compare(page(...texts(visit)), page(...texts(visit + 1)), { history }));
    }
    expect(Object.keys(history.places).length).toBeLessThanOrEqual(50);
    expect(history.seen.length).toBeLessThanOrEqual(100);
  });
});
