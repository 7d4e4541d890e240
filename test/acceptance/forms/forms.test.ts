import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../../src/cli/commands/program.ts';
import { makeContext } from '../../../src/cli/runtime/process-context.ts';
import { noFetch, noUpkeep } from '../../cli/harness.ts';
import { type Ran, type RanRow, runAll } from './runs.ts';
import { readPaper } from './shapes.ts';
import { makeWorld, type World } from './world.ts';

/**
 * Every command in its three forms, against a real daemon: for people, by the real program; with `--json`; and when it
 * fails. A command without a row fails here, and so does one that docs/json.md does not tell of.
 */
const programs = { serve: async () => 0, fetchPage: noFetch, upkeep: noUpkeep, daemonPath: '' };
const program = await createProgram(makeContext(process, programs, AbortSignal.abort()), () => {});
const leaves = leavesOf(program);
const paper = readPaper('docs/json.md');

let world: World;
let rows: ReadonlyMap<string, RanRow>;
beforeAll(async () => {
  world = await makeWorld();
  rows = new Map((await runAll(world)).map((ran) => [ran.row.command, ran]));
}, 900_000);
afterAll(async () => world.close());

function leavesOf(command: CommandUnknownOpts, words: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [words.join(' ')];
  return command.commands.flatMap((child) => leavesOf(child, [...words, child.name()]));
}

/** `skip`: of the test that asks, where the machine lacks something for it. */
function ranOf(command: string, skip: (note?: string) => void): RanRow {
  const ran = rows.get(command);
  if (ran === undefined) throw new Error(`no row of test/acceptance/forms/*-rows.ts is of hydrant ${command}`);
  if (ran.row.lacks !== undefined) skip(ran.row.lacks);
  return ran;
}

const TRACE = /^\s+at |this is a bug|node:internal|Unhandled/m;

function expectError({ exit, stdout, stderr }: Ran, wanted: number): void {
  expect([exit, stdout, stderr]).toEqual([wanted, '', expect.not.stringMatching(TRACE)]);
}

test('there is a row for each command, and a command for each row; so there is in docs/json.md', () => {
  expect(leaves.length).toBeGreaterThan(100);
  expect([...rows.keys()].toSorted()).toEqual(leaves.toSorted());
  expect([...paper.rows.keys()].toSorted()).toEqual(leaves.toSorted());
});

test('the paper is held against what is printed: a key that it does not name, and one that is missing, are faults', () => {
  const token = { id: 'a', token: 'b' };
  expect(paper.faults('TapToken', token)).toEqual([]);
  expect(paper.faults('TapToken[]', [token])).toEqual([]);
  expect(paper.faults('TapToken', { id: 'a' })).toHaveLength(1);
  expect(paper.faults('TapToken', { ...token, name: 'c' })).not.toEqual([]);
  expect(paper.faults('TapToken[]', [token, { ...token, id: 1 }])).toHaveLength(1);
});

describe.each(leaves)('hydrant %s', (command) => {
  test('does it for people, with results on stdout and all else on stderr', ({ skip }) => {
    const { row, plain } = ranOf(command, skip);
    const { says, on = 'stdout', exit = 0 } = row.plain;
    expect([plain.exit, plain.stderr]).toEqual([exit, expect.not.stringMatching(TRACE)]);
    expect(plain[on]).toMatch(says);
    expect(plain.stdout === '').toBe(on === 'stderr');
    expect(plain.stdout + plain.stderr).not.toContain('\u001b[');
  });

  test('prints with --json what docs/json.md says', ({ skip }) => {
    const { row, json, plain } = ranOf(command, skip);
    const { form, type } = paper.rows.get(command) ?? { form: 'text', type: '' };
    expect([json.exit, json.stderr]).toEqual([row.json.exit ?? 0, expect.not.stringMatching(/^error: /m)]);
    // What is made for a file has this one form; it is as long as for people, or as empty.
    expect(json.stdout === '').toBe(form === 'text' && plain.stdout === '');
    const texts = { one: [json.stdout], lines: json.stdout.split('\n'), text: [] }[form];
    expect(texts.flatMap((text) => paper.faults(type, JSON.parse(text)))).toEqual([]);
  });

  test('fails with one error, its exit code and no stack trace', ({ skip }) => {
    const { row, fails, failsInJson } = ranOf(command, skip);
    expectError(fails, row.fails.exit);
    expect(fails.stderr).toMatch(/^error: /);
    expectError(failsInJson, row.fails.exit);
    expect(JSON.parse(failsInJson.stderr)).toMatchObject({ code: row.fails.code, message: expect.any(String) });
  });
});

test('a pipe that is closed after one line ends each of these in silence, with 0', () => {
  const bin = path.resolve('bin/hydrant');
  const script = `"$0" "$@" | head -1 > /dev/null; echo "\${PIPESTATUS[0]}"`;
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: world.file(''),
    HYDRANT_DATA_DIR: world.daemon.dataDir,
    HYDRANT_ORG: 'home',
  };
  for (const words of ['export', 'logs', 'crawl list --json', 'watch export', 'help tail']) {
    const args = ['--norc', '-c', script, process.execPath, bin, ...words.split(' ')];
    const { stdout, stderr } = spawnSync('bash', args, { encoding: 'utf8', env });
    expect([words, stdout, stderr]).toEqual([words, '0\n', '']);
  }
});
