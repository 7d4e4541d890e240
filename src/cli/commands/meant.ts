import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { distance, misspelled } from '../../shared/query/suggest/misspelling.ts';

/** Verbs that say the same elsewhere, a row each: a user who types one gets the one that exists here as a hint. */
const VERBS: readonly (readonly string[])[] = [
  ['list', 'ls', 'all'],
  ['add', 'create', 'new', 'make', 'insert', 'register', 'grant'],
  ['remove', 'rm', 'delete', 'del', 'erase', 'drop', 'destroy', 'revoke', 'unregister', 'uninstall'],
  ['show', 'get', 'view', 'info', 'describe', 'inspect', 'display', 'print', 'read', 'cat'],
  ['edit', 'update', 'change', 'set', 'modify', 'rename', 'alter', 'patch', 'plan'],
  ['pause', 'disable', 'suspend', 'stop'],
  ['resume', 'enable', 'continue', 'unpause', 'start'],
  ['try', 'test', 'check', 'preview'],
  ['import', 'load', 'apply'],
  ['export', 'dump'],
  ['why', 'explain'],
  ['history', 'log', 'past'],
];

/** What the commands of the root are called elsewhere. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  serve: ['start', 'run', 'up', 'daemon', 'server', 'launch', 'boot'],
  status: ['ps', 'health', 'state', 'stats'],
  doctor: ['diagnose', 'troubleshoot'],
  service: ['install', 'systemd', 'launchd'],
  watch: ['url-watch', 'url-watches', 'monitor'],
  crawl: ['source', 'sources', 'spider', 'site', 'sites', 'page', 'pages', 'url', 'urls', 'feed', 'feeds', 'scrape'],
  ingest: ['archive', 'archives', 'warc'],
  tap: ['channel', 'topic', 'token', 'tokens'],
  rule: ['query', 'queries', 'alert', 'alerts'],
  tail: ['follow', 'listen', 'subscribe', 'events', 'sse'],
  notify: [
    'sink',
    'sinks',
    'notification',
    'hook',
    'hooks',
    'webhook',
    'webhooks',
    'ntfy',
    'push',
    'mail',
    'email',
    'slack',
  ],
  saved: ['match', 'matches', 'bookmarks'],
  digest: ['summary', 'report'],
  mcp: ['agent', 'agents', 'ai', 'tools'],
  apply: ['import', 'sync'],
  export: ['dump'],
  extract: ['parse'],
  validate: ['lint'],
  org: ['organization', 'organizations', 'organisation', 'account', 'accounts', 'team', 'teams'],
  member: ['user', 'users', 'people'],
  key: ['apikey', 'apikeys', 'api-key', 'api-keys'],
  credit: ['balance', 'billing'],
  context: ['login', 'auth', 'profile', 'remote'],
  help: ['man', 'usage', 'commands'],
  '--version': ['version'],
};

/** More than these say no more than the help does. */
const MOST = 4;

/**
 * Which command was meant by a word that is none below `command`: `did you mean list?`. What it means comes before how
 * it is spelled: `delete` is `revoke` where that is the verb, and at the root the verb of the noun behind it, or of each
 * noun that has it. Undefined for a word that nothing is near to.
 * @param behind the words after it
 * @param more what else may stand there, in the root
 */
export function meantBy(
  command: CommandUnknownOpts,
  word: string,
  behind: readonly string[] = [],
  more: readonly string[] = [],
): string | undefined {
  const wanted = word.toLowerCase();
  const found = command.parent === null ? meantAtRoot(command, wanted, behind, more) : verbsOf(command, wanted);
  const names = found.length > 0 ? found : spelledLike(command, wanted, command.parent === null ? more : []);
  return names.length === 0 ? undefined : `did you mean ${listed(names.slice(0, MOST))}?`;
}

