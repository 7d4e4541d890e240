import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:threat|-)/.test(line));
const namedIn = (row: string): { file: string; name: string }[] =>
  [...row.matchAll(/\]\((test\/[^)]+)\) “([^”]*)”/g)].map(([, file = '', name = '']) => ({ file, name }));

describe('SECURITY.md', () => {
  test('names for each threat what holds it, and a test that shows it', () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((row) => namedIn(row).length === 0 || row.split(' | ').length !== 3)).toEqual([]);
  });

  test('names tests that there are', () => {
    const gone = rows.flatMap(namedIn).filter(({ file, name }) => {
      const path = join(root, file);
      return name === '' || !existsSync(path) || !readFileSync(path, 'utf8').includes(name);
    });
    expect(gone).toEqual([]);
  });

  test('names a threat once', () => {
    const threats = rows.map((row) => row.split(' | ')[0]);
    expect(new Set(threats).size).toBe(threats.length);
  });
});
