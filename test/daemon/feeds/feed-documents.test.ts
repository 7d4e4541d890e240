import { hash } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FeedDocuments } from '../../../src/daemon/feeds/feed-documents.ts';
import type { FeedRecord } from '../../../src/daemon/storage/catalog.ts';
import { nameBasedId } from '../../../src/shared/documents/name-based-id.ts';
import { FEED_CACHE_BYTES, FEED_ENTRY_LENGTH, FEED_LENGTH, FEED_TAG_MS } from '../../../src/shared/limits.ts';
import { faultsOfAtom, faultsOfJsonFeed } from '../../conformance/feed-rules.ts';
import type { House } from '../taps/house.ts';
import { FedHouse } from './fed-house.ts';

let fed: FedHouse;
let house: House;
beforeEach(async () => {
  fed = await FedHouse.open();
  ({ house } = fed);
});

const idOf = (key: string): string => nameBasedId(key, (data) => hash('sha1', data));

interface JsonFeed {
  readonly title: string;
  readonly items: readonly { id: string; title: string; url: string; content_html: string; tags?: string[] }[];
}

/** In both forms, which have to be valid, and have the same entries. */
async function read(record: FeedRecord, documents = house.feedDocuments): Promise<JsonFeed> {
  const atom = (await documents.read(record, 'atom'))?.bytes.toString() ?? '';
  const text = (await documents.read(record, 'json'))?.bytes.toString() ?? '';
  expect([faultsOfAtom(atom), faultsOfJsonFeed(text)]).toEqual([[], []]);
  const feed = JSON.parse(text) as JsonFeed;
  expect([...atom.matchAll(/<entry>\n<id>(.*?)<\/id>/g)].map(([, id]) => id)).toEqual(feed.items.map(({ id }) => id));
  return feed;
}

const spied = (different: Partial<ConstructorParameters<typeof FeedDocuments>[0]> = {}) => {
  const eventLog = {
    bounds: vi.fn(house.storage.eventLog.bounds.bind(house.storage.eventLog)),
    read: vi.fn(house.storage.eventLog.read.bind(house.storage.eventLog)),
  };
  const { catalog, accounts, storage, watchService, clock } = house;
  const documents = new FeedDocuments({
    catalog,
    eventLog,
    metering: accounts.metering,
    watches: storage.watches,
    changes: watchService,
    outside: clock,
    ...different,
  });
  return { documents, eventLog };
};

