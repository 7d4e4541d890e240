import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { createProgram } from '../src/cli/commands/program.ts';
import { makeContext } from '../src/cli/runtime/process-context.ts';
import { exitCodes } from '../src/cli/runtime/exit-code.ts';
import { readVersion } from '../src/cli/runtime/version.ts';
import { type ManEntry, type ManPage, manPage, type ManTerm } from './man-page.ts';

/**
 * `node scripts/man.ts [directory]` writes the manual from the command tree into `man/` or the directory: a page for the
 * program and one for each of its commands. They are built for the package and not committed. Their names stand in
 * package.json, where npm looks for them; --check fails when a name is missing there.
 */
const [first] = process.argv.slice(2);
const directory = path.resolve(first ?? path.join(import.meta.dirname, '../man'));

const FILES = `
  ~/.local/share/hydrant           the data directory ($XDG_DATA_HOME)
  ~/.config/hydrant/hydrantd.json  settings of the daemon ($XDG_CONFIG_HOME)
  ~/.config/hydrant/contexts.json  daemons elsewhere, and their keys
  ~/.local/state/hydrant           where hydrant tail --resume goes on
  ~/.cache/hydrant                 compiled code; may be deleted`;

const refuse = (): Promise<never> => Promise.reject(new Error('nothing is run here'));
const programs = { serve: refuse, fetchPage: refuse, upkeep: refuse, daemonPath: '' };
const program = await createProgram(makeContext(process, programs, AbortSignal.abort()), () => {});
const shown = (command: CommandUnknownOpts): readonly CommandUnknownOpts[] =>
  command.createHelp().visibleCommands(command);

const pages = new Map(
  [rootPage(), ...shown(program).map((command) => pageOf(command))].map((page) => [fileOf(page), manPage(page)]),
);
const manifestFile = new URL('../package.json', import.meta.url);
const manifest = await readFile(manifestFile, 'utf8');
const listed = withList(manifest);
if (first === '--check') check();
else await write();

async function write(): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  for (const [name, text] of pages) await writeFile(path.join(directory, name), text);
  if (first === undefined && listed !== manifest) await writeFile(manifestFile, listed);
}

function check(): void {
  if (listed === manifest) return;
  process.stderr.write('package.json lists other pages of the manual than the command tree makes. Run: npm run man\n');
  process.exitCode = 1;
}

/** npm installs the pages that the manifest names one by one; `directories.man` it reads when it publishes only. */
function withList(text: string): string {
  const names = [...pages.keys()].sort().map((name) => `    "man/${name}"`);
  return text.replace(/^ {2}"man": \[.*?\],\n/ms, `  "man": [\n${names.join(',\n')}\n  ],\n`);
}

function fileOf({ path }: ManPage): string {
  return `${path.replaceAll(' ', '-')}.1`;
}

function pageOf(command: CommandUnknownOpts): ManPage {
  const seeAlso = ['hydrant'];
  return { ...entryOf(command), version: readVersion(), verbs: shown(command).map(entryOf), sections: [], seeAlso };
}

function rootPage(): ManPage {
  const entry = entryOf(program);
  const { about } = entry;
  const environment = about.replace(/^\s*Environment:\n/, '');
  const commands = shown(program).map((command) => `  ${command.name().padEnd(12)} ${command.description()}`);
  const codes = exitCodes.map(({ code, meaning }) => `  ${String(code).padEnd(4)} ${meaning}`);
  return {
    ...entry,
    about: `${program.description()}\n\nEach command has a page of its own: hydrant-tail(1) is of hydrant tail.`,
    version: readVersion(),
    verbs: [],
    sections: [
      ['COMMANDS', commands.join('\n')],
      ['ENVIRONMENT', environment],
      ['EXIT STATUS', codes.join('\n')],
      ['FILES', FILES],
    ],
    seeAlso: shown(program).map((command) => `hydrant-${command.name()}`),
  };
}

function entryOf(command: CommandUnknownOpts): ManEntry {
  const help = command.createHelp();
  const [before, about] = around(command);
  const argumentsOf = command.registeredArguments.map((argument): ManTerm => ({
    term: help.argumentTerm(argument),
    description: help.argumentDescription(argument),
  }));
  const options = help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((option): ManTerm => ({ term: help.optionTerm(option), description: help.optionDescription(option) }));
  return {
    path: pathOf(command),
    usage: command.usage(),
    description: command.description(),
    about,
    terms: [...argumentsOf, ...options],
    examples: before.split('\n').filter((line) => line.trim() !== ''),
  };
}

/** What `addHelpText` adds stands around the help that commander makes, and can be had nowhere else. */
function around(command: CommandUnknownOpts): readonly [before: string, after: string] {
  let all = '';
  const writeOut = (text: string): void => {
    all += text;
  };
  command.configureOutput({ ...command.configureOutput(), writeOut }).outputHelp();
  const [before = '', after = ''] = all.split(command.helpInformation());
  return [before, after];
}

function pathOf(command: CommandUnknownOpts): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
