import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { Client } from '../client/client.ts';
import type { Connection, Context, GlobalFlags } from '../runtime/context.ts';
import { LOCAL, readContexts } from '../runtime/contexts.ts';
import { child } from './meant.ts';
import { createProgram } from './program.ts';
import { rulesOf } from './rule/placed-rules.ts';

/** Longer than that, and TAB feels stuck: nothing is offered then. Less is too little for a machine that is busy. */
const PATIENCE_MS = 1_000;
/** A list that no screen holds helps nobody to complete. */
const MOST_NAMES = 200;

/** One way to go on: the word, and what it is for where a shell shows that. */
interface Candidate {
  readonly word: string;
  readonly description: string;
}

interface Completion {
  readonly candidates: readonly Candidate[];
  /** What the shell adds by itself. */
  readonly also: 'nothing' | 'files' | 'directories';
}

/**
 * `hydrant __complete [words…]`, which the scripts in `completions/` call at each TAB: the words after the program's
 * name, up to the one under the cursor (`''` for a new one). It prints a candidate a line, its description after a tab,
 * and in the last line `:nothing`, `:files` or `:directories`. On any failure it prints nothing at all, on stderr either,
 * since that would stand in the line that is being typed.
 */
export async function printCompletion(context: Context, words: readonly string[]): Promise<void> {
  try {
    const { candidates, also } = await completionOf(context, words);
    const lines = candidates.map(({ word, description }) => `${word}\t${description}\n`);
    context.io.stdout.write(`${lines.join('')}:${also}\n`);
  } catch {
    // No daemon, no key, no answer in time: nothing to offer.
  }
}

async function completionOf(context: Context, words: readonly string[]): Promise<Completion> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const place = placeOf(await createProgram(context, () => {}, before), before);
  const { command, open, isPastFlags } = place;
  const values = (kind: ValueKind, choices: readonly string[] | undefined, begun: string): Promise<Completion> =>
    valuesOf(kind, choices, begun, context, before);
  if (open) return values(kindOfValue(open), open.argChoices, current);
  if (current.startsWith('-') && !isPastFlags) {
    const [flag, ...value] = current.split('=');
    if (value.length === 0) return plain(flagsOf(place), current);
    const option = optionNamed(place, flag ?? '');
    return option ? prefixed(`${flag}=`, await values(kindOfValue(option), option.argChoices, value.join('='))) : NONE;
  }
  if (command.commands.length > 0) return plain(commandsBelow(command, current), current);
  const argument = command.registeredArguments[place.arguments] ?? lastVariadic(command);
  return argument ? values(kindOfArgument(command, argument), argument.argChoices, current) : NONE;
}

function prefixed(prefix: string, { candidates, also }: Completion): Completion {
  return { candidates: candidates.map(({ word, description }) => ({ word: prefix + word, description })), also };
}

const NONE: Completion = { candidates: [], also: 'nothing' };

/** Where the cursor is: the command, what was given to it, and the flag that still wants its value. */
interface Place {
  readonly root: CommandUnknownOpts;
  readonly command: CommandUnknownOpts;
  readonly arguments: number;
  readonly open: Option | undefined;
  /** After `--`. */
  readonly isPastFlags: boolean;
}

function placeOf(root: CommandUnknownOpts, words: readonly string[]): Place {
  let place: Place = { root, command: root, arguments: 0, open: undefined, isPastFlags: false };
  for (const word of words) place = after(place, word);
  return place;
}

function after(place: Place, word: string): Place {
  if (place.open) return { ...place, open: undefined };
  if (!place.isPastFlags && word === '--') return { ...place, isPastFlags: true };
  if (!place.isPastFlags && word.startsWith('-') && word !== '-') {
    const option = word.includes('=') ? undefined : optionNamed(place, word);
    return { ...place, open: option?.required === true ? option : undefined };
  }
  const next = child(place.command, word);
  return next ? { ...place, command: next } : { ...place, arguments: place.arguments + 1 };
}

/** Flags of the root may stand anywhere. What the help hides is hidden here. */
function optionsOf({ root, command }: Place): Option[] {
  const own = command.createHelp().visibleOptions(command);
  const shared = root.createHelp().visibleOptions(root);
  const taken = new Set(own.map(({ long }) => long));
  return [...own, ...(command === root ? [] : shared.filter(({ long }) => !taken.has(long) && long !== '--version'))];
}

function optionNamed(place: Place, name: string): Option | undefined {
  const all = [...optionsOf(place), ...place.command.options];
  return all.find(({ short, long }) => short === name || long === name);
}

function flagsOf(place: Place): Candidate[] {
  return optionsOf(place).flatMap(({ short, long, description }) =>
    [long, short].filter((flag) => flag !== undefined).map((word) => ({ word, description })),
  );
}

/** An alias is offered to whoever has begun to type it: beside the name it would only be a second one. */
function commandsBelow(command: CommandUnknownOpts, current: string): Candidate[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .flatMap((one) => {
      const aliases = current === '' ? [] : one.aliases();
      return [one.name(), ...aliases].map((word) => ({ word, description: one.description() }));
    });
}

function plain(candidates: readonly Candidate[], current: string): Completion {
  return { candidates: candidates.filter(({ word }) => word.startsWith(current)), also: 'nothing' };
}

