import { ownRequests } from '../requests/own-requests.ts';
import { describe, expect, test, vi } from 'vitest';
import { Sources } from '../../../src/daemon/crawl/sources.ts';
import { seedLead } from '../../../src/daemon/discovery/discover.ts';
import { AddressGuard } from '../../../src/daemon/fetch/address-guard.ts';
import { ARCHIVE_SOURCE, type DuePage, type FrontierSource } from '../../../src/daemon/storage/frontier.ts';
import type { RenderRefusal } from '../../../src/daemon/requests/rendering.ts';
import { openMemory } from '../../reference/storage/memory.ts';
import type { Storage } from '../../../src/daemon/storage/storage.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

function setUp(allowPrivate: string[] = [], storage: Storage = openMemory(), renderRefusal?: RenderRefusal) {
  let ids = 0;
  const outside = {
    now: () => NOW,
    randomBytes: (size: number) => new Uint8Array(size),
    uuid: () => `source-${(ids += 1)}`,
  };
  const wake = vi.fn<() => void>();
  const guard = new AddressGuard({ allowPrivate });
  const { catalog, frontier } = storage;
  return {
    storage,
    frontier,
    wake,
    sources: new Sources({
      catalog,
      frontier,
      guard,
      outside,
      requests: ownRequests(),
      ...(renderRefusal && { renderRefusal }),
      wake,
    }),
  };
}

async function due({ frontier }: Storage): Promise<readonly DuePage[]> {
  return (await frontier.take({ now: NOW, atMost: 100, leaseMs: 1_000, except: [] })).pages;
}

const left: FrontierSource = { id: 'left-behind', everyMs: 1_000, maxPages: 1, isPaused: false };

