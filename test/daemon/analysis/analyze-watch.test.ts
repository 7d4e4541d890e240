import { describe, expect, test } from 'vitest';
import { LocalAnalysis } from '../../reference/local-analysis.ts';
import { unzstd } from '../../../src/daemon/compression.ts';
import { pageOf } from '../../../src/daemon/analysis/packing.ts';
import { readingOf } from '../../../src/daemon/analysis/findings.ts';
import { NO_OPTIONS } from '../../../src/shared/api/watch-values.ts';
import { EXTRACTOR } from '../../../src/shared/page/page.ts';
import { page } from './page-inputs.ts';
import { harbour, hunksOf, said, series, textOf, url, Watch, words } from './watch-series.ts';

const list = (count: number): string =>
  page(...Array.from({ length: count }, (_, index) => `Item number ${index} is here.`));

describe('1: the first check that reads a page', () => {
  test('is the baseline: no change, no diff, and all that the next one needs', async () => {
    const found = await new Watch().find(page(harbour, 'The ferry leaves at noon.'));
    expect(said(found)).toBe('baseline');
    expect(found).toMatchObject({ title: 'Today', findings: { title: 'Today', lines: 2, inserted: 0, deleted: 0 } });
    expect(found.diff).toBeUndefined();
    expect(textOf(found)).toBe(`${harbour}\nThe ferry leaves at noon.`);
    expect(found.text?.hash).toMatch(/^[\da-f]{32}$/);
    expect(found.baseline).toMatchObject({ url, extractor: EXTRACTOR, reading: readingOf(NO_OPTIONS) });
    expect(unzstd(found.baseline!.body).toString()).toBe(page(harbour, 'The ferry leaves at noon.'));
  });

  test('keeps of the page what is watched, and no boilerplate', async () => {
    const html = `<nav><a href="/a">Away</a></nav>${page(harbour)}`;
    const kept = pageOf((await new Watch().find(html)).baseline!);
    expect(kept).toMatchObject({ segments: [{ text: harbour }], anchors: [], links: [] });
  });
});

describe('a page that is not there, with status 200', () => {
  const absent = (title: string): string => `<title>${title} | Shop</title><main><h1>${title}</h1><p>Sorry.</p></main>`;

  test.each([
    ['Page not found', 'failed not_found'],
    ['Under maintenance', 'failed maintenance'],
  ])('%s: the check fails, and the next one compares with what was there', async (title, failed) => {
    const watch = new Watch();
    await watch.find(list(30));
    expect(await series(watch, absent(title), absent(title), list(30))).toEqual([
      failed,
      failed,
      'unchanged same_text',
    ]);
  });

  test('at the first check is no baseline, and what comes is one', async () => {
    expect(await series(new Watch(), absent('Page not found'), list(30))).toEqual(['failed not_found', 'baseline']);
  });

  test('is a change where it is only a line of the page', async () => {
    const watch = new Watch();
    await watch.find(page(harbour, 'In stock.'));
    const found = await watch.find(`<title>Page not found</title><main><p>${harbour}</p><p>Page not found</p></main>`);
    expect(said(found)).toBe('changed');
  });
});

