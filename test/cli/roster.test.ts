import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/commands/program.ts';
import { namedIn, roster } from '../../src/cli/commands/roster.ts';
import { makeContext } from '../../src/cli/runtime/process-context.ts';
import { noFetch, noUpkeep, run } from './harness.ts';

const programs = { serve: async () => 0, fetchPage: noFetch, upkeep: noUpkeep, daemonPath: '' };
const context = makeContext(process, programs, AbortSignal.abort());
const whole = await createProgram(context, () => {});

const commandsFor = async (...argv: string[]): Promise<string[]> =>
  (await createProgram(context, () => {}, argv)).commands.map((command) => command.name());

test('each command is listed under the name it has', () => {
  expect(roster.map(({ name }) => name)).toEqual(whole.commands.map((command) => command.name()));
});

test('a run loads the command that it names, wherever the flags of the root stand', async () => {
  expect(await commandsFor('tap', 'list')).toEqual(['tap']);
  expect(await commandsFor('--json', '--url', 'rule', 'tap', 'list')).toEqual(['tap']);
  expect(await commandsFor('--url=http://127.0.0.1', '-q', 'rule', '--help')).toEqual(['rule']);
});

test('help, completions, aliases and misspellings take all of them', () => {
  for (const words of [['--help'], ['help', 'tap'], ['completion', 'bash'], ['taps'], ['tpa'], ['--', 'tap'], []]) {
    const alone = words[0] === '--' ? 'tap' : undefined;
    expect([words, namedIn(words, whole.options)]).toEqual([words, alone]);
  }
});

test('a misspelling is compared with every name', async () => {
  expect((await run(['--json', 'tpa'])).stderr).toContain('did you mean tap?');
});
