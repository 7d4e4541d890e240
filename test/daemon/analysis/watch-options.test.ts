import { describe, expect, test } from 'vitest';
import { NO_OPTIONS } from '../../../src/shared/api/watch-values.ts';
import { CONFIRM_MS } from '../../../src/shared/limits.ts';
import { EXTRACTOR } from '../../../src/shared/page/page.ts';
import { page } from './page-inputs.ts';
import { harbour, hunksOf, said, series, textOf, Watch, words } from './watch-series.ts';

const list = (count: number): string =>
  page(...Array.from({ length: count }, (_, index) => `Item number ${index} is here.`));

describe('--only', () => {
  const before = page('One.', 'Two.', 'Three.', 'Four.');

  test('added leaves out what went; a change that is nothing else does not count, and is compared with no more', async () => {
    const watch = new Watch({ only: 'added' });
    await watch.find(before);
    const gone = await watch.find(page('One.', 'Two.', 'Three.'));
    expect(said(gone)).toBe('unchanged only');
    expect(gone.findings).toMatchObject({ inserted: 0, deleted: 1 });
    const found = await watch.find(page('One.', 'Two!', 'Three.'));
    expect(hunksOf(found)).toEqual([
      { before: 1, after: 1, blocks: [{ ctx: ['One.'] }, { ins: ['Two!'] }, { ctx: ['Three.'] }] },
    ]);
    expect(found.diff).toMatchObject({ inserted: 1, deleted: 0 });
  });

  test('removed leaves out what came', async () => {
    const watch = new Watch({ only: 'removed' });
    expect(await series(watch, before, page('One.', 'Two.', 'Three.', 'Four.', 'Five.'))).toEqual([
      'baseline',
      'unchanged only',
    ]);
    expect(hunksOf(await watch.find(page('One.', 'Two.', 'Three.', 'Six.')))[0]?.blocks).toEqual([
      { ctx: ['One.', 'Two.', 'Three.'] },
      { del: ['Four.', 'Five.'] },
    ]);
  });

  test('26: hides deletions except when most of the page vanished', async () => {
    const watch = new Watch({ only: 'added' });
    await watch.find(list(8));
    expect(await series(watch, list(3), list(8))).toEqual(['unchanged only', 'changed']);
    const found = await watch.find(list(2));
    expect(said(found)).toBe('changed');
    expect(found.diff).toMatchObject({ inserted: 0, deleted: 6 });
  });
});

describe('--trigger', () => {
  const price = (text: string): string => page(harbour, `The lamp costs ${text}.`);

  test('a change counts if its query matches, and is compared with no more if not', async () => {
    const watch = new Watch({ trigger: 'added:"10 euros" AND domain:"example.com" AND title:today' });
    await watch.find(price('12 euros'));
    const other = await watch.find(price('11 euros'));
    expect(said(other)).toBe('unchanged trigger');
    expect(other.findings).toMatchObject({ triggered: false, inserted: 1, deleted: 1 });
    const found = await watch.find(price('10 euros'));
    expect(found).toMatchObject({ outcome: 'changed', findings: { triggered: true } });
    expect(hunksOf(found)[0]?.blocks.slice(1)).toEqual([
      { del: ['The lamp costs 11 euros.'] },
      { ins: ['The lamp costs 10 euros.'] },
    ]);
  });

  test.each([
    ['removed:"12 euros"', 'changed'],
    ['added:"12 euros"', 'unchanged trigger'],
    ['url:/.*lamp/', 'changed'],
    ['title:today AND NOT added:euros', 'unchanged trigger'],
    ['language:"en"', 'unchanged trigger'],
    ['this is (not a query', 'changed'],
  ])('%s: %s', async (trigger, outcome) => {
    expect(await series(new Watch({ trigger }), price('12 euros'), price('10 euros'))).toEqual(['baseline', outcome]);
  });

  test('is told the rating of the domain', async () => {
    const watch = new Watch({ trigger: 'dr:[50 TO 100]' });
    await watch.find(price('12 euros'));
    expect(said(await watch.find(price('11 euros')))).toBe('unchanged trigger');
    watch.dr = 72;
    expect(said(await watch.find(price('10 euros')))).toBe('changed');
  });

  test('is not asked where nothing changed', async () => {
    const watch = new Watch({ trigger: 'domain:"example.com"' });
    await watch.find(price('12 euros'));
    expect((await watch.find(`<!-- 2 -->${price('12 euros')}`)).findings).not.toHaveProperty('triggered');
  });
});

