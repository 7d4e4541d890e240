import {
  chownSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog, LogFile } from '../../../src/daemon/process/log.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hydrant-log-'));
  path = join(directory, 'logs/hydrant.log');
});
afterEach(() => rmSync(directory, { recursive: true }));

const noTrouble = (what: string): never => {
  throw new Error(what);
};

test('the file and its former ones stay within their bounds, and the newest lines are there', () => {
  const file = new LogFile(path, 1_000, noTrouble);
  for (let line = 0; line < 500; line += 1) file.write(`line ${line} ${'x'.repeat(40)}\n`);
  const names = readdirSync(join(directory, 'logs')).sort();
  expect(names).toEqual(['hydrant.log', ...[1, 2, 3, 4].map((age) => `hydrant.log.${age}`)]);
  for (const name of names) {
    const { size, mode } = statSync(join(directory, 'logs', name));
    expect(size).toBeLessThanOrEqual(1_000);
    expect(mode & 0o777).toBe(0o600);
  }
  const all = names.toReversed().map((name) => readFileSync(join(directory, 'logs', name), 'utf8'));
  const numbers = [...all.join('').matchAll(/^line (\d+)/gm)].map((found) => Number(found[1]));
  expect(numbers.at(-1)).toBe(499);
  expect(numbers).toEqual(numbers.map((_, index) => 500 - numbers.length + index));
});

test('a line larger than the file is written, alone', () => {
  const file = new LogFile(path, 100, noTrouble);
  file.write('small\n');
  file.write(`${'x'.repeat(500)}\n`);
  file.write('small again\n');
  expect(readFileSync(path, 'utf8')).toBe('small again\n');
  expect(readFileSync(`${path}.1`, 'utf8')).toHaveLength(501);
});

test('a second life goes on in the same file, and closes it to others', () => {
  mkdirSync(join(directory, 'logs'));
  writeFileSync(path, 'before\n', { mode: 0o644 });
  new LogFile(path, 1_000, noTrouble).write('after\n');
  expect(readFileSync(path, 'utf8')).toBe('before\nafter\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a link of its own is followed, and stays when the file moves aside', () => {
  const elsewhere = join(directory, 'elsewhere.log');
  mkdirSync(join(directory, 'logs'));
  symlinkSync(elsewhere, path);
  const file = new LogFile(path, 100, noTrouble);
  for (let line = 0; line < 3; line += 1) file.write(`${'x'.repeat(60)}\n`);
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(readdirSync(directory).sort()).toEqual(['elsewhere.log', 'elsewhere.log.1', 'elsewhere.log.2', 'logs']);
});

test('a file with a second name is not written to', () => {
  mkdirSync(join(directory, 'logs'));
  writeFileSync(join(directory, 'theirs'), 'kept');
  linkSync(join(directory, 'theirs'), path);
  expect(() => new LogFile(path, 1_000, noTrouble)).toThrow('it has a second name');
  expect(readFileSync(path, 'utf8')).toBe('kept');
});

describe.skipIf(process.geteuid?.() !== 0)('what another user has put in its place', () => {
  const STRANGER = 54_321;

  test('a link is not followed', () => {
    const target = join(directory, 'target');
    writeFileSync(target, 'kept');
    mkdirSync(join(directory, 'logs'), { mode: 0o1777 });
    symlinkSync(target, path);
    lchownSync(path, STRANGER, STRANGER);
    expect(() => new LogFile(path, 1_000, noTrouble)).toThrow(`it belongs to the user with id ${STRANGER}`);
    expect(readFileSync(target, 'utf8')).toBe('kept');
  });

  test('a file is not written to, and one of ours is', () => {
    mkdirSync(join(directory, 'logs'), { mode: 0o1777 });
    writeFileSync(path, '');
    chownSync(path, STRANGER, STRANGER);
    expect(() => new LogFile(path, 1_000, noTrouble)).toThrow(`it belongs to the user with id ${STRANGER}`);
    rmSync(path);
    const file = new LogFile(path, 10, noTrouble);
    file.write('first line of ours\n');
    expect(readFileSync(path, 'utf8')).toBe('first line of ours\n');
  });
});

test('a file that cannot be written stops the start, with its name', () => {
  mkdirSync(path, { recursive: true });
  expect(() => new LogFile(path, 1_000, noTrouble)).toThrow(`--log-file: ${path} cannot be written`);
});

test('what cannot be moved aside is told once, and nothing is thrown', () => {
  const said: string[] = [];
  const file = new LogFile(path, 100, (what) => said.push(what));
  mkdirSync(`${path}.1`);
  mkdirSync(`${path}.1/in-the-way`);
  for (let line = 0; line < 20; line += 1) file.write(`${'x'.repeat(30)}\n`);
  expect(said).toEqual([expect.stringContaining('lines are lost')]);
});

test('the log goes to both, and the first key to the screen alone', async () => {
  const screen = new PassThrough();
  const file = new LogFile(path, 10_000, noTrouble);
  const log = await createLog({ level: 'info', format: 'json' }, screen, file);
  log.debug('too fine');
  log.warn({ host: 'shop.example' }, 'slow');
  log.info({ management_key: 'svcm_abc' }, 'first start');
  const shown = String(screen.read());
  const kept = readFileSync(path, 'utf8');
  expect(shown).toContain('svcm_abc');
  expect(kept).not.toContain('svcm_abc');
  expect(kept.trim().split('\n')).toHaveLength(2);
  expect(JSON.parse(kept.split('\n')[0] ?? '')).toMatchObject({ level: 40, host: 'shop.example', msg: 'slow' });
});
