import path from 'node:path';
import type { SinkKindName } from '../../../shared/api/notify-values.ts';
import { UsageError } from '../../runtime/failure.ts';
import { readSecret } from '../secret-input.ts';
import type { Session } from '../session.ts';

/** Fields of a kind as they were typed: a value; true: a flag without one, which asks for it; a secret that was read already. */
export type Typed = Readonly<Record<string, TypedValue>>;
export type TypedValue = string | true | { readonly secret: string };

/** The words behind a kind, as who knows the service would write them, and the fields they stand for. */
interface Target {
  /** What they are, for who left them out. */
  readonly words: string;
  /** Fields that they give, the first one always. */
  readonly fields: readonly [string, ...string[]];
  readonly read: (words: readonly string[], place: Place) => Promise<Typed> | Typed;
}

interface Place {
  readonly session: Session;
  /** Whether the daemon runs on this machine, and has its files. */
  readonly isHere: boolean;
}

/** @throws {UsageError} for more than one word */
function alone([word = '', ...more]: readonly string[]): string {
  if (more.length === 0) return word;
  // It is not repeated: it may be a secret.
  throw new UsageError('there are more words behind the kind than it takes', {
    hint: 'see: hydrant notify add --help',
  });
}

const one =
  (field: string) =>
  (words: readonly string[]): Typed => ({ [field]: alone(words) });

const TARGETS: Partial<Record<SinkKindName, Target>> = {
  ntfy: { words: 'the address of a topic, https://ntfy.sh/my-topic', fields: ['topic', 'url'], read: topicOf },
  email: { words: 'the addresses of who gets it', fields: ['to'], read: (words) => ({ to: words.join(', ') }) },
  webhook: { words: 'the URL, or @FILE with it where its path is a secret', fields: ['url', 'path'], read: hookOf },
  exec: { words: 'the program and its arguments', fields: ['command'], read: commandOf },
  slack: { words: 'the URL of the webhook: @FILE, or - for stdin', fields: ['url'], read: one('url') },
  discord: { words: 'the URL of the webhook: @FILE, or - for stdin', fields: ['url'], read: one('url') },
  telegram: { words: 'the chat', fields: ['chat'], read: one('chat') },
  gotify: { words: 'the address of the server', fields: ['url'], read: one('url') },
  matrix: { words: 'the address of the home server and the id of the room', fields: ['url', 'room'], read: roomOf },
  apprise: { words: 'the address of the Apprise server', fields: ['url'], read: one('url') },
};

/** What the words give a field of a kind; undefined where it has a flag only. */
export function targetWords(kind: SinkKindName, field: string): string | undefined {
  const target = TARGETS[kind];
  return target?.fields.includes(field) === true ? `${target.words}, behind ${kind}` : undefined;
}

/** @throws {UsageError} for words that cannot be meant */
export async function targetFields(kind: SinkKindName, words: readonly string[], place: Place): Promise<Typed> {
  const target = TARGETS[kind];
  if (target !== undefined) return target.read(words, place);
  throw new UsageError(`nothing stands behind ${kind}`, {
    hint: `its fields have flags: hydrant notify kinds ${kind}`,
  });
}

/** `https://ntfy.sh/my-topic`, `ntfy.sh/my-topic`, or the topic alone. */
function topicOf(words: readonly string[]): Typed {
  const word = alone(words);
  if (!/[/:.]/.test(word)) return { topic: word };
  const url = URL.parse(/^https?:\/\//.test(word) ? word : `https://${word}`);
  const [topic = '', ...base] =
    url?.pathname
      .split('/')
      .filter((part) => part !== '')
      .toReversed() ?? [];
  if (url !== null && (url.username !== '' || url.password !== '')) {
    throw new UsageError('a password is a secret, and not a part of the address', {
      hint: '--user NAME --password @FILE',
    });
  }
  if (url === null || topic === '') {
    throw new UsageError(`\`${word}\` has no topic`, {
      hint: 'the address of a topic looks like https://ntfy.sh/my-topic',
    });
  }
  return { topic, url: [url.origin, ...base.toReversed()].join('/') };
}

/** The two in either order. */
function roomOf(words: readonly string[]): Typed {
  const isUrl = (word: string): boolean => /^https?:\/\//.test(word);
  const [room, url] = [alone(words.filter((word) => !isUrl(word))), alone(words.filter(isUrl))];
  return { ...(url !== '' && { url }), ...(room !== '' && { room }) };
}

/** A URL; from a file or stdin it is a secret, of which the daemon shows the server only. */
async function hookOf(words: readonly string[], { session }: Place): Promise<Typed> {
  const word = alone(words);
  if (word !== '-' && !word.startsWith('@')) return { url: word };
  const text = await readSecret(session.context, word, { what: 'the URL of webhook', flag: 'the target' });
  const url = URL.parse(text);
  if (url === null) throw new UsageError(`${word === '-' ? 'stdin' : word.slice(1)} holds no URL`);
  return { url: url.origin, path: { secret: `${url.pathname}${url.search}` } };
}

/** A program of the directory one is in is named by its whole path: the daemon has a directory of its own. */
function commandOf([program = '', ...more]: readonly string[], { isHere }: Place): Typed {
  const isRelative = program.includes('/') && !path.isAbsolute(program) && !/[\s[]/.test(program);
  if (isRelative && !isHere) {
    throw new UsageError(`the daemon runs on another machine, and \`${program}\` is looked for here`, {
      hint: 'give the whole path that the program has there',
    });
  }
  if (more.length === 0 && !isRelative) return { command: program };
  const argv = [isRelative ? path.resolve(program) : program, ...more];
  // As words where no word needs more than that: who looks at the sink reads them.
  return { command: argv.every((word) => /^[\w@%+=:,./-]+$/.test(word)) ? argv.join(' ') : JSON.stringify(argv) };
}
