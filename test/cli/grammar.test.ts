import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { afterAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/commands/program.ts';
import { makeContext } from '../../src/cli/runtime/process-context.ts';
import { exitCode, exitCodes } from '../../src/cli/runtime/exit-code.ts';
import { FakeDaemon, noFetch, noUpkeep, type Ran, run, TAP } from './harness.ts';

/** What holds for every command of the tree, also for one that is added tomorrow. */
const programs = { serve: async () => 0, fetchPage: noFetch, upkeep: noUpkeep, daemonPath: '' };
const program = await createProgram(makeContext(process, programs, AbortSignal.abort()), () => {});
const home = mkdtempSync(path.join(tmpdir(), 'hydrant-grammar-'));
afterAll(() => rmSync(home, { recursive: true }));

interface Leaf {
  readonly words: readonly string[];
  readonly command: CommandUnknownOpts;
}

function leavesOf(command: CommandUnknownOpts, words: readonly string[]): Leaf[] {
  if (command.commands.length === 0) return [{ words, command }];
  return command.commands.flatMap((child) => leavesOf(child, [...words, child.name()]));
}

const leaves = leavesOf(program, []);
const named = leaves.map((leaf) => [leaf.words.join(' '), leaf] as const);
/** These ask no daemon, or work beside it: what they need besides is in their own tests. */
const APART = new Set([
  'serve',
  'demo',
  'help',
  'completion',
  'service',
  'backup',
  'restore',
  'salvage',
  'migrate',
  'doctor',
  'logs',
  'context',
]);
const OFFLINE = new Set(['extract', 'diff', 'validate', 'match', 'analyze']);
const online = named.filter(([, { words }]) => !APART.has(words[0] ?? '') && !OFFLINE.has(words[0] ?? ''));

/** A value for each argument that has to be there. */
function given({ command }: Leaf): string[] {
  return command.registeredArguments.filter(({ required }) => required).map(({ argChoices }) => argChoices?.[0] ?? '1');
}

const env = { HOME: home };

function expectMistake({ code, stdout, stderr }: Ran): void {
  expect(stderr).toMatch(/^error: /);
  expect(stderr).not.toMatch(/^\s+at |this is a bug/m);
  expect(code).not.toBe(exitCode.bug);
  expect(code).toBeGreaterThan(0);
  expect(stdout).toBe('');
}

function expectUsage(ran: Ran): void {
  expectMistake(ran);
  expect([ran.code, ran.stderr]).toEqual([exitCode.usage, ran.stderr]);
}

test('the table of commands is the whole of it', () => {
  expect(leaves.length).toBeGreaterThan(50);
  expect(online.length).toBeGreaterThan(30);
});

describe.each(named)('hydrant %s', (_, leaf) => {
  test('opens its help with examples of itself', async () => {
    const { code, stdout } = await run([...leaf.words, '--help']);
    expect(code).toBe(0);
    const [first = ''] = stdout.split('\n');
    expect(first).toMatch(/^ {2}\$ /);
    expect(stdout.split('\n\n')[0]).toContain(`hydrant ${leaf.words.join(' ')}`);
  });

  test.skipIf(APART.has(leaf.words[0] ?? ''))('knows --json', async () => {
    expect((await run([...leaf.words, '--help'])).stdout).toContain('--json');
  });

  test('tells of an unknown flag, in both forms', async () => {
    expectUsage(await run([...leaf.words, ...given(leaf), '--nonsense'], { env }));
    const { stderr } = await run([...leaf.words, ...given(leaf), '--nonsense', '--json'], { env });
    expect(JSON.parse(stderr)).toMatchObject({ code: 'usage', message: expect.stringContaining('--nonsense') });
  });

  test.runIf(given(leaf).length > 0)('tells of a missing argument', async () => {
    expectUsage(await run(leaf.words, { env }));
  });
});

describe.each(online)('hydrant %s', (_, leaf) => {
  const words = [...leaf.words, ...given(leaf)];

  // A server of tools waits for the daemon: each call says that it is down.
  test.skipIf(words[0] === 'mcp')('tells that the daemon is down, or what is wrong before that', async () => {
    expectMistake(await run([...words, '--data-dir', home], { env }));
  });

  test('tells of a bad address and of a bad key', async () => {
    expectUsage(await run([...words, '--url', 'nonsense'], { env }));
    const key = await run([...words, '--url', 'http://127.0.0.1:1'], { env: { ...env, HYDRANT_KEY: 'nonsense' } });
    expectUsage(key);
  });
});

describe('a noun in the plural', () => {
  test('alone is its list; with a verb it is the noun', async () => {
    const daemon = await FakeDaemon.onSocket();
    daemon.on('GET /v1/taps', 200, { data: [TAP] });
    const flags = ['--data-dir', daemon.directory];
    const list = (await run(['tap', 'list', ...flags])).stdout;
    expect(list).toContain('news');
    expect((await run(['taps', ...flags])).stdout).toBe(list);
    expect((await run([...flags, 'taps'])).stdout).toBe(list);
    expect((await run(['taps', 'list', ...flags])).stdout).toBe(list);
    expect((await run(['taps', '-q', ...flags])).stdout).toBe(`${TAP.id}\n`);
    expect((await run(['taps', '--help'])).stdout).toBe((await run(['tap', '--help'])).stdout);
    await daemon.stop();
  });

  test('is there for every noun that has a list', () => {
    const without = program.commands.filter(
      (noun) =>
        noun.commands.some((verb) => verb.name() === 'list') && !noun.aliases().some((one) => one.endsWith('s')),
    );
    // What these list is named by another word: sources, and matches.
    expect(without.map((noun) => noun.name())).toEqual(['crawl', 'saved']);
  });
});

describe('a misspelling', () => {
  test.each([
    [['tpa'], 'did you mean tap?'],
    [['tap', 'lst'], 'did you mean list?'],
    [['help', 'tial'], 'did you mean tail?'],
    [['help', 'exit-code'], 'did you mean exit-codes?'],
    [['help', 'tap', 'revok'], 'did you mean revoke?'],
    [['tail', '--resum'], 'did you mean --resume?'],
  ])('%j is answered with the word that was meant', async (words, hint) => {
    const { stderr } = await run([...words, '--json'], { env });
    expect(JSON.parse(stderr)).toMatchObject({ hint });
  });
});

describe('a misspelt verb', () => {
  const verbs = named.filter(([, { words }]) => words.length > 1);
  test.each(verbs)('of hydrant %s is answered with verbs of its noun', async (_, { words: [noun = '', verb = ''] }) => {
    const { code, stderr } = await run([noun, verb.slice(0, -1), '--json'], { env });
    expect([code, JSON.parse(stderr)]).toMatchObject([
      exitCode.usage,
      { hint: expect.stringContaining('did you mean') },
    ]);
  });
});

test('a command that destroys asks, and --yes answers', () => {
  const destroying = leaves.filter(({ words }) => /^(?:remove|revoke|clear|set)$/.test(words[1] ?? ''));
  expect(destroying.length).toBeGreaterThan(10);
  const silent = destroying.filter(({ command }) => !command.options.some(({ long }) => long === '--yes'));
  expect(silent.map(({ words }) => words.join(' '))).toEqual([]);
});

describe('exit codes', () => {
  test('are all in one table, which the help and the docs show', async () => {
    const { stdout } = await run(['help', 'exit-codes']);
    // Wrapped, as all help is.
    const told = stdout.replaceAll(/\n {6}/g, ' ');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    const page = readFileSync('docs/exit-codes.md', 'utf8');
    for (const { code, meaning } of exitCodes) {
      expect(told).toContain(`${String(code).padStart(4)}  ${meaning}\n`);
      expect(page).toContain(`| ${code} | ${meaning} |\n`);
    }
    expect(page.match(/^\| \d+ \|/gm)).toHaveLength(exitCodes.length);
    const ours = exitCodes.map(({ code }) => code).filter((code) => code < 128);
    expect(ours).toEqual([...new Set(Object.values(exitCode))]);
  });
});

describe('colours', () => {
  const error = async (colours: Record<string, string>, ...flags: readonly string[]) =>
    (await run(['tpa', ...flags], { env: { ...env, ...colours }, columns: 80 })).stderr;

  test('are for terminals; NO_COLOR and --no-color take them away, FORCE_COLOR brings them', async () => {
    const { stderr } = await run(['tpa'], { env });
    expect(stderr).not.toContain('\u001b[');
    expect((await run(['tpa'], { env: { ...env, FORCE_COLOR: '1' } })).stderr).toContain('\u001b[');
    expect(await error({})).toContain('\u001b[');
    expect(await error({ NO_COLOR: '1' })).not.toContain('\u001b[');
    expect(await error({}, '--no-color')).not.toContain('\u001b[');
    expect(await error({ TERM: 'dumb' })).not.toContain('\u001b[');
  });
});
