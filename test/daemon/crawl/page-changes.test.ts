import { beforeEach, describe, expect, test } from 'vitest';
import { zstd } from '../../../src/daemon/compression.ts';
import { packedChange } from '../../../src/daemon/analysis/packing.ts';
import { identityOf } from '../../../src/daemon/discovery/canonical.ts';
import type { DuePage } from '../../../src/daemon/storage/frontier.ts';
import { PageChanges } from '../../../src/daemon/crawl/page-changes.ts';
import { NO_FACTS, type Page } from '../../../src/shared/page/page.ts';
import { seedLead, sourceOf, versionOf, visitOf } from '../../fixtures/visits.ts';
import { addNeighbour, type House, openHouse } from '../taps/house.ts';

const HOUR = 3_600_000;
const url = 'http://a.example/news';

let house: House;
let due: DuePage;
beforeEach(async () => {
  house = await openHouse();
  const identity = identityOf(url);
  await house.storage.frontier.putSource(sourceOf('a'), [{ ...seedLead(url), ...identity }], 0);
  const report = await house.storage.frontier.look(identity);
  if (!report) throw new Error('the page is not held');
  due = report.page;
});

const hoursAgo = (hours: number): number => house.clock.now() - hours * HOUR;

/** A visit so many hours ago that found the page changed to a sentence, with an event for each of these taps. */
async function changed(hours: number, text: string, events: Readonly<Record<string, string>> = {}): Promise<void> {
  const page: Page = {
    url,
    title: 'News',
    segments: [{ text, kind: 'sentence', zone: 'main' }],
    anchors: [],
    links: [],
    facts: NO_FACTS,
  };
  const chunks = [{ typ: 'ins', text } as const];
  const change = { chunks, addedAnchors: ['more'], removedAnchors: [], titleChanged: true };
  const at = hoursAgo(hours);
  const document = JSON.stringify({ url, diff: { chunks } });
  await house.storage.pages.commit(
    visitOf(due, {
      at,
      version: { ...versionOf(text, at), page: zstd(JSON.stringify(page)) },
      recent: packedChange(page, at, { change }),
      events: Object.entries(events).map(([tapId, id]) => ({ tapId, queryIds: JSON.stringify([id]), document })),
    }),
  );
}

async function unchanged(hours: number): Promise<void> {
  await house.storage.pages.commit(visitOf(due, { at: hoursAgo(hours), outcome: 'unchanged' }));
}

const last = (of = url) => house.pageChanges.last(house.organizationId, of);

describe('the last change of a page', () => {
  test('is the newest that is kept, whatever visits found nothing since', async () => {
    await changed(5, 'The ferry leaves at nine.');
    await changed(3, 'The ferry leaves at ten.');
    await unchanged(2);
    expect(await last()).toEqual({
      url,
      kept: true,
      since: expect.any(String),
      changed_at: expect.any(String),
      complete: true,
      change: {
        at: new Date(hoursAgo(3)).toISOString(),
        url,
        title: 'News',
        title_changed: true,
        chunks: [{ typ: 'ins', text: 'The ferry leaves at ten.' }],
        added_anchors: ['more'],
        removed_anchors: [],
        links: [],
      },
      rules: [],
    });
    // More visits than are remembered: nobody knows when it changed, and it is found all the same.
    for (let visit = 0; visit < 6; visit += 1) await unchanged(1);
    expect(await last()).toMatchObject({
      changed_at: null,
      change: { chunks: [{ text: 'The ferry leaves at ten.' }] },
    });
  });

  test('is none where it is older than what is kept, and says when it was', async () => {
    await changed(30, 'The ferry leaves at nine.');
    expect(await last()).toMatchObject({
      changed_at: expect.stringContaining(new Date(hoursAgo(30)).toISOString().slice(0, 13)),
      complete: true,
      change: null,
      rules: [],
    });
  });

  test('is refused for a URL that no source holds, or that is none', async () => {
    await expect(last('http://b.example/')).rejects.toMatchObject({ code: 'url_not_held' });
    await expect(last('nonsense')).rejects.toMatchObject({ code: 'invalid_field' });
  });

  test('is what a query makes of it, as a rule without flags would', async () => {
    await changed(1, 'The ferry leaves at nine.');
    const asked = (value: string) => house.pageChanges.last(house.organizationId, url, value);
    expect((await asked('ferry')).query).toEqual({ outcome: 'filtered', reason: 'no_date' });
    expect((await asked('ship')).query).toEqual({ outcome: 'no_match' });
    expect((await last()).query).toBeUndefined();
    await expect(asked('titel:ferry')).rejects.toMatchObject({ code: 'invalid_query' });
  });

  test('is not looked for where nothing is kept', async () => {
    const { storage, catalog, clock } = house;
    const isDelivered = () => expect.unreachable('nothing is kept');
    const changes = { look: () => expect.unreachable('nothing is kept') };
    const registered = (): never[] => [];
    const { accepted } = house.trials;
    const deps = {
      ...storage,
      isDelivered,
      catalog,
      changes,
      registered,
      refusalOf: () => undefined,
      accepted,
      outside: clock,
    };
    await changed(1, 'The ferry leaves at nine.');
    const report = await new PageChanges({ ...deps, isKept: false }).last(house.organizationId, url);
    expect(report).toMatchObject({ kept: false, change: null });
  });
});

describe('the rules of an organization', () => {
  test('are told with what each makes of the change', async () => {
    const { taps, rules, organizationId } = house;
    const tap = await taps.create(organizationId, 'news');
    const paused = await taps.create(organizationId, 'asleep');
    const add = async (value: string, more: object = {}, tapId = tap.id) =>
      (await rules.create({ kind: 'tap', tapId, organizationId }, { value, quality: false, ...more })).rule;
    const ferry = await add('ferry', { tag: 'boats' });
    await add('nine');
    await add('leaves', { quality: true });
    await add('tram');
    await rules.pause(organizationId, (await add('ferry')).id, true);
    await add('ferry', {}, paused.id);
    await taps.change(organizationId, paused.id, { status: 'paused' });
    await changed(1, 'The ferry leaves at nine.', { [tap.id]: ferry.id });

    const outcomes = async () =>
      (await last()).rules.map(({ tap: name, value, outcome, reason, event, delivered }) =>
        [name, value, outcome, reason, event, delivered].filter((cell) => cell !== undefined).join(' '),
      );
    expect(await outcomes()).toEqual([
      'news ferry matched 0-0 false',
      // It was not there yet: it matches, and there is no event of it.
      'news nine matched',
      'news leaves filtered no_date',
      'news tram no_match',
      'news ferry paused',
      'asleep ferry paused',
    ]);
    expect((await last()).rules[0]).toMatchObject({ rule_id: ferry.id, tap_id: tap.id, tag: 'boats' });
    const { ledger } = house.storage;
    await ledger.charge({ tapId: tap.id, organizationId, from: 0, to: 1, at: house.clock.now(), price: 5 });
    expect((await outcomes())[0]).toBe('news ferry matched 0-0 true');
  });

  test('of another organization are nobody’s business', async () => {
    const { organizationId } = await addNeighbour(house.catalog);
    const tap = await house.taps.create(organizationId, 'theirs');
    await house.rules.create({ kind: 'tap', tapId: tap.id, organizationId }, { value: 'ferry' });
    await changed(1, 'The ferry leaves at nine.');
    expect((await last()).rules).toEqual([]);
  });
});