describe('sources', () => {
  test('a page source: saved, seeded and the crawl woken; defaults as documented', async () => {
    const { sources, storage, wake } = setUp();
    const source = await sources.add({ url: 'https://Example.com:443/a?utm_source=x#part' });
    expect(source).toEqual({
      id: 'source-1',
      url: 'https://example.com/a',
      scope: 'page',
      depth: null,
      every_seconds: null,
      max_pages: 1_000,
      baseline: false,
      paused: false,
      created_at: '2026-01-02T03:04:05+00:00',
      pages: 1,
      visits: 0,
      last_visit: null,
      next_visit_at: null,
    });
    expect(wake).toHaveBeenCalledOnce();
    expect(storage.catalog.data.sources).toHaveLength(1);
    expect(await due(storage)).toMatchObject([{ url: 'https://example.com/a', kind: 'hub', isBaseline: false }]);
  });

  test('a page source that is rendered: checked, kept, shown, and taken back', async () => {
    const { sources, storage } = setUp();
    const { id, render } = await sources.add({ url: 'https://example.com/app', render: { wait_for: '.price' } });
    expect(render).toEqual({ wait_for: '.price' });
    const [page] = await due(storage);
    expect(sources.ownPageOf(page!)).toEqual({ render: { wait_for: '.price' } });
    const wrong = { field: 'render', message: expect.stringMatching(/selector "\.price\["/) as unknown };
    await expect(sources.edit(id, { render: { wait_for: '.price[' } })).rejects.toMatchObject({ facts: wrong });
    expect((await sources.edit(id, { render: { within_seconds: 30 } })).render).toEqual({ within_seconds: 30 });
    expect(await sources.edit(id, { render: null })).not.toHaveProperty('render');
    expect(sources.ownPageOf(page!)).toBeUndefined();
  });

  test('what goes further than a page is not rendered, and nothing is where no browser is', async () => {
    const { sources } = setUp();
    const message = 'Only sources of scope page are rendered, and this one has scope host.';
    const order = { url: 'https://example.com/', scope: 'host', render: {} } as const;
    const refused = { code: 'invalid_field', facts: { field: 'render', message } };
    await expect(sources.add(order)).rejects.toMatchObject(refused);
    await expect(sources.addAll([order])).rejects.toMatchObject(refused);
    const { id } = await sources.add({ url: 'https://example.com/', scope: 'host' });
    await expect(sources.edit(id, { render: {} })).rejects.toMatchObject(refused);
    const without = setUp([], openMemory(), () => Promise.resolve('no browser was found; install one'));
    const why = 'This daemon cannot render pages: no browser was found; install one.';
    await expect(without.sources.add({ url: 'https://example.com/', render: {} })).rejects.toMatchObject({
      facts: { field: 'render', message: why },
    });
    expect(without.storage.catalog.data.sources).toEqual([]);
  });

  test('a scope without a border has one of its own, unless the operator says how far', async () => {
    const { sources } = setUp();
    expect(await sources.add({ url: 'https://a.example/', scope: 'any' })).toMatchObject({ depth: 2, max_pages: 100 });
    const wider = { scope: 'any', depth: 5, max_pages: 9_000 } as const;
    expect(await sources.add({ url: 'https://b.example/', ...wider })).toMatchObject(wider);
  });

  test('an interval, a limit and a baseline reach the frontier', async () => {
    const { sources, storage, frontier } = setUp();
    const put = vi.spyOn(frontier, 'putSource');
    await sources.add({ url: 'https://a.example/', every_seconds: 60, max_pages: 7, baseline: true });
    expect(put.mock.calls[0]?.[0]).toEqual({ id: 'source-1', everyMs: 60_000, maxPages: 7, isPaused: false });
    expect(await due(storage)).toMatchObject([{ everyMs: 60_000, isBaseline: true }]);
  });

  test('the same URL and scope twice is refused, and changes nothing', async () => {
    const { sources, storage } = setUp();
    await sources.add({ url: 'https://example.com/' });
    await expect(sources.add({ url: 'https://example.com/#again' })).rejects.toMatchObject({ code: 'source_exists' });
    await sources.add({ url: 'https://example.com/', scope: 'host' });
    expect(storage.catalog.data.sources).toHaveLength(2);
  });

  test.each([
    ['http://10.0.0.1/', 'private_address'],
    ['http://0x7f.1/', 'private_address'],
    ['http://[fd00::1]/', 'private_address'],
    ['ftp://example.com/', 'invalid_field'],
    ['example.com', 'invalid_field'],
    ['http://user@example.com/', 'invalid_field'],
  ])('%s is refused as %s before anything is saved', async (url, code) => {
    const { sources, storage } = setUp();
    await expect(sources.add({ url })).rejects.toMatchObject({ code });
    expect(storage.catalog.data.sources).toEqual([]);
  });

  test('an operator’s network opens its own addresses', async () => {
    const { sources } = setUp(['10.0.0.0/8']);
    expect(await sources.add({ url: 'http://10.0.0.1/' })).toMatchObject({ url: 'http://10.0.0.1/' });
  });

  test('a page is named by a source of its own, not by one that leads to it', async () => {
    const { sources } = setUp();
    const host = await sources.add({ url: 'https://example.com/', scope: 'host' });
    const page = await sources.add({ url: 'https://example.com/a?x=1&y=2' });
    const again = await sources.add({ url: 'https://example.com/a?x=1&y=2', scope: 'prefix' });
    expect(sources.isNamed('https://example.com/')).toBe(true);
    expect(sources.isNamed('https://example.com/b')).toBe(false);
    // The frontier knows a page by its identity and may have met it with its parameters in another order.
    expect(sources.isNamed('https://example.com/a?y=2&x=1')).toBe(true);
    await sources.remove(page.id);
    expect(sources.isNamed(page.url)).toBe(true);
    await sources.remove(again.id);
    expect(sources.isNamed(page.url)).toBe(false);
    expect(
      sources.terms([
        { sourceId: host.id, depth: 3 },
        { sourceId: page.id, depth: 0 },
      ]),
    ).toEqual([{ id: host.id, url: host.url, scope: 'host', maxDepth: null, maxPages: 1_000, depth: 3 }]);
  });
});

