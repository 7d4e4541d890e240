import { Command, CommanderError, type CommandUnknownOpts, Help } from '@commander-js/extra-typings';
import type { Context } from '../runtime/context.ts';
import { exitCode } from '../runtime/exit-code.ts';
import { UsageError } from '../runtime/failure.ts';
import { readVersion } from '../runtime/version.ts';
import { meantBy, withList, withoutVainHelp } from './meant.ts';
import { ENVIRONMENT, WELCOME, withExamples } from './help.ts';
import { namedIn, roster } from './roster.ts';
import { actionIn, type RunWords } from './session.ts';

/**
 * The command tree: noun then verb, two levels at most. The flags that every command takes belong to the root, which
 * finds them wherever they stand; a command reads them with its own (`optsWithGlobals`). There is no catch-all
 * command and no cutting of names: each would take a future name away. Help, completions and the parser are one table.
 * Of that table a run loads the one command that it names; all of it for help, completions and what it cannot find.
 */
export async function runProgram(
  context: Context,
  argv: readonly string[],
  name: 'hydrant' | 'hydrantd',
): Promise<number> {
  let code: number = exitCode.ok;
  const onExitCode: OnExitCode = (returned) => {
    code = returned;
  };
  if (name === 'hydrant' && argv.length === 0) {
    context.io.stdout.write(WELCOME);
    return code;
  }
  const program =
    name === 'hydrant'
      ? await createProgram(context, onExitCode, argv)
      : await createDaemonProgram(context, onExitCode);
  try {
    await program.parseAsync(withoutVainHelp(program, withList(program, argv)), { from: 'user' });
  } catch (error) {
    // Help and version are thrown too, after they were printed.
    if (!(error instanceof CommanderError)) throw error;
  }
  return code;
}

const runWords: RunWords = (context, argv) => runProgram(context, argv, 'hydrant');

/** Called with the exit code of a command that returns one. */
type OnExitCode = (code: number) => void;

/** @param argv the words of a run that needs the command it names and no other; absent: all commands */
export async function createProgram(
  context: Context,
  onExitCode: OnExitCode,
  argv: readonly string[] = [],
): Promise<CommandUnknownOpts> {
  const program = createRoot();
  const named = namedIn(argv, program.options);
  const wanted = roster.filter(({ name }) => named === undefined || name === named);
  const action = actionIn(context, onExitCode, runWords);
  for (const { heading, load } of wanted) program.addCommand((await load(action)).helpGroup(heading));
  configure(program, context);
  return program;
}

function createRoot(): CommandUnknownOpts {
  return withExamples(
    new Command('hydrant'),
    'hydrant demo',
    'hydrant crawl add https://example.org/ --every 10m',
    'hydrant tail --json | jq .',
  )
    .description('Watches the web: crawls, compares each page with its last visit, streams what matches your queries.')
    .version(readVersion(), '-V, --version', 'print the version')
    .option('--url <url>', 'a daemon elsewhere, with HYDRANT_KEY or --key-file')
    .option('--data-dir <dir>', 'the daemon on this machine that keeps its data there')
    .option('--context <name>', 'the name of a context; local is the daemon on this machine')
    .option('--key-file <file>', 'file with the key for --url; - reads stdin')
    .option('--org <organization>', 'the organization meant, where the daemon on this machine has several')
    .option('--json', 'JSON on stdout; errors as JSON on stderr')
    .option('--jq <filter>', 'the JSON through a jq filter; strings as they are')
    .option('--template <text>', 'a line an object of the JSON, such as {id}\\t{name}')
    .option('-q, --quiet', 'ids only, no notices')
    .option('--no-color', 'no colours')
    .addHelpText('after', ENVIRONMENT);
}

