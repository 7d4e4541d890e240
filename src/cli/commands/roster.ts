import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { commandAt } from './meant.ts';
import type { Action } from './session.ts';

/** A command of the root, which is loaded when it is wanted: together they are fifty files, and a run needs a few. */
export interface Entry {
  /** Where the help of the root lists it. */
  readonly heading: string;
  /** Its name; test/cli/roster.test.ts compares it with what is loaded. */
  readonly name: string;
  readonly load: (action: Action) => Promise<CommandUnknownOpts>;
}

type Load = Entry['load'];

const daemon: Readonly<Record<string, Load>> = {
  serve: async (action) => (await import('./daemon/serve.ts')).serveCommand(action),
  ui: async (action) => (await import('./ui.ts')).uiCommand(action),
  status: async (action) => (await import('./daemon/status.ts')).statusCommand(action),
  doctor: async (action) => (await import('./doctor/doctor.ts')).doctorCommand(action),
  logs: async (action) => (await import('./daemon/logs.ts')).logsCommand(action),
  backup: async (action) => (await import('./daemon/backup.ts')).backupCommand(action),
  restore: async (action) => (await import('./daemon/backup.ts')).restoreCommand(action),
  salvage: async (action) => (await import('./daemon/salvage.ts')).salvageCommand(action),
  migrate: async (action) => (await import('./daemon/migrate.ts')).migrateCommand(action),
  service: async (action) => (await import('./service/service.ts')).serviceCommand(action),
  demo: async (action) => (await import('./demo/demo.ts')).demoCommand(action),
};

const watching: Readonly<Record<string, Load>> = {
  watch: async (action) => (await import('./watch/watch.ts')).watchCommand(action),
  crawl: async (action) => (await import('./crawl/crawl.ts')).crawlCommand(action),
  ingest: async (action) => (await import('./ingest/ingest.ts')).ingestCommand(action),
  tap: async (action) => (await import('./tap.ts')).tapCommand(action),
  rule: async (action) => (await import('./rule/rule.ts')).ruleCommand(action),
  filter: async (action) => (await import('./rule/filter.ts')).filterCommand(action),
  tail: async (action) => (await import('./tail/tail.ts')).tailCommand(action),
  notify: async (action) => (await import('./notify/notify.ts')).notifyCommand(action),
  saved: async (action) => (await import('./saved.ts')).savedCommand(action),
  feed: async (action) => (await import('./feed/feed.ts')).feedCommand(action),
  digest: async (action) => (await import('./digest/digest.ts')).digestCommand(action),
  mcp: async (action) => (await import('./mcp/mcp.ts')).mcpCommand(action),
  export: async (action) => (await import('./apply/apply.ts')).exportCommand(action),
  apply: async (action) => (await import('./apply/apply.ts')).applyCommand(action),
};

const offline: Readonly<Record<string, Load>> = {
  extract: async (action) => (await import('./offline/extract.ts')).extractCommand(action),
  diff: async (action) => (await import('./offline/diff.ts')).diffCommand(action),
  validate: async (action) => (await import('./offline/validate.ts')).validateCommand(action),
  match: async (action) => (await import('./offline/match.ts')).matchCommand(action),
  analyze: async (action) => (await import('./offline/analyze.ts')).analyzeCommand(action),
};

const accounts: Readonly<Record<string, Load>> = {
  org: async (action) => (await import('./accounts/org.ts')).orgCommand(action),
  member: async (action) => (await import('./accounts/member.ts')).memberCommand(action),
  key: async (action) => (await import('./accounts/key.ts')).keyCommand(action),
  credit: async (action) => (await import('./accounts/credit.ts')).creditCommand(action),
  usage: async (action) => (await import('./accounts/credit.ts')).usageCommand(action),
};

const more: Readonly<Record<string, Load>> = {
  rating: async (action) => (await import('./crawl/rating.ts')).ratingCommand(action),
  context: async (action) => (await import('./context.ts')).contextCommand(action),
  'dial-stdio': async (action) => (await import('./daemon/dial-stdio.ts')).dialCommand(action),
  completion: async (action) => (await import('./completion.ts')).completionCommand(action),
  help: async (action) => (await import('./help.ts')).helpCommand(action),
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
