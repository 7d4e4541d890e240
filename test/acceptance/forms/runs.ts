import { fetchPage } from '../../../src/daemon/fetch-once.ts';
import { run as runInProcess } from '../../cli/harness.ts';
import { accountRows } from './account-rows.ts';
import { contextRows } from './context-rows.ts';
import { crawlRows } from './crawl-rows.ts';
import { daemonRows } from './daemon-rows.ts';
import { matchRows } from './match-rows.ts';
import { notifyRows } from './notify-rows.ts';
import { offlineRows } from './offline-rows.ts';
import type { Invocation, Row } from './row.ts';
import { serviceRows } from './service-rows.ts';
import { tapRows } from './tap-rows.ts';
import { watchRows } from './watch-rows.ts';
import type { World } from './world.ts';

/** What a run ended with. */
export interface Ran {
  readonly exit: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** One row, run. */
export interface RanRow {
  readonly row: Row;
  readonly plain: Ran;
  readonly json: Ran;
  readonly fails: Ran;
  readonly failsInJson: Ran;
}

/** Runs every row: nouns beside each other, the rows of a noun in their order; at last what makes organizations. */
export async function runAll(world: World): Promise<RanRow[]> {
  const nouns = [
    daemonRows,
    serviceRows,
    watchRows,
    crawlRows,
    tapRows,
    matchRows,
    notifyRows,
    offlineRows,
    contextRows,
  ];
  const ran = await Promise.all(nouns.map(async (noun) => runRows(world, noun(world))));
  return [...ran.flat(), ...(await runRows(world, accountRows(world)))];
}

const NOT_RUN: Ran = { exit: undefined, stdout: '', stderr: '' };

async function runRows(world: World, rows: readonly Row[]): Promise<RanRow[]> {
  const ran: RanRow[] = [];
  for (const row of rows) {
    if (row.lacks !== undefined) {
      ran.push({ row, plain: NOT_RUN, json: NOT_RUN, fails: NOT_RUN, failsInJson: NOT_RUN });
      continue;
    }
    const words = row.command.split(' ');
    const [fails, failsInJson] = [
      await runHere(world, words, row.fails),
      await runHere(world, [...words, '--json'], row.fails),
    ];
    const plain = await run(world, words, row.plain);
    // What is stopped needs a process of its own, to be sent the signal.
    const json = await (row.json.stopAfter ? run : runHere)(world, [...words, '--json'], row.json);
    ran.push({ row, plain, json, fails, failsInJson });
  }
  return ran;
}

/**
 * The program's own code in this process, against the same daemon. That a process of `bin/hydrant` does the same shows in the
 * form for people, of every command; nearly 400 processes more took most of the time of all.
 */
async function runHere({ daemon, file }: World, words: readonly string[], invocation: Invocation): Promise<Ran> {
  const { args = [], input, env = {} } = invocation;
  const { code, stdout, stderr } = await runInProcess([...words, ...args], {
    env: { HOME: file(''), HYDRANT_DATA_DIR: daemon.dataDir, TZ: 'UTC', PATH: process.env['PATH'], ...env },
    ...(input !== undefined && { input }),
    fetchPage: async (url, signal) => {
      const page = await fetchPage(url, signal);
      if (page.outcome === 'not_modified') throw new Error(`${url} was asked for without a condition`);
      return page;
    },
    upkeep: () => import('../../../src/daemon/upkeep.ts'),
  });
  return { exit: code, stdout: stdout.trimEnd(), stderr: stderr.trimEnd() };
}

async function run({ daemon, file }: World, words: readonly string[], invocation: Invocation): Promise<Ran> {
  const { args = [], input, env = {}, stopAfter } = invocation;
  const running = daemon.runElsewhere(
    [...words, ...args],
    { HOME: file(''), HYDRANT_DATA_DIR: daemon.dataDir, ...env },
    input,
  );
  if (stopAfter) {
    let said = '';
    let isTold = false;
    running.all?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      // A second Ctrl-C would not wait for what is under way.
      if (isTold || !stopAfter.test(said)) return;
      isTold = running.kill('SIGINT');
    });
  }
  const { exitCode, stdout, stderr } = await running;
  return { exit: exitCode, stdout, stderr };
}