function meantAtRoot(
  root: CommandUnknownOpts,
  word: string,
  [noun = '']: readonly string[],
  more: readonly string[],
): readonly string[] {
  const named = child(root, noun);
  if (named && named.commands.length > 0) {
    const verbs = pathsOf(named, verbsOf(named, word));
    if (verbs.length > 0) return verbs;
  }
  const other = Object.keys(COMMANDS).filter((name) => COMMANDS[name]?.includes(word) === true);
  if (other.length > 0) return other;
  if (spelledLike(root, word, more).length > 0 && !isVerb(word)) return [];
  // What is watched is what most mean.
  const nouns = root.commands.toSorted((one, other) => Number(isOfWatching(other)) - Number(isOfWatching(one)));
  return nouns.flatMap((noun) => pathsOf(noun, verbsOf(noun, word)));
}

function isOfWatching(noun: CommandUnknownOpts): boolean {
  return noun.helpGroup() === 'Watching:';
}

function isVerb(word: string): boolean {
  return VERBS.some((row) => row.includes(word));
}

function pathsOf(noun: CommandUnknownOpts, verbs: readonly string[]): string[] {
  return verbs.map((verb) => `${noun.name()} ${verb}`);
}

/** The verbs of a noun that say what this word says; the word itself alone where it is one of them. */
function verbsOf(noun: CommandUnknownOpts, word: string): readonly string[] {
  const own = child(noun, word);
  if (own) return [own.name()];
  const same = new Set(VERBS.filter((row) => row.includes(word)).flat());
  return noun.commands
    .filter((one) => [one.name(), ...one.aliases()].some((name) => same.has(name)))
    .map((one) => one.name());
}

/** A slip of the hand, a beginning, or in so short a list one wrong letter even in a short word. */
function spelledLike(command: CommandUnknownOpts, word: string, more: readonly string[]): readonly string[] {
  const names = [...command.commands.flatMap((one) => [one.name(), ...one.aliases()]), ...more];
  const near = misspelled(word, names);
  if (near !== undefined) return [near];
  const begun = command.commands.map((one) => one.name()).filter((name) => name.startsWith(word));
  if (begun.length > 0 && word.length > 1) return begun;
  return names.filter((name) => name[0] === word[0] && word.length > 2 && distance(name, word) === 1).slice(0, 1);
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}

/** Whether a flag of the root has its value in the next word. */
function takesValue(word: string | undefined, rootOptions: readonly Option[]): boolean {
  return rootOptions.some((option) => option.required && option.long === word);
}

/** Where the name of the command stands among the words of a run: flags of the root may stand before it. */
export function commandAt(argv: readonly string[], rootOptions: readonly Option[]): number {
  let at = 0;
  while (argv[at]?.startsWith('-') === true) at += takesValue(argv[at], rootOptions) ? 2 : 1;
  return at;
}

/**
 * `hydrant taps` is `hydrant tap list`: the plural of a noun, and nothing but flags behind it. The singular shows the
 * help of the noun.
 */
export function withList(program: CommandUnknownOpts, argv: readonly string[]): readonly string[] {
  const { options } = program;
  const at = commandAt(argv, options);
  const noun = program.commands.find((one) => one.aliases().includes(argv[at] ?? ''));
  if (!noun || child(noun, 'list') === undefined) return argv;
  const rest = argv.slice(at + 1);
  const isPlain = rest.every((word, index) => word.startsWith('-') || takesValue(rest[index - 1], options));
  if (!isPlain || rest.some((word) => word === '--help' || word === '-h')) return argv;
  return [...argv.slice(0, at + 1), 'list', ...rest];
}

/** The command below `command` that `word` names. */
export function child(command: CommandUnknownOpts, word: string): CommandUnknownOpts | undefined {
  return command.commands.find((one) => one.name() === word || one.aliases().includes(word));
}

/** The words without `--help` when they lead to no command: the page of the one above would hide the misspelling. */
export function withoutVainHelp(program: CommandUnknownOpts, argv: readonly string[]): readonly string[] {
  let at = program;
  for (const word of argv) {
    if (word.startsWith('-') || at.commands.length === 0) return argv;
    const next = child(at, word);
    if (!next) return argv.filter((one) => one !== '--help' && one !== '-h');
    at = next;
  }
  return argv;
}
