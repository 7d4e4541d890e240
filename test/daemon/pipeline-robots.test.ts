import { describe, expect, test } from 'vitest';
import { NEW_HOST } from '../../src/daemon/storage/frontier.ts';
import { answer, hour, minute, page, url, world } from './pipeline-world.ts';

describe('what robots are told', () => {
  test('a page is visited when robots.txt allows it, and its host rests as that asks', async () => {
    const it = await world();
    it.permission = { kind: 'allowed', crawlDelayMs: 7_000 };
    it.serve(page('The harbour opens at nine.'));
    expect(await it.turn()).toMatchObject({ asked: { crawlDelayMs: 7_000 }, report: { outcome: 'changed' } });
    expect((await it.known()).hostState).toMatchObject({ notBefore: it.now + 7_000, fetches: 1, bytes: 1_000 });
  });

  test('the turn in which robots.txt was fetched is over, and the page stays due', async () => {
    const it = await world();
    it.permission = { kind: 'fetched', crawlDelayMs: 7_000, sitemaps: [] };
    expect(await it.turn()).toMatchObject({ asked: { at: it.now, crawlDelayMs: 7_000 }, report: undefined });
    expect(it.commits).toEqual([]);
    expect((await it.known()).hostState).toMatchObject({ notBefore: it.now + 7_000, fetches: 1 });
    it.later(7_000);
    expect((await it.due()).url).toBe(url);
  });

  test('a robots.txt that asks for a rest has it before the page is asked for, also where an old copy allows that', async () => {
    const it = await world();
    it.permission = { kind: 'fetched', crawlDelayMs: 0, sitemaps: [], answer: { ...answer(429), retryAfterMs: hour } };
    await it.turn();
    const { hostState } = await it.known();
    expect(hostState).toMatchObject({ backoff: 1, backoffReason: '429', fetches: 1, bytes: 1_000 });
    expect(hostState.notBefore).toBeGreaterThanOrEqual(it.now + hour);
  });

  test('where it cannot be had at all, the page has had its turn: its host rests longer than that holds', async () => {
    const it = await world();
    const detail = 'robots.txt of news.example.com cannot be fetched: the server answered 503';
    const refusal = { kind: 'refused', reason: 'robots', detail, until: it.now + minute } as const;
    it.permission = { kind: 'fetched', crawlDelayMs: 0, sitemaps: [], answer: answer(503), refusal };
    expect(await it.turn()).toMatchObject({
      asked: { at: it.now },
      report: { outcome: 'failed', reason: 'robots', detail },
    });
    expect(it.requests).toEqual([]);
    expect(await it.known()).toMatchObject({ state: { failures: 1 }, hostState: { backoff: 1, fetches: 1 } });
  });

  test('the time to its answer counts for the rest as that of any other', async () => {
    const it = await world();
    it.permission = { kind: 'fetched', crawlDelayMs: 0, sitemaps: [], answer: { ...answer(200), ms: 4_000 } };
    await it.turn();
    expect((await it.known()).hostState).toMatchObject({ responseMs: 4_000, failures: 0 });
  });

  test('its sitemaps are known before the page is', async () => {
    const it = await world();
    it.permission = { kind: 'fetched', crawlDelayMs: 0, sitemaps: ['http://news.example.com/sitemap.xml'] };
    await it.turn();
    expect(it.offered).toMatchObject([{ sourceId: 'source', leads: [{ url: 'http://news.example.com/sitemap.xml' }] }]);
    expect(await it.known('http://news.example.com/sitemap.xml')).toMatchObject({ kind: 'sitemap' });
  });

  describe('sitemaps of a robots.txt that is known already', () => {
    const sitemap = 'http://news.example.com/sitemap.xml';
    const wanted = [{ sourceId: 'source', leads: [{ url: sitemap, kind: 'sitemap', depth: 0 }] }];

    test('are found by the first visit of a source, once for each copy of the file', async () => {
      const it = await world();
      it.sitemaps = { sitemaps: [sitemap], readAt: it.now - hour };
      it.serve(page('The harbour opens at nine.'));
      await it.visit();
      expect(it.commits[0]).toMatchObject({ discovered: wanted });
      expect(await it.known(sitemap)).toMatchObject({ kind: 'sitemap' });
      const both = async (): Promise<void> => {
        it.later();
        await it.visit();
        await it.visit();
      };
      await both();
      await both();
      it.sitemaps = { ...it.sitemaps, readAt: it.now + minute };
      await both();
      const { id } = await it.known();
      const ofPage = it.commits.filter(({ pageId }) => pageId === id);
      expect(ofPage.map(({ discovered }) => discovered.length)).toEqual([1, 0, 0, 1]);
    });

    test('are found where the page itself is refused or cannot be had', async () => {
      const it = await world();
      it.sitemaps = { sitemaps: [sitemap], readAt: it.now };
      it.permission = { kind: 'refused', reason: 'robots', detail: 'line 2', until: it.now + hour };
      await it.visit();
      expect(it.commits[0]).toMatchObject({ outcome: 'failed', discovered: wanted });
    });

    test('are found for a source that comes to a page which another one holds', async () => {
      const it = await world();
      it.serve(page('The harbour opens at nine.'));
      await it.visit();
      it.later(minute);
      it.sitemaps = { sitemaps: [sitemap], readAt: it.now - hour };
      await it.add('other');
      await it.visit();
      expect(it.commits[1]?.discovered.map(({ sourceId }) => sourceId)).toEqual(['source', 'other']);
    });

    test.each([
      ['one page', { scope: 'page' }],
      ['no link away', { maxDepth: 0 }],
    ] as const)('are nothing to a source of %s', async (_, terms) => {
      const it = await world();
      it.terms = { ...it.terms, ...terms };
      it.sitemaps = { sitemaps: [sitemap], readAt: it.now };
      it.serve(page('The harbour opens at nine.'));
      await it.visit();
      expect(it.commits[0]).toMatchObject({ discovered: [] });
    });
  });

  test('a refused page is not asked for, and comes round when robots.txt does', async () => {
    const it = await world();
    const until = it.now + 24 * hour + minute;
    it.permission = { kind: 'refused', reason: 'robots', detail: 'line 2', until };
    const failed = { outcome: 'failed', reason: 'robots', detail: 'line 2' };
    expect(await it.turn()).toMatchObject({ asked: undefined, report: { ...failed, events: [] } });
    expect(it.requests).toEqual([]);
    expect(it.seen).toMatchObject([{ outcome: 'failed', reason: 'robots', until }]);
    expect(it.commits).toMatchObject([failed]);
    expect(it.commits[0]!.nextDue).toBeGreaterThan(until);
    expect((await it.known()).hostState).toEqual(NEW_HOST);
  });

  test('nofollow: the page is news, and its links lead nowhere', async () => {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    it.serve(`<meta name=robots content=nofollow>${page('See <a href="/more">more</a>.')}`);
    expect(await it.visit()).toMatchObject({ outcome: 'changed', events: 1 });
    expect(it.commits[0]).toMatchObject({ discovered: [] });
  });

  test('noindex: the links are followed, nobody is told, and nothing of it is news later on', async () => {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    it.serve(`<meta name=hydrant content=noindex>${page('See <a href="/more">more</a>.')}`);
    expect(await it.visit()).toMatchObject({ outcome: 'changed', events: 0 });
    expect(it.commits[0]).toMatchObject({ discovered: [{ leads: [{ url: 'http://news.example.com/more' }] }] });
    await it.visit();
    it.later();
    it.serve(page('See <a href="/more">more</a>.', 'The harbour opens at nine.'));
    await it.visit();
    expect(it.delivered.map(({ document }) => (JSON.parse(document) as { diff: unknown }).diff)).toEqual([
      { chunks: [{ typ: 'ins', text: 'The harbour opens at nine.' }] },
    ]);
  });

  test('noindex: whoever named the page is told', async () => {
    const it = await world();
    it.isNamed = true;
    it.rule('all', 'domain:"example.com"');
    it.serve(`<meta name=robots content=noindex>${page('The harbour opens at nine.')}`);
    expect(await it.visit()).toMatchObject({ outcome: 'changed', events: 1 });
  });

  test('X-Robots-Tag says it, too', async () => {
    const it = await world();
    it.rule('all', 'domain:"example.com"');
    it.serve(page('See <a href="/more">more</a>.'), { headers: { robots: 'none' } });
    expect(await it.visit()).toMatchObject({ outcome: 'changed', events: 0 });
    expect(it.commits[0]).toMatchObject({ discovered: [], linksTo: { to: [] } });
  });
});
