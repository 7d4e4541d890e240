import type { Command, Option } from 'commander';
import type { Context } from '../context.ts';
import type { OnStopped } from './serve.ts';

/** A command of the root, which is loaded when it is wanted: together they are fifty files, and a run needs a few. */
export interface Entry {
  /** Where the help of the root lists it. */
  readonly heading: string;
  /** Its name; test/cli/roster.test.ts compares it with what is loaded. */
  readonly name: string;
  readonly load: (context: Context, onStopped: OnStopped) => Promise<Command>;
}

type Load = Entry['load'];

const daemon: Readonly<Record<string, Load>> = {
  serve: async (context, onStopped) => (await import('./serve.ts')).serveCommand(context, onStopped),
  status: async (context) => (await import('./status.ts')).statusCommand(context),
  doctor: async (context, onStopped) => (await import('./doctor.ts')).doctorCommand(context, onStopped),
  logs: async (context, onStopped) => (await import('./logs.ts')).logsCommand(context, onStopped),
  backup: async (context, onStopped) => (await import('./backup.ts')).backupCommand(context, onStopped),
  restore: async (context) => (await import('./backup.ts')).restoreCommand(context),
  service: async (context, onStopped) => (await import('./service.ts')).serviceCommand(context, onStopped),
  demo: async (context, onStopped) => (await import('./demo.ts')).demoCommand(context, onStopped),
};

const watching: Readonly<Record<string, Load>> = {
  watch: async (context, onStopped) => (await import('./watch.ts')).watchCommand(context, onStopped),
  crawl: async (context) => (await import('./crawl.ts')).crawlCommand(context),
  ingest: async (context, onStopped) => (await import('./ingest.ts')).ingestCommand(context, onStopped),
  tap: async (context) => (await import('./tap.ts')).tapCommand(context),
  rule: async (context, onStopped) => (await import('./rule.ts')).ruleCommand(context, onStopped),
  filter: async (context) => (await import('./filter.ts')).filterCommand(context),
  tail: async (context, onStopped) => (await import('./tail.ts')).tailCommand(context, onStopped),
  saved: async (context) => (await import('./saved.ts')).savedCommand(context),
  digest: async (context) => (await import('./digest.ts')).digestCommand(context),
  export: async (context) => (await import('./apply.ts')).exportCommand(context),
  apply: async (context) => (await import('./apply.ts')).applyCommand(context),
};

const offline: Readonly<Record<string, Load>> = {
  extract: async (context, onStopped) => (await import('./extract.ts')).extractCommand(context, onStopped),
  diff: async (context, onStopped) => (await import('./diff.ts')).diffCommand(context, onStopped),
  validate: async (context, onStopped) => (await import('./validate.ts')).validateCommand(context, onStopped),
  match: async (context, onStopped) => (await import('./match.ts')).matchCommand(context, onStopped),
  analyze: async (context) => (await import('./analyze.ts')).analyzeCommand(context),
};

const accounts: Readonly<Record<string, Load>> = {
  org: async (context) => (await import('./org.ts')).orgCommand(context),
  member: async (context) => (await import('./member.ts')).memberCommand(context),
  key: async (context) => (await import('./key.ts')).keyCommand(context),
  credit: async (context) => (await import('./credit.ts')).creditCommand(context),
  usage: async (context) => (await import('./credit.ts')).usageCommand(context),
};

const more: Readonly<Record<string, Load>> = {
  rating: async (context, onStopped) => (await import('./rating.ts')).ratingCommand(context, onStopped),
  context: async (context) => (await import('./context.ts')).contextCommand(context),
  completion: async (context) => (await import('./completion.ts')).completionCommand(context),
  help: async () => (await import('./help.ts')).helpCommand(),
};

/** In the order of the help. */
export const roster: readonly Entry[] = [
  ...under('Daemon:', daemon),
  ...under('Watching:', watching),
  ...under('Offline:', offline),
  ...under('Accounts:', accounts),
  ...under('More:', more),
];

function under(heading: string, loads: Readonly<Record<string, Load>>): Entry[] {
  return Object.entries(loads).map(([name, load]) => ({ heading, name, load }));
}

/** Those that speak of all the others. */
const OF_ALL: ReadonlySet<string> = new Set(['completion', 'help']);

/**
 * The command that the words name, where it alone is needed: flags of the root may stand before it. Undefined where
 * all are: for help, for a misspelling, which is compared with every name, and for an alias.
 */
export function namedIn(argv: readonly string[], rootOptions: readonly Option[]): string | undefined {
  const withValue = new Set(rootOptions.filter((option) => option.required).map((option) => option.long));
  let at = 0;
  while (argv[at]?.startsWith('-') === true) at += withValue.has(argv[at]) ? 2 : 1;
  const word = argv[at] ?? '';
  return !OF_ALL.has(word) && roster.some(({ name }) => name === word) ? word : undefined;
}
