import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newLines, pretty } from '../../../../src/cli/commands/daemon/logs.ts';
import type { Upkeep } from '../../../../src/cli/runtime/context.ts';
import { type Ran, run } from '../../harness.ts';

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'hydrant-logs-'));
  file = path.join(directory, 'hydrant.log');
});
afterEach(async () => rm(directory, { recursive: true }));

const line = (level: number, msg: string): string => JSON.stringify({ level, time: 0, msg });

function logs(...words: string[]): Promise<Ran> {
  return run(['logs', '--data-dir', directory, ...words]);
}

describe('hydrant logs', () => {
  beforeEach(async () => {
    await writeFile(path.join(directory, 'daemon.json'), JSON.stringify({ socket: '/s', log_file: file }));
    await writeFile(`${file}.1`, [line(30, 'one'), line(50, 'two'), ''].join('\n'));
    await writeFile(file, [line(40, 'three'), line(30, 'four'), ''].join('\n'));
  });

  test('prints the last lines as they are, from the former file on', async () => {
    const said = [line(50, 'two'), line(40, 'three'), line(30, 'four'), ''].join('\n');
    expect(await logs('-n', '3')).toEqual({ code: 0, stdout: said, stderr: '' });
    expect((await logs('-n', '0')).stdout).toBe('');
  });

  test('leaves out what is less severe', async () => {
    expect((await logs('--level', 'warn')).stdout).toBe(`${line(50, 'two')}\n${line(40, 'three')}\n`);
    expect((await logs('--level', 'warn', '-n', '1')).stdout).toBe(`${line(40, 'three')}\n`);
  });

  test('is for people on a terminal', async () => {
    const { stdout } = await run(['logs', '--data-dir', directory, '-n', '1'], { columns: 80, env: { NO_COLOR: '1' } });
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d INFO {2}four\n$/);
  });

  test.each([
    [['-n', 'many'], 2, 'whole number'],
    [['--level', 'loud'], 2, 'Allowed choices'],
    [['--file', '/nowhere/x.log'], 5, 'no such file or directory'],
  ])('refuses %j', async (words, code, message) => {
    expect(await logs(...words)).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });
});

test('a daemon without a log file is told with where its log is, and how to get one', async () => {
  await writeFile(path.join(directory, 'daemon.json'), '{"socket":"/s"}');
  const { code, stderr } = await logs();
  expect(code).toBe(5);
  expect(stderr).toContain('journalctl');
  expect(stderr).toContain('--log-file');
});

test('without a daemon, the file of the settings is read', async () => {
  await writeFile(file, `${line(30, 'before it died')}\n`);
  const refuse = (): never => {
    throw new Error('not expected');
  };
  const rendering = { renderBrowser: '', renderEndpoint: '', renderProxy: '', renderSandbox: 'on' } as const;
  const settings = {
    dataDir: directory,
    store: '',
    listen: '',
    port: 0,
    crawlContact: '',
    logFile: file,
    ...rendering,
  };
  const upkeep: Upkeep = {
    backUp: refuse,
    restore: refuse,
    salvage: refuse,
    migrate: refuse,
    inPostgres: async () => undefined,
    databaseHealth: refuse,
    leftBehind: async () => undefined,
    checkStore: refuse,
    rendererOf: refuse,
    settingsOf: async () => settings,
  };
  const ran = await run(['logs', '--data-dir', directory], { upkeep: async () => upkeep });
  expect(ran.stdout).toContain('before it died');
});

test('following goes on in the file that took the place of one that moved aside, and misses no line', async () => {
  await writeFile(file, 'old\n');
  const stop = new AbortController();
  const lines = newLines(file, 4, stop.signal);
  await appendFile(file, 'a\nhal');
  expect((await lines.next()).value).toBe('a');
  await appendFile(file, 'f\nlast\n');
  await rename(file, `${file}.1`);
  await writeFile(file, 'new\n');
  expect([(await lines.next()).value, (await lines.next()).value]).toEqual(['half', 'last']);
  expect((await lines.next()).value).toBe('new');
  stop.abort();
  expect((await lines.next()).done).toBe(true);
});

describe('a line for people', () => {
  const plain = (_style: string, text: string): string => text;

  test('has its facts, and of an error the stack', () => {
    const text = JSON.stringify({ level: 50, msg: 'failed', tap: 'news', n: 3, err: { stack: 'Error: x\n    at y' } });
    expect(pretty(text, plain)).toBe(' ERROR failed tap=news n=3\n    Error: x\n    at y');
  });

  test('cannot move the cursor, whatever a page put into it', () => {
    const text = JSON.stringify({ level: 30, msg: '\u001b[2Jx', url: '\u009b31m' });
    for (const control of ['\u001b', '\u009b']) expect(pretty(text, plain)).not.toContain(control);
    expect(pretty('no json \u001b[2J', plain)).not.toContain('\u001b');
  });

  test('of a strange time is a line all the same', () => {
    expect(pretty('{"level":30,"time":1e300,"msg":"x"}', plain)).toBe(' INFO  x');
  });
});
