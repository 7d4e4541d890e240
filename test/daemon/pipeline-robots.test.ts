import { describe, expect, test } from 'vitest';
import type { Fetched } from '../../src/daemon/fetch/fetched.ts';
import { minute, page, url, world } from './pipeline-world.ts';

describe('what robots are told', () => {
  test('a page is visited when robots.txt allows it, and its host rests as that asks', async () => {
    const it = await world();
    it.permission = { kind: 'allowed', crawlDelayMs: 7_000 };
    it.serve(page('The harbour opens at nine.'));
    expect(await it.turn()).toMatchObject({ isRequest: true, crawlDelayMs: 7_000, report: { outcome: 'changed' } });
  });

  test('the turn in which robots.txt was fetched is over, and the page stays due', async () => {
    const it = await world();
    it.permission = { kind: 'fetched', crawlDelayMs: 7_000 };
    expect(await it.turn()).toEqual({ isRequest: true, crawlDelayMs: 7_000, report: undefined });
    expect(it.commits).toEqual([]);
    expect((await it.due()).url).toBe(url);
  });

  test('a refused page is not asked for, and comes round when robots.txt does', async () => {
    const it = await world();
    const until = it.now + 24 * 60 * minute;
    it.permission = { kind: 'refused', reason: 'robots', detail: 'line 2', until };
    it.answer = () => {
      throw new Error('it was asked for');
    };
    const failed = { outcome: 'failed', reason: 'robots', detail: 'line 2' };
    expect(await it.turn()).toMatchObject({ isRequest: false, report: { ...failed, events: 0 } });
    expect(it.commits).toMatchObject([{ ...failed, nextDue: until }]);
    it.permission = { ...it.permission, until: it.now };
    it.now = until;
    await it.turn();
    expect(it.commits[1]).toMatchObject({ nextDue: until + 10 * minute });
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
    expect(it.commits[0]).toMatchObject({ discovered: [{ urls: ['http://news.example.com/more'] }] });
    await it.visit();
    it.now += 10 * minute;
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
    it.serve(page('See <a href="/more">more</a>.'));
    it.answer = { ...(it.answer as Extract<Fetched, { outcome: 'fetched' }>), headers: { robots: 'none' } };
    expect(await it.visit()).toMatchObject({ outcome: 'changed', events: 0 });
    expect(it.commits[0]).toMatchObject({ discovered: [], linksTo: { to: [] } });
  });
});
