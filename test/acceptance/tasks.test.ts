import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChangingSite } from './changing-site.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';

/**
 * The commands of docs/tasks.md, run as they stand: by a shell in the root of the package, with the home of a new user. What
 * they call outside of hydrant (sendmail, curl, ssh, systemctl) is a stand-in that records what it was given.
 */
const root = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/tasks.md'), 'utf8');

interface Block {
  readonly kind: string;
  readonly text: string;
}

const sections = new Map(
  page.split(/^#{1,2} /m).map((section) => {
    const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)];
    return [section.split('\n')[0] ?? '', blocks.map(([, kind = '', text = '']): Block => ({ kind, text }))] as const;
  }),
);

/** What a stand-in was given, and what it read. */
interface Call {
  readonly args: readonly string[];
  readonly stdin: string;
}

let daemon: RealDaemon;
let site: ChangingSite;
let feeds: Feeds;
let home: string;

beforeAll(async () => {
  daemon = await RealDaemon.start([...loopback, '--stream-retention', '8d']);
  site = await ChangingSite.start(1, 130, 'Release "9" <b>|today\\');
  feeds = await Feeds.start('127.0.0.131');
  home = mkdtempSync(path.join(tmpdir(), 'hydrant-tasks-'));
  standIns();
  await daemon.hydrant(['tap', 'create', 'news']);
  await daemon.hydrant(['rule', 'add', 'news', 'fox', '--tag', 'linux', '--no-quality']);
  await daemon.hydrant(['crawl', 'add', ...site.urls, '--every', '1s']);
  await until('something matched', async () => (await daemon.hydrant(['digest', '--quiet-when-empty'])) !== '');
  await daemon.hydrant(['crawl', 'pause', ...site.urls]);
  await runAll('Whole tasks');
});
afterAll(async () => {
  site.close();
  feeds.close();
  rmSync(home, { recursive: true, force: true });
  await daemon.dispose();
});

const bin = (): string => path.join(home, 'bin');
const calls = (): string => path.join(home, 'calls');

/** Programs on the path, each of which writes its arguments and its standard input to a file of its own. */
function standIns(): void {
  mkdirSync(bin());
  mkdirSync(calls());
  const hydrant = `exec "${process.execPath}" "${path.join(root, 'bin/hydrant')}" "$@"`;
  const record = (name: string, then = ''): string =>
    `d=$(mktemp -d "${calls()}/${name}.XXXXXX"); for a in "$@"; do printf '%s\\0' "$a"; done > "$d/args"
${then === '' ? 'cat > "$d/stdin"' : then}`;
  // The other side of ssh has the daemon's directory, as its user's home has.
  const there = `for last in "$@"; do :; done; HOME="${daemon.dataDir}" HYDRANT_DATA_DIR="${daemon.dataDir}" exec sh -c "$last"`;
  const programs = {
    hydrant,
    sendmail: record('sendmail'),
    curl: record('curl', ': > "$d/stdin"'),
    systemctl: record('systemctl', ': > "$d/stdin"'),
    loginctl: record('loginctl', ': > "$d/stdin"'),
    ssh: record('ssh', there),
  };
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(path.join(bin(), name), `#!/bin/sh\n${text}\n`);
    chmodSync(path.join(bin(), name), 0o755);
  }
}

/** What a program was called with since this was last asked, in no order. */
function called(name: string): Call[] {
  return readdirSync(calls())
    .filter((entry) => entry.startsWith(`${name}.`))
    .map((entry) => {
      const directory = path.join(calls(), entry);
      const read = (file: string): string =>
        existsSync(path.join(directory, file)) ? readFileSync(path.join(directory, file), 'utf8') : '';
      const call = { args: read('args').split('\0').slice(0, -1), stdin: read('stdin') };
      rmSync(directory, { recursive: true });
      return call;
    });
}

/** A command of the page, which has to succeed; its output. On the daemon's machine, unless `more` says otherwise. */
async function shell(
  text: string,
  more: Readonly<Record<string, string>> = { HYDRANT_DATA_DIR: daemon.dataDir },
): Promise<string> {
  const programs = `${bin()}:${path.join(home, '.local/bin')}:${process.env['PATH'] ?? ''}`;
  const env = { HOME: home, PATH: programs, TZ: 'UTC', ...more };
  const result = await execa('sh', ['-ec', text], { cwd: root, env, extendEnv: false, reject: false, stdin: 'ignore' });
  if (result.exitCode !== 0) throw new Error(`${text} → ${result.exitCode}: ${result.stderr}`);
  return result.stdout;
}

/** The daemon's machine, with cursors of one's own. */
function onServer(state: string): Record<string, string> {
  return { HYDRANT_DATA_DIR: daemon.dataDir, XDG_STATE_HOME: path.join(home, state) };
}

