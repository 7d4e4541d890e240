import { createServer, type Server } from 'node:http';
import { createServer as listenTcp, type AddressInfo, connect, type Server as TcpServer } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Source } from '../../src/shared/api/crawl.ts';
import { RealDaemon, until } from './real-daemon.ts';
import { hasTerminal, RealTerminal } from './terminal.ts';

/**
 * The first hour of somebody who has just installed it: thirty changelogs and a CVE, and a price whose digest comes by mail.
 * Imports (`imports.test.ts`) and a laptop by SSH (`ssh.test.ts`) have tests of their own.
 */
const PROJECTS = 30;
/** Each changelog is on a host of its own, 127.0.0.100 and on. */
const FIRST_HOST = 100;
const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 140, rows: 40 },
];

class Projects {
  readonly urls: string[] = [];
  readonly #releases = new Map<number, string>();
  readonly #servers: Server[] = [];

  static async start(): Promise<Projects> {
    const projects = new Projects();
    for (let project = 0; project < PROJECTS; project += 1) await projects.#listen(project);
    return projects;
  }

  release(project: number, text: string): void {
    this.#releases.set(project, text);
  }

  close(): void {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }

  async #listen(project: number): Promise<void> {
    const server = createServer((request, response) => {
      if (request.url === '/robots.txt') return response.writeHead(404).end();
      const newest = this.#releases.get(project);
      const items = [...(newest === undefined ? [] : [newest]), `Release 1.0 of project ${project}: the first one.`];
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      const list = items.map((item) => `<li>${item}</li>`).join('');
      return response.end(
        `<title>Changelog of project ${project}</title><main><h1>Changelog</h1><ul>${list}</ul></main>`,
      );
    });
    const address = `127.0.0.${FIRST_HOST + project}`;
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    this.#servers.push(server);
    this.urls.push(`http://${address}:${(server.address() as AddressInfo).port}/changelog`);
  }
}

/** An SMTP server that takes whatever comes, as far as RFC 5321 needs it here. */
class MailSink {
  readonly mails: string[] = [];
  readonly #server: TcpServer;

  constructor() {
    this.#server = listenTcp((socket) => {
      let mail: string[] | undefined;
      socket.write('220 sink\r\n');
      createInterface({ input: socket, crlfDelay: Infinity }).on('line', (line) => {
        if (mail !== undefined && line !== '.') return void mail.push(line.replace(/^\./, ''));
        if (mail !== undefined) this.mails.push(mail.join('\n'));
        mail = line === 'DATA' ? [] : undefined;
        if (line === 'QUIT') return void socket.end('221 bye\r\n');
        return void socket.write(mail === undefined ? '250 ok\r\n' : '354 go on\r\n');
      });
    });
  }

  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
  }
}

/** What `sendmail` does with a document: each command waits for its answer. */
async function sendMail(port: number, document: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  const answers = createInterface({ input: socket })[Symbol.asyncIterator]();
  const head = 'Subject: digest\r\nContent-Type: text/html; charset=utf-8\r\n\r\n';
  const body = document.replaceAll(/\r?\n/g, '\r\n').replaceAll(/^\./gm, '..');
  await answers.next();
  for (const text of [
    'HELO me',
    'MAIL FROM:<me@example.org>',
    'RCPT TO:<me@example.org>',
    'DATA',
    `${head}${body}\r\n.`,
    'QUIT',
  ]) {
    socket.write(`${text}\r\n`);
    await answers.next();
  }
  socket.destroy();
}

