import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { paceOf, type Reading } from '../site/served.ts';
import { SiteProcess } from '../site/site-process.ts';
import type { Answers } from './web.ts';

let site: SiteProcess<readonly string[]>;

beforeAll(async () => {
  site = await SiteProcess.start(join(import.meta.dirname, 'web.ts'), ['2', '3']);
});
afterAll(() => site.close());

/** The page as it is, asked for with the tag of the last answer. */
async function asked(answers: Answers, etag?: string): Promise<{ status: number; text: string; etag: string }> {
  await site.tell({ kind: 'answer', answers });
  const headers = etag === undefined ? {} : { 'if-none-match': etag };
  const response = await fetch(`${site.ready[1] ?? ''}/p/2`, { headers });
  return { status: response.status, text: await response.text(), etag: response.headers.get('etag') ?? '' };
}

it('answers a known page with the same bytes, with 304, or with one other sentence', async () => {
  const first = await asked('same');
  expect(await asked('same', first.etag)).toEqual(first);
  expect(await asked('unmodified', first.etag)).toEqual({ status: 304, text: '', etag: first.etag });
  const next = await asked('changed', first.etag);
  expect(next.status).toBe(200);
  expect(next.etag).not.toBe(first.etag);
  const [before, after] = [first, next].map(({ text }) => text.split(/(?<=\.)\s/));
  expect(after).toHaveLength(before?.length ?? 0);
  expect(after?.filter((sentence, index) => sentence !== before?.[index])).toEqual([
    expect.stringMatching(/^Bulletin 1 2 1: /),
  ]);
});

it('looks at a process when so many pages were answered as they were to be', async () => {
  const { etag } = await asked('unmodified');
  const reached = site.readings(process.pid, [{ pages: 0 }, { pages: 1 }, { pages: 3 }]);
  // Without its tag the page is no 304, and does not count.
  for (const tag of [etag, undefined, etag, etag]) await asked('unmodified', tag);
  const readings = await reached;
  expect(readings.map(({ pages }) => pages)).toEqual([0, 1, 3]);
  const [begun, , end] = readings as [Reading, Reading, Reading];
  expect(end.cpuMs).toBeGreaterThanOrEqual(begun.cpuMs);
  expect(end.rssMb).toBeGreaterThan(10);
});

it('says what a thousand pages cost between two readings', () => {
  const reading = (pages: number, cpuMs: number, at: number): Reading => ({
    pages,
    cpuMs,
    at,
    rssMb: 100,
    peakMb: 120,
  });
  expect(paceOf(reading(1_000, 7_000, 0), reading(4_000, 16_000, 10_000))).toEqual({ cpu: 3, speed: 300, peakMb: 120 });
});

it('reports that pages do not come, instead of waiting for them', async () => {
  await expect(site.readings(process.pid, [{ pages: 1 }], 50)).rejects.toThrow('no 1 pages within 0.05 s');
});
