import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Match } from '../../src/shared/api/match.ts';
import type { Source } from '../../src/shared/api/crawl.ts';
import type { Status } from '../../src/shared/api/status.ts';
import type { CheckReport } from '../../src/shared/api/watch.ts';
import { RealDaemon } from './real-daemon.ts';

const ARTICLE = ['The ferry leaves the old harbour at nine.', 'It takes an hour to the island.', 'Dogs travel free.'];
const LATER = ['The ferry leaves the old harbour at ten.', ...ARTICLE.slice(1)];

function page(title: string, lines: readonly string[]): string {
  return `<title>${title}</title><main><h1>${title}</h1>${lines.map((line) => `<p>${line}</p>`).join('')}</main>`;
}

/** What the server says in turn, always with status 200. */
const SAYS = {
  first: page('Ferries', ARTICLE),
  missing: page('Page not found', ['Sorry, this page does not exist any more.']),
  works: page('Under maintenance', ['We will be back soon.']),
  back: page('Ferries', LATER),
} as const;

let says: keyof typeof SAYS = 'first';
let site: Server;
let daemon: RealDaemon;
let origin: string;

beforeAll(async () => {
  site = createServer((request, response) => {
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    if (request.url === '/old') return response.writeHead(301, { location: '/new' }).end();
    return response.writeHead(200, { 'content-type': 'text/html' }).end(SAYS[says]);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.79', resolve));
  origin = `http://127.0.0.79:${(site.address() as AddressInfo).port}`;
  daemon = await RealDaemon.start();
});
afterAll(async () => {
  await daemon.dispose();
  site.closeAllConnections();
  site.close();
});

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

test('a page that says with status 200 that it is not there, or being worked on, tells nobody; back, it tells what has changed meanwhile', async () => {
  const [source, watched] = [`${origin}/source`, `${origin}/watched`];
  await daemon.hydrant(['tap', 'create', 'news']);
  await daemon.hydrant(['rule', 'add', 'news', 'ferry OR page OR maintenance', '--no-quality', '--no-try']);
  await daemon.hydrant(['crawl', 'add', source, '--every', '1d']);
  await daemon.hydrant(['watch', 'add', watched, '--every', '5m', '--wait']);
  const last = async (): Promise<Source['last_visit']> => {
    const { data } = await daemon.operator<{ data: Source[] }>('GET', '/admin/sources');
    return data[0]?.last_visit ?? null;
  };
  for (const [word, outcome, reason] of [
    // It has been read already, since it was added.
    ['first', /changed$/, undefined],
    ['missing', /^failed$/, 'not_found'],
    ['works', /^failed$/, 'maintenance'],
    ['back', /^changed$/, undefined],
  ] as const) {
    says = word;
    await Promise.all([
      daemon.run('hydrant', ['crawl', 'visit', source, '--wait']),
      daemon.run('hydrant', ['watch', 'check', watched, '--wait']),
    ]);
    const visit = await last();
    expect(visit?.outcome).toMatch(outcome);
    expect(visit?.reason).toBe(reason);
    if (word !== 'missing') continue;
    const { data } = await daemon.operator<{ data: Status }>('GET', '/admin/status');
    const failing = data.crawl.failing?.map((one) => [one.kind, one.url, one.reason]);
    expect(failing).toEqual([
      ['source', source, 'not_found'],
      ['watch', watched, 'not_found'],
    ]);
  }
  const events = lines(await daemon.hydrant(['tail', 'news', '--once', '--since', '1h', '--json']));
  const told = events.map((line) => JSON.parse(line) as Match);
  expect(told.map(({ document }) => document.title)).toEqual(['Ferries', 'Ferries']);
  expect(JSON.stringify(told[1])).toContain('harbour at ten');
  for (const gone of ['not found', 'maintenance', 'Sorry']) expect(JSON.stringify(told)).not.toContain(gone);

  const checks = lines(await daemon.hydrant(['watch', 'log', watched, '--json']));
  const log = checks.map((line) => JSON.parse(line) as CheckReport).toReversed();
  expect(log.map(({ outcome, reason }) => reason ?? outcome)).toEqual([
    'baseline',
    'unchanged',
    'not_found',
    'maintenance',
    'changed',
  ]);
  const diff = await daemon.hydrant(['watch', 'diff', watched]);
  expect(diff).toMatch(/^- .*at nine[^]*\n\+ .*at ten/m);
  expect(diff).not.toMatch(/not found|maintenance|Dogs travel free.*\n\+ .*Dogs/);
});

test('a source whose URL has moved for good is named with its new address by status and doctor, until it is replaced', async () => {
  const [old, to] = [`${origin}/old`, `${origin}/new`];
  await daemon.hydrant(['crawl', 'add', old, '--every', '1d']);
  await daemon.run('hydrant', ['crawl', 'visit', old, '--wait']);
  const moved = async (): Promise<Status['crawl']['moved']> => {
    return (await daemon.operator<{ data: Status }>('GET', '/admin/status')).data.crawl.moved;
  };
  expect(await moved()).toMatchObject([{ url: old, to }]);
  expect(await daemon.hydrant(['status'])).toContain(`${old} to ${to}`);
  expect((await daemon.run('hydrant', ['doctor', '--no-store'])).stdout).toContain(
    `moved permanently: ${old} to ${to}`,
  );
  await daemon.hydrant(['crawl', 'add', to]);
  await daemon.hydrant(['crawl', 'remove', old, '--yes']);
  expect(await moved()).toEqual([]);
});
