import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { commandAt } from './argv.ts';
import type { OnStopped } from './on-stopped.ts';
import { actionIn } from './session.ts';

/** A command of the root, which is loaded when it is wanted: together they are fifty files, and a run needs a few. */
export interface Entry {
  /** Where the help of the root lists it. */
  readonly heading: string;
  /** Its name; test/cli/roster.test.ts compares it with what is loaded. */
  readonly name: string;
  readonly load: (context: Context, onStopped: OnStopped) => Promise<Command | CommandUnknownOpts>;
}

type Load = Entry['load'];

const daemon: Readonly<Record<string, Load>> = {
  serve: async (context, onStopped) => (await import('./daemon/serve.ts')).serveCommand(context, onStopped),
  status: async (context) => (await import('./daemon/status.ts')).statusCommand(context),
  doctor: async (context, onStopped) => (await import('./daemon/doctor.ts')).doctorCommand(context, onStopped),
  logs: async (context, onStopped) => (await import('./daemon/logs.ts')).logsCommand(context, onStopped),
  backup: async (context, onStopped) => (await import('./daemon/backup.ts')).backupCommand(context, onStopped),
  restore: async (context) => (await import('./daemon/backup.ts')).restoreCommand(context),
  salvage: async (context, onStopped) => (await import('./daemon/salvage.ts')).salvageCommand(context, onStopped),
  service: async (context, onStopped) => (await import('./daemon/service.ts')).serviceCommand(context, onStopped),
  demo: async (context, onStopped) => (await import('./daemon/demo.ts')).demoCommand(context, onStopped),
};

const watching: Readonly<Record<string, Load>> = {
  watch: async (context, onStopped) => (await import('./watch/watch.ts')).watchCommand(context, onStopped),
  crawl: async (context) => (await import('./crawl/crawl.ts')).crawlCommand(context),
  ingest: async (context, onStopped) => (await import('./ingest/ingest.ts')).ingestCommand(context, onStopped),
  tap: async (context, onStopped) => (await import('./tap/tap.ts')).tapCommand(actionIn(context, onStopped)),
  rule: async (context, onStopped) => (await import('./rule/rule.ts')).ruleCommand(context, onStopped),
  filter: async (context) => (await import('./rule/filter.ts')).filterCommand(context),
  tail: async (context, onStopped) => (await import('./tail/tail.ts')).tailCommand(context, onStopped),
  saved: async (context, onStopped) => (await import('./saved/saved.ts')).savedCommand(actionIn(context, onStopped)),
  digest: async (context) => (await import('./digest/digest.ts')).digestCommand(context),
  export: async (context) => (await import('./apply/apply.ts')).exportCommand(context),
  apply: async (context) => (await import('./apply/apply.ts')).applyCommand(context),
};

const offline: Readonly<Record<string, Load>> = {
  extract: async (context, onStopped) => (await import('./offline/extract.ts')).extractCommand(context, onStopped),
  diff: async (context, onStopped) => (await import('./offline/diff.ts')).diffCommand(context, onStopped),
  validate: async (context, onStopped) => (await import('./offline/validate.ts')).validateCommand(context, onStopped),
  match: async (context, onStopped) => (await import('./offline/match.ts')).matchCommand(context, onStopped),
  analyze: async (context) => (await import('./offline/analyze.ts')).analyzeCommand(context),
};

const accounts: Readonly<Record<string, Load>> = {
  org: async (context, onStopped) => (await import('./accounts/org.ts')).orgCommand(actionIn(context, onStopped)),
  member: async (context, onStopped) =>
    (await import('./accounts/member.ts')).memberCommand(actionIn(context, onStopped)),
  key: async (context, onStopped) => (await import('./accounts/key.ts')).keyCommand(actionIn(context, onStopped)),
  credit: async (context, onStopped) =>
    (await import('./accounts/credit.ts')).creditCommand(actionIn(context, onStopped)),
  usage: async (context, onStopped) =>
    (await import('./accounts/credit.ts')).usageCommand(actionIn(context, onStopped)),
};

const more: Readonly<Record<string, Load>> = {
  rating: async (context, onStopped) => (await import('./crawl/rating.ts')).ratingCommand(context, onStopped),
  context: async (context, onStopped) =>
    (await import('./context/context.ts')).contextCommand(actionIn(context, onStopped)),
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
  const word = argv[commandAt(argv, rootOptions)] ?? '';
  return !OF_ALL.has(word) && roster.some(({ name }) => name === word) ? word : undefined;
}