describe('a later check', () => {
  test('tells what came and went, with its places', async () => {
    const watch = new Watch();
    await watch.find(page(harbour, 'One.', 'Two.'));
    const found = await watch.find(page(harbour, 'One!', 'Two.'));
    expect(said(found)).toBe('changed');
    expect(hunksOf(found)).toEqual([
      { before: 1, after: 1, blocks: [{ ctx: [harbour] }, { del: ['One.'] }, { ins: ['One!'] }, { ctx: ['Two.'] }] },
    ]);
    expect(found).toMatchObject({ diff: { inserted: 1, deleted: 1 }, findings: { lines: 3, inserted: 1, deleted: 1 } });
    expect(textOf(found)).toBe(`${harbour}\nOne!\nTwo.`);
  });

  test('with other bytes and the same lines brings the baseline up to date, and no text', async () => {
    const watch = new Watch();
    await watch.find(page(harbour));
    const found = await watch.find(`<!-- 2 -->${page(harbour)}`);
    expect(said(found)).toBe('unchanged same_text');
    expect(found.baseline).toBeDefined();
    expect(found.text).toBeUndefined();
    expect(found.diff).toBeUndefined();
  });

  test('says which lines differ by themselves', async () => {
    const watch = new Watch();
    await watch.find(page(harbour, 'Posted 3 hours ago'));
    const found = await watch.find(page(harbour, 'Posted 4 hours ago'));
    expect(said(found)).toBe('unchanged noise');
    expect(found.findings?.noise).toEqual([
      { before: 'Posted 3 hours ago', after: 'Posted 4 hours ago', reason: 'relative time' },
    ]);
  });

  test('of a page that only has another title or other links says nothing', async () => {
    const html = (title: string, href: string): string =>
      `<title>${title}</title><main><p>${harbour} <a href="${href}">More</a></p></main>`;
    expect(await series(new Watch(), html('A', '/a'), html('B', '/a'), html('B', '/b'))).toEqual([
      'baseline',
      'unchanged same_text',
      'unchanged same_text',
    ]);
  });

  test('A-B-A is two changes, the second the first one backwards', async () => {
    const watch = new Watch();
    await watch.find(page(harbour, 'Open.'));
    const there = await watch.find(page(harbour, 'Closed.'));
    const back = await watch.find(page(harbour, 'Open.'));
    expect([there, back].map((found) => hunksOf(found)[0]?.blocks.slice(1))).toEqual([
      [{ del: ['Open.'] }, { ins: ['Closed.'] }],
      [{ del: ['Closed.'] }, { ins: ['Open.'] }],
    ]);
  });

  test('one hundred times of the same page is never a change', async () => {
    const outcomes = new Set(
      await series(new Watch(), ...Array.from({ length: 100 }, (_, index) => `<!-- ${index} -->${list(20)}`)),
    );
    expect([...outcomes]).toEqual(['baseline', 'unchanged same_text']);
  });
});

describe('what is no page is a failure, and the baseline stays', () => {
  const full = page(harbour, words(200));

  test.each([
    ['21: an empty page', '', 'failed empty'],
    ['21: a page that is nothing but its title', '<title>App</title><div id=root></div>', 'failed empty'],
    [
      'a challenge',
      '<title>Just a moment...</title><p>Checking your browser before accessing.</p>',
      'failed challenge',
    ],
    ['what is no text', '\u0000\u0001\u0002', 'failed content_type'],
  ])('%s', async (_, content, expected) => {
    const watch = new Watch();
    await watch.find(full);
    const { last } = watch;
    if (expected.endsWith('content_type')) watch.contentType = 'application/octet-stream';
    expect(await series(watch, content)).toEqual([expected]);
    watch.contentType = 'text/html; charset=utf-8';
    expect(watch.last).toBe(last);
    expect(await series(watch, full)).toEqual(['unchanged same_text']);
  });

  test('most of the text gone is doubted once, and believed a minute later', async () => {
    const watch = new Watch();
    await watch.find(full);
    expect(await watch.check(page(harbour))).toMatchObject({ reason: 'doubtful', doubtedAt: watch.at });
    const found = await watch.find(page(harbour));
    expect(said(found)).toBe('changed');
    expect(found.diff).toMatchObject({ inserted: 0, deleted: 1 });
  });

  test('most of the text gone, and there again a minute later, was nothing', async () => {
    expect(await series(new Watch(), full, page(harbour), full)).toEqual([
      'baseline',
      'failed doubtful',
      'unchanged same_text',
    ]);
  });

  test('what our own code throws is reported as a fault', async () => {
    const broken = new LocalAnalysis({ extract: () => Promise.reject(new Error('a bug')) });
    expect(await broken.analyzeWatch(new Watch().given(full))).toMatchObject({
      outcome: 'failed',
      reason: 'internal',
      notes: { fault: expect.stringContaining('a bug') },
    });
  });
});
