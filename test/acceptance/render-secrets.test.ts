import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_BROWSER } from '../daemon/render/rendering.ts';
import { browsers, commandLine, profiles } from './daemon-browsers.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';

const SECRET = 'S3cret-of-a-rendered-page';
const FORMS = [SECRET, Buffer.from(SECRET).toString('base64').replace(/.=*$/, '')];

interface Asked {
  readonly server: string;
  readonly path: string;
  readonly headers: string;
}

/** A page that shows to scripts, frames, workers and other hosts whatever it has, and who is told what by the browser. */
describe.skipIf(NO_BROWSER)('secrets of a page that is rendered', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hydrant-render-secrets-'));
  const file = (name: string): string => join(directory, name);
  const log = file('hydrantd.log');
  const daemon = new RealDaemon([...loopback, '--log-level', 'debug', '--log-file', log, '--warc-dir', file('warc')]);
  const asked: Asked[] = [];
  /** Of the daemon's browser, while it renders the page: command lines and environments. */
  const processes: string[] = [];
  const origins = { site: '', port: '', other: '' };
  const servers: Server[] = [];
  const leaks = (text: string): string[] => FORMS.filter((form) => text.includes(form));

  const pageOf = (path: string): string => `<!doctype html><title>Account</title><p>Hello Ada, this is ${path}.</p>
    <p id=seen></p><iframe src="${origins.other}/frame"></iframe><script src="${origins.other}/third.js"></script>
    <a id=download download href="/away/download">file</a>
    <form id=form method=post action="${origins.other}/form" target=elsewhere><input name=a></form>
    <script>
      const open = { mode: 'no-cors', credentials: 'include' };
      document.getElementById('seen').textContent = 'Cookies of scripts: ' + (document.cookie || 'none');
      for (const to of ['other', 'port', 'back']) fetch('/away/' + to, open).catch(() => 0);
      fetch('${origins.other}/fetch', open).catch(() => 0);
      navigator.sendBeacon('${origins.other}/beacon', 'x');
      const code = "fetch('${origins.other}/worker', { mode: 'no-cors' }); importScripts('${origins.other}/imported.js')";
      new Worker(URL.createObjectURL(new Blob([code])));
      new Worker('/worker.js');
      try { new SharedWorker('/shared.js'); } catch {}
      try { navigator.serviceWorker.register('/service.js').catch(() => 0); } catch {}
      document.getElementById('download').click();
      document.getElementById('form').submit();
      fetch('/own').catch(() => 0);
    </script>`;

  const answer =
    (server: string) =>
    (request: IncomingMessage): [type: string, body: string, to?: string] => {
      const path = request.url ?? '';
      asked.push({ server, path, headers: JSON.stringify(request.headers) });
      const away: Record<string, string> = {
        '/away/other': `${origins.other}/redirected`,
        '/away/port': `${origins.port}/redirected`,
        '/away/back': `${origins.other}/back`,
        '/away/download': `${origins.other}/download`,
        '/back': `${origins.site}/home`,
        '/leaves': `${origins.other}/landed`,
      };
      const to = away[path];
      if (to !== undefined) return ['text/plain', '', to];
      if (path === '/own') processes.push(...wordsOfBrowser());
      if (path.endsWith('.js'))
        return ['text/javascript', `fetch('${origins.other}${path}-fetch', { mode: 'no-cors' })`];
      if (server === 'site' && /^\/(?:account|source)$/.test(path)) return ['text/html', pageOf(path)];
      return ['text/html', '<p>This is another page of the test.'];
    };

  /** What anybody sees of its processes; the environment is for root's and their own user's eyes. */
  const wordsOfBrowser = (): string[] =>
    browsers(profiles(daemon)[0] ?? 'none').map((pid) => {
      const environment = existsSync(`/proc/${pid}/environ`) ? readFileSync(`/proc/${pid}/environ`, 'latin1') : '';
      return `${commandLine(pid)} ${environment}`;
    });

  const listen = async (name: keyof typeof origins, host: string): Promise<void> => {
    const reply = answer(name);
    const server = createServer((request, response) => {
      const [type, body, to] = reply(request);
      const headers = { 'content-type': type, 'access-control-allow-origin': '*' };
      if (request.url === '/robots.txt') response.writeHead(404).end();
      else if (to === undefined) response.writeHead(200, headers).end(body);
      else response.writeHead(302, { ...headers, location: to }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    servers.push(server);
    origins[name] = `http://${host}:${(server.address() as AddressInfo).port}`;
  };

  beforeAll(async () => {
    await listen('site', '127.0.0.63');
    await listen('port', '127.0.0.63');
    await listen('other', '127.0.0.64');
    writeFileSync(file('cookie'), `session=${SECRET}`);
    writeFileSync(file('headers'), `Authorization: Bearer ${SECRET}\nX-Key: ${SECRET}\n`);
    await daemon.start();
    const signIn = ['--render', '--within', '20s', '--cookie', `@${file('cookie')}`, '--header', `@${file('headers')}`];
    for (const path of ['account', 'leaves']) {
      await daemon.hydrant(['watch', 'add', `${origins.site}/${path}`, ...signIn, '--wait']);
    }
    await daemon.hydrant(['crawl', 'add', `${origins.site}/source`, ...signIn]);
    await until('the source is read', () => daemon.log.includes('page changed'), 120_000);
  });
  afterAll(async () => {
    await daemon.dispose();
    for (const server of servers) server.close();
    rmSync(directory, { recursive: true });
  });

  test('go with each request to the origin of the page', () => {
    const own = asked.filter(({ server, path }) => server === 'site' && path !== '/robots.txt');
    const paths = ['/account', '/away/back', '/away/other', '/away/port', '/leaves', '/own', '/source'];
    expect(own.map(({ path }) => path)).toEqual(expect.arrayContaining(paths));
    for (const { path, headers } of own.filter((one) => paths.includes(one.path))) {
      expect([path, JSON.parse(headers)]).toEqual([
        path,
        expect.objectContaining({ cookie: `session=${SECRET}`, authorization: `Bearer ${SECRET}`, 'x-key': SECRET }),
      ]);
    }
  });

  test('go to no other host or port: by a script, frame, worker, form, download or redirect, nor with robots.txt', () => {
    const others = asked.filter(({ server, path }) => server !== 'site' || path === '/robots.txt');
    // They were asked, but for frames, beacons, and workers of a whole site, which a rendered page has none of.
    const reached = ['/fetch', '/landed', '/redirected', '/robots.txt', '/third.js', '/worker'];
    expect(others.map(({ path }) => path)).toEqual(expect.arrayContaining(reached));
    expect(others.filter(({ server }) => server === 'port').map(({ path }) => path)).toContain('/redirected');
    expect(others.filter(({ headers }) => leaks(headers).length > 0)).toEqual([]);
    expect(asked.filter(({ path }) => /^\/(?:frame|beacon|shared\.js|service\.js)/.test(path))).toEqual([]);
  });

  test('are told to no script of the page, and stand in no text of it', async () => {
    const text = await daemon.hydrant(['watch', 'text', `${origins.site}/account`]);
    expect(text).toContain('Cookies of scripts: none');
    expect(leaks(text)).toEqual([]);
  });

  test('stand in no process of the browser, nor does the login of its proxy', () => {
    expect(processes.length).toBeGreaterThan(0);
    expect(leaks(processes.join('\n'))).toEqual([]);
    expect(processes.filter((words) => words.includes('proxy-server')).length).toBeGreaterThan(0);
    expect(processes.filter((words) => /proxy-server=[^\0]*@/.test(words))).toEqual([]);
  });

  test('stand in nothing that is shown, exported, logged or kept in an archive', async () => {
    const commands = [
      ['watch', 'show', `${origins.site}/account`, '--json'],
      ['watch', 'explain', `${origins.site}/account`],
      ['watch', 'log', `${origins.site}/leaves`],
      ['watch', 'export', '--json'],
      ['crawl', 'show', `${origins.site}/source`],
      ['crawl', 'list', '--json'],
      ['export'],
      ['logs', '--lines', '1000', '--file', log],
    ];
    const said = await Promise.all(commands.map((words) => daemon.run('hydrant', words)));
    expect(leaks([...said.map(({ all }) => all), daemon.log, readFileSync(log, 'utf8')].join('\n'))).toEqual([]);
    await daemon.stop();
    const kept = (readdirSync(daemon.dataDir, { recursive: true }) as string[]).map((name) =>
      join(daemon.dataDir, name),
    );
    const archives = existsSync(file('warc')) ? readdirSync(file('warc')).map((name) => join(file('warc'), name)) : [];
    const contents = [...kept, ...archives]
      .filter((name) => /\.[a-z]+$|secret$|render-profiles$/.test(name) && !name.endsWith('.sock'))
      .map((name) => (name.endsWith('.gz') ? gunzipSync(readFileSync(name)) : readFileSync(name)).toString('latin1'));
    expect(leaks(contents.join('\n'))).toEqual([]);
  });
});