describe('--confirm', () => {
  const [open, closed] = [page(harbour, 'Open.'), page(harbour, 'Closed.')];

  test('a change is believed when it is still there a minute later', async () => {
    const watch = new Watch({ confirm: true });
    await watch.find(open);
    const { last } = watch;
    const first = await watch.find(closed);
    expect(first).toMatchObject({ outcome: 'unchanged', note: 'unconfirmed', doubtedAt: watch.at });
    expect([first.baseline, first.text, first.diff]).toEqual([undefined, undefined, undefined]);
    expect(watch.last).toBe(last);
    expect(hunksOf(await watch.find(closed))[0]?.blocks.slice(1)).toEqual([{ del: ['Open.'] }, { ins: ['Closed.'] }]);
    expect(watch.doubtedAt).toBeUndefined();
  });

  test('a change that is gone by then was a flap', async () => {
    expect(await series(new Watch({ confirm: true }), open, closed, open, open)).toEqual([
      'baseline',
      'unchanged unconfirmed',
      'unchanged flap',
      'unchanged same_text',
    ]);
  });

  test('a check before the minute is over confirms nothing, and does not begin it anew', async () => {
    const watch = new Watch({ confirm: true });
    await watch.find(open);
    await watch.find(closed);
    const { doubtedAt } = watch;
    watch.at -= CONFIRM_MS / 2;
    expect(await watch.find(closed)).toMatchObject({ note: 'unconfirmed', doubtedAt });
    expect(said(await watch.find(closed))).toBe('changed');
  });

  test('another change than the one that was seen first waits in its turn', async () => {
    const watch = new Watch({ confirm: true });
    const sold = page(harbour, 'Sold.');
    expect(await series(watch, open, closed, sold)).toEqual([
      'baseline',
      'unchanged unconfirmed',
      'unchanged unconfirmed',
    ]);
    expect(watch.doubtedAt).toBe(watch.at);
    const found = await watch.find(sold);
    expect(hunksOf(found)[0]?.blocks.slice(1)).toEqual([{ del: ['Open.'] }, { ins: ['Sold.'] }]);
  });

  test('a page that is never the same for two checks is believed at the fourth', async () => {
    const pages = ['One.', 'Two.', 'Three.', 'Four.'].map((text) => page(harbour, text));
    const waits = Array.from({ length: 3 }, () => 'unchanged unconfirmed');
    expect(await series(new Watch({ confirm: true }), open, ...pages)).toEqual(['baseline', ...waits, 'changed']);
  });

  test('a small change that waits does not vouch for a mass deletion, nor the other way round', async () => {
    const whole = (state: string): string => page(harbour, words(200), state);
    const watch = new Watch({ confirm: true });
    expect(await series(watch, whole('Open.'), whole('Closed.'), open, whole('Closed.'), whole('Closed.'))).toEqual([
      'baseline',
      'unchanged unconfirmed',
      'failed doubtful',
      'unchanged unconfirmed',
      'changed',
    ]);
  });

  test.each([
    ['a change', { confirm: true }, page(harbour, words(200), 'Closed.'), 'unchanged unconfirmed'],
    ['a mass deletion', {}, open, 'failed doubtful'],
  ])('%s that waits since a time to come, by a clock that was set back, waits a minute from now', async (...row) => {
    const [, options, after, said] = row;
    const watch = new Watch(options);
    await watch.find(page(harbour, words(200), 'Open.'));
    await watch.check(after);
    watch.at -= 24 * 60 * CONFIRM_MS;
    expect(await series(watch, after)).toEqual([said]);
    expect(watch.doubtedAt).toBe(watch.at);
    expect(await series(watch, after)).toEqual(['changed']);
  });

  test('a mass deletion is confirmed once, not twice', async () => {
    const watch = new Watch({ confirm: true });
    expect(await series(watch, page(harbour, words(200)), open, open)).toEqual([
      'baseline',
      'failed doubtful',
      'changed',
    ]);
  });
});

describe('a change of options', () => {
  const html = (price: string, news: string): string =>
    `<title>Lamp</title><main><p class=price>${price}</p><p class=news>${news}</p></main>`;

  test('reads the old page anew, and is no change of the page', async () => {
    const watch = new Watch();
    await watch.find(html('10 EUR', 'Open today.'));
    watch.options = { ...NO_OPTIONS, select: ['.price'] };
    const found = await watch.find(html('10 EUR', 'Closed today.'));
    expect(said(found)).toBe('unchanged options');
    expect(textOf(found)).toBe('10 EUR');
    expect(said(await watch.find(html('10 EUR', 'Open.')))).toBe('unchanged same_text');
    watch.options = NO_OPTIONS;
    expect(hunksOf(await watch.find(html('10 EUR', 'Shut.')))[0]?.blocks).toEqual([
      { ctx: ['10 EUR'] },
      { del: ['Open.'] },
      { ins: ['Shut.'] },
    ]);
  });

  test('does not hide a change of the page', async () => {
    const watch = new Watch();
    await watch.find(html('10 EUR', 'Open today.'));
    watch.options = { ...NO_OPTIONS, ignore: ['.news'] };
    expect(hunksOf(await watch.find(html('12 EUR', 'Shut.')))[0]?.blocks).toEqual([
      { del: ['10 EUR'] },
      { ins: ['12 EUR'] },
    ]);
  });

  test('of which the old page has nothing is a new baseline', async () => {
    const watch = new Watch();
    await watch.find(page(harbour));
    watch.options = { ...NO_OPTIONS, select: ['.price'] };
    const found = await watch.find(html('10 EUR', 'x'));
    expect(said(found)).toBe('baseline options');
    expect(textOf(found)).toBe('10 EUR');
  });

  test('that says the same in another order, or says what is no part of the reading, is none', async () => {
    const watch = new Watch({ ignore: ['.a', '/b/'] });
    await watch.find(page(harbour));
    watch.options = { ...NO_OPTIONS, ignore: ['/b/', '.a', '.a'], only: 'added', confirm: true };
    expect(await series(watch, `<!-- 2 -->${page(harbour)}`)).toEqual(['unchanged same_text']);
  });

  test('an update of the extractor is one, too', async () => {
    const watch = new Watch();
    await watch.find(page(harbour));
    watch.last = { ...watch.last!, extractor: EXTRACTOR - 1, page: new Uint8Array() };
    expect(await series(watch, page(harbour), page(harbour))).toEqual(['unchanged options', 'unchanged same_text']);
  });
});
