import { Command, CommanderError, Help } from 'commander';
import type { Context } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { UsageError } from '../failure.ts';
import { readVersion } from '../version.ts';
import { analyzeCommand } from './analyze.ts';
import { completionCommand } from './completion.ts';
import { crawlCommand } from './crawl.ts';
import { creditCommand, usageCommand } from './credit.ts';
import { demoCommand } from './demo.ts';
import { diffCommand } from './diff.ts';
import { extractCommand } from './extract.ts';
import { filterCommand } from './filter.ts';
import { ENVIRONMENT, helpCommand, WELCOME, withExamples, withoutVainHelp } from './help.ts';
import { ingestCommand } from './ingest.ts';
import { keyCommand } from './key.ts';
import { matchCommand } from './match.ts';
import { memberCommand } from './member.ts';
import { orgCommand } from './org.ts';
import { ratingCommand } from './rating.ts';
import { ruleCommand } from './rule.ts';
import { savedCommand } from './saved.ts';
import { type OnStopped, serveCommand } from './serve.ts';
import { statusCommand } from './status.ts';
import { tailCommand } from './tail.ts';
import { tapCommand } from './tap.ts';
import { validateCommand } from './validate.ts';
import { watchCommand } from './watch.ts';

/**
 * The command tree: noun then verb, two levels at most. The flags that every command takes belong to the root, which
 * finds them wherever they stand; a command reads them with its own (`optsWithGlobals`). There is no catch-all
 * command and no cutting of names: each would take a future name away. Help, completions and the parser are one table.
 */
export async function runProgram(
  context: Context,
  argv: readonly string[],
  name: 'hydrant' | 'hydrantd',
): Promise<number> {
  let code: number = exitCode.ok;
  const onStopped: OnStopped = (stopped) => {
    code = stopped;
  };
  if (name === 'hydrant' && argv.length === 0) {
    context.io.stdout.write(WELCOME);
    return code;
  }
  const program = name === 'hydrant' ? createProgram(context, onStopped) : createDaemonProgram(context, onStopped);
  try {
    await program.parseAsync(withoutVainHelp(program, argv), { from: 'user' });
  } catch (error) {
    // Help and version are thrown too, after they were printed.
    if (!(error instanceof CommanderError)) throw error;
  }
  return code;
}

export function createProgram(context: Context, onStopped: OnStopped): Command {
  const program = new Command('hydrant')
    .description('Watches the web: crawls, compares each page with its last visit, streams what matches your queries.')
    .version(readVersion(), '-V, --version', 'print the version')
    .option('--url <url>', 'a daemon elsewhere, with HYDRANT_KEY or --key-file')
    .option('--data-dir <dir>', 'the daemon on this machine that keeps its data there')
    .option('--key-file <file>', 'file with the key for --url; - reads stdin')
    .option('--org <organization>', 'the organization meant, where the daemon on this machine has several')
    .option('--json', 'JSON on stdout; errors as JSON on stderr')
    .option('-q, --quiet', 'ids only, no notices')
    .option('--no-color', 'no colours')
    .addHelpText('after', ENVIRONMENT);
  withExamples(
    program,
    'hydrant demo',
    'hydrant crawl add https://example.org/ --every 10m',
    'hydrant tail --json | jq .',
  );
  const groups: readonly [string, readonly Command[]][] = [
    ['Daemon:', [serveCommand(context, onStopped), statusCommand(context), demoCommand(context, onStopped)]],
    [
      'Watching:',
      [
        watchCommand(context, onStopped),
        crawlCommand(context),
        ingestCommand(context, onStopped),
        tapCommand(context),
        ruleCommand(context),
        filterCommand(context),
        tailCommand(context, onStopped),
        savedCommand(context),
      ],
    ],
    ['Offline:', offlineCommands(context, onStopped)],
    ['Accounts:', accountCommands(context)],
    ['More:', [ratingCommand(context, onStopped), completionCommand(context), helpCommand()]],
  ];
  for (const [heading, commands] of groups) {
    for (const command of commands) program.addCommand(command.helpGroup(heading));
  }
  settle(program, context);
  return program;
}

function accountCommands(context: Context): Command[] {
  return [
    orgCommand(context),
    memberCommand(context),
    keyCommand(context),
    creditCommand(context),
    usageCommand(context),
  ];
}

function offlineCommands(context: Context, onStopped: OnStopped): Command[] {
  return [
    extractCommand(context, onStopped),
    diffCommand(context, onStopped),
    validateCommand(context, onStopped),
    matchCommand(context, onStopped),
    analyzeCommand(context),
  ];
}

function createDaemonProgram(context: Context, onStopped: OnStopped): Command {
  const program = serveCommand(context, onStopped, 'hydrantd').version(
    readVersion(),
    '-V, --version',
    'print the version',
  );
  settle(program, context);
  return program;
}

/** Commands that no other daemon, key or form makes sense for. */
const APART: ReadonlySet<string> = new Set(['serve', 'demo', 'completion', 'help']);

/** Commands that speak to no daemon: which one is meant is no question. */
const OFFLINE: ReadonlySet<string> = new Set(['extract', 'diff', 'validate', 'match', 'analyze']);
const OF_DAEMON: ReadonlySet<string | undefined> = new Set(['--url', '--data-dir', '--key-file', '--org']);

const plainHelp = new Help();
plainHelp.showGlobalOptions = true;

/** What holds for each command of the tree. */
function settle(command: Command, context: Context): void {
  const write = (text: string): void => {
    context.io.stdout.write(text);
  };
  command
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .allowExcessArguments(false)
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: write,
      // Only the help of a noun without a verb comes this way: it is what was asked for, so it is data.
      writeErr: write,
      outputError: () => {},
      getOutHelpWidth: () => context.io.stdout.columns ?? 80,
      getErrHelpWidth: () => context.io.stdout.columns ?? 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({
      subcommandTerm: termOf,
      showGlobalOptions: command.parent !== null && !APART.has(command.name()),
      visibleGlobalOptions: (shown) =>
        plainHelp
          .visibleGlobalOptions(shown)
          .filter(({ long }) => long !== '--version' && !(OFFLINE.has(shown.name()) && OF_DAEMON.has(long))),
    })
    .exitOverride((error) => {
      throw error.code.startsWith('commander.help') || error.exitCode === 0 ? error : misused(error, command);
    });
  for (const child of command.commands) settle(child, context);
}

/** `add|create [TAP] QUERY`: what a list of commands says of one; its flags are in its own help. */
function termOf(shown: Command): string {
  const names = [shown.name(), ...shown.aliases().slice(0, 1)].join('|');
  return `${names} ${shown
    .usage()
    .replaceAll(/\[(options|command)\]/g, '')
    .trim()}`.trim();
}

/** Commander's sentence, with its suggestion as the hint. */
function misused(error: CommanderError, command: Command): UsageError {
  const [first = '', ...rest] = error.message.split('\n');
  const suggestion = /^\((Did you mean .*)\)$/.exec(rest.join(' '))?.[1]?.replace('Did', 'did');
  return new UsageError(first.replace(/^error: /, ''), {
    hint: suggestion ?? `see: ${pathOf(command)} --help${adviceOn(error.code, command)}`,
  });
}

/** What a shell makes of a query that stands in no quotes, or begins with a minus. */
function adviceOn(code: string, command: Command): string {
  if (command.name() !== 'add' && !OFFLINE.has(command.name())) return '';
  if (code === 'commander.unknownOption') return '; a value that begins with - goes after --';
  return code === 'commander.excessArguments' ? '; a value with spaces in it stands in quotes' : '';
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
