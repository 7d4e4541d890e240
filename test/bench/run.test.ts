import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { ROSTER } from './roster.ts';
import type { Row } from './row.ts';
import type { Report } from './table.ts';

const run = join(import.meta.dirname, 'run.ts');
const bench = (...words: string[]): Promise<{ stdout: string; stderr: string }> =>
  promisify(execFile)(process.execPath, [run, ...words]);

// The cheapest that grows and has a baseline; what it measures is nobody's business here.
it('the short form of a benchmark prints one report of rows, each with a number and its unit', async () => {
  const kept = join(await mkdtemp(join(tmpdir(), 'hydrant-test-')), 'report.json');
  onTestFinished(() => rm(dirname(kept), { recursive: true }));
  const { stdout } = await bench('match', '--short', '--json', '--output', kept);
  const { machine, isShort, notes, rows } = JSON.parse(stdout) as Report;
  expect(machine).toMatchObject({ node: process.versions.node, processors: expect.any(Number) as number });
  expect(isShort).toBe(true);
  expect(notes['match']).toHaveLength(1);
  for (const row of rows) {
    expect(row).toMatchObject({
      bench: 'match',
      name: expect.any(String) as string,
      unit: expect.any(String) as string,
    });
    expect(row).not.toHaveProperty('met');
  }
  const without = (fault: (row: Row) => boolean): string[] => rows.filter(fault).map(({ name }) => name);
  expect(without(({ value }) => !Number.isFinite(value))).toEqual([]);
  expect(without((row) => 'against' in row !== 'baseline' in row)).toEqual([]);
  expect(without((row) => 'ratio' in row !== ('baseline' in row && row.unit !== 'exponent'))).toEqual([]);
  const rate = rows.filter(({ name }) => name === 'pages a CPU second');
  expect(rate.map(({ size, against }) => [size, against])).toEqual([
    [50, 'every rule'],
    [500, 'every rule'],
  ]);
  expect(rows.filter(({ unit }) => unit === 'exponent')).not.toEqual([]);
  await expect(bench('--input', kept, '--write')).rejects.toMatchObject({ code: 2 });
  expect((await bench('--input', kept)).stdout).toContain('the short form');
});

it.each([
  [['nothing'], 'no benchmark nothing; there are match, page'],
  [['7'], 'a size belongs to one benchmark'],
  [['match', 'page', '7'], 'a size belongs to one benchmark'],
  [['crawl', '--runs', '0'], '--runs is a number from 1 to 99, not 0'],
])('%j is refused in a sentence', async (words, why) => {
  await expect(bench(...words)).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(why) as string });
});

it('docs/performance.md has a place for the figures of each benchmark', () => {
  const paper = readFileSync(join(import.meta.dirname, '../../docs/performance.md'), 'utf8');
  const lacks = (name: string): boolean =>
    !new RegExp(`<!-- bench ${name} -->.*<!-- /bench ${name} -->`, 's').test(paper);
  expect(Object.keys(ROSTER).filter(lacks)).toEqual([]);
});
