import { fstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { DAEMON_NOTICE, type DaemonNotice, defaultDataDir } from '../shared/settings.ts';
import type { Body } from '../shared/page/page.ts';
import type { Target } from './client/transport.ts';
import { quoted } from './commands/shell.ts';
import { exitCode } from './exit-code.ts';
import { Failure, systemReason, UsageError } from './failure.ts';
import { eachLine, type Line, readAll } from './input.ts';

/**
 * What a command knows of the world: its streams, the environment, the clock, and which daemon it speaks to. The one
 * place of the command line that reads any of them, so that a test hands in its own. The daemon is found without a
 * configuration: a URL when one is given, else the socket that the daemon on this machine wrote into its data
 * directory – who can open that file is the operator and needs no key. Keys are never flag values (`ps` and the
 * shell's history show those): they come from a file, from stdin, or from the environment.
 */
export interface Context {
  readonly io: Streams;
  readonly environment: Environment;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly random: () => number;
  readonly resolve: (flags: GlobalFlags) => Promise<Connection>;
  /** All of stdin as text, once. @throws {UsageError} on a terminal, and when it was read before */
  readonly readInput: (purpose: string) => Promise<string>;
  /** The lines of stdin, once, however many. @throws as `readInput` */
  readonly readLines: (purpose: string, longest?: number) => AsyncIterable<Line>;
  /** Stdin as it comes, once. @throws as `readInput` */
  readonly readBytes: (purpose: string) => Readable;
  /** Runs the daemon in this process; answers with its exit code. Injected by `bin/`. */
  readonly serve: (flags: Record<string, unknown>) => Promise<number>;
  /** One page of the web, as the daemon fetches it, for whoever asks in person. Never rejects. Injected by `bin/`. */
  readonly fetchPage: FetchPage;
  /** `bin/hydrantd`, to spawn. */
  readonly daemonPath: string;
  /** Aborted when the reader of stdout has gone (EPIPE): whatever runs may clean up and end; the exit code is 0. */
  readonly closed?: AbortSignal;
}

export type FetchPage = (url: string, signal: AbortSignal) => Promise<FetchedPage>;

/** A body, or the reason there is none: a word and a sentence. */
export type FetchedPage =
  | ({ readonly outcome: 'fetched' } & Body)
  | { readonly outcome: 'failed'; readonly reason: string; readonly detail: string };

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Streams {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined };
  readonly stdout: Output;
  readonly stderr: Output;
}

export type Output = Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };

/** The flags every command takes. */
export interface GlobalFlags {
  readonly url?: string | undefined;
  readonly dataDir?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly org?: string | undefined;
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly color?: boolean | undefined;
}

export interface Connection {
  readonly target: Target;
  readonly credential:
    /** Acting for an organization; absent: the only one. */
    | { readonly kind: 'operator'; readonly organization?: string }
    | { readonly kind: 'manager'; readonly key: string }
    | { readonly kind: 'tap'; readonly token: string };
  /** How a screen names the daemon: `local`, a directory, or a host. */
  readonly label: string;
}

/** The parts of `process` that the command line uses. */
export interface ProcessLike extends Streams {
  readonly env: Environment;
  exit(code: number): unknown;
}

export interface Programs {
  readonly serve: (flags: Record<string, unknown>) => Promise<number>;
  readonly fetchPage: FetchPage;
  readonly daemonPath: string;
  /** Which of the two programs was started: `hydrantd` is `hydrant serve` under its own name. */
  readonly name?: 'hydrant' | 'hydrantd';
}

export function makeContext(io: ProcessLike, programs: Programs, closed: AbortSignal): Context {
  const claim = claimOnce(io.stdin);
  const context: Context = {
    io,
    environment: io.env,
    now: () => Date.now(),
    random: () => Math.random(),
    resolve: (flags) => resolve(flags, io.env, () => context.readInput('the key')),
    serve: (flags) => programs.serve(flags),
    fetchPage: (url, signal) => programs.fetchPage(url, signal),
    daemonPath: programs.daemonPath,
    closed,
    readInput: async (purpose) => readAll(claim(purpose), `stdin (${purpose})`),
    readBytes: claim,
    readLines: (purpose, longest) => eachLine(claim(purpose), `stdin (${purpose})`, longest),
  };
  return context;
}

/** Stdin can be read once, by whoever asks first. */
function claimOnce(stdin: Streams['stdin']): (purpose: string) => Readable {
  let claimedFor: string | undefined;
  return (purpose) => {
    if (claimedFor !== undefined) throw new UsageError(`stdin gives ${claimedFor} and cannot give ${purpose} too`);
    if (stdin.isTTY === true) {
      throw new UsageError(`${purpose}: \`-\` reads from a pipe or a file, and stdin is a terminal`);
    }
    // Node reads nothing from a directory, and says nothing of it.
    if ('fd' in stdin && typeof stdin.fd === 'number' && fstatSync(stdin.fd).isDirectory()) {
      throw new UsageError(`${purpose}: stdin is a directory`);
    }
    claimedFor = purpose;
    return stdin;
  };
}

