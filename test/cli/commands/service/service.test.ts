import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ran, run } from '../../harness.ts';

let home: string;
let unit: string;
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'hydrant-service-'));
  unit = path.join(home, '.config/systemd/user/hydrant.service');
  await systemctl('exit 0');
});
afterEach(async () => rm(home, { recursive: true }));

/** A stand-in that notes how it was called. */
async function systemctl(ending: string): Promise<void> {
  const script = `#!/bin/sh\necho "$@" >> ${home}/called\n${ending}\n`;
  await writeFile(path.join(home, 'systemctl'), script, { mode: 0o755 });
}

function service(...words: string[]): Promise<Ran> {
  return run(['service', ...words], { env: { HOME: home, PATH: `${home}:/usr/bin:/bin` } });
}

const called = async (): Promise<string[]> => (await readFile(path.join(home, 'called'), 'utf8')).trim().split('\n');
const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

describe.skipIf(process.platform !== 'linux')('hydrant service (skipped where there is no systemd to be)', () => {
  test('install writes the unit of the user and starts it', async () => {
    const { code, stderr } = await service('install');
    expect(code).toBe(0);
    expect(await readFile(unit, 'utf8')).toContain(`--data-dir ${home}/.local/share/hydrant`);
    expect(await called()).toEqual([
      '--user daemon-reload',
      '--user enable hydrant.service',
      '--user restart hydrant.service',
    ]);
    expect(stderr).toContain('journalctl --user -u hydrant');
    expect(stderr).toContain('loginctl enable-linger');
  });

  test('install --dry-run prints the unit and does nothing', async () => {
    const { stdout } = await service('install', '--dry-run', '--data-dir', '/srv/water');
    expect(stdout).toContain('--data-dir /srv/water\n');
    expect((await service('install', '--system', '--dry-run')).stdout).toContain('StateDirectory=hydrant');
    expect([await isThere(unit), await isThere(path.join(home, 'called'))]).toEqual([false, false]);
  });

  test('install --no-start writes, and starts nothing', async () => {
    expect((await service('install', '--no-start', '--json')).stdout).toContain('"started":false');
    expect([await isThere(unit), await isThere(path.join(home, 'called'))]).toEqual([true, false]);
  });

  test('install again replaces its own unit, and leaves one of someone else', async () => {
    await service('install');
    expect((await service('install', '--data-dir', '/srv/water')).code).toBe(0);
    expect(await readFile(unit, 'utf8')).toContain('/srv/water');
    await writeFile(unit, '[Service]\nExecStart=/mine\n');
    const refused = await service('install');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('was not created by hydrant')]);
    expect((await service('uninstall')).code).toBe(2);
    expect(await readFile(unit, 'utf8')).toContain('/mine');
  });

  test('install is refused while a daemon runs in the directory', async () => {
    const dataDir = path.join(home, 'data');
    await mkdir(dataDir);
    await writeFile(path.join(dataDir, 'daemon.json'), JSON.stringify({ pid: process.pid, socket: '/s' }));
    const { code, stderr } = await service('install', '--data-dir', dataDir);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`(pid ${process.pid})`)]);
    expect(await isThere(unit)).toBe(false);
  });

  test('what systemd says against it is told, with exit code 1', async () => {
    await systemctl('echo "Failed to connect to bus: No medium found" >&2; exit 1');
    const { code, stderr } = await service('install');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Failed to connect to bus: No medium found')]);
  });

  test('uninstall stops it and removes the unit', async () => {
    await service('install');
    expect((await service('uninstall')).stderr).toContain('the data stays');
    expect(await isThere(unit)).toBe(false);
    expect((await called()).slice(3)).toEqual(['--user disable --now hydrant.service', '--user daemon-reload']);
    expect((await service('uninstall')).code).toBe(5);
  });

  test('status tells whether it is there and runs', async () => {
    expect(await service('status')).toMatchObject({ code: 1, stdout: `the service is not installed: ${unit}\n` });
    await service('install');
    expect(await service('status')).toMatchObject({ code: 0, stdout: `the service runs: ${unit}\n` });
    await systemctl('exit 3');
    const { code, stdout } = await service('status', '--json');
    expect([code, JSON.parse(stdout)]).toEqual([1, { installed: true, active: false, file: unit, scope: 'user' }]);
  });

  test.each([
    [['install', '--user', '--system'], 'cannot be used with'],
    [['install', '--data-dir', '/srv/x\nExecStart=/evil'], 'the path has a line break'],
    [['install', '--system', '--as', 'a b'], 'is not a user name'],
    [['install', '--system', '--as', 'x\nExecStart=/evil'], 'is not a user name'],
  ])('%j is a usage error', async (words, message) => {
    expect(await service(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });
});
