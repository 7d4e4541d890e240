import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/conformance.md'), 'utf8');

/** The rows of all tables, each with the tests that are named in it. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:sentence|-)/.test(line))
  .map((line) => ({
    sentence: line.split(' | ')[0] ?? '',
    tests: [...line.matchAll(/\]\(\.\.\/(test\/[^)]+)\) “([^”]+)”/g)].map(([, file = '', name = '']) => ({
      file,
      name: name.replaceAll(String.raw`\|`, '|'),
    })),
  }));

describe('docs/conformance.md', () => {
  test('has no open row: each sentence is held by a test', () => {
    expect(rows.length).toBeGreaterThan(130);
    expect(rows.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });

  test('names tests that there are', () => {
    const named = rows.flatMap(({ tests }) => tests);
    const gone = named.filter(({ file, name }) => {
      const path = join(root, file);
      return !existsSync(path) || !readFileSync(path, 'utf8').includes(name);
    });
    expect(gone).toEqual([]);
  });

  test('says each thing once', () => {
    const sentences = rows.map(({ sentence }) => sentence);
    expect(sentences.filter((sentence, index) => sentences.indexOf(sentence) !== index)).toEqual([]);
  });
});
