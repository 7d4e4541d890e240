import { ownRequests } from '../requests/own-requests.ts';
import { describe, expect, test, vi } from 'vitest';
import { Sources } from '../../../src/daemon/crawl/sources.ts';
import { type RobotsGlance, UrlService } from '../../../src/daemon/crawl/url-service.ts';
import { identityOf } from '../../../src/daemon/discovery/canonical.ts';
import { AddressGuard } from '../../../src/daemon/fetch/address-guard.ts';
import { type HostState, NEW_HOST } from '../../../src/daemon/storage/frontier.ts';
import { openMemory } from '../../reference/storage/memory.ts';
import type { ReadingAccount } from '../../../src/shared/page/account.ts';
import type { Visit } from '../../../src/daemon/storage/pages.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const HOUR = 3_600_000;

function world() {
  const storage = openMemory();
  const { catalog, frontier, pages } = storage;
  let ids = 0;
  const outside = { now: () => NOW, randomBytes: (size: number) => new Uint8Array(size), uuid: () => `s${(ids += 1)}` };
  const guard = new AddressGuard({ allowPrivate: [] });
  const sources = new Sources({ catalog, frontier, guard, outside, requests: ownRequests(), wake: () => undefined });
  const wake = vi.fn<() => void>();
  const accounts = new Map<number, ReadingAccount>();
  const account = async ({ id }: { id: number }): Promise<ReadingAccount | undefined> => accounts.get(id);
  let glance: RobotsGlance = { kind: 'unknown' };
  const robots = { peek: async () => glance };
  const service = new UrlService({ frontier, sources, robots, outside, wake, account });

  /** Visits the page that is due. */
  async function visit(change: Partial<Visit> = {}): Promise<void> {
    const { pages: due } = await frontier.take({ now: NOW, atMost: 1, leaseMs: 1_000, except: [] });
    const [page] = due;
    if (page === undefined) throw new Error('no page is due');
    await pages.commit({
      pageId: page.id,
      sourceIds: page.holders.map(({ sourceId }) => sourceId),
      at: NOW - HOUR,
      outcome: 'unchanged',
      status: 200,
      nextDue: NOW + HOUR,
      rate: { theta: Math.log(0.5), info: 2, pull: 1 },
      host: NEW_HOST,
      bodyHash: 'aa',
      isFull: true,
      isNamed: true,
      isMainChange: false,
      events: [],
      discovered: [],
      ...change,
    });
  }
  return { accounts, frontier, sources, service, wake, visit, say: (said: RobotsGlance) => (glance = said) };
}

