import { Client } from '../client/client.ts';
import { type CompletedKind, isCompletedKind } from '../completion-kind.ts';
import type { Connection, Context, GlobalFlags } from '../context.ts';
import { LOCAL, readContexts } from '../contexts.ts';
import { rulesOf } from './rule/rule-verbs.ts';

/** Longer than that, and TAB feels stuck: nothing is offered then. Less is too little for a machine that is busy. */
const PATIENCE_MS = 1_000;
/** A list that no screen holds helps nobody to complete. */
const MOST = 200;

/**
 * `hydrant __complete <kind> [words…]`, which the completion scripts call: the names there are, a line each. The words
 * are those typed so far, of which the flags count that say which daemon is meant. On any failure nothing is printed,
 * on stderr either, since it would stand in the line that is being typed.
 */
export async function printNames(context: Context, [kind = '', ...words]: readonly string[]): Promise<void> {
  if (!isCompletedKind(kind)) return;
  try {
    const names = await namesOf(kind, context, flagsIn(words));
    const lines = [...new Set(names)].slice(0, MOST).map((name) => `${name}\n`);
    context.io.stdout.write(lines.join(''));
  } catch {
    // No daemon, no key, no answer in time: nothing to offer.
  }
}

async function namesOf(kind: CompletedKind, context: Context, flags: GlobalFlags): Promise<string[]> {
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

const listings: Readonly<Record<Exclude<CompletedKind, 'context'>, Listing>> = {
  tap: async (client) => client.taps(),
  rule: async (client, connection) =>
    (await rulesOf(connection, client, undefined)).map(({ rule: { tag = '', id } }) => ({ name: tag, id })),
  source: async (client) => (await client.crawl.sources()).map(({ url, id }) => ({ name: url, id })),
  filter: async (client) => (await client.filters.list()).map(({ name }) => ({ name })),
  watch: async (client, { credential }) => {
    const watches = credential.kind === 'operator' ? client.watches : client.ownWatches;
    return (await watches.list()).map(({ url, id }) => ({ name: url, id }));
  },
  organization: async (client) => client.accounts.organizations(),
  member: async (client) => client.accounts.members(),
  key: async (client) => client.keys(),
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
