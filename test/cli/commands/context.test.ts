import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { FakeDaemon, noFetch, noUpkeep, type Ran, run } from '../harness.ts';

const key = `svcm_${'k'.repeat(40)}`;
const token = `svc_${'t'.repeat(40)}`;
const remote = 'https://water.example';
let home: string;
let file: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'hydrant-contexts-'));
  file = path.join(home, 'hydrant', 'contexts.json');
});
afterEach(async () => rm(home, { recursive: true }));

function hydrant(words: readonly string[], env: Record<string, string> = {}, input = ''): Promise<Ran> {
  return run(words, { env: { HOME: home, XDG_CONFIG_HOME: home, ...env }, input });
}

const add = (name: string, url = remote, input = `${key}\n`): Promise<Ran> =>
  hydrant(['context', 'add', name, url, '--key-file', '-'], {}, input);

async function named(env: Record<string, string> = {}, ...flags: string[]): Promise<unknown> {
  const { stdout, stderr } = await hydrant(['context', 'show', '--json', ...flags], env);
  return stdout === '' ? stderr : (JSON.parse(stdout) as { name: unknown }).name;
}

describe('contexts', () => {
  test('are added, listed, used, renamed and removed', async () => {
    expect((await hydrant(['context', 'list', '-q'])).stdout).toBe('local\n');
    expect((await add('home')).stderr).toContain('context home added');
    await add('work', 'https://work.example/hydrant/', token);
    expect((await hydrant(['context', 'use', 'home'])).code).toBe(0);
    expect((await hydrant(['context', 'list'])).stdout).toBe(
      `\tlocal\t\toperator\t\n*\thome\t${remote}\tmanager\tsvcm_kkkk\n\twork\thttps://work.example/hydrant\ttap\tsvc_ttttt\n`,
    );
    await hydrant(['context', 'rename', 'home', 'attic']);
    expect(await named()).toBe('attic');
    expect((await hydrant(['context', 'remove', 'attic', '--yes'])).stderr).toContain('this machine again');
    expect(await named()).toBe('local');
    expect((await hydrant(['context', 'list', '--json'])).stdout).not.toContain('attic');
  });

  test('that ten commands add at once are all there', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `c${index}`);
    const ran = await Promise.all(names.map((name) => add(name)));
    expect(ran.map(({ code }) => code)).toEqual(names.map(() => 0));
    const { stdout } = await hydrant(['context', 'list', '-q']);
    expect(stdout.trim().split('\n').toSorted()).toEqual([...names, 'local']);
  });

  test('lie in a file that their owner alone can read, in a directory of the same kind', async () => {
    await add('home');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
    await hydrant(['context', 'use', 'home']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toContain(key);
  });

  test('never show their key', async () => {
    await add('home');
    for (const words of [['list'], ['list', '--json'], ['show', 'home'], ['show', 'home', '--json']]) {
      const { stdout, stderr } = await hydrant(['context', ...words]);
      expect(stdout + stderr).not.toContain(key);
    }
  });

  test('lead a command to their daemon, with their key', async () => {
    const daemon = await FakeDaemon.onPort();
    daemon.on('GET /v1/taps', 200, { data: [] });
    await add('home', daemon.url);
    const ran = await hydrant(['tap', 'list', '--context', 'home', '--json']);
    await daemon.stop();
    expect(ran).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(daemon.received).toMatchObject([{ authorization: `Bearer ${key}` }]);
  });
});

describe('which daemon is meant', () => {
  beforeEach(async () => {
    await add('home');
    await add('work', 'https://work.example');
    await hydrant(['context', 'use', 'home']);
  });

  test('is told by the nearest word', async () => {
    expect(await named()).toBe('home');
    expect(await named({ HYDRANT_DATA_DIR: '/d' })).toBe('local');
    expect(await named({ HYDRANT_DATA_DIR: '/d', HYDRANT_CONTEXT: 'work' })).toBe('work');
    expect(await named({ HYDRANT_CONTEXT: 'local' })).toBe('local');
    expect(await named({ HYDRANT_CONTEXT: 'home' }, '--context', 'work')).toBe('work');
    expect(await named({}, '--context', 'local')).toBe('local');
    expect(await named({ HYDRANT_CONTEXT: 'work' }, '--data-dir', '/d')).toBe('local');
    expect(await named({ HYDRANT_CONTEXT: 'work', HYDRANT_URL: 'https://url.example' })).toBe(null);
    expect(await named({ HYDRANT_CONTEXT: 'work' }, '--url', 'https://url.example')).toBe(null);
  });

  test.each([
    [['--url', remote, '--context', 'home'], {}, '--url and --context name different daemons'],
    [['--data-dir', '/d', '--context', 'home'], {}, '--data-dir and --context name different daemons'],
    [['--context', 'home'], { HYDRANT_URL: remote }, '--context and HYDRANT_URL name different daemons'],
  ])('is not guessed from %j with %j', async (flags, env, message) => {
    const ran = await hydrant(['tap', 'list', ...flags], env);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  test('that is unknown is refused with the names there are', async () => {
    const ran = await hydrant(['tap', 'list', '--context', 'hom']);
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining('known: local, home, work') });
  });

  test('keeps its key from the environment when one is set', async () => {
    const daemon = await FakeDaemon.onPort();
    daemon.on('GET /v1/taps', 200, { data: [] });
    await add('here', daemon.url);
    const other = `svcm_${'o'.repeat(40)}`;
    await hydrant(['tap', 'list', '--context', 'here'], { HYDRANT_KEY: other });
    await daemon.stop();
    expect(daemon.received).toMatchObject([{ authorization: `Bearer ${other}` }]);
  });
});

