import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ChangingSite } from './changing-site.ts';
import { loopback, RealDaemon, until } from './real-daemon.ts';

const SSHD = '/usr/sbin/sshd';
const repository = path.resolve('.');
const home = mkdtempSync(path.join(tmpdir(), 'hydrant-ssh-'));

let daemon: RealDaemon;
let site: ChangingSite;
beforeAll(async () => {
  daemon = await RealDaemon.start(loopback);
  site = await ChangingSite.start(1, 97);
});
afterAll(async () => {
  site.close();
  await daemon.dispose();
  rmSync(home, { recursive: true });
});

/** Instead of ssh: the command runs here, in a shell, as it would there. */
const here = path.join(home, 'here.sh');
writeFileSync(here, 'for last; do :; done\nexec /bin/sh -c "$last"\n');

const denied = path.join(home, 'denied.sh');
writeFileSync(denied, 'echo "me@laptop.test: Permission denied (publickey)." >&2\nexit 255\n');

interface Ran {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** `hydrant …` on a machine that has no daemon; what is run by SSH finds the same `hydrant` on its path. */
async function elsewhere(ssh: string, words: readonly string[]): Promise<Ran> {
  const { exitCode, stdout, stderr } = await daemon.runElsewhere(words, {
    HOME: home,
    PATH: `${repository}/bin:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HYDRANT_SSH_COMMAND: ssh,
  });
  return { exitCode, stdout, stderr };
}

type Hydrant = (...words: readonly string[]) => Promise<string>;

function overSsh(ssh: string): Hydrant {
  return async (...words) => {
    const { exitCode, stdout, stderr } = await elsewhere(ssh, words);
    expect([words.join(' '), exitCode, stderr.includes('error:')]).toEqual([words.join(' '), 0, false]);
    return stdout;
  };
}

/** A first match, seen from a laptop. @param host `me@host:port` */
async function firstMatch(hydrant: Hydrant, host: string, name: string): Promise<void> {
  await hydrant('context', 'add', name, `ssh://${host}${daemon.dataDir}`, '--use');
  expect(await hydrant('status')).toContain(`organization home`);
  const [url = ''] = site.urls;
  await hydrant('tap', 'create', name);
  await hydrant('rule', 'add', name, 'fox', '--no-quality', '--no-try');
  await hydrant('crawl', 'add', `${url}?${name}`, '--every', '1s');
  expect((await hydrant('tail', name, '--limit', '1', '--json')).split('\n')).toHaveLength(1);
}

/** What the operator does in a day, once there is a match. */
async function aDay(ssh: string, name: string): Promise<string> {
  const hydrant = overSsh(ssh);
  const [url = ''] = site.urls;
  expect(JSON.parse(await hydrant('context', 'show', name, '--json'))).toMatchObject({
    access: 'operator',
    key_prefix: null,
  });
  expect(await hydrant('crawl', 'list')).toContain(url);
  expect(JSON.parse(await hydrant('rule', 'list', '--json'))[0].matches).toBeGreaterThan(0);
  expect((await hydrant('tail', name, '--once', '--limit', '1')).split('\n')).toHaveLength(1);
  expect(await hydrant('crawl', 'why', url)).toContain('robots');
  expect(JSON.parse(await hydrant('rule', 'try', 'fox', '--no-quality', '--json'))).toMatchObject({
    matches: expect.any(Number),
  });
  await hydrant('watch', 'add', `${url}#${name}`, '--select', 'main', '--wait');
  expect(await hydrant('watch', 'list')).toContain(url);
  // The page says something else at each visit.
  expect(await elsewhere(ssh, ['watch', 'check', url, '--wait'])).toMatchObject({ exitCode: 1 });
  expect(await hydrant('watch', 'diff', url)).toMatch(/^\+ .*the quick brown fox/m);
  expect(await hydrant('notify', 'add', name, 'exec', 'true', '--test')).toContain(`${name}: delivered (0) to true`);
  expect(await hydrant('notify', 'list')).toContain(name);
  const relative = await elsewhere(ssh, ['notify', 'add', 'other', 'exec', './on-match.sh']);
  expect([relative.exitCode, relative.stderr]).toEqual([2, expect.stringContaining('runs on another machine')]);
  await hydrant('notify', 'remove', name, '--yes');
  await hydrant('watch', 'remove', url, '--yes');
  await hydrant('tap', 'revoke', name, '--yes');
  return hydrant('tap', 'list');
}

describe('a context over SSH', () => {
  test('does what the operator does, with any program that connects', async () => {
    const ssh = `sh ${here}`;
    await firstMatch(overSsh(ssh), 'me@laptop.test', 'stand-in');
    expect(await aDay(ssh, 'stand-in')).toBe('');
  });

  test.skipIf(!canLogIn())(
    'does it through a real sshd (skipped where there is none, or it lets this user not in)',
    async () => {
      const { ssh, port } = await openSshd();
      const hydrant = overSsh(ssh);
      await firstMatch(hydrant, `${userInfo().username}@127.0.0.1:${port}`, 'real');
      await hydrant('tap', 'revoke', 'real', '--yes');
      expect(await hydrant('tap', 'list')).toBe('');
    },
  );

  test('says what is wrong there', async () => {
    const at = (address: string, ssh = `sh ${here}`): Promise<Ran> => elsewhere(ssh, ['--url', address, 'status']);
    const none = await at('ssh://me@laptop.test/nowhere');
    expect([none.exitCode, none.stderr]).toEqual([
      3,
      'error: cannot reach the daemon at ssh://me@laptop.test/nowhere: no daemon is running in /nowhere\n' +
        '  check that this works: ssh me@laptop.test hydrant --version',
    ]);
    const refused = await at('ssh://me@laptop.test:2222', `sh ${denied}`);
    expect([refused.exitCode, refused.stderr]).toEqual([
      3,
      expect.stringContaining('Permission denied (publickey).\n'),
    ]);
    expect(refused.stderr).toContain('ssh -p 2222 me@laptop.test hydrant --version');
    for (const address of ['ssh://', 'ssh://-oProxyCommand=x@host', 'ssh://me:secret@host', 'ssh://host?x']) {
      expect(await at(address)).toMatchObject({ exitCode: 2, stdout: '' });
    }
    const logs = await elsewhere('ssh', ['--url', 'ssh://me@laptop.test', 'logs']);
    expect([logs.exitCode, logs.stderr]).toEqual([2, expect.stringContaining('try:  ssh me@laptop.test hydrant logs')]);
  });

  test('takes an address as one word, whatever is in it', async () => {
    const seen = path.join(home, 'seen');
    const spy = `sh -c 'printf "%s\\n" "$@" > ${seen}; exit 1' sh`;
    await elsewhere(spy, ['--url', "ssh://me@laptop.test:2222/a%20b/$(touch%20x)'", 'status']);
    expect(execFileSync('cat', [seen], { encoding: 'utf8' }).split('\n').slice(0, -1)).toEqual([
      '-T',
      '-o',
      'ConnectTimeout=15',
      '-p',
      '2222',
      '--',
      'me@laptop.test',
      `hydrant dial-stdio --data-dir '/a b/$(touch x)'\\'''`,
    ]);
  });
});

/** sshd lets nobody in whose account is locked, or whose shell does nothing. */
function canLogIn(): boolean {
  const { username, shell } = userInfo();
  if (!existsSync(SSHD) || /nologin|false$/.test(shell ?? '')) return false;
  try {
    const accounts = readFileSync('/etc/shadow', 'utf8').split('\n');
    return accounts.some((line) => line.startsWith(`${username}:`) && !line.startsWith(`${username}:!`));
  } catch {
    // Only root may look.
    return true;
  }
}

/** A server of its own on loopback, with a key of its own, for the user who runs the tests. */
async function openSshd(): Promise<{ readonly ssh: string; readonly port: number }> {
  const port = await freePort();
  for (const name of ['host', 'key'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path.join(home, name)]);
  const config = path.join(home, 'sshd_config');
  writeFileSync(
    config,
    `Port ${port}
ListenAddress 127.0.0.1
HostKey ${path.join(home, 'host')}
AuthorizedKeysFile ${path.join(home, 'key.pub')}
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
SetEnv PATH=${repository}/bin:${path.dirname(process.execPath)}:/usr/bin:/bin
`,
  );
  // Where root runs it, it wants this directory to be.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const sshd = spawn(SSHD, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void sshd.kill());
  let said = '';
  sshd.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  sshd.once('exit', (code) => (said += `ended with ${code}`));
  await until(`sshd listens: ${said}`, () => Promise.resolve(said.includes('Server listening')));
  const options = ['StrictHostKeyChecking=no', `UserKnownHostsFile=${path.join(home, 'known')}`, 'LogLevel=ERROR'];
  return { ssh: `ssh -F none -i ${path.join(home, 'key')} ${options.map((one) => `-o ${one}`).join(' ')}`, port };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