function lastVariadic(command: CommandUnknownOpts): Argument | undefined {
  const last = command.registeredArguments.at(-1);
  return last?.variadic === true ? last : undefined;
}

type ValueKind = NameKind | 'file' | 'directory' | undefined;

async function valuesOf(
  kind: ValueKind,
  choices: readonly string[] | undefined,
  current: string,
  context: Context,
  before: readonly string[],
): Promise<Completion> {
  if (choices !== undefined) {
    return plain(
      choices.map((word) => ({ word, description: '' })),
      current,
    );
  }
  if (kind === undefined) return NONE;
  if (kind === 'file') return { candidates: [], also: 'files' };
  if (kind === 'directory') return { candidates: [], also: 'directories' };
  const names = [...new Set(await namesOf(kind, context, flagsIn(before)))];
  return plain(
    names
      .filter((word) => word.startsWith(current))
      .slice(0, MOST_NAMES)
      .map((word) => ({ word, description: kind })),
    current,
  );
}

/** By the name of the value: `<dir>`, `<file>` and what the daemon lists; any other value is the user's to know. */
function kindOfValue({ flags, long }: Option): ValueKind {
  const name = /[<[](.+?)[>\]]/.exec(flags)?.[1];
  if (long === '--context') return 'context';
  return kindOfName(name);
}

const FILES: ReadonlySet<string | undefined> = new Set(['file', 'document', 'old', 'new']);

/** Arguments whose name is for people: only these commands say what they take. What is given to `add` is new. */
const NAMED_FOR_PEOPLE: Readonly<Record<string, ValueKind>> = {
  'hydrant extract': 'file',
  'hydrant match': 'file',
  'rule add': 'tap',
  'context use': 'context',
  'context show': 'context',
  'context rename': 'context',
  'context remove': 'context',
};

function kindOfArgument(command: CommandUnknownOpts, argument: Argument): ValueKind {
  const isFirst = command.registeredArguments[0] === argument;
  const named = NAMED_FOR_PEOPLE[`${command.parent?.name()} ${command.name()}`];
  if (named !== undefined && (isFirst || named === 'file')) return named;
  return FILES.has(argument.name()) ? 'file' : kindOfName(argument.name());
}

function kindOfName(name: string | undefined): ValueKind {
  if (name === 'file') return 'file';
  if (name === 'dir') return 'directory';
  return NAME_KINDS.find((kind) => kind === name);
}

const NAME_KINDS = [
  'tap',
  'rule',
  'source',
  'filter',
  'watch',
  'sink',
  'context',
  'organization',
  'member',
  'key',
  'feed',
] as const;
type NameKind = (typeof NAME_KINDS)[number];

async function namesOf(kind: NameKind, context: Context, flags: GlobalFlags): Promise<string[]> {
  if (kind === 'context') {
    const { contexts } = await readContexts(context.environment);
    return [LOCAL, ...contexts.map(({ name }) => name)].flatMap((name) => typed(name));
  }
  const connection = await context.resolve(flags);
  const client = new Client(connection, AbortSignal.timeout(PATIENCE_MS));
  const named = await listings[kind](client, connection);
  return named.flatMap(({ name, id }) => typed(name, id));
}

interface Named {
  readonly name: string;
  /** Of what its beginning names as well. */
  readonly id?: string;
}

type Listing = (client: Client, connection: Connection) => Promise<readonly Named[]>;

const listings: Readonly<Record<Exclude<NameKind, 'context'>, Listing>> = {
  tap: async (client) => client.taps(),
  rule: async (client, connection) =>
    (await rulesOf(connection, client, undefined)).map(({ rule: { tag = '', id } }) => ({ name: tag, id })),
  source: async (client) => (await client.crawl.sources()).map(({ url, id }) => ({ name: url, id })),
  filter: async (client) => (await client.filters.list()).map(({ name }) => ({ name })),
  watch: async (client, { credential }) => {
    const watches = credential.kind === 'operator' ? client.watches : client.ownWatches;
    return (await watches.list()).map(({ url, id }) => ({ name: url, id }));
  },
  sink: async (client) => client.sinks.list(),
  organization: async (client) => client.accounts.organizations(),
  member: async (client) => client.accounts.members(),
  key: async (client) => client.keys(),
  feed: async (client) => client.feeds.list(),
};

/**
 * The name as it is typed, or the beginning of the id where a shell would want quotes: three shells quote in three ways,
 * and names come from wherever the daemon is.
 */
function typed(name: string, id = ''): string[] {
  const word = /^[\w@%+=:,./-]+$/.test(name) && !name.startsWith('-') ? name : id.slice(0, 8);
  return word === '' ? [] : [word];
}

/** The flags among the words that name the daemon, the last one of each. A key on stdin cannot be had here. */
function flagsIn(words: readonly string[]): GlobalFlags {
  const value = (flag: string): string | undefined => {
    const at = words.lastIndexOf(flag);
    const joined = words.findLast((word) => word.startsWith(`${flag}=`));
    return at === -1 ? joined?.slice(flag.length + 1) : words[at + 1];
  };
  const keyFile = value('--key-file');
  return {
    url: value('--url'),
    dataDir: value('--data-dir'),
    context: value('--context'),
    org: value('--org'),
    ...(keyFile !== '-' && { keyFile }),
  };
}