describe('a mistake', () => {
  test.each([
    [['add', 'local', remote], 'is the daemon on this machine'],
    [['add', 'a b', remote], 'is not a valid name for a context'],
    [['add', '../x', remote], 'is not a valid name for a context'],
    [['add', 'home', 'water'], 'is not the address of a daemon'],
    [['add', 'home', 'https://me:secret@water.example'], 'keys go into HYDRANT_KEY'],
    [['add', 'home', remote], 'there is no terminal to ask on'],
    [['use', 'nowhere'], 'there is no context `nowhere`'],
    [['rename', 'nowhere', 'home'], 'there is no context `nowhere`'],
    [['remove', 'nowhere', '--yes'], 'there is no context `nowhere`'],
  ])('%j says what is wrong and writes nothing', async (words, message) => {
    const { code, stderr } = await hydrant(['context', ...words]);
    expect([2, 5]).toContain(code);
    expect(stderr).toContain(message);
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  test('in the key is refused, and the text is not repeated', async () => {
    const { code, stderr } = await add('home', remote, 'my-secret-password');
    expect(code).toBe(2);
    expect(stderr).toContain('stdin contains no key');
    expect(stderr).not.toContain('my-secret');
  });

  test('in a name that is taken leaves the one that is there', async () => {
    await add('home');
    expect((await add('home', 'https://other.example')).stderr).toContain('already');
    expect(await readFile(file, 'utf8')).not.toContain('other.example');
  });
});

describe('a file that cannot be trusted', () => {
  beforeEach(() => mkdir(path.dirname(file), { mode: 0o700 }));

  test.each([
    ['{"current":', 'it is not JSON'],
    ['[]', 'it must hold an object'],
    ['{"contexts":[3]}', '`contexts`, entry 1'],
    ['{"contexts":[{"name":"a"}]}', '`contexts`, entry 1'],
    ['{"contexts":{}}', '`contexts` must be a list'],
    ['{"current":1}', '`current` must be a name'],
  ])('because it holds %s is refused and left as it is', async (damaged, what) => {
    await writeFile(file, damaged, { mode: 0o600 });
    for (const words of [['context', 'add', 'home', remote, '--key-file', '-'], ['context', 'list'], ['status']]) {
      const { code, stderr } = await hydrant(words, {}, key);
      expect(code).toBe(78);
      expect(stderr).toContain(`${file} is damaged`);
      expect(stderr).toContain(what);
    }
    expect(await readFile(file, 'utf8')).toBe(damaged);
    expect((await hydrant(['status', '--context', 'local'])).code).toBe(3);
  });

  test('because others can read it, or write beside it, is refused with the fix', async () => {
    await writeFile(file, `{"contexts":[{"name":"home","url":"${remote}","key":"${key}"}]}`);
    await chmod(file, 0o640);
    expect((await hydrant(['context', 'list'])).stderr).toContain(`chmod 600 ${file}`);
    await chmod(file, 0o600);
    expect((await hydrant(['context', 'list'])).code).toBe(0);
    await chmod(path.dirname(file), 0o777);
    expect((await hydrant(['context', 'list'])).stderr).toContain(`chmod 700 ${path.dirname(file)}`);
  });
});

test('a key that is typed on a terminal is not shown', async () => {
  const terminal = { isTTY: true, columns: 80, setRawMode: () => undefined };
  const stream = () => Object.assign(new PassThrough(), terminal);
  const io = { stdin: stream(), stdout: stream(), stderr: stream(), env: { XDG_CONFIG_HOME: home }, exit: () => {} };
  const said = Promise.all([text(io.stdout), text(io.stderr)]);
  // A terminal sends characters when they are asked for: the question is the sign.
  io.stderr.once('data', () => io.stdin.write(`${key}\r`));
  const programs = { serve: async () => 0, fetchPage: noFetch, upkeep: noUpkeep, daemonPath: '' };
  expect(await main(['context', 'add', 'home', remote], io, programs)).toBe(0);
  io.stdout.end();
  io.stderr.end();
  const shown = (await said).join('');
  expect(shown).toContain('Key for water.example (not shown): ');
  expect(shown).not.toContain('kkkk');
  expect(await readFile(file, 'utf8')).toContain(key);
});
