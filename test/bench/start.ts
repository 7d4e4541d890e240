import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Asked, Figure, Outcome } from './row.ts';
import { median, quantile } from './statistics.ts';

const RUNS = 20;
/** Milliseconds that nobody waits for. */
const MOST_VERSION_MS = 120;
const MOST_MS = 250;
const BARE = 'node -e 0';
const bin = join(import.meta.dirname, '../../bin/hydrant');
const PAGE = '<title>New ferry</title><p>It sails from May, and calls at both islands.';
const DOCUMENT = '{"title":"New ferry","added":["It sails from May."],"language":"en"}';

interface Timed {
  readonly name: string;
  readonly words: readonly string[];
  readonly runs: number[];
}

/**
 * What a user waits for: whole processes, from spawn to exit, of the built program (`npm run build` first). Each round
 * runs every command once, and Node with an empty script, so that they share the machine's load; where it is busy,
 * what is added to bare Node is the figure. `first` is the run that fills the compile cache, which is new here.
 */
export async function start({ isShort, size }: Asked): Promise<Outcome> {
  const runs = size ?? (isShort ? 1 : RUNS);
  const directory = await mkdtemp(join(tmpdir(), 'hydrant-bench-'));
  const env = { HOME: directory, PATH: process.env['PATH'] ?? '' };
  const page = join(directory, 'page.html');
  const document = join(directory, 'page.json');
  const time = (words: readonly string[]): number => {
    const begin = performance.now();
    const { status, stderr } = spawnSync(process.execPath, words, { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`node ${words.join(' ')} ended with ${status}: ${stderr}`);
    return performance.now() - begin;
  };
  try {
    await writeFile(page, PAGE);
    await writeFile(document, DOCUMENT);
    const timed: Timed[] = [
      { name: BARE, words: ['-e', '0'], runs: [] },
      ...commands(page, document).map(([name, ...words]) => ({ name, words: [bin, ...words], runs: [] })),
    ];
    const first = timed.map(({ words }) => time(words));
    for (let round = 0; round < runs; round += 1) for (const one of timed) one.runs.push(time(one.words));
    return {
      notes: [`whole processes of the built program, median of ${runs}, offline`],
      figures: timed.flatMap(({ name, runs: times }, index) =>
        figuresOf(name, times, first[index] ?? Number.NaN, timed[0]?.runs ?? []),
      ),
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}

function commands(page: string, document: string): [string, ...string[]][] {
  return [
    ['--version', '--version'],
    ['--help', '--help'],
    ['tap --help', 'tap', '--help'],
    ['completion', 'completion', 'bash'],
    ['validate', 'validate', 'title:ferry AND language:en'],
    ['match a document', 'match', 'title:ferry', document],
    ['match a page', 'match', 'title:ferry', page],
    ['extract', 'extract', page],
  ];
}

function figuresOf(name: string, times: readonly number[], first: number, bare: readonly number[]): Figure[] {
  if (times === bare) return [{ name, value: median(times), unit: 'ms' }];
  const atMost = name === '--version' ? MOST_VERSION_MS : MOST_MS;
  return [
    { name, value: median(times), unit: 'ms', baseline: median(bare), against: BARE, goal: { atMost } },
    { name: `${name}, p95`, value: quantile(times, 0.95), unit: 'ms', baseline: quantile(bare, 0.95), against: BARE },
    { name: `${name}, first`, value: first, unit: 'ms' },
  ];
}