/** The blocks of a section: commands, and the jobs of a crontab, with the variables above them. */
async function runAll(title: string): Promise<string> {
  const outputs: string[] = [];
  const blocks = sections.get(title);
  if (blocks === undefined) throw new Error(`docs/tasks.md has no section ${title}`);
  for (const { kind, text } of blocks) {
    if (kind === 'sh') outputs.push(await shell(text));
    if (kind === 'crontab') for (const job of jobsOf(text)) outputs.push(await shell(job));
  }
  return outputs.join('\n');
}

/** A line of a crontab as cron gives it to the shell. Its path stays that of the stand-ins. */
function jobsOf(crontab: string): string[] {
  const lines = crontab.split('\n').filter((line) => line !== '');
  const variables = lines.filter((line) => /^[A-Z_]+=/.test(line) && !line.startsWith('PATH='));
  const jobs = lines.filter((line) => /^[\d*]/.test(line)).map((line) => line.replace(/^(?:\S+\s+){5}/, ''));
  return jobs.map((job) => [...variables.map((variable) => `export ${variable}`), job].join('\n'));
}

describe('the tasks of the documentation', () => {
  test('a digest by mail, every morning: a page, and no mail where nothing matched', async () => {
    await runAll('A digest by mail, every morning');
    const [mail, ...others] = called('sendmail');
    expect([others, mail?.args]).toEqual([[], ['-t']]);
    const [head = '', body = ''] = (mail?.stdin ?? '').split('\n\n');
    expect(head).toMatch(/^To: you@example\.org\nSubject: hydrant, \d{4}-\d\d-\d\d\nMIME-Version: 1\.0\n/);
    expect(body.split('\n').every((line) => line.length <= 76)).toBe(true);
    expect(Buffer.from(body, 'base64').toString()).toMatch(/^<!doctype html>.*quick brown fox/is);
    await daemon.hydrant(['tap', 'create', 'quiet']);
    await shell('mail-digest you@example.org quiet');
    expect(called('sendmail')).toEqual([]);
  });

  test('a report of the week', async () => {
    await runAll('A report of the week');
    const [mail] = called('sendmail');
    const text = Buffer.from((mail?.stdin ?? '').split('\n\n')[1] ?? '', 'base64').toString();
    expect(text).toContain('<h1>The week</h1>');
    expect(text).toContain('<h2>127.0.0.130</h2>');
    const [, from = '', to = ''] = /(\d{4}-\d\d-\d\d \d\d:\d\d) to (\d{4}-\d\d-\d\d \d\d:\d\d) UTC/.exec(text) ?? [];
    expect(Date.parse(`${to}Z`) - Date.parse(`${from}Z`)).toBe(7 * 86_400_000);
  });

  test('push notifications with ntfy: one by hand, the others once each from cron', async () => {
    const [url = ''] = site.urls;
    await runAll('Push notifications with ntfy');
    const sent = called('curl').map(({ args }) => args);
    const all = (await daemon.hydrant(['tail', 'news', '--once', '--fields', 'id'])).split('\n').length;
    // One by hand, and all from cron.
    expect(sent).toHaveLength(1 + all);
    for (const args of sent) {
      expect(args).toContain(`Click: ${url}`);
      expect(args).toContain('Title: Release "9" <b>|today\\');
      expect(args).toContain('Tags: linux');
      expect(args.at(-1)).toBe('https://ntfy.sh/my-topic');
    }
    await runAll('Push notifications with ntfy');
    expect(called('curl')).toHaveLength(1);
  });

  test('a notification that failed is sent again by the next run', async () => {
    const job = 'hydrant tail news --once --resume --exec notify-ntfy';
    const state = { ...onServer('again'), NTFY_URL: 'https://ntfy.sh/my-topic' };
    const curl = path.join(bin(), 'curl');
    const [works, fails] = [readFileSync(curl), '#!/bin/sh\nexit 22\n'];
    writeFileSync(curl, fails);
    await expect(shell(job, state)).rejects.toThrow('the command failed for');
    writeFileSync(curl, works);
    await shell(job, state);
    const all = (await daemon.hydrant(['tail', 'news', '--once', '--fields', 'id'])).split('\n').length;
    expect(called('curl')).toHaveLength(all);
  });

  test('messages in Slack: whatever a title has, the message is JSON and its link stays one', async () => {
    const [url = ''] = site.urls;
    await runAll('Messages in Slack');
    const sent = called('curl').map(({ args }) => args);
    expect(sent.length).toBeGreaterThan(0);
    for (const args of sent) {
      const body = args[args.indexOf('--data-raw') + 1] ?? '';
      expect(JSON.parse(body)).toEqual({ text: `<${url}|Release "9" &lt;b&gt;¦today\\>` });
      expect(args.at(-1)).toBe('https://hooks.slack.example/services/T0/B0/secret');
    }
  });

  test('notifications at once, as a service: its unit runs what it says', async () => {
    await runAll('Notifications at once, as a service');
    const controls = called('systemctl').map(({ args }) => args.join(' '));
    expect(controls.toSorted()).toEqual(['--user daemon-reload', '--user enable --now hydrant-follow@news.service']);
    expect(called('loginctl').map(({ args }) => args)).toEqual([['enable-linger']]);
    const unit = readFileSync(path.join(home, '.config/systemd/user/hydrant-follow@.service'), 'utf8');
    const valueOf = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
    const file = valueOf('EnvironmentFile').replaceAll('%h', home);
    const words = valueOf('ExecStart').replaceAll('%i', 'news');
    expect(valueOf('Environment')).toContain('%h/.local/bin');
    const state = onServer('unit');
    expect(words).toContain(' --for 1h ');
    await shell(`set -a; . '${file}'; set +a\n${words.replace('--for 1h', '--once')}`, state);
    expect(called('curl').at(0)?.args).toContain('https://ntfy.sh/my-topic');
  });

  test('releases of thirty projects: each that appears is sent once', async () => {
    const list = readFileSync(path.join(root, 'examples/releases.txt'), 'utf8');
    expect(list.trim().split('\n')).toHaveLength(30);
    const moved = path.join(home, 'releases.txt');
    writeFileSync(moved, list.replaceAll('https://github.com/', `${feeds.origin}/`));
    const [add, cron] = sections.get('Releases of thirty projects') ?? [];
    const adding = (add?.text ?? '').replaceAll('examples/releases.txt', moved);
    expect(await shell(adding)).toContain(`${feeds.origin}/nodejs/node/releases.atom`);
    await until('all were checked', async () => {
      const watches = JSON.parse(await daemon.hydrant(['watch', 'list', '--json'])) as { checks: number }[];
      return watches.length === 30 && watches.every(({ checks }) => checks > 0);
    });
    const [job = ''] = jobsOf(cron?.text ?? '');
    const state = onServer('releases');
    await shell(job, state);
    expect(called('curl')).toEqual([]);
    feeds.release('/curl/curl/');
    feeds.release('/git/git/');
    for (const name of ['curl/curl', 'git/git']) {
      const { exitCode } = await daemon.run('hydrant', [
        'watch',
        'check',
        `${feeds.origin}/${name}/releases.atom`,
        '--wait',
      ]);
      expect(exitCode).toBe(1);
    }
    await shell(job, state);
    const sent = called('curl').map(({ args }) => args.find((arg) => arg.startsWith('Click: ')));
    expect(sent.toSorted()).toEqual(
      ['curl/curl', 'git/git'].map((name) => `Click: ${feeds.origin}/${name}/releases.atom`),
    );
    await shell(job, state);
    expect(called('curl')).toEqual([]);
  });

  test('a laptop and a server: all goes through ssh, as the user who runs the daemon', async () => {
    const laptop = path.join(home, 'laptop');
    mkdirSync(laptop);
    const [use, file] = sections.get('A laptop and a server') ?? [];
    const own = { HOME: laptop };
    const shown = await shell(use?.text ?? '', own);
    expect(shown).toContain(site.urls[0]);
    expect(shown).toContain('quick brown fox');
    const sshCalls = called('ssh');
    expect(sshCalls.length).toBeGreaterThan(4);
    for (const { args } of sshCalls) expect(args.slice(-2)).toEqual(['me@server.example.org', 'hydrant dial-stdio']);
    const dry = await shell(`cd '${laptop}'\n${file?.text ?? ''}`, own);
    expect(readFileSync(path.join(laptop, 'hydrant.yaml'), 'utf8')).toContain('tag: linux');
    expect(dry).toBe('');
  });
});

