import { chmod, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KnownSettings, Upkeep } from '../../../../src/cli/runtime/context.ts';
import { makeContext } from '../../../../src/cli/runtime/process-context.ts';
import { examine, type Finding, ok, receive } from '../../../../src/cli/commands/doctor/finding.ts';
import { STATUS } from '../daemon/status-sample.ts';
import { FakeDaemon, noFetch, type Ran, run } from '../../harness.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'hydrant-doctor-'));
});
afterEach(async () => rm(directory, { recursive: true, force: true }));

const settings: KnownSettings = {
  store: '',
  dataDir: '',
  listen: '127.0.0.1',
  port: 0,
  crawlContact: 'me@example.org',
  logFile: '',
  renderBrowser: '',
  renderEndpoint: '',
  renderProxy: '127.0.0.1',
  renderSandbox: 'on',
};

function upkeep(change: Partial<Upkeep> = {}): () => Promise<Upkeep> {
  const refuse = (): never => {
    throw new Error('not expected');
  };
  const standing = {
    backUp: refuse,
    restore: refuse,
    salvage: refuse,
    migrate: refuse,
    inPostgres: async () => undefined,
    databaseHealth: refuse,
    leftBehind: async () => undefined,
    checkStore: () => [],
    settingsOf: async () => settings,
    rendererOf: async () => ({ refusal: 'no browser was found; install Chromium' }),
  };
  return async () => ({ ...standing, ...change });
}

function doctor(change: Partial<Upkeep> = {}, ...words: string[]): Promise<Ran> {
  return run(['doctor', '--data-dir', directory, ...words], { upkeep: upkeep(change) });
}

async function found(name: string, change: Partial<Upkeep> = {}, ...words: string[]): Promise<Finding | undefined> {
  const { stdout } = await doctor(change, '--json', ...words);
  return (JSON.parse(stdout) as { checks: Finding[] }).checks.find((one) => one.name === name);
}

const put = (name: string, text: string, mode = 0o600): Promise<void> =>
  writeFile(path.join(directory, name), text, { mode });

