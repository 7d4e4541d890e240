import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { type DaemonProcess, runDaemon } from '../../src/daemon/main.ts';
import { DAEMON_NOTICE } from '../../src/shared/daemon-notice.ts';

function machine(on: (event: string, log: string, listener: (cause: unknown) => void) => void, isTTY = false) {
  const dataDir = mkdtempSync(join(tmpdir(), 'hydrant-main-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  let log = '';
  const stderr = Object.assign(new PassThrough(), { isTTY });
  stderr.on('data', (text: Buffer) => (log += text.toString()));
  const host: DaemonProcess = {
    env: { HOME: dataDir },
    stderr,
    on: (event, listener) => on(event, log, listener),
    umask: () => 0,
    exit: (code) => {
      throw new Error(`exit ${code}`);
    },
  };
  return { dataDir, run: () => runDaemon({ dataDir, port: 0, logFormat: 'json' }, host), log: () => log };
}

test('told to stop while it starts, it starts, stops in order and ends with 0', async () => {
  let told = 0;
  const { dataDir, run, log } = machine((event, soFar, listener) => {
    if (event !== 'SIGTERM') return;
    expect(soFar).not.toContain('listens on');
    told += 1;
    listener(undefined);
  });
  expect(await run()).toBe(0);
  expect(told).toBe(1);
  expect(log()).toMatch(/SIGTERM.*listens on.*stopped/s);
  expect(existsSync(join(dataDir, DAEMON_NOTICE))).toBe(false);
});

test.each([
  ['a terminal that has written ^C begins a new line', true, /^\n\{.*SIGINT/],
  ['a log in a file has no empty line of it', false, /^\{.*SIGINT/],
] as const)('Ctrl-C: %s', async (_, isTTY, expected) => {
  const { run, log } = machine((event, __, listener) => event === 'SIGINT' && listener(undefined), isTTY);
  expect(await run()).toBe(0);
  expect(log()).toMatch(expected);
});

test('what the system refuses is one line that names the file, wherever the start has come to', async () => {
  const { dataDir, run, log } = machine(() => undefined);
  mkdirSync(join(dataDir, DAEMON_NOTICE));
  expect(await run()).toBe(1);
  expect(log()).toMatch(/^hydrantd: cannot start: EISDIR.*daemon\.json/m);
});
