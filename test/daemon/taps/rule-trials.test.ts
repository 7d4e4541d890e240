import { beforeEach, describe, expect, test } from 'vitest';
import { zstd } from '../../../src/daemon/compression.ts';
import { packedChange } from '../../../src/daemon/analysis/packing.ts';
import { RuleTrials } from '../../../src/daemon/taps/rule-trials.ts';
import { NO_FACTS, type Page } from '../../../src/shared/page/page.ts';
import { seed, versionOf, visitOf } from '../../fixtures/visits.ts';
import { type House, openHouse } from './house.ts';

const hour = 3_600_000;

let house: House;
beforeEach(async () => {
  house = await openHouse();
});

/** A page that says a sentence, found by a visit so many hours ago. */
async function changed(host: string, text: string, hoursAgo: number): Promise<void> {
  const { frontier, pages } = house.storage;
  const due = await seed(frontier, host);
  const page: Page = {
    url: `http://${host}.example/news`,
    title: `News of ${host}`,
    segments: [{ text, kind: 'sentence', zone: 'main' }],
    anchors: [],
    links: [],
    facts: NO_FACTS,
  };
  const at = house.clock.now() - hoursAgo * hour;
  const chunks = [{ typ: 'ins', text } as const];
  const change = { chunks, addedAnchors: [], removedAnchors: [], titleChanged: false };
  const version = { ...versionOf(text, at), page: zstd(JSON.stringify(page)) };
  await pages.commit(visitOf(due, { at, version, recent: packedChange(page, at, { change }) }));
}

const attempt = (value: string, more: object = {}, trials = house.trials) =>
  trials.try(house.organizationId, { value, quality: false, ...more });

describe('a rule that is tried', () => {
  test('tells what it would have matched, newest first, over pages and domains', async () => {
    await changed('a', 'The ferry leaves at nine.', 30);
    await changed('b', 'The ferry leaves at ten.', 5);
    await changed('c', 'A tram line opens.', 3);
    await changed('b', 'The ferry leaves at eleven.', 2);
    const { data, diagnostics } = await attempt('ferry', { limit: 1 });
    expect(diagnostics).toBeUndefined();
    expect(data).toMatchObject({
      kept: true,
      complete: true,
      changes: 3,
      failed: 0,
      matches: 2,
      pages: 1,
      domains: 1,
      withheld: { no_date: 0, too_old: 0, future_date: 0, url: 0, adult: 0 },
      newest: [{ document: { url: 'http://b.example/news', title: 'News of b' } }],
    });
    expect(Date.parse(data.oldest_at ?? '')).toBe(Math.floor((house.clock.now() - 5 * hour) / 1_000) * 1_000);
    expect(data.newest[0]?.matched_at).toBe(new Date(house.clock.now() - 2 * hour).toISOString());
    expect((await attempt('ferry', { since_seconds: 3 * 3_600 })).data).toMatchObject({ changes: 2, matches: 1 });
  });

  test('with quality tells how many pages that would have kept from it, and why', async () => {
    await changed('a', 'The ferry leaves at nine.', 1);
    const { data } = await attempt('ferry', { quality: true });
    expect(data).toMatchObject({ matches: 0, withheld: { no_date: 1 }, newest: [] });
  });

  test('may refer to the saved filters of its organization', async () => {
    await changed('a', 'The ferry leaves at nine.', 1);
    await house.filters.add(house.organizationId, { name: 'boats', value: 'ferry OR canoe' });
    expect((await attempt('$boats')).data.matches).toBe(1);
    await expect(attempt('$trains')).rejects.toMatchObject({ code: 'unknown_filter' });
  });

  test('is refused as it would be if it were saved', async () => {
    await expect(attempt('titel:x')).rejects.toMatchObject({ code: 'invalid_query' });
    await expect(attempt('ferry', { tap: 'nobody' })).rejects.toMatchObject({ code: 'not_found' });
    expect((await attempt('ferry and tram')).diagnostics).toMatchObject([{ severity: 'warning' }]);
  });

  test('says so where nothing is kept to try it on', async () => {
    const { catalog, clock } = house;
    const trials = { try: () => Promise.reject(new Error('no trial was expected')) };
    const off = new RuleTrials({ catalog, trials, outside: clock, isKept: false });
    expect((await attempt('ferry', {}, off)).data).toMatchObject({ kept: false, changes: 0, matches: 0 });
  });
});