describe('hydrant doctor', () => {
  test('finds nothing wrong with a data directory as a daemon makes it, and exits with 0', async () => {
    await put('secret', 's'.repeat(32));
    await put('catalog.json', '{}');
    await put('hydrant.db', 'x');
    const { code, stdout } = await doctor();
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/^fail/m);
    expect(stdout).toMatch(/^ok {4}store {11}1 MiB, sound$/m);
  });

  test('exits with 1 when something fails, and says how to put it right', async () => {
    await put('secret', 's'.repeat(32), 0o644);
    await chmod(path.join(directory, 'secret'), 0o644);
    const { code, stdout, stderr } = await doctor();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^fail {2}secret .*mode 644/m);
    expect(stdout).toContain(`fix: chmod 600 ${directory}/secret`);
    expect(stderr).toMatch(/^1 failed/);
  });

  test('breaks what is long at words, below where it began', async () => {
    await put('secret', 's'.repeat(32), 0o644);
    await chmod(path.join(directory, 'secret'), 0o644);
    const { stdout } = await run(['doctor', '--data-dir', directory], {
      upkeep: upkeep({ settingsOf: async () => ({ ...settings, crawlContact: '' }) }),
      columns: 80,
      env: { NO_COLOR: '1' },
    });
    expect(stdout).toMatch(/^ {22}fix: give hydrant serve --crawl-contact .*\n {27}\S.*\n/m);
  });

  test('tells all of it with --json, and one word with --quiet', async () => {
    const report = JSON.parse((await doctor({}, '--json')).stdout) as { healthy: boolean; checks: Finding[] };
    expect(report.healthy).toBe(true);
    expect(report.checks.map(({ name }) => name)).toEqual(expect.arrayContaining(['version', 'node', 'disk', 'port']));
    expect((await doctor({}, '--quiet')).stdout).toBe('ok\n');
  });

  test.each([
    ['secret', { secret: 'short' }, 'fail', 'has 5 bytes instead of 32'],
    ['secret', { 'catalog.json': '{}' }, 'fail', 'is missing'],
    ['catalog', { 'catalog.json': '{"schema":' }, 'fail', 'is damaged'],
  ])('%s in %j is a finding', async (name, files, state, says) => {
    for (const [file, text] of Object.entries(files)) await put(file, text);
    expect(await found(name)).toMatchObject({ state, says: expect.stringContaining(says) });
  });

  test('finds files and a directory that others can read', async () => {
    await put('hydrant.db', 'x');
    await chmod(path.join(directory, 'hydrant.db'), 0o640);
    await chmod(directory, 0o755);
    expect(await found('files')).toMatchObject({ state: 'fail', fix: `chmod 600 ${directory}/hydrant.db` });
    expect(await found('data directory')).toMatchObject({ state: 'warn', fix: `chmod 700 ${directory}` });
  });

  test('finds damage in the database, and does not look with --no-store', async () => {
    await put('hydrant.db', 'x');
    const checkStore = (): string[] => ['row 3 missing from index', 'another'];
    const says = expect.stringContaining('row 3 missing from index (and 1 more)');
    expect(await found('store', { checkStore })).toMatchObject({ state: 'fail', says });
    expect(await found('store', { checkStore }, '--no-store')).toBeUndefined();
  });

  test('finds a setting with which no daemon would start', async () => {
    const settingsOf = () => Promise.reject(new Error('HYDRANT_PORT: "x" is not a whole number'));
    expect(await found('settings', { settingsOf })).toMatchObject({
      state: 'fail',
      says: expect.stringContaining('PORT'),
    });
  });

  test('finds that the crawl sends no contact address', async () => {
    expect(await found('contact')).toMatchObject({ state: 'ok' });
    const settingsOf = async () => ({ ...settings, crawlContact: '' });
    expect(await found('contact', { settingsOf })).toMatchObject({ state: 'warn' });
  });

  test('finds a port that another program has', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const finding = await found('port', { settingsOf: async () => ({ ...settings, port }) });
    other.close();
    expect(finding).toMatchObject({ state: 'fail', says: `${port} on 127.0.0.1 is in use by another program` });
  });

  test('finds data that was written in the future: the clock went back', async () => {
    await put('hydrant.db', 'x');
    const tomorrow = new Date('2999-01-01');
    await utimes(path.join(directory, 'hydrant.db'), tomorrow, tomorrow);
    expect(await found('clock')).toMatchObject({ state: 'warn', says: expect.stringContaining('in the future') });
  });

  test('finds a daemon that should be there and does not answer', async () => {
    await put(
      'daemon.json',
      JSON.stringify({ socket: `${directory}/gone.sock`, pid: 4_121, url: 'http://127.0.0.1:1' }),
    );
    expect(await found('daemon')).toMatchObject({ state: 'fail', says: expect.stringContaining('pid 4121') });
  });

  test('finds a socket that others can open', async () => {
    const daemon = await FakeDaemon.onSocket();
    await chmod(`${daemon.directory}/admin.sock`, 0o666);
    const ran = await run(['doctor', '--data-dir', daemon.directory, '--json'], { upkeep: upkeep() });
    await daemon.stop();
    const { checks } = JSON.parse(ran.stdout) as { checks: Finding[] };
    expect(checks.find(({ name }) => name === 'socket')).toMatchObject({ state: 'fail' });
  });

  test('finds sinks that do not work, and messages that were refused', async () => {
    const daemon = await FakeDaemon.onSocket();
    const since = new Date(Date.now() - 4 * 86_400_000 - 60_000).toISOString();
    const sick = { id: 'a', kind: 'ntfy' as const, since, detail: 'ntfy.lan refused the connection' };
    const unhealthy = [
      { ...sick, name: 'phone', state: 'failing' as const },
      { ...sick, name: 'mail', state: 'dead' as const },
      { ...sick, name: 'team', state: 'disabled' as const },
    ];
    const sinks = { sinks: 4, paused: 0, sent: 1, parked: 2, dropped: 0, behind: 0, unhealthy };
    daemon.on('GET /admin/status', 200, { data: { ...STATUS, sinks } });
    daemon.on('GET /admin/status', 200, { data: { ...STATUS, sinks: { ...sinks, parked: 0, unhealthy: [] } } });
    const asked = async (): Promise<Finding[]> => {
      const words = ['doctor', '--data-dir', daemon.directory, '--json'];
      const { stdout } = await run(words, { upkeep: upkeep() });
      return (JSON.parse(stdout) as { checks: Finding[] }).checks.filter(({ name }) => name === 'sinks');
    };
    const findings = await asked();
    expect(findings.map(({ state, says }) => `${state} ${says}`)).toEqual([
      'warn ntfy phone has failed for 4 d: ntfy.lan refused the connection',
      'fail ntfy mail is dead, it has failed for 4 d: ntfy.lan refused the connection',
      'fail ntfy team is disabled, its receiver is gone: ntfy.lan refused the connection',
      'warn 2 messages were refused and are kept aside',
    ]);
    expect(findings[1]?.fix).toContain('hydrant notify test mail');
    expect(findings[2]?.fix).toContain('hydrant notify resume team');
    expect(await asked()).toEqual([ok('sinks', '4 sinks · 1 message sent')]);
    await daemon.stop();
  });

  test('asks a page with --online, and sees a clock that is wrong', async () => {
    const site = createServer((_, answer) => answer.setHeader('date', 'Wed, 01 Jan 2020 00:00:00 GMT').end('hello'));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const address = site.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
    expect(await found('web', {}, '--online', url)).toMatchObject({ state: 'ok', says: `${url} answers 200` });
    expect(await found('web clock', {}, '--online', url)).toMatchObject({ state: 'fail' });
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
    expect(await found('web', {}, '--online', url)).toMatchObject({ state: 'fail' });
  });

  test('is for this machine, and takes an address for --online only', async () => {
    expect(await doctor({}, '--online', 'water')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not the address of a page'),
    });
    const far = await run(['doctor'], { env: { HYDRANT_URL: 'https://water.example' } });
    expect(far).toMatchObject({ code: 2, stderr: expect.stringContaining("daemon's own machine only") });
  });
});

test('a check that breaks is a finding, and does not hide the others', async () => {
  const io = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env: {}, exit: () => {} };
  const programs = { serve: async () => 0, fetchPage: noFetch, upkeep: upkeep(), daemonPath: '' };
  const context = makeContext(io, programs, new AbortController().signal);
  const patient = await receive(context, { dataDir: directory, online: undefined, withStore: true });
  const findings = await examine(patient, {
    first: () => Promise.reject(new Error('EPERM')),
    second: async () => [ok('second', 'fine')],
  });
  expect(findings.map(({ name, state }) => [name, state])).toEqual([
    ['first', 'fail'],
    ['second', 'ok'],
  ]);
});