describe('the first hour', () => {
  let daemon: RealDaemon;
  let projects: Projects;
  beforeAll(async () => {
    projects = await Projects.start();
    daemon = await RealDaemon.start();
  });
  afterAll(async () => {
    projects.close();
    await daemon.dispose();
  });

  /** What a command prints on a terminal, page by page: nothing of it is wider than the terminal. */
  async function expectScreensToFit(words: readonly string[], shown: string): Promise<void> {
    for (const size of SIZES) {
      const terminal = RealTerminal.start([...words, '--data-dir', daemon.dataDir], { ...size, env: { PAGER: 'cat' } });
      try {
        await terminal.waitFor(shown);
        expect([words, size.columns, terminal.isWrapped]).toEqual([words, size.columns, false]);
        expect((await terminal.end()).exitCode).toBe(0);
      } finally {
        await terminal.dispose();
      }
    }
  }

  test('thirty changelogs and a CVE: one line of one of them, with what to do about it', async () => {
    await daemon.hydrant(['tap', 'create', 'cve']);
    await daemon.hydrant(['rule', 'add', 'cve', 'cve', '--tag', 'security', '--no-quality']);
    const added = await daemon.run(
      'hydrant',
      ['crawl', 'add', '-', '--scope', 'page', '--every', '1h'],
      projects.urls.join('\n'),
    );
    expect([added.exitCode, added.all]).toEqual([0, expect.stringContaining(`${PROJECTS} sources`)]);
    const areRead = async (): Promise<boolean> => {
      const { data } = await daemon.operator<{ data: Source[] }>('GET', '/admin/sources');
      return data.length === PROJECTS && data.every(({ visits }) => visits > 0);
    };
    await until('every changelog is read', areRead);

    projects.release(17, 'Release 1.1 fixes CVE-2026-2000, a remote code execution: upgrade at once.');
    projects.release(3, 'Release 1.1 has a new logo and some warmer colours.');
    for (const project of [3, 17]) await daemon.hydrant(['crawl', 'visit', projects.urls[project] ?? '', '--wait']);
    const told = await daemon.hydrant(['tail', 'cve', '--once', '--format', '{document.title}\\t{added}']);
    expect(told).toBe(
      'Changelog of project 17\tRelease 1.1 fixes CVE-2026-2000, a remote code execution: upgrade at once.',
    );
    const titles = await daemon.hydrant(['tail', 'cve', '--once', '--jq', '.document.title']);
    expect(titles).toBe('Changelog of project 17');
  }, 300_000);

  test.skipIf(!hasTerminal)(
    'its tables fit 80 and 140 columns',
    async () => {
      // Not tail: its last line is a command to copy, which is not broken.
      await expectScreensToFit(['digest', 'cve'], 'CVE-2026-2000');
      await expectScreensToFit(['status'], `${PROJECTS} sources`);
      await expectScreensToFit(['rule', 'list', 'cve'], 'security');
      await expectScreensToFit(['tap', 'list'], 'cve');
      await expectScreensToFit(['crawl', 'why', projects.urls[17] ?? ''], 'changed');
    },
    300_000,
  );

  test('two hundred feeds of a reader', async () => {
    const [url = ''] = projects.urls;
    const outlines = Array.from({ length: 200 }, (_, feed) => {
      return `<outline text="Feed ${feed}" xmlUrl="${new URL(`/feed/${feed}.xml`, url).href}"/>`;
    });
    const opml = `<?xml version="1.0"?><opml version="2.0"><body>${outlines.join('')}</body></opml>`;
    const added = await daemon.run('hydrant', ['crawl', 'add', '-', '--every', '1h'], opml);
    expect([added.exitCode, added.all]).toEqual([0, expect.stringContaining('200 sources added')]);
    const known = await daemon.hydrant(['crawl', 'list', '--jq', 'length']);
    expect(Number(known)).toBe(PROJECTS + 200);
  });

  test('a price, and its digest by mail', async () => {
    const shop = projects.urls[0] ?? '';
    await daemon.hydrant(['watch', 'add', shop, '--every', '1h', '--select', 'li', '--wait']);
    projects.release(0, 'Now 19.99 euros instead of 24.99.');
    // 1: something changed, for scripts.
    expect(await daemon.run('hydrant', ['watch', 'check', shop, '--wait'])).toMatchObject({ exitCode: 1 });
    expect(await daemon.hydrant(['watch', 'diff', shop])).toContain('+ Now 19.99 euros instead of 24.99.');
    const sink = new MailSink();
    try {
      const port = await sink.open();
      await sendMail(port, await daemon.hydrant(['digest', '--watches', '--format', 'html']));
      expect(sink.mails).toHaveLength(1);
      expect(sink.mails[0]).toContain('Now 19.99 euros instead of 24.99.');
      expect(sink.mails[0]).toMatch(/2 stories from 1 match and 1 change of watches/);
    } finally {
      sink.close();
    }
    const found = JSON.parse(await daemon.hydrant(['digest', '--watches', '--json'])) as object;
    expect(found).toMatchObject({ matches: 1, watch_changes: 1, stories: 2 });
  }, 300_000);
});