async function createDaemonProgram(context: Context, onExitCode: OnExitCode): Promise<CommandUnknownOpts> {
  const { serveCommand } = await import('./daemon/serve.ts');
  const program = serveCommand(actionIn(context, onExitCode, runWords), 'hydrantd').version(
    readVersion(),
    '-V, --version',
    'print the version',
  );
  configure(program, context);
  return program;
}

/** Commands without the flags of the root: another daemon, a key or JSON make no sense for them. */
const APART: ReadonlySet<string> = new Set(['serve', 'demo', 'completion', 'help']);

/** Commands that need no daemon, and so no flag that says which one. */
const OFFLINE: ReadonlySet<string> = new Set(['extract', 'diff', 'validate', 'match', 'analyze']);
const OF_DAEMON: ReadonlySet<string | undefined> = new Set(['--url', '--data-dir', '--context', '--key-file', '--org']);

const plainHelp = new Help();
plainHelp.showGlobalOptions = true;

/** What the verbs of every noun are called elsewhere, too; of these the help of the noun shows the first. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  list: ['ls'],
  remove: ['rm', 'delete'],
  revoke: ['rm', 'remove', 'delete'],
  explain: ['why'],
  why: ['explain'],
  log: ['logs'],
  logs: ['log'],
};

function addSynonyms(command: CommandUnknownOpts): void {
  const taken = new Set(command.parent?.commands.flatMap((one) => [one.name(), ...one.aliases()]));
  for (const synonym of SYNONYMS[command.name()] ?? []) if (!taken.has(synonym)) command.alias(synonym);
}

/** The settings of every command in the tree. */
function configure(command: CommandUnknownOpts, context: Context): void {
  addSynonyms(command);
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
  for (const child of command.commands) configure(child, context);
}

/** `add|create [TAP] QUERY`: what a list of commands says of one; its flags are in its own help. */
function termOf(shown: CommandUnknownOpts): string {
  const names = [shown.name(), ...shown.aliases().slice(0, 1)].join('|');
  return `${names} ${shown
    .usage()
    .replaceAll(/\[(options|command)\]/g, '')
    .trim()}`.trim();
}

/** Commander's sentence, with its suggestion as the hint; it compares names by their letters, which is enough for flags. */
function misused(error: CommanderError, command: CommandUnknownOpts): UsageError {
  const [first = '', ...rest] = error.message.split('\n');
  const [word = '', ...behind] = command.args;
  // A noun that takes one word takes the first of several for it: `watch new URL`; a verb that needs no name takes another one.
  const noun = isDefaultVerb(command) ? command.parent : command;
  const isVerb = error.code === 'commander.excessArguments' && noun.commands.length > 0 && /^[a-z-]+$/i.test(word);
  const suggestion =
    isVerb || error.code === 'commander.unknownCommand'
      ? meantBy(noun, word, behind)
      : /^\((Did you mean .*)\)$/.exec(rest.join(' '))?.[1]?.replace('Did', 'did');
  return new UsageError(isVerb ? `unknown command '${word}'` : first.replace(/^error: /, ''), {
    hint: suggestion ?? `see: ${pathOf(command)} --help${adviceOn(error.code, command)}`,
  });
}

/** Whether the command is what its noun does without a verb: `ui` is `ui link`. */
function isDefaultVerb(command: CommandUnknownOpts): command is CommandUnknownOpts & { parent: CommandUnknownOpts } {
  return command.parent !== null && command.name() === DEFAULT_VERBS.get(command.parent.name());
}

const DEFAULT_VERBS: ReadonlyMap<string, string> = new Map([['ui', 'link']]);

/** What a shell makes of a query that stands in no quotes, or begins with a minus. */
function adviceOn(code: string, command: CommandUnknownOpts): string {
  if (command.name() !== 'add' && !OFFLINE.has(command.name())) return '';
  if (code === 'commander.unknownOption') return '; a value that begins with - goes after --';
  return code === 'commander.excessArguments' ? '; a value with spaces in it stands in quotes' : '';
}

function pathOf(command: CommandUnknownOpts): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
