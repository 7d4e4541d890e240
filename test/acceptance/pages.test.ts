import { execa } from 'execa';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** The real program on pages of a real server, and of files, with no daemon and no HOME. */
const bin = path.resolve('bin/hydrant');
const directory = mkdtempSync(path.join(tmpdir(), 'hydrant-pages-'));
let server: Server;
let base: string;

function page(title: string, sentence: string): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title>
    <meta property="article:published_time" content="2026-02-13T08:06:32Z"></head>
    <body><h1>${title}</h1><p>The ferry sails from May, whatever the weather may be.</p><p>${sentence}</p>
    <p>Cards are taken on board. <a href="/fares">Fares and tickets</a></p></body></html>`;
}

const pages: Readonly<Record<string, string>> = {
  '/old': page('Ferry timetable', 'It takes an hour.'),
  '/new': page('Ferry timetable', 'It takes two hours.'),
};

beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    const body = pages[url];
    if (body !== undefined) response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body);
    else if (url === '/metadata') response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const [name, body] of Object.entries(pages)) writeFileSync(path.join(directory, `${name.slice(1)}.html`), body);
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true });
});

async function hydrant(words: readonly string[]) {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [bin, ...words], {
    cwd: directory,
    extendEnv: false,
    env: {},
    input: '',
    reject: false,
  });
  return { code: exitCode, stdout, stderr };
}

async function bash(script: string): Promise<string> {
  const env = { PATH: process.env['PATH'], NODE: process.execPath, HYDRANT: bin };
  const { stdout } = await execa('bash', ['--norc', '-c', script], { cwd: directory, extendEnv: false, env });
  return stdout;
}

describe('a page of the web', () => {
  test('is extracted where it came from, on a machine without a daemon', async () => {
    const { code, stdout, stderr } = await hydrant(['extract', '--json', `${base}/old`]);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      url: `${base}/old`,
      title: 'Ferry timetable',
      publish_time: '2026-02-13T08:06:32',
      links: [`${base}/fares`],
    });
  });

  test('is compared with a file of it, and with itself', async () => {
    const changed = await hydrant(['diff', 'old.html', `${base}/new`]);
    expect(changed.code).toBe(1);
    expect(changed.stdout).toContain('\n- It takes an hour.\n+ It takes two hours.\n');
    expect(await hydrant(['diff', 'new.html', `${base}/new`])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('answers a query, as it is or against the version before', async () => {
    const whole = await hydrant(['match', 'added:"takes two hours" AND title:ferry', `${base}/new`]);
    expect([whole.code, whole.stderr]).toEqual([0, '']);
    expect(whole.stdout).toMatch(/^match\n/);
    const change = [`${base}/new`, '--was', `${base}/old`];
    expect((await hydrant(['match', 'added:two', ...change])).code).toBe(0);
    expect((await hydrant(['match', 'added:ferry', ...change])).code).toBe(1);
  });

  test('that is not there is trouble, and no redirect leads to a metadata service', async () => {
    const gone = await hydrant(['extract', `${base}/gone`]);
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('404 Not Found')]);
    const metadata = await hydrant(['diff', 'old.html', `${base}/metadata`]);
    expect([metadata.code, metadata.stderr]).toEqual([2, expect.stringContaining('cloud metadata')]);
  });
});

describe('many pages', () => {
  const lines = Array.from({ length: 200 }, (_, index) => JSON.stringify({ file: 'old.html', url: null, line: index }));
  writeFileSync(path.join(directory, 'pages.jsonl'), lines.join('\n'));

  test('go through --jsonl without end, in the memory of a few, however slow the reader', async () => {
    // The models of the labels take most of it; the lines that come in a second would take far more.
    const stdout = await bash(`yes '{"file":"old.html"}' |
      "$NODE" --max-old-space-size=128 "$HYDRANT" extract --jsonl | (sleep 1; head -500 | wc -l)
      echo "code \${PIPESTATUS[1]}"`);
    expect(stdout.trim().split('\n')).toEqual(['500', 'code 0']);
  });

  test('end without a word when the reader has had enough', async () => {
    const stdout = await bash(`"$NODE" "$HYDRANT" extract --jsonl pages.jsonl 2>&1 | head -1 | cut -c1-18
      echo "code \${PIPESTATUS[0]}"`);
    expect(stdout).toBe('{"file":"old.html"\ncode 0');
  });

  test('end at Ctrl-C with whole lines, though more were to come', async () => {
    const running = execa(process.execPath, [bin, 'extract', '--jsonl'], {
      cwd: directory,
      extendEnv: false,
      env: {},
      reject: false,
    });
    // Stdin stays open: as many as make the first answers come, and nothing after them.
    running.stdin.write(`${lines.join('\n')}\n`);
    running.stdout.once('data', () => running.kill('SIGINT'));
    const { exitCode, stdout, stderr } = await running;
    expect([exitCode, stderr]).toEqual([130, '']);
    for (const line of stdout.split('\n')) expect(JSON.parse(line)).toHaveProperty('file');
  });
});
