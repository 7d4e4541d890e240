import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageOf } from '../../../src/shared/digest/stories.ts';
import { type Different, storiesOf } from './match-sample.ts';

const LONG = Array.from({ length: 300 }, (_, index) => `word${index}`).join(' ');

describe('a story', () => {
  const [a, b] = ['https://a.example/1', 'https://b.example/2'];
  const text = 'A ferry leaves the harbour at nine every day.';
  const said = (...matches: readonly Different[]) =>
    storiesOf(...matches).map(({ changes }) => changes.map((change) => `${change.at.slice(11, 16)} ${change.excerpt}`));

  test('is one page, by whatever address, and the pages that say the same', () => {
    expect(storiesOf({ url: a, text }, { url: `${a}?utm_source=x#top`, text })).toMatchObject([
      { matches: 2, others: [], changes: [{ excerpt: text }] },
    ]);
    expect(storiesOf({ url: a, text, title: 'One' }, { url: b, text, title: 'Two' })).toMatchObject([
      { url: a, others: [{ url: b, title: 'Two' }], changes: [{ excerpt: text }] },
    ]);
  });

  test('folds nothing that differs: other texts under one title, short texts, two things of one shop', () => {
    const title = 'The new ferry leaves at nine';
    expect(storiesOf({ url: a, title, text }, { url: b, title, text: `${text} Not on Sundays.` })).toHaveLength(2);
    expect(storiesOf({ url: a, text: LONG }, { url: b, text: LONG.replace('word40', 'otherwise') })).toHaveLength(2);
    expect(storiesOf({ url: a, text: 'Sold out' }, { url: b, text: 'Sold out' })).toHaveLength(2);
    expect(storiesOf({ url: `${a}?id=1` }, { url: `${a}?id=2` })).toHaveLength(2);
    const [drill, saw] = [`${a}/drill`, `${a}/saw`];
    expect(storiesOf({ url: drill, title: 'Drill', text }, { url: saw, title: 'Saw', text })).toHaveLength(2);
  });

  test('shows all changes of its page, the newest first, each with its own time', () => {
    const change = (seconds: string, price: string) => ({ url: a, at: `2026-03-01T10:${seconds}Z`, text: price });
    const [ten, twelve, back] = [change('00:00', '10 EUR'), change('00:10', '12 EUR'), change('05:00', '10 EUR')];
    expect(said(ten, twelve)).toEqual([['10:00 12 EUR', '10:00 10 EUR']]);
    expect(said(back, twelve, ten)).toEqual([['10:05 10 EUR', '10:00 12 EUR', '10:00 10 EUR']]);
    const [story] = storiesOf(ten, twelve);
    expect(story).toMatchObject({ at: twelve.at, excerpt: '12 EUR' });
  });

  test('tells once what a page said in two taps', () => {
    expect(said({ url: a, text, tap: 'news' }, { url: a, text, tap: 'jobs' })).toEqual([[`10:00 ${text}`]]);
  });

  test('is told by the first of its pages, at the time of the newest', () => {
    const [story] = storiesOf(
      { url: a, at: '2026-03-01T12:00:00Z', title: 'Later', tags: ['b'] },
      { url: a, at: '2026-03-01T09:00:00Z', title: 'First', tags: ['a'], text: 'x'.repeat(400) },
    );
    expect(story).toMatchObject({ title: 'First', at: '2026-03-01T12:00:00Z', tags: ['a', 'b'], matches: 2 });
    expect(story?.excerpt).toHaveLength(281);
  });

  test('loses no text, whatever matches come in which order', () => {
    const texts = ['one', 'two', 'three', text];
    const match = fc.record({ url: fc.constantFrom(a, b), text: fc.constantFrom(...texts), minute: fc.nat(59) });
    fc.assert(
      fc.property(fc.array(match, { maxLength: 12 }), (some) => {
        const at = (minute: number): string => `2026-03-01T10:${String(minute).padStart(2, '0')}:00Z`;
        const stories = storiesOf(...some.map(({ minute, ...rest }) => ({ ...rest, at: at(minute) })));
        const shown = new Set(stories.flatMap(({ changes }) => changes.map(({ excerpt }) => excerpt)));
        expect(shown).toEqual(new Set(some.map((one) => one.text)));
        expect(stories.reduce((sum, { matches }) => sum + matches, 0)).toBe(some.length);
      }),
    );
  });

  test.each([
    ['https://www.example.org/a/?fbclid=1&b=2&a=1#x', 'example.org/a?a=1&b=2'],
    ['http://example.org', 'example.org'],
    ['https://example.org:8443/a', 'example.org:8443/a'],
  ])('%s is %s', (url, page) => expect(pageOf(url)).toBe(page));
});