async function resolve(
  flags: GlobalFlags,
  environment: Environment,
  input: () => Promise<string>,
): Promise<Connection> {
  if (flags.url !== undefined && flags.dataDir !== undefined) {
    throw new UsageError('--url and --data-dir name two daemons; give one of them');
  }
  const url = flags.url ?? (flags.dataDir === undefined ? filled(environment['HYDRANT_URL']) : undefined);
  if (url === undefined) return local(flags, environment);
  if (flags.org !== undefined)
    throw new UsageError('--org is for the daemon on this machine: a key has its organization');
  return remote(url, flags, environment, input);
}

async function remote(
  text: string,
  flags: GlobalFlags,
  environment: Environment,
  input: () => Promise<string>,
): Promise<Connection> {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`\`${text}\` is not the address of a daemon; it looks like http://127.0.0.1:7878`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError("the daemon's address has a scheme, a host and a path only; keys go into HYDRANT_KEY");
  }
  const target = { kind: 'url', url: `${url.origin}${url.pathname.replace(/\/+$/, '')}` } as const;
  return { target, credential: await credential(target.url, flags, environment, input), label: url.host };
}

async function credential(
  url: string,
  flags: GlobalFlags,
  environment: Environment,
  input: () => Promise<string>,
): Promise<Connection['credential']> {
  if (flags.keyFile !== undefined) {
    const text = flags.keyFile === '-' ? await input() : await readKeyFile(flags.keyFile);
    return ofText(text, flags.keyFile === '-' ? 'stdin' : flags.keyFile);
  }
  const key = filled(environment['HYDRANT_KEY']);
  if (key !== undefined) return ofText(key, 'HYDRANT_KEY');
  const token = filled(environment['HYDRANT_TAP_TOKEN']);
  if (token !== undefined) return ofText(token, 'HYDRANT_TAP_TOKEN');
  throw new UsageError(`a key is needed for ${url}`, {
    hint: 'set HYDRANT_KEY, or give --key-file <file> (- reads stdin); for `rule` and `tail`, HYDRANT_TAP_TOKEN is enough',
  });
}

/** The prefix tells the two kinds apart, so a key in the wrong variable still does what it can. */
function ofText(text: string, from: string): Connection['credential'] {
  const key = text.trim();
  // Anything but plain characters would be refused by node:http with a message that names a header, not the file.
  if (/^svcm_[A-Za-z0-9]+$/.test(key)) return { kind: 'manager', key };
  if (/^svc_[A-Za-z0-9]+$/.test(key)) return { kind: 'tap', token: key };
  throw new UsageError(`${from} holds no key: a management key begins with svcm_, a tap token with svc_`);
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read --key-file ${file}: ${systemReason(error)}`);
  }
}

async function local(flags: GlobalFlags, environment: Environment): Promise<Connection> {
  const given = flags.dataDir ?? filled(environment['HYDRANT_DATA_DIR']);
  const directory = given ?? defaultDataDir(environment);
  if (directory === undefined) {
    throw new UsageError('no data directory: HOME is not set', { hint: 'give --data-dir <dir> or --url <url>' });
  }
  const notice = await readNotice(path.resolve(directory), given);
  const organization = flags.org ?? filled(environment['HYDRANT_ORG']);
  return {
    target: { kind: 'socket', path: notice.socket },
    credential: { kind: 'operator', ...(organization !== undefined && { organization }) },
    label: given ?? 'local',
  };
}

async function readNotice(directory: string, given: string | undefined): Promise<Pick<DaemonNotice, 'socket'>> {
  const file = path.join(directory, DAEMON_NOTICE);
  const start = given === undefined ? 'hydrant serve' : `hydrant serve --data-dir ${quoted(given)}`;
  try {
    const notice: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof notice === 'object' && notice !== null && 'socket' in notice && typeof notice.socket === 'string') {
      return { socket: notice.socket };
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw absent(`no daemon is running in ${directory}`, `start one with: ${start}`);
    }
    if (code === 'EACCES' || code === 'EPERM') {
      throw absent(`the daemon in ${directory} belongs to another user`, 'run this as that user, or give --url <url>');
    }
  }
  throw absent(`${file} is damaged`, `restart the daemon, which writes it anew: ${start}`);
}

function absent(message: string, hint: string): Failure {
  return new Failure('unreachable', exitCode.unreachable, message, { hint });
}

function filled(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
