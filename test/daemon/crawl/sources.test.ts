import { describe, expect, test, vi } from 'vitest';
import { Sources } from '../../../src/daemon/crawl/sources.ts';
import { AddressGuard } from '../../../src/daemon/fetch/address-guard.ts';
import { openMemory } from '../../../src/daemon/storage/memory/memory.ts';
import type { DuePage } from '../../../src/daemon/storage/pages.ts';
import { NO_FACTS, type Page } from '../../../src/shared/page/page.ts';

function desk(allowPrivate: string[] = []) {
  const storage = openMemory();
  let ids = 0;
  const outside = {
    now: () => Date.UTC(2026, 0, 2, 3, 4, 5),
    randomBytes: (size: number) => new Uint8Array(size),
    uuid: () => `source-${(ids += 1)}`,
  };
  const wake = vi.fn<() => void>();
  const guard = new AddressGuard({ allowPrivate });
  const { catalog, pages } = storage;
  return { storage, wake, sources: new Sources({ catalog, pages, guard, outside, wake }) };
}

const due = (sourceIds: string[]): DuePage => ({
  id: 1,
  url: 'https://example.com/',
  host: 'example.com',
  due: 0,
  everyMs: 1_000,
  sourceIds,
  bodyHash: undefined,
  failures: 0,
  doubtedAt: undefined,
});

const linking = (...links: string[]): Page => ({
  url: 'https://example.com/',
  segments: [],
  anchors: [],
  links,
  facts: NO_FACTS,
});

