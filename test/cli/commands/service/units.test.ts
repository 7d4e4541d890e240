import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { launchdPlist, managerFor, type ServicePlan, systemdUnit } from '../../../../src/cli/commands/service/units.ts';
import { saxEvents } from './xml.ts';

const plan: ServicePlan = {
  scope: 'system',
  node: '/usr/bin/node',
  program: '/usr/lib/node_modules/hydrant/bin/hydrantd',
  dataDir: '/var/lib/hydrant',
  account: 'hydrant',
};

/** `Key=value` lines, comments left out. */
function settingsOf(unit: string): Map<string, string> {
  const lines = unit.split('\n').filter((line) => /^[A-Z]\w+=/.test(line));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

describe('the unit of a service of the system', () => {
  const settings = settingsOf(systemdUnit(plan));

  test('starts the daemon on its directory, again after a crash, and not with a wrong setting', () => {
    expect(Object.fromEntries(settings)).toMatchObject({
      ExecStart: `/usr/bin/node ${plan.program} --data-dir /var/lib/hydrant`,
      User: 'hydrant',
      Restart: 'on-failure',
      RestartPreventExitStatus: '78',
      LimitNOFILE: '65536',
      WantedBy: 'multi-user.target',
    });
  });

  test('leaves it to the daemon how much memory it uses, but where it cannot start itself once more', () => {
    expect(systemdUnit(plan)).not.toMatch(/MALLOC_|--max-semi-space-size/);
    expect(launchdPlist(plan)).toContain('<string>--max-semi-space-size=4</string>');
  });

  test('shuts it into its directory', () => {
    expect(Object.fromEntries(settings)).toMatchObject({
      ProtectSystem: 'strict',
      ProtectHome: 'yes',
      PrivateTmp: 'yes',
      NoNewPrivileges: 'yes',
      CapabilityBoundingSet: '',
      StateDirectory: 'hydrant',
      StateDirectoryMode: '0700',
      UMask: '0077',
    });
    expect(settings.has('ReadWritePaths')).toBe(false);
  });

  test('leaves out what V8 cannot live with, and says why', () => {
    expect(settings.has('MemoryDenyWriteExecute')).toBe(false);
    expect(systemdUnit(plan)).toContain('No MemoryDenyWriteExecute=: V8 writes machine code');
  });

  test('opens another directory, and the home directories only where the program lies in one', () => {
    const other = settingsOf(systemdUnit({ ...plan, dataDir: '/srv/hydrant', node: '/home/me/.nvm/node' }));
    expect(other.get('ReadWritePaths')).toBe('/srv/hydrant');
    expect(other.get('ProtectHome')).toBe('read-only');
    expect(other.has('StateDirectory')).toBe(false);
  });

  test('shares /tmp where the path is too long for a socket, which is there then', () => {
    const long = settingsOf(systemdUnit({ ...plan, dataDir: `/srv/${'x'.repeat(100)}` }));
    expect(long.get('PrivateTmp')).toBe('no');
  });
});

test('the unit of a user asks for nothing that a user cannot have', () => {
  const settings = settingsOf(systemdUnit({ ...plan, scope: 'user', dataDir: '/home/me/.local/share/hydrant' }));
  for (const name of [
    'User',
    'ProtectSystem',
    'PrivateTmp',
    'ProtectHome',
    'CapabilityBoundingSet',
    'StateDirectory',
  ]) {
    expect([name, settings.has(name)]).toEqual([name, false]);
  }
  expect(Object.fromEntries(settings)).toMatchObject({ NoNewPrivileges: 'yes', WantedBy: 'default.target' });
});

test('a path with spaces, quotes, % and $ is one word to systemd', () => {
  const unit = systemdUnit({ ...plan, dataDir: '/srv/my "100%" $HOME\\dir' });
  expect(settingsOf(unit).get('ExecStart')).toContain(String.raw` --data-dir "/srv/my \"100%%\" $$HOME\\dir"`);
});

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;

describe.skipIf(!hasAnalyze)('systemd-analyze (skipped where there is no systemd)', () => {
  test.each([
    ['system', '/var/lib/hydrant'],
    ['system', '/srv/my data'],
    ['user', '/srv/my data'],
  ] as const)('finds no fault with the unit of a %s with its data in %s', (scope, dataDir) => {
    const directory = mkdtempSync(path.join(tmpdir(), 'hydrant-unit-'));
    const file = path.join(directory, 'hydrant.service');
    writeFileSync(file, systemdUnit({ ...plan, scope, dataDir, node: process.execPath, program: '/bin/true' }));
    const mode = scope === 'user' ? '--user' : '--system';
    const verified = spawnSync('systemd-analyze', [mode, 'verify', '--man=no', file], {
      encoding: 'utf8',
      env: { ...process.env, XDG_RUNTIME_DIR: directory },
    });
    rmSync(directory, { recursive: true });
    const ofOurs = verified.stderr.split('\n').filter((line) => line.includes('hydrant.service'));
    expect(ofOurs).toEqual([]);
  });
});

describe('the property list', () => {
  test('starts the daemon, and again after a crash only', () => {
    const words = saxEvents(launchdPlist({ ...plan, scope: 'user', dataDir: '/Users/me/a & <b>' }));
    expect(words).toEqual(expect.arrayContaining(['hydrant.hydrantd', plan.node, plan.program, '/Users/me/a & <b>']));
    expect(words).toEqual(expect.arrayContaining(['KeepAlive', 'SuccessfulExit']));
    expect(words).not.toContain('UserName');
  });

  test('of the system names its user', () => {
    const words = saxEvents(launchdPlist(plan));
    expect(words[words.indexOf('UserName') + 1]).toBe('hydrant');
  });

  test.skipIf(process.platform !== 'darwin')('is one to plutil (skipped elsewhere)', () => {
    expect(execFileSync('plutil', ['-lint', '-'], { input: launchdPlist(plan), encoding: 'utf8' })).toContain('OK');
  });
});

test('each system has its manager, and its place for the file', () => {
  const where = { home: '/h', configHome: '/h/.config', uid: 501 };
  expect(managerFor('linux', 'user', where)?.file).toBe('/h/.config/systemd/user/hydrant.service');
  expect(managerFor('linux', 'system', where)?.file).toBe('/etc/systemd/system/hydrant.service');
  expect(managerFor('darwin', 'user', where)?.file).toBe('/h/Library/LaunchAgents/hydrant.hydrantd.plist');
  expect(managerFor('darwin', 'system', where)?.stop).toEqual([['launchctl', 'bootout', 'system/hydrant.hydrantd']]);
  expect(managerFor('win32', 'user', where)).toBeUndefined();
});
