import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CrawlHistory, CrawlStatus, PageChangeReport } from '../../../src/shared/api/crawl.ts';
import type { UiLink, UiSession } from '../../../src/shared/api/ui.ts';
import { loopback, RealDaemon, until } from '../real-daemon.ts';
import { type SmallPage, SmallWeb } from './small-web.ts';

let daemon: RealDaemon;
beforeAll(async () => {
  daemon = await RealDaemon.start([...loopback, '--ui']);
});
afterAll(() => daemon.dispose());

describe('hydrant ui', () => {
  test('prints a link for where the browser is, lists who is signed in, and signs out', async () => {
    const { url } = JSON.parse(await daemon.hydrant(['ui', '--json', '--at', daemon.notice.url])) as UiLink;
    expect(url).toMatch(new RegExp(`^${daemon.notice.url}/ui/enter\\?code=svcl_\\w{40}$`));
    const { origin, searchParams } = new URL(url);
    const body = new URLSearchParams({ code: searchParams.get('code') ?? '' }).toString();
    const headers = { origin, 'user-agent': 'a browser' };
    const entered = await fetch(`${origin}/ui/enter`, { method: 'POST', headers, body, redirect: 'manual' });
    const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const [session] = JSON.parse(await daemon.hydrant(['ui', 'sessions', '--json'])) as UiSession[];
    expect(session).toMatchObject({ who: 'operator', agent: 'a browser' });
    expect((await fetch(`${origin}/ui/`, { headers: { cookie }, redirect: 'manual' })).status).toBe(200);
    await daemon.hydrant(['ui', 'sign-out', session?.id.slice(0, 8) ?? '']);
    expect((await fetch(`${origin}/ui/`, { headers: { cookie }, redirect: 'manual' })).status).toBe(303);
    expect(await daemon.hydrant(['ui', '--at', 'https://hydrant.example.org'])).toMatch(
      /^https:\/\/hydrant\.example\.org\/ui\/enter\?code=/,
    );
  });

  test('says how to start the view, where there is none', async () => {
    const without = await RealDaemon.start();
    const { exitCode, all } = await without.run('hydrant', ['ui']);
    await without.dispose();
    expect([exitCode, all]).toEqual([6, expect.stringContaining('this daemon serves no web view')]);
    expect(all).toContain('start it with --ui');
  });
});

test('what the screens of the crawl and of queries show is on the command line, too', async () => {
  const web = new SmallWeb();
  const page: SmallPage = { title: 'Harbour', lines: ['The ferry leaves at nine.', 'Nothing else is known.'] };
  const url = await web.add('127.0.0.34', page);
  await daemon.hydrant(['crawl', 'add', url, '--scope', 'page', '--baseline']);
  await daemon.hydrant(['crawl', 'visit', url, '--wait']);
  page.lines[0] = 'The ferry leaves at ten.';
  await daemon.hydrant(['crawl', 'visit', url, '--wait']);
  const asked = async (query: string): Promise<PageChangeReport> => {
    return JSON.parse(await daemon.hydrant(['crawl', 'diff', url, '--query', query, '--json'])) as PageChangeReport;
  };
  await until('the change is kept', async () => (await asked('ferry')).change !== null);
  expect((await asked('ferry')).query?.outcome).toBe('filtered');
  expect((await asked('ship')).query?.outcome).toBe('no_match');
  expect(await daemon.hydrant(['crawl', 'diff', url, '--query', 'ship'])).toContain(
    'the query does not match this change',
  );
  const wrong = await daemon.run('hydrant', ['crawl', 'diff', url, '--query', 'titel:ferry']);
  expect(wrong.all).toContain('^^^^^');
  const { visits } = JSON.parse(await daemon.hydrant(['crawl', 'status', '--json'])) as CrawlStatus;
  for (const flags of [[], ['--week']]) {
    const history = await daemon.hydrant(['crawl', 'history', '--json', ...flags]);
    const spans = JSON.parse(history) as CrawlHistory['day'];
    const sum = (of: 'visits' | 'changed'): number => spans.reduce((some, span) => some + (span?.[of] ?? 0), 0);
    expect([sum('visits'), sum('changed')]).toEqual([visits.made, visits.changed]);
  }
  web.close();
});
