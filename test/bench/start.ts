import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RUNS = 20;
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
export async function start(runs = RUNS): Promise<string[]> {
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
      { name: 'bare node', words: ['-e', '0'], runs: [] },
      ...commands(page, document).map(([name, ...words]) => ({ name, words: [bin, ...words], runs: [] })),
    ];
    const first = timed.map(({ words }) => time(words));
    for (let round = 0; round < runs; round += 1) for (const one of timed) one.runs.push(time(one.words));
    const bare = at(timed[0]?.runs ?? [], 0.5);
    return timed.map(({ name, runs: times }, index) => line(name, times, first[index] ?? 0, bare));
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

function line(name: string, times: readonly number[], first: number, bare: number): string {
  const [middle, late] = [at(times, 0.5), at(times, 0.95)];
  const figures = `median ${ms(middle)}, p95 ${ms(late)}, first ${ms(first)}`;
  return `${name.padEnd(20)} ${figures}, ${ms(middle - bare)} (× ${(middle / bare).toFixed(1)}) over bare`;
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function ms(time: number): string {
  return `${time.toFixed(0)} ms`;
}