describe('the feed of a tap', () => {
  test('has the matches of the log, the newest first, with the ids that `hydrant tap feed` gives', async () => {
    await fed.match({ url: 'https://example.org/1', title: 'One', diff: { chunks: [{ typ: 'ins', text: 'a < b' }] } });
    await fed.match({ url: 'https://example.org/2' });
    await fed.match({ url: 'javascript:alert(1)' });
    const { record } = await fed.feed('tap', 'news');
    const feed = await read(record);
    expect(feed.title).toBe('hydrant: news');
    expect(feed.items).toMatchObject([
      { id: idOf(`${fed.tapId}/0-1`), url: 'https://example.org/2', tags: ['boats'] },
      { id: idOf(`${fed.tapId}/0-0`), title: 'One', content_html: '<p><ins>a &lt; b</ins></p>' },
    ]);
  });

  test('of the newest hundred matches leaves out older ones, and what has no room', async () => {
    await fed.matches(105, (index) => ({ title: `Match ${index}` }));
    const { record } = await fed.feed('tap', 'news');
    const { items } = await read(record);
    expect([items.length, items[0]?.title, items.at(-1)?.title]).toEqual([100, 'Match 104', 'Match 5']);
    const text = '"'.repeat(40_000);
    await fed.matches(30, () => ({ diff: { chunks: [{ typ: 'ins', text }] } }));
    const long = await read(record);
    expect(long.items.length).toBeGreaterThan(2);
    expect(long.items.reduce((sum, { content_html: html }) => sum + html.length, 0)).toBeLessThanOrEqual(FEED_LENGTH);
  });

  test('is the same document until something happens, and reads nothing for it', async () => {
    const { documents, eventLog } = spied();
    await fed.match();
    const { record } = await fed.feed('tap', 'news');
    const first = await documents.read(record, 'atom');
    expect(await documents.read(record, 'atom')).toBe(first);
    expect(eventLog.read).toHaveBeenCalledTimes(1);
    // A write of the catalog that changes nothing of it.
    await house.taps.touch(fed.tapId);
    expect(await documents.read(record, 'atom')).toBe(first);
    house.clock.ms += 5_000;
    await fed.match();
    const second = await documents.read(record, 'atom');
    expect([second?.etag === first?.etag, second?.modifiedAt]).toEqual([
      false,
      Math.floor(house.clock.ms / 1_000) * 1_000,
    ]);
    await house.taps.change(house.organizationId, fed.tapId, { name: 'headlines' });
    expect((await documents.read(record, 'atom'))?.bytes.toString()).toContain('<title>hydrant: headlines</title>');
  });

  test('is made once for all who ask at a time', async () => {
    const { documents, eventLog } = spied();
    await fed.match();
    const { record } = await fed.feed('tap', 'news');
    const all = await Promise.all(Array.from({ length: 50 }, () => documents.read(record, 'json')));
    expect([new Set(all).size, eventLog.read.mock.calls.length]).toEqual([1, 1]);
  });

  test('of which there were two within a second has no time, by which the first could pass for the second', async () => {
    const { record } = await fed.feed('tap', 'news');
    const modifiedAt = async () => (await house.feedDocuments.read(record, 'atom'))?.modifiedAt;
    const first = Math.floor(house.clock.ms / 1_000) * 1_000;
    expect(await modifiedAt()).toBe(first);
    await fed.match();
    expect(await modifiedAt()).toBeUndefined();
    house.clock.ms += 1_000;
    await fed.match();
    expect(await modifiedAt()).toBe(first + 1_000);
  });

  test('is kept as long as there is room, and made again behind that', async () => {
    const { documents, eventLog } = spied();
    const text = 'x'.repeat(900_000);
    await fed.match({ diff: { chunks: [{ typ: 'ins', text }] } });
    const records = [];
    for (let made = 0; made < 25; made += 1) records.push((await fed.feed('tap', 'news')).record);
    for (const record of records) await documents.read(record, 'json');
    expect(documents.bytes).toBeGreaterThan(FEED_CACHE_BYTES - 1_000_000);
    expect(documents.bytes).toBeLessThanOrEqual(FEED_CACHE_BYTES);
    const [first, last] = [records[0], records.at(-1)];
    const reads = eventLog.read.mock.calls.length;
    if (last) await documents.read(last, 'json');
    expect(eventLog.read).toHaveBeenCalledTimes(reads);
    if (first) await documents.read(first, 'json');
    expect(eventLog.read).toHaveBeenCalledTimes(reads + 1);
  });

  test('without rules is empty, and after the tap there is none', async () => {
    await fed.match();
    const { record } = await fed.feed('tap', 'news');
    await house.rules.remove({ kind: 'tap', tapId: fed.tapId, organizationId: house.organizationId }, fed.ruleId);
    expect((await read(record)).items).toEqual([]);
    await house.taps.revoke(house.organizationId, fed.tapId);
    expect(await house.feedDocuments.read(record, 'atom')).toBeUndefined();
  });

  test('that could not be made is made when it is asked for again', async () => {
    const { eventLog } = house.storage;
    const broken = { bounds: eventLog.bounds.bind(eventLog), read: vi.fn(eventLog.read.bind(eventLog)) };
    broken.read.mockRejectedValueOnce(new Error('the disk'));
    const { documents } = spied({ eventLog: broken });
    await fed.match();
    const { record } = await fed.feed('tap', 'news');
    await expect(documents.read(record, 'atom')).rejects.toThrow('the disk');
    expect((await read(record, documents)).items).toHaveLength(1);
  });
});

