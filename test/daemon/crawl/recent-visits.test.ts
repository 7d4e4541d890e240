import { expect, test } from 'vitest';
import { RecentVisits } from '../../../src/daemon/crawl/crawl-status.ts';
import type { SourceVisit } from '../../../src/shared/api/crawl.ts';

const visit = (url: string, outcome: SourceVisit['outcome'], minute = 0): SourceVisit => {
  return { url, at: `2026-02-27T00:${String(minute).padStart(2, '0')}:00Z`, outcome };
};
const all = (): Promise<boolean> => Promise.resolve(true);
const urls = (visits: readonly SourceVisit[]): string[] => visits.map(({ url }) => url);

test('the newest fifty are kept, newest first, however many there were', () => {
  const recent = new RecentVisits();
  for (let n = 0; n < 1_000; n += 1) recent.note(visit(`http://a.example/${n}`, 'unchanged'));
  expect(urls(recent.visits)).toEqual(Array.from({ length: 50 }, (_, n) => `http://a.example/${999 - n}`));
});

test('a page that fails is there once, with its last visit, until it is had again or no longer visited', async () => {
  const recent = new RecentVisits();
  for (const minute of [1, 2]) recent.note(visit('http://a.example/', 'failed', minute));
  recent.note(visit('http://b.example/', 'failed', 3));
  expect(await recent.failures(all)).toEqual([
    visit('http://b.example/', 'failed', 3),
    visit('http://a.example/', 'failed', 2),
  ]);
  recent.note(visit('http://b.example/', 'unchanged', 4));
  expect(urls(await recent.failures(all))).toEqual(['http://a.example/']);
  expect(await recent.failures(() => Promise.resolve(false))).toEqual([]);
  expect(await recent.failures(all)).toEqual([]);
  for (let n = 0; n < 1_000; n += 1) recent.note(visit(`http://c.example/${n}`, 'failed'));
  expect(await recent.failures(all)).toHaveLength(50);
});