describe('a list of sources', () => {
  test('is one write of the catalog, with a word for each that is known or refused', async () => {
    const { sources, storage, wake } = setUp();
    const { id } = await sources.add({ url: 'https://known.example/' });
    const update = vi.spyOn(storage.catalog, 'update');
    wake.mockClear();
    const report = await sources.addAll([
      { url: 'https://a.example/', scope: 'host' },
      { url: 'https://known.example/#part' },
      { url: 'http://10.0.0.1/' },
      { url: 'https://b.example/', every_seconds: 60 },
      { url: 'https://b.example/?' },
      { url: 'not a url' },
    ]);
    expect(update).toHaveBeenCalledOnce();
    expect(wake).toHaveBeenCalledOnce();
    expect(report.added.map(({ url }) => url)).toEqual(['https://a.example/', 'https://b.example/']);
    const second = report.added[1]?.id;
    expect(report.known).toEqual([
      { index: 1, id, url: 'https://known.example/' },
      { index: 4, id: second, url: 'https://b.example/' },
    ]);
    expect(report.refused.map(({ index, url }) => [index, url])).toEqual([
      [2, 'http://10.0.0.1/'],
      [5, 'not a url'],
    ]);
    expect((await due(storage)).map(({ host }) => host).sort()).toEqual(['a.example', 'b.example', 'known.example']);
  });

  test('with nothing to add writes nothing', async () => {
    const { sources, storage, wake } = setUp();
    const update = vi.spyOn(storage.catalog, 'update');
    expect(await sources.addAll([{ url: 'x' }])).toMatchObject({ added: [], known: [] });
    expect(update).not.toHaveBeenCalled();
    expect(wake).not.toHaveBeenCalled();
  });

  test('beyond what a daemon may have is refused as a whole', async () => {
    const { sources, storage } = setUp();
    const many = Array.from({ length: 50_001 }, (_, index) => ({ url: `https://a.example/${index}` }));
    await expect(sources.addAll(many)).rejects.toMatchObject({ code: 'source_limit_reached' });
    expect(storage.catalog.data.sources).toEqual([]);
  });
});

