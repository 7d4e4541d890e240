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
function visits(middles: readonly (readonly string[])[], every = 1): string[] {
  let history: PageHistory = NO_HISTORY;
  let last = page('head', ...(middles[0] ?? []), 'foot');
  return middles.slice(1).map((middle) => {
    const next = page('head', ...middle, 'foot');
    const found = compare(last, next, { history, visits: every });
    ({ history } = found);
    last = next;
    return found.change ? 'change' : found.ignored.map(({ reason }) => reason).join();
  });
}

/** So many changes, and then so many that are none. */
const times = (changes: number, ignored: number): string[] =>
  Array.from({ length: changes + ignored }, (_, index) => (index < changes ? 'change' : 'rotates'));

const one = (text: string): string[] => [text];
const quotes = (order: string): string[][] =>
  order.split('').map((name) => [`A sentence that ${name} once said of ferries.`]);
const changes = (count: number): string[] => times(count, 0);

describe('text that changes by itself, by what the visits have shown', () => {
  test('a teaser that rotates is a change until it has been seen to come round', () => {
    expect(visits(quotes('abcabcabc'))).toEqual(times(2, 6));
    expect(visits(quotes('abcbacabcc'))).toEqual([...times(2, 6), '']);
  });

  test('a teaser of a headline and a line rotates as one', () => {
    const teasers = quotes('abcabc').map(([quote = '']) => [`Said today: ${quote}`, quote]);
    expect(visits(teasers)).toEqual([...changes(2), ...Array.from({ length: 3 }, () => 'rotates,rotates')]);
  });

  test('a page that goes back once has changed twice', () => {
    expect(visits(quotes('aba'))).toEqual(changes(2));
  });

  test('what goes to and fro between two states is a change each time', () => {
    expect(visits(quotes('abababababab'))).toEqual(changes(11));
    const both = quotes('abababab').map(([quote = '']) => [`Said today: ${quote}`, quote]);
    expect(visits(both)).toEqual(changes(7));
  });

  test('what is short is a state, and a change whenever it comes back', () => {
    const states = ['In stock', 'Few left', 'Sold out'];
    expect(visits(Array.from({ length: 12 }, (_, visit) => one(states[visit % 3] ?? '')))).toEqual(changes(11));
  });

  test('what comes back after many visits is a change', () => {
    expect(visits(quotes('abcabcabc'), 3)).toEqual(changes(8));
  });

  test('what is new is reported, however often its place changes', () => {
    const news = Array.from({ length: 12 }, (_, index) => one(`Headline number ${index} of the day, with its news`));
    expect(visits(news)).toEqual(changes(11));
  });

  test('what a rotation leaves empty is a deletion', () => {
    expect(visits([...quotes('abcabc'), []]).at(-1)).toBe('change');
  });

  test('a list that grows at its top is news each time', () => {
    const list = Array.from({ length: 10 }, (_, index) =>
      Array.from({ length: index + 1 }, (_, item) => `Item ${index - item} of a list that grows at its top`),
    );
    expect(visits(list)).toEqual(changes(9));
  });

  test('a number is a change forever, with a currency or without', () => {
    expect(visits(Array.from({ length: 12 }, (_, index) => one(`$ ${index}.99`)))).toEqual(changes(11));
    expect(visits(Array.from({ length: 12 }, (_, index) => one(`${index + 20}`)))).toEqual(changes(11));
    expect(visits(Array.from({ length: 12 }, (_, index) => one(`${index + 9}:05`)))).toEqual(changes(11));
  });

  test('a page remembers a bounded number of places and texts', () => {
    let history: PageHistory = NO_HISTORY;
    for (let visit = 0; visit < 60; visit += 1) {
      const texts = (round: number): string[] =>
        Array.from({ length: 400 }, (_, index) => (index % 2 === 0 ? `stays ${index}` : `${round} at ${index}`));
      ({ history } = compare(page(...texts(visit)), page(...texts(visit + 1)), { history }));
    }
    expect(JSON.stringify(history).length).toBeLessThan(8_000);
  });
});

describe('links that change by themselves', () => {
  const ad = (name: string): Page => ({
    ...page('head', `An offer of the house of ${name}, for you.`, 'Read more', 'foot'),
    anchors: [
      { href: `https://ads.example/${name}`, text: `house of ${name}`, zone: 'body' },
      { href: `https://ads.example/${name}`, text: 'Read more', zone: 'body' },
    ],
  });
  const seen = (pages: readonly Page[]): string[] => {
    let history: PageHistory = NO_HISTORY;
    return pages.slice(1).map((after, index) => {
      const found = compare(pages[index], after, { history });
      ({ history } = found);
      return found.change ? 'change' : found.ignored.map(({ reason }) => reason).join();
    });
  };

  test('rotate with the teaser that they are in', () => {
    const both = 'rotates,link rotates';
    expect(seen('abcabc'.split('').map(ad))).toEqual([...changes(2), both, both, both]);
  });

  test('are a change when they go to and fro, beside others too', () => {
    expect(seen('ababab'.split('').map(ad))).toEqual(changes(5));
    const two = (name: string): Page => ({
      ...ad(name),
      anchors: ['Tickets', 'Timetable'].map((text) => ({ href: `https://ads.example/${name}`, text, zone: 'body' })),
    });
    expect(seen('ababab'.split('').map(two))).toEqual(changes(5));
  });

  test('are a change when they are new, whatever rotates beside them', () => {
    const rotating = 'abcabc'.split('').map(ad);
    const last = ad('b');
    const link = { href: 'https://example.com/new', text: 'Timetable', zone: 'body' } as const;
    expect(seen([...rotating, { ...last, anchors: [...last.anchors, link] }]).at(-1)).toBe('change');
  });
});