describe('sources', () => {
  test('a page source: saved, seeded and the crawl woken; defaults as documented', async () => {
    const { sources, storage, wake } = desk();
    const source = await sources.add({ url: 'https://Example.com:443/a#part' });
    expect(source).toEqual({
      id: 'source-1',
      url: 'https://example.com/a',
      scope: 'page',
      every_seconds: 600,
      max_pages: 1,
      created_at: '2026-01-02T03:04:05+00:00',
      pages: 1,
      visits: 0,
      last_visit: null,
      next_visit_at: null,
    });
    expect(wake).toHaveBeenCalledOnce();
    expect(storage.catalog.data.sources).toHaveLength(1);
    const { pages } = await storage.pages.due({ now: Date.now(), atMost: 9, busyHosts: [] });
    expect(pages.map((page) => page.url)).toEqual(['https://example.com/a']);
  });

  test('the same URL and scope twice is refused, and changes nothing', async () => {
    const { sources, storage } = desk();
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
    const { sources, storage } = desk();
    await expect(sources.add({ url })).rejects.toMatchObject({ code });
    expect(storage.catalog.data.sources).toEqual([]);
  });

  test('an operator’s network opens its own addresses', async () => {
    const { sources } = desk(['10.0.0.0/8']);
    expect(await sources.add({ url: 'http://10.0.0.1/' })).toMatchObject({ url: 'http://10.0.0.1/' });
  });

  test('a host source wants its links to the same host, each in one form; a page source wants none', async () => {
    const { sources } = desk();
    await sources.add({ url: 'https://example.com/', scope: 'host' });
    await sources.add({ url: 'https://example.com/', scope: 'page' });
    const page = linking(
      'https://example.com/a',
      'https://EXAMPLE.com/b',
      'https://user:password@example.com/c',
      'https://www.example.com/',
      'http://example.com:8080/',
    );
    expect(sources.discover(due(['source-1', 'source-2']), page)).toEqual([
      { sourceId: 'source-1', urls: ['https://example.com/a', 'https://example.com/b'] },
    ]);
    expect(sources.discover(due(['source-2']), page)).toEqual([]);
  });

  test('a page is named by a source of its own, not by one that leads to it', async () => {
    const { sources } = desk();
    await sources.add({ url: 'https://example.com/', scope: 'host' });
    await sources.add({ url: 'https://example.com/a' });
    const page = due(['source-1']);
    expect(sources.isNamed(page)).toBe(true);
    expect(sources.isNamed({ ...page, url: 'https://example.com/a' })).toBe(false);
    expect(sources.isNamed({ ...page, url: 'https://example.com/a', sourceIds: ['source-1', 'source-2'] })).toBe(true);
  });

  test('removing a source takes its pages along; an unknown one is not found', async () => {
    const { sources, storage } = desk();
    const { id } = await sources.add({ url: 'https://example.com/' });
    await sources.remove(id);
    expect(await sources.list()).toEqual([]);
    expect((await storage.pages.totals(0)).pages).toBe(0);
    await expect(sources.remove(id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('after a crash between catalog and frontier, a start brings the two in line', async () => {
    const { sources, storage } = desk();
    const { id } = await sources.add({ url: 'https://example.com/' });
    await storage.pages.removeSource(id);
    await storage.pages.addSource({ id: 'left-behind', everyMs: 1_000, maxPages: 1 }, 'https://old.example/', 0);
    await sources.restore();
    expect((await storage.pages.sources()).map((source) => source.id)).toEqual([id]);
  });

  test('a start takes over an interval that was changed in the catalog', async () => {
    const { sources, storage } = desk();
    const { url } = await sources.add({ url: 'https://example.com/' });
    await storage.catalog.update((draft) => (draft.sources[0]!.everySeconds = 5));
    await sources.restore();
    const { pages } = await storage.pages.due({ now: Date.now(), atMost: 1, busyHosts: [] });
    expect(pages).toMatchObject([{ url, everyMs: 5_000 }]);
  });

  test('a start refuses a source that was edited into something that is no URL, by its id', async () => {
    const { sources, storage } = desk();
    const { id } = await sources.add({ url: 'https://example.com/' });
    await storage.catalog.update((draft) => (draft.sources[0]!.url = 'example'));
    await expect(sources.restore()).rejects.toMatchObject({
      name: 'StartFailure',
      message: `the catalog gives source ${id} the URL "example", which cannot be crawled; repair it, or take the source out of the catalog`,
    });
  });

  test('a source that the frontier could not take is not in the catalog, and can be added again', async () => {
    const { sources, storage } = desk();
    vi.spyOn(storage.pages, 'addSource').mockRejectedValueOnce(new Error('the disk is full'));
    await expect(sources.add({ url: 'https://example.com/' })).rejects.toThrow('the disk is full');
    expect(storage.catalog.data.sources).toEqual([]);
    await sources.add({ url: 'https://example.com/' });
  });

  test('a removal that failed half-way can be asked for again', async () => {
    const { sources, storage } = desk();
    const { id } = await sources.add({ url: 'https://example.com/' });
    vi.spyOn(storage.pages, 'removeSource').mockRejectedValueOnce(new Error('the disk is full'));
    await expect(sources.remove(id)).rejects.toThrow('the disk is full');
    await expect(sources.remove(id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await storage.pages.sources()).toEqual([]);
  });

  test('the list tells of the newest visit, and of a failure in a word and a sentence', async () => {
    const { sources, storage } = desk();
    await sources.add({ url: 'https://example.com/' });
    const { pages } = await storage.pages.due({ now: Date.now(), atMost: 1, busyHosts: [] });
    const at = Date.UTC(2026, 0, 2, 4);
    const failed = { outcome: 'failed' as const, reason: 'dns', detail: 'example.com has no address' };
    const nextDue = at + 60_000;
    const { id, sourceIds } = pages[0]!;
    await storage.pages.commit({ pageId: id, sourceIds, at, ...failed, nextDue, events: [], discovered: [] });
    expect(await sources.list()).toMatchObject([
      {
        visits: 1,
        next_visit_at: '2026-01-02T04:01:00+00:00',
        last_visit: { url: 'https://example.com/', at: '2026-01-02T04:00:00+00:00', ...failed },
      },
    ]);
  });
});
