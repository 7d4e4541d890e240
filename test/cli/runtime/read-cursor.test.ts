import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Cursor, cursorFile } from '../../../src/cli/runtime/read-cursor.ts';

let directory = '';
let file = '';

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'hydrant-cursor-'));
  file = path.join(directory, 'state', 'news.json');
});

afterEach(() => rmSync(directory, { recursive: true }));

function written(text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

describe('a cursor', () => {
  it('is where the last one was left, whichever digits it has', () => {
    for (const next of [
      { partition: 0, offset: 999_999_999_999_999 },
      { partition: 4_294_967_295, offset: 0 },
    ]) {
      const cursor = Cursor.open(file);
      cursor.moveTo(next);
      cursor.close();
      const again = Cursor.open(file);
      expect(again.next).toEqual(next);
      again.close();
    }
  });

  it('is on the file before it is closed, so that a kill loses nothing', () => {
    const cursor = Cursor.open(file);
    cursor.moveTo({ partition: 0, offset: 7 });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ next: '0-7' });
    cursor.close();
  });

  it('is for its owner alone', () => {
    const cursor = Cursor.open(file);
    expect([statSync(file).mode & 0o777, statSync(path.dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    cursor.close();
  });

  it('that knows nothing leaves nothing behind', () => {
    Cursor.open(file).close();
    expect(readdirSync(path.dirname(file))).toEqual([]);
  });

  it.each(['{', '[]', '{"next":7}', '{"next":"later"}'])('that says %s is refused and kept', (text) => {
    written(text);
    expect(() => Cursor.open(file)).toThrow(`the cursor ${file} is damaged`);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it('that is empty, as a crash may leave it, is none', () => {
    written('');
    const cursor = Cursor.open(file);
    expect(cursor.next).toBeUndefined();
    cursor.close();
  });

  it('has one reader at a time; one that was killed does not count', () => {
    const first = Cursor.open(file);
    expect(() => Cursor.open(file)).toThrow(`another hydrant with --resume reads the same (process ${process.pid})`);
    first.close();
    // No process has this id: it is above the highest.
    writeFileSync(`${file}.lock`, '99999999 1');
    Cursor.open(file).close();
  });

  it.runIf(existsSync('/proc/self/stat'))('of a process whose id is used again does not count', () => {
    written('');
    writeFileSync(`${file}.lock`, `${process.pid} 1`);
    Cursor.open(file).close();
    expect(existsSync(`${file}.lock`)).toBe(false);
  });
});

describe('a cursor of version 0.1, kept by the name of the daemon', () => {
  const former = (daemon: string, next: string, seconds: number): string => {
    const one = path.join(directory, 'state', daemon, 'news.json');
    mkdirSync(path.dirname(one), { recursive: true });
    writeFileSync(one, JSON.stringify({ next }));
    utimesSync(one, seconds, seconds);
    return one;
  };

  it('is taken over, the one that was used last, and the others are gone', () => {
    former('.2f.srv', '0-7', 1_000);
    former('localhost', '0-41', 2_000);
    const cursor = Cursor.open(file);
    expect(cursor.next).toEqual({ partition: 0, offset: 41 });
    cursor.close();
    expect(readdirSync(path.dirname(file))).toEqual(['news.json']);
  });

  it('is left alone where it is read, and where there is one of today', () => {
    const held = former('localhost', '0-41', 2_000);
    const reader = Cursor.open(held);
    expect(() => Cursor.open(file)).toThrow('reads the same');
    expect(existsSync(held)).toBe(true);
    reader.close();
    written('{"next":"0-3"}');
    const cursor = Cursor.open(file);
    expect(cursor.next).toEqual({ partition: 0, offset: 3 });
    cursor.close();
  });
});

describe('the file', () => {
  it('is one for each tap, whatever its daemon is called', () => {
    const environment = { XDG_STATE_HOME: '/state' };
    expect(cursorFile(environment, 't-1')).toBe('/state/hydrant/cursors/t-1.json');
    const names = ['/srv/a', '/srv/b', '.srv/a', 'srv.2f.a', '..', ''].map((name) => cursorFile(environment, name));
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(path.normalize(name)).toBe(name);
  });

  it('needs a home', () => {
    expect(() => cursorFile({}, 't')).toThrow('no directory for --resume');
  });
});