/** Feeds of releases, one a project: `/owner/name/releases.atom`. */
class Feeds {
  readonly origin: string;
  readonly #server: Server;
  /** Beginnings of paths whose project has released again. */
  readonly #released: string[];

  private constructor(server: Server, released: string[], address: string) {
    this.#server = server;
    this.#released = released;
    this.origin = `http://${address}:${(server.address() as AddressInfo).port}`;
  }

  static async start(address: string): Promise<Feeds> {
    const released: string[] = [];
    const server = createServer(({ url = '/' }, response) => {
      if (url === '/robots.txt') return void response.writeHead(404).end();
      const versions = released.some((begin) => url.startsWith(begin)) ? ['2.0.0', '1.0.0'] : ['1.0.0'];
      response.writeHead(200, { 'content-type': 'application/atom+xml' });
      response.end(feedOf(url, versions));
    });
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    return new Feeds(server, released, address);
  }

  release(begin: string): void {
    this.#released.push(begin);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

function feedOf(url: string, versions: readonly string[]): string {
  const entries = versions.map(
    (version) => `<entry><id>${url}/${version}</id><title>Version ${version} of ${url}</title>
      <updated>2026-02-1${version[0]}T08:00:00Z</updated><link rel="alternate" href="${url}/${version}"/>
      <content type="html">&lt;p&gt;The notes of version ${version} say what is new in it.&lt;/p&gt;</content></entry>`,
  );
  return `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><id>${url}</id><title>Releases of ${url}</title>
    <updated>2026-02-13T08:00:00Z</updated>${entries.join('')}</feed>`;
}