describe('why', () => {
  test('of a page before its first visit: held, due, robots.txt not known', async () => {
    const { sources, service } = world();
    await sources.add({ url: 'https://a.example/news', every_seconds: 600 });
    const report = await service.why('https://A.example/news#top');
    expect(report).toMatchObject({
      url: 'https://a.example/news',
      host: 'a.example',
      trap: null,
      sources: [{ id: 's1', holds: true, because: null }],
      robots: { verdict: 'unknown', detail: null },
      page: {
        kind: 'hub',
        due_at: '2026-01-02T03:04:05+00:00',
        urgency: 'asked',
        every_seconds: 600,
        changes_every_seconds: null,
        conditional: false,
        full_at: null,
        last_visit_ms: null,
        answers: [],
      },
    });
  });

  test('of a page that was visited: its answers, its rhythm after two looks, its host', async () => {
    const { accounts, sources, service, visit, frontier, say } = world();
    await sources.add({ url: 'https://a.example/' });
    const off: HostState = {
      ...NEW_HOST,
      notBefore: NOW + 60_000,
      backoff: 2,
      backoffAt: NOW - 60_000,
      backoffReason: '429',
      responseMs: 120.4,
      day: Math.floor(NOW / 86_400_000),
      fetches: 14,
      bytes: 2_000,
    };
    await visit({ validators: { etag: '"1"' } });
    expect((await service.why('https://a.example/')).page?.changes_every_seconds).toBeNull();
    await frontier.prioritize(identityOf('https://a.example/'), NOW);
    await visit({ at: NOW - 1_000, outcome: 'changed', host: off });
    say({ kind: 'allowed', detail: 'there is no robots.txt of a.example' });
    const { page, robots } = await service.why('https://a.example/');
    expect(robots).toEqual({ verdict: 'allowed', detail: 'there is no robots.txt of a.example' });
    expect(page).toMatchObject({
      due_at: '2026-01-02T04:04:05+00:00',
      urgency: 'none',
      every_seconds: null,
      changes_every_seconds: 172_800,
      last_visit_ms: NOW - 1_000,
      host: {
        leased: false,
        rests_until: '2026-01-02T03:05:05+00:00',
        backing_off: { since: '2026-01-02T03:03:05+00:00', times: 2, reason: '429' },
        response_ms: 120,
        today: { fetches: 14, bytes: 2_000 },
      },
    });
    expect(page?.account).toBeNull();
    accounts.set(1, { read: 10, boilerplate: 2, hidden: 0, notes: [] });
    expect((await service.why('https://a.example/')).page?.account).toMatchObject({ read: 10, boilerplate: 2 });
    expect(page?.answers.map(({ outcome }) => outcome)).toEqual(['changed', 'unchanged']);
  });

  test('counts nothing of yesterday', async () => {
    const { sources, service, visit } = world();
    await sources.add({ url: 'https://a.example/' });
    await visit({ host: { ...NEW_HOST, day: Math.floor(NOW / 86_400_000) - 1, fetches: 14, bytes: 2_000 } });
    expect((await service.why('https://a.example/')).page?.host.today).toEqual({ fetches: 0, bytes: 0 });
  });

  test('tells that a source that holds it is paused', async () => {
    const { sources, service } = world();
    const { id } = await sources.add({ url: 'https://a.example/' });
    await sources.edit(id, { paused: true });
    expect((await service.why('https://a.example/')).sources).toMatchObject([{ id, paused: true, holds: true }]);
  });

  test.each([
    ['https://a.example/deep/page', { scope: 'host' }, 'not_found'],
    ['https://a.example/deep/page', { scope: 'host', depth: 0 }, 'depth'],
    ['https://a.example/deep/page', { scope: 'host', max_pages: 1 }, 'budget'],
    ['https://a.example/deep/page', { scope: 'page' }, 'scope'],
    ['https://b.a.example/', { scope: 'domain' }, 'not_found'],
    ['https://a.example/x/y/x/y/x/y', { scope: 'any' }, 'trap'],
  ] as const)('of %s tells what keeps it from a source with %j: %s', async (url, terms, because) => {
    const { sources, service } = world();
    await sources.add({ url: 'https://a.example/', ...terms });
    const report = await service.why(url);
    expect(report.page).toBeNull();
    expect(report.sources).toMatchObject([{ id: 's1', holds: false, because }]);
  });

  test('does not list sources of other hosts, and no more than twenty', async () => {
    const { sources, service } = world();
    await sources.addAll([
      ...Array.from({ length: 600 }, (_, index) => ({ url: `https://a.example/${index}` })),
      { url: 'https://b.example/' },
      { url: 'https://a.example/', scope: 'host' },
    ]);
    const { sources: listed } = await service.why('https://a.example/none');
    expect(listed).toHaveLength(20);
    expect(listed[0]).toMatchObject({ scope: 'host', because: 'not_found' });
    expect((await service.why('https://c.example/')).sources).toEqual([]);
  });

  test.each(['x', 'ftp://a.example/', 'https://user@a.example/'])('refuses %s', async (url) => {
    await expect(world().service.why(url)).rejects.toMatchObject({ code: 'invalid_field' });
  });
});

describe('visit', () => {
  test('makes the page due now, ahead of others, and wakes the crawl', async () => {
    const { sources, service, visit, wake } = world();
    await sources.add({ url: 'https://a.example/' });
    await visit();
    expect(await service.visit('https://a.example/#x')).toEqual({
      url: 'https://a.example/',
      last_visit_ms: NOW - HOUR,
      paused: false,
    });
    expect(wake).toHaveBeenCalledOnce();
    expect((await service.why('https://a.example/')).page).toMatchObject({ urgency: 'asked', ahead: 0 });
    await visit({ at: NOW });
  });

  test('of a URL that no source holds is refused', async () => {
    const { service, wake } = world();
    const refused = service.visit('https://a.example/');
    await expect(refused).rejects.toMatchObject({ code: 'url_not_held', facts: { url: 'https://a.example/' } });
    expect(wake).not.toHaveBeenCalled();
  });

  test('says when all of its sources are paused', async () => {
    const { sources, service } = world();
    const { id } = await sources.add({ url: 'https://a.example/' });
    await sources.edit(id, { paused: true });
    expect(await service.visit('https://a.example/')).toMatchObject({ paused: true });
  });
});