describe('matches in a feed', () => {
  const PRICE = 5;
  const balance = async (): Promise<number> => (await house.accounts.credit.show(house.organizationId)).balance;

  test('are charged when they are first delivered, and never again', async () => {
    await house.accounts.credit.set(house.organizationId, 100 * PRICE);
    await fed.matches(3, () => ({}));
    const { record } = await fed.feed('tap', 'news');
    await house.feedDocuments.read(record, 'atom');
    expect(await balance()).toBe(97 * PRICE);
    await house.feedDocuments.read(record, 'json');
    await spied().documents.read((await fed.feed('tap', 'news')).record, 'atom');
    expect(await balance()).toBe(97 * PRICE);
    expect(await house.accounts.metering.deliver(fed.tapId, 0, 3)).toBe(3);
    expect(await balance()).toBe(97 * PRICE);
    await fed.match();
    await house.feedDocuments.read(record, 'atom');
    expect(await balance()).toBe(96 * PRICE);
  });

  test('come as far as the credit goes, and the others once there is some', async () => {
    await house.accounts.credit.set(house.organizationId, 2 * PRICE);
    await fed.matches(3, (index) => ({ title: `Match ${index}` }));
    const { record } = await fed.feed('tap', 'news');
    expect((await read(record)).items.map(({ title }) => title)).toEqual(['Match 1', 'Match 0']);
    await house.accounts.credit.grant(house.organizationId, PRICE);
    expect((await read(record)).items.map(({ title }) => title)).toEqual(['Match 2', 'Match 1', 'Match 0']);
  });

  test('that nobody can pay for are no empty feed', async () => {
    await house.accounts.credit.set(house.organizationId, 0);
    const { record } = await fed.feed('tap', 'news');
    expect((await read(record)).items).toEqual([]);
    await fed.match();
    await expect(house.feedDocuments.read(record, 'atom')).rejects.toMatchObject({ code: 'out_of_credit' });
  });
});

describe('the feed of a watch', () => {
  test('has its changes, with the ids that `hydrant watch feed` gives', async () => {
    await fed.watch('w', { url: 'https://example.org/prices', title: 'Prices' });
    await fed.watch('x');
    await fed.change('w', ['<b>new</b>']);
    await fed.change('x', ['other']);
    const { record } = await fed.feed('watch', 'w');
    const feed = await read(record);
    expect(feed.title).toBe('changes of Prices');
    expect(feed.items).toMatchObject([{ id: idOf('w/2'), url: 'https://example.org/prices', title: 'Prices' }]);
    expect(feed.items[0]?.content_html).toContain('<ins>+ &lt;b&gt;new&lt;/b&gt;</ins>');
  });

  test('is the same document until the watch changes, or is called otherwise', async () => {
    await fed.watch('w');
    await fed.watch('x');
    await fed.change('w', ['new']);
    const { record } = await fed.feed('watch', 'w');
    const first = await house.feedDocuments.read(record, 'atom');
    await fed.change('x', ['other']);
    expect(await house.feedDocuments.read(record, 'atom')).toBe(first);
    await house.storage.watches.changeWatch('w', { title: 'Mine' });
    expect((await read(record)).title).toBe('changes of Mine');
    await fed.change('w', ['newer']);
    expect((await read(record)).items).toHaveLength(2);
    await house.storage.watches.removeWatch('w');
    expect(await house.feedDocuments.read(record, 'atom')).toBeUndefined();
  });

  test('cuts a change that is long, and says so', async () => {
    await fed.watch('w');
    await fed.change(
      'w',
      Array.from({ length: 3_000 }, (_, index) => `${index} ${'word '.repeat(20)}`),
    );
    const [item] = (await read((await fed.feed('watch', 'w')).record)).items;
    expect(item?.content_html.length).toBeLessThan(2 * FEED_ENTRY_LENGTH);
    expect(item?.content_html).toContain('+ 5 word');
    expect(item?.content_html).toMatch(/<p>… and 2,[34]\d\d more lines<\/p>$/);
  });
});

describe('the feed of a tag', () => {
  test('has the changes of all watches that have it, and of those alone', async () => {
    await fed.watch('w', { tags: ['shop', 'a'] });
    await fed.watch('x', { tags: ['shop'] });
    await fed.watch('y', { tags: ['shops'] });
    await fed.watch('z', { tags: ['shop'], organizationId: 'another' });
    for (const id of ['w', 'y', 'z', 'x']) await fed.change(id, [id]);
    const feed = await read((await fed.feed('tag', 'shop')).record);
    expect(feed.title).toBe('changes of watched pages tagged shop');
    expect(feed.items.map(({ id }) => id)).toEqual([idOf('x/2'), idOf('w/2')]);
    expect((await read((await fed.feed('tag', 'nobody')).record)).items).toEqual([]);
  });

  test('is another document with the next change, or a minute after a watch lost its tag', async () => {
    await fed.watch('w', { tags: ['shop'] });
    await fed.change('w', ['new']);
    const { record } = await fed.feed('tag', 'shop');
    expect((await read(record)).items).toHaveLength(1);
    await fed.change('w', ['newer']);
    expect((await read(record)).items).toHaveLength(2);
    await house.storage.watches.changeWatch('w', { tags: [] });
    house.clock.ms += FEED_TAG_MS;
    expect((await read(record)).items).toEqual([]);
  });
});
