import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { type DaemonProcess, runDaemon } from '../../src/daemon/main.ts';
import { DAEMON_NOTICE } from '../../src/shared/settings.ts';

test('told to stop while it starts, it starts, stops in order and ends with 0', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hydrant-main-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  let log = '';
  const stderr = new PassThrough().on('data', (text: Buffer) => (log += text.toString()));
  const listened: string[] = [];
  const host: DaemonProcess = {
    env: { HOME: dataDir },
    stderr,
    on: (event, listener) => {
      listened.push(event);
      if (event !== 'SIGTERM') return;
      expect(log).not.toContain('listens on');
      listener(undefined);
    },
    umask: () => 0,
    exit: (code) => {
      throw new Error(`exit ${code}`);
    },
  };
  expect(await runDaemon({ dataDir, port: 0, logFormat: 'json' }, host)).toBe(0);
  expect(listened).toContain('SIGTERM');
  expect(log).toMatch(/SIGTERM.*listens on.*stopped/s);
  expect(existsSync(join(dataDir, DAEMON_NOTICE))).toBe(false);
});