describe('a change of a source', () => {
  test('holds at once, and what is not named stays', async () => {
    const { sources, frontier, wake } = setUp();
    const source = await sources.add({ url: 'https://a.example/', scope: 'host', every_seconds: 600, max_pages: 50 });
    const put = vi.spyOn(frontier, 'putSource');
    wake.mockClear();
    const changed = await sources.edit(source.id, { every_seconds: 60, depth: 2 });
    expect(changed).toMatchObject({ every_seconds: 60, depth: 2, max_pages: 50, scope: 'host' });
    const terms = { id: source.id, everyMs: 60_000, maxPages: 50, isPaused: false };
    expect(put).toHaveBeenCalledWith({ ...terms, isWider: false }, [], NOW);
    expect(wake).toHaveBeenCalledOnce();
    expect(sources.terms([{ sourceId: source.id, depth: 0 }])).toMatchObject([{ maxDepth: 2 }]);
    expect(await sources.edit(source.id, { every_seconds: null, depth: null })).toMatchObject({
      every_seconds: null,
      depth: null,
    });
  });

  test.each([
    [{ depth: 1 }, { depth: 2 }, true],
    [{ depth: 1 }, { depth: null }, true],
    [{ max_pages: 5 }, { max_pages: 6 }, true],
    [{}, { depth: 3 }, false],
    [{ depth: 2, max_pages: 5 }, { depth: 1, max_pages: 5 }, false],
    [{ depth: 1 }, { every_seconds: 60 }, false],
  ])('of %j by %j has its pages read again for their links: %s', async (terms, change, isWider) => {
    const { sources, frontier, storage } = setUp();
    const { id } = await sources.add({ url: 'https://a.example/', scope: 'host', ...terms });
    await visit(storage, { outcome: 'changed' });
    const put = vi.spyOn(frontier, 'putSource');
    await sources.edit(id, change);
    expect(put.mock.calls[0]?.[0].isWider).toBe(isWider);
    expect(await due(storage)).toHaveLength(isWider ? 1 : 0);
  });

  test('a paused source is not visited until it is resumed', async () => {
    const { sources, storage } = setUp();
    const { id } = await sources.add({ url: 'https://a.example/' });
    expect(await sources.edit(id, { paused: true })).toMatchObject({ paused: true, next_visit_at: null });
    expect(await due(storage)).toEqual([]);
    await sources.edit(id, { paused: false });
    expect(await due(storage)).toHaveLength(1);
  });

  test('of one that is not there is not found', async () => {
    const { sources } = setUp();
    await expect(sources.edit('nothing', { paused: true })).rejects.toMatchObject({ code: 'not_found' });
    await expect(sources.show('nothing')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the end of a source', () => {
  test('takes its pages along; an unknown one is not found', async () => {
    const { sources, frontier } = setUp();
    const { id } = await sources.add({ url: 'https://example.com/' });
    await sources.remove(id);
    expect(await sources.list()).toEqual([]);
    expect((await frontier.frontierTotals(NOW)).pages).toBe(0);
    await expect(sources.remove(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('that failed half-way can be asked for again', async () => {
    const { sources, frontier } = setUp();
    const { id } = await sources.add({ url: 'https://example.com/' });
    vi.spyOn(frontier, 'removeSource').mockRejectedValueOnce(new Error('the disk is full'));
    await expect(sources.remove(id)).rejects.toThrow('the disk is full');
    await expect(sources.remove(id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await frontier.sources()).toEqual([]);
  });

  test('is not that of the archives, which is no source of the operator’s', async () => {
    const { sources, frontier } = setUp();
    await frontier.putSource({ ...left, id: ARCHIVE_SOURCE, isPaused: true }, [], NOW);
    await expect(sources.remove(ARCHIVE_SOURCE)).rejects.toMatchObject({ code: 'not_found' });
    expect(await frontier.sources()).toHaveLength(1);
  });

  test('is also that of one that the frontier could not take: it can be added again', async () => {
    const { sources, storage, frontier } = setUp();
    vi.spyOn(frontier, 'putSource').mockRejectedValueOnce(new Error('the disk is full'));
    await expect(sources.add({ url: 'https://example.com/' })).rejects.toThrow('the disk is full');
    expect(storage.catalog.data.sources).toEqual([]);
    expect(sources.isNamed('https://example.com/')).toBe(false);
    await sources.add({ url: 'https://example.com/' });
  });
});

describe('a start', () => {
  test('after a crash between catalog and frontier brings the two in line, and leaves the archives alone', async () => {
    const { sources, storage, frontier } = setUp();
    const { id } = await sources.add({ url: 'https://example.com/' });
    await frontier.removeSource(id);
    await frontier.putSource(left, [seedLead('https://old.example/', false)!], 0);
    await frontier.putSource({ ...left, id: ARCHIVE_SOURCE, isPaused: true }, [], 0);
    const restarted = setUp([], storage).sources;
    await restarted.restore();
    expect((await frontier.sources()).map((source) => source.id).sort()).toEqual([ARCHIVE_SOURCE, id]);
    expect(restarted.isNamed('https://example.com/')).toBe(true);
    expect(await due(storage)).toMatchObject([{ url: 'https://example.com/' }]);
  });

  test('does not make what was visited due again', async () => {
    const { sources, storage } = setUp();
    const { id } = await sources.add({ url: 'https://example.com/', every_seconds: 600 });
    await visit(storage, { outcome: 'unchanged' });
    await setUp([], storage).sources.restore();
    expect(await due(storage)).toEqual([]);
    expect(await sources.show(id)).toMatchObject({ visits: 1 });
  });

  test('takes over terms that were changed in the catalog', async () => {
    const { sources, storage } = setUp();
    const { url } = await sources.add({ url: 'https://example.com/' });
    await storage.catalog.update((draft) => (draft.sources[0]!.everySeconds = 5));
    await setUp([], storage).sources.restore();
    expect(await due(storage)).toMatchObject([{ url, everyMs: 5_000 }]);
  });

  test('refuses a source that was edited into something that is no URL, by its id', async () => {
    const { sources, storage } = setUp();
    const { id } = await sources.add({ url: 'https://example.com/' });
    await storage.catalog.update((draft) => (draft.sources[0]!.url = 'example'));
    await expect(setUp([], storage).sources.restore()).rejects.toMatchObject({
      name: 'StartFailure',
      message: `the catalog gives source ${id} the URL "example", which cannot be crawled; repair it, or remove the source from the catalog`,
    });
  });
});

type Ending = Pick<Parameters<Storage['pages']['commit']>[0], 'outcome' | 'reason' | 'detail'>;

/** Takes the one page that is due, and commits a visit of it. */
async function visit(storage: Storage, ending: Ending): Promise<void> {
  const [page] = await due(storage);
  if (page === undefined) throw new Error('no page is due');
  await storage.pages.commit({
    ...ending,
    pageId: page.id,
    sourceIds: page.holders.map(({ sourceId }) => sourceId),
    at: NOW,
    nextDue: NOW + 60_000,
    rate: { theta: 0, info: 0, pull: 0 },
    host: page.hostState,
    isNamed: true,
    isMainChange: false,
    events: [],
    discovered: [],
  });
}

test('the list tells of the newest visit, and of a failure in a word and a sentence', async () => {
  const { sources, storage } = setUp();
  await sources.add({ url: 'https://example.com/' });
  const failed = { outcome: 'failed' as const, reason: 'dns', detail: 'example.com has no address' };
  await visit(storage, failed);
  expect(await sources.list()).toMatchObject([
    {
      visits: 1,
      next_visit_at: '2026-01-02T03:05:05+00:00',
      last_visit: { url: 'https://example.com/', at: '2026-01-02T03:04:05+00:00', ...failed },
    },
  ]);
});
