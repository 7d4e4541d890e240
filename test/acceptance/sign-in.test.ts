import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Watch } from '../../src/shared/api/watch.ts';
import { Member } from './member.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';

const SECRET = 'S3cret-of-the-operator';
const LOGIN = Buffer.from(`ada:${SECRET}-password`).toString('base64');
/** In every form in which one of them could be somewhere. */
const FORMS = [SECRET, LOGIN, Buffer.from(SECRET).toString('base64').replace(/.=*$/, '')];

interface Asked {
  readonly line: string;
  readonly headers: string;
  readonly body: string;
}

/** Real pages behind a login, watched and crawled by the real programs; and whoever else might see a secret of it. */
describe('secrets of a sign-in', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hydrant-sign-in-'));
  const file = (name: string): string => join(directory, name);
  const log = file('hydrantd.log');
  const daemon = new RealDaemon([...loopback, '--log-level', 'debug', '--log-file', log, '--warc-dir', file('warc')]);
  const asked: Asked[] = [];
  const others: Asked[] = [];
  let [site, other] = ['', ''];
  let cookie = `session=${SECRET}`;
  let price = 1;
  const said: string[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    asked.push(await noted(request));
    const { url = '', headers } = request;
    if (url === '/robots.txt') return void response.writeHead(404).end();
    if (url === '/away') return void response.writeHead(302, { location: `http://${other}/away` }).end();
    const isIn = headers.cookie === cookie || headers.authorization === `Basic ${LOGIN}`;
    if (!isIn) return void response.writeHead(401, { 'content-type': 'text/html' }).end('<p>Who are you?');
    const set = { 'content-type': 'text/html', 'set-cookie': `session=${SECRET}-renewed` };
    response.writeHead(200, set).end(`<title>Account</title><p>Hello Ada, this is your account.<p>You owe ${price} €.`);
  };
  const server = createServer((request, response) => void answer(request, response));
  const answerElsewhere = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    others.push(await noted(request));
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<p>This is another site.');
  };
  const elsewhere = createServer((request, response) => void answerElsewhere(request, response));
  /** What a command says, and how it ends, is all looked through. */
  const hydrant = async (words: readonly string[], input?: string): Promise<string> => {
    const { all, exitCode } = await daemon.run('hydrant', [...words], input);
    said.push(all);
    if (exitCode !== 0) throw new Error(`hydrant ${words.join(' ')} → ${exitCode}: ${all}`);
    return all;
  };
  const leaks = (text: string): string[] => FORMS.filter((form) => text.includes(form));

  beforeAll(async () => {
    site = await listening(server, '127.0.0.61');
    other = await listening(elsewhere, '127.0.0.62');
    writeFileSync(file('cookie'), `${cookie}\n`);
    writeFileSync(file('password'), `${SECRET}-password\n`);
    writeFileSync(file('headers'), `Authorization: Bearer ${SECRET}\nX-Key: ${SECRET}\n`);
    writeFileSync(file('body'), `token=${SECRET}`);
    await daemon.start();
    await hydrant(['watch', 'add', `http://${site}/account`, '--cookie', `@${file('cookie')}`, '--wait']);
    await hydrant(
      ['watch', 'add', `http://${site}/form`, '--user', 'ada:-', '--data', `@${file('body')}`, '--wait'],
      `${SECRET}-password`,
    );
    await hydrant(['watch', 'add', `http://${site}/away`, '--header', `@${file('headers')}`, '--wait']);
    await hydrant(['crawl', 'add', `http://${site}/source`, '--user', `ada:@${file('password')}`]);
    await until('the source is visited', () => asked.some(({ line }) => line === 'GET /source'));
    await until('and read', () => daemon.log.includes('page changed'));
  });
  afterAll(async () => {
    await daemon.dispose();
    for (const one of [server, elsewhere]) one.close();
    rmSync(directory, { recursive: true });
  });

  test('let in: its pages are read, with the method and the body that were set', async () => {
    const text = await hydrant(['watch', 'text', `http://${site}/account`]);
    expect(text).toContain('Hello Ada');
    expect(asked.find(({ line }) => line === 'POST /form')).toMatchObject({ body: `token=${SECRET}` });
    price = 2;
    await hydrant(['watch', 'check', `http://${site}/account`]);
    await until('the change is seen', async () =>
      (await hydrant(['watch', 'diff', `http://${site}/account`])).includes('2 €'),
    );
  });

  test('robots.txt is asked for without them, and nobody else is told any', () => {
    const robots = asked.filter(({ line }) => line === 'GET /robots.txt');
    expect(robots.length).toBeGreaterThan(0);
    expect(leaks(JSON.stringify(robots))).toEqual([]);
    expect(others.map(({ line }) => line)).toContain('GET /away');
    expect(leaks(JSON.stringify(others))).toEqual([]);
    expect(leaks(JSON.stringify(asked.filter(({ line }) => line === 'GET /away')))).toEqual([SECRET]);
  });

  test('let `watch try` in as they let in a watch, from the same files, and by a command', async () => {
    const page = `http://${site}/account`;
    expect(await hydrant(['watch', 'try', page, '--cookie', `@${file('cookie')}`])).toContain('Hello Ada');
    writeFileSync(file('printed'), `Cookie: ${cookie}\n`);
    expect(await hydrant(['watch', 'try', page, '--headers-from', `cat ${file('printed')}`])).toContain('Hello Ada');
    const refused = await daemon.run('hydrant', ['watch', 'try', page, '--header', 'X-Who: ada']);
    expect([refused.exitCode, refused.all]).toEqual([2, expect.stringContaining('401')]);
    const elsewhere = await daemon.run('hydrant', [
      'watch',
      'try',
      `http://${site}/away`,
      '--cookie',
      `@${file('cookie')}`,
    ]);
    said.push(refused.all, elsewhere.all);
    expect(leaks(JSON.stringify(others))).toEqual([]);
  });

  test('that no longer let in are a failed check, no change, and a renewed cookie goes on from there', async () => {
    cookie = `session=${SECRET}-2`;
    writeFileSync(file('cookie'), cookie);
    const failed = await daemon.run('hydrant', ['watch', 'check', `http://${site}/account`, '--wait']);
    expect(failed.all).toContain('failed');
    expect(await hydrant(['watch', 'show', `http://${site}/account`])).toContain('signed_out: the server answered 401');
    price = 3;
    await hydrant(['watch', 'edit', `http://${site}/account`, '--cookie', `@${file('cookie')}`]);
    const { exitCode, all } = await daemon.run('hydrant', ['watch', 'check', `http://${site}/account`, '--wait']);
    said.push(failed.all ?? '', all);
    // As diff(1): a change was found.
    expect([exitCode, all]).toEqual([1, expect.stringContaining('changed')]);
    expect(await hydrant(['watch', 'diff', `http://${site}/account`])).toContain('3 €');
  });

  test('stand in nothing that is shown or exported, which says what is left out', async () => {
    const shown = await hydrant(['watch', 'show', `http://${site}/account`]);
    expect(shown).toContain('cookie: ••••');
    expect(await hydrant(['crawl', 'show', `http://${site}/source`])).toContain('authorization: ••••');
    const texts = await Promise.all(
      [
        ['watch', 'list', '--json'],
        ['watch', 'show', `http://${site}/form`, '--json'],
        ['watch', 'explain', `http://${site}/away`],
        ['watch', 'log', `http://${site}/account`],
        ['watch', 'export'],
        ['watch', 'export', '--json'],
        ['export'],
        ['crawl', 'list', '--json'],
        ['status', '--json'],
        ['logs', '--lines', '1000', '--file', log],
      ].map((words) => hydrant(words)),
    );
    expect(texts[4]).toMatch(/how 3 pages are asked for is left out/);
    expect(texts[6]).toMatch(/how 4 pages are asked for is left out/);
    expect(texts[6]).toContain(`http://${site}/account: cookie: ••••`);
    const metrics = await daemon.operatorText('/metrics');
    expect(leaks([...said, metrics, daemon.log].join('\n'))).toEqual([]);
  });

  test.skipIf(!existsSync('/proc/self/cmdline'))('stand in no list of processes', () => {
    expect(leaks(readFileSync(`/proc/${daemon.pid}/cmdline`, 'latin1'))).toEqual([]);
  });

  test('that are words of a command are taken with a warning', async () => {
    const words = ['watch', 'edit', `http://${site}/account`, '--cookie', `session=${SECRET}-2`];
    const { all, exitCode } = await daemon.run('hydrant', words);
    expect([exitCode, all]).toEqual([0, expect.stringContaining('other users of this machine see words of a command')]);
    expect(leaks(all)).toEqual([]);
  });

  test('are set by nobody but the operator: a tenant’s are not taken, and he is told nothing of them', async () => {
    const { key } = await daemon.operator<{ key: string }>('POST', '/admin/keys', { name: 'tenant' });
    const member = new Member(daemon.notice.url, key);
    const secrets = {
      request: { headers: { cookie } },
      options: { request: { headers: { cookie } } },
      headers: { cookie },
    };
    const made = await member.ask('POST', '/v1/url-watch', {
      url: `http://${site}/tenant`,
      frequency_minutes: 60,
      ...secrets,
    });
    const { id } = (made.body as { data: Watch }).data;
    const changed = await member.ask('PUT', `/v1/url-watch/${id}`, { frequency_minutes: 180, ...secrets });
    expect([made.status, changed.status]).toEqual([201, 200]);
    const shown = JSON.stringify([made, changed, await member.show(id)]);
    expect([leaks(shown), shown.includes('request')]).toEqual([[], false]);
    await until('it was asked for', () => asked.some(({ line }) => line === 'GET /tenant'));
    expect(leaks(JSON.stringify(asked.filter(({ line }) => line === 'GET /tenant')))).toEqual([]);
  });

  test('are in no file of the daemon but sealed, in no archive, and a backup says that it has them', async () => {
    const backup = await hydrant(['backup', file('backup.tar')]);
    expect(backup).toContain('the logins of watches, sources and sinks, with the secret that opens them');
    await daemon.stop();
    const files = (where: string): string[] =>
      (readdirSync(where, { recursive: true }) as string[])
        .filter((name) => !name.endsWith('.sock'))
        .map((name) => join(where, name));
    const read = (name: string): string => {
      const bytes = readFileSync(name);
      return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
    };
    const all = [...files(daemon.dataDir), ...files(file('warc')), log].filter((name) =>
      /\.[a-z]+$|secret$/.test(name),
    );
    const archived = files(file('warc')).map(read).join('');
    expect(archived).toMatch(/^POST \/form HTTP/m);
    expect(archived).toMatch(/^GET \/account HTTP/m);
    expect(archived).toContain('Hello Ada');
    expect(leaks(all.map(read).join('\n') + readFileSync(file('backup.tar'), 'latin1'))).toEqual([]);
  });
});

async function noted(request: IncomingMessage): Promise<Asked> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return { line: `${request.method} ${request.url}`, headers: JSON.stringify(request.headers), body };
}

async function listening(server: Server, host: string): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return `${host}:${(server.address() as AddressInfo).port}`;
}
