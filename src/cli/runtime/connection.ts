import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { defaultDataDir } from '../../shared/directories.ts';
import { DAEMON_NOTICE, type DaemonNotice } from '../../shared/daemon-notice.ts';
import type { SshTarget } from '../client/ssh.ts';
import { sshLine, type Target } from '../client/transport.ts';
import { quoted } from '../../shared/text/printable.ts';
import type { Connection, Environment, GlobalFlags } from './context.ts';
import { findContext, LOCAL, readContexts, type StoredContext } from './contexts.ts';
import { exitCode } from './exit-code.ts';
import { Failure, systemReason, UsageError } from './failure.ts';

/** Which daemon is meant, and by whose word. */
export type Choice =
  | { readonly kind: 'url'; readonly url: string; readonly by: string }
  | { readonly kind: 'context'; readonly context: StoredContext; readonly by: string }
  | { readonly kind: 'local'; readonly by: string };

/**
 * The daemon a command speaks to. The nearest word counts: the flags --url, --data-dir and --context, then
 * HYDRANT_URL, HYDRANT_CONTEXT and HYDRANT_DATA_DIR, then the context in use, else the socket that the daemon on this
 * machine wrote into its data directory – who can open that file is the operator and needs no key. Keys are never
 * flag values (`ps` and the shell's history show those): --key-file, then the environment, then the context's own.
 */
export async function resolve(
  flags: GlobalFlags,
  environment: Environment,
  input: () => Promise<string>,
): Promise<Connection> {
  const choice = await choose(flags, environment);
  if (choice.kind === 'local') return local(flags, environment);
  const address = choice.kind === 'url' ? choice.url : choice.context.url;
  if (isSsh(address)) {
    const label = choice.kind === 'url' ? new URL(address).host : choice.context.name;
    return { ...operator(sshTarget(address, environment), flags, environment), label };
  }
  if (flags.org !== undefined)
    throw new UsageError('--org is for the operator, by the socket or by SSH: a key belongs to one organization');
  if (choice.kind === 'url') return remote(choice.url, flags, environment, input);
  const { name, url, key } = choice.context;
  return { ...(await remote(url, flags, environment, input, key)), label: name };
}

/** Whether it is a daemon whose socket is reached by SSH: whoever may log in there is the operator. */
export function isSsh(address: string): boolean {
  return address.startsWith('ssh:');
}

function operator(target: Target, flags: GlobalFlags, environment: Environment): Omit<Connection, 'label'> {
  const organization = flags.org ?? filled(environment['HYDRANT_ORG']);
  return { target, credential: { kind: 'operator', ...(organization !== undefined && { organization }) } };
}

/** @throws {UsageError} when two daemons are named, or a context that is not there */
export async function choose(flags: GlobalFlags, environment: Environment): Promise<Choice> {
  const url = filled(environment['HYDRANT_URL']);
  refuseTwo(flags, url);
  if (flags.url !== undefined) return { kind: 'url', url: flags.url, by: '--url' };
  if (flags.dataDir !== undefined) return { kind: 'local', by: '--data-dir' };
  if (flags.context !== undefined) return chosen(flags.context, '--context', environment);
  if (url !== undefined) return { kind: 'url', url, by: 'HYDRANT_URL' };
  const named = filled(environment['HYDRANT_CONTEXT']);
  if (named !== undefined) return chosen(named, 'HYDRANT_CONTEXT', environment);
  if (filled(environment['HYDRANT_DATA_DIR']) !== undefined) return { kind: 'local', by: 'HYDRANT_DATA_DIR' };
  const { current } = await readContexts(environment);
  return chosen(current, current === LOCAL ? 'nothing else was said' : 'hydrant context use', environment);
}

/** A flag that is not heeded could send a command to the wrong daemon: who names two is asked again. */
function refuseTwo(flags: GlobalFlags, url: string | undefined): void {
  const named = [
    ...(flags.url === undefined ? [] : ['--url']),
    ...(flags.dataDir === undefined ? [] : ['--data-dir']),
    ...(flags.context === undefined ? [] : ['--context']),
  ];
  if (named.length > 1) throw new UsageError(`${named.join(' and ')} name different daemons; give one`);
  if (flags.context !== undefined && url !== undefined) {
    throw new UsageError('--context and HYDRANT_URL name different daemons', {
      hint: 'unset HYDRANT_URL, or leave --context out',
    });
  }
}

async function chosen(name: string, by: string, environment: Environment): Promise<Choice> {
  if (name === LOCAL) return { kind: 'local', by };
  return { kind: 'context', context: findContext(await readContexts(environment), name), by };
}

/** The address of a daemon, in one form. @throws {UsageError} */
export function daemonUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(
      `\`${text}\` is not the address of a daemon; it looks like http://127.0.0.1:7878, or ssh://me@example.org`,
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError("the daemon's address has a scheme, a host and a path only; keys go into HYDRANT_KEY");
  }
  return new URL(`${url.origin}${url.pathname.replace(/\/+$/, '')}`);
}

/** @throws {UsageError} for what is no `ssh://[user@]host[:port][/data-dir]` */
export function sshTarget(text: string, environment: Environment): SshTarget {
  const url = URL.parse(text);
  const wrong = `\`${text}\` is not the address of a machine; it looks like ssh://me@hydrant.example.org/var/lib/hydrant`;
  if (url === null || url.protocol !== 'ssh:' || url.hostname === '') throw new UsageError(wrong);
  // What begins with a minus would be an option of ssh.
  if (decodeURIComponent(url.username).startsWith('-') || url.hostname.startsWith('-')) throw new UsageError(wrong);
  if (url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError('the address has a user, a host, a port and a directory only; ssh asks for a password itself');
  }
  const command = (environment['HYDRANT_SSH_COMMAND'] ?? '').trim();
  return { kind: 'ssh', url: text, command: command === '' ? 'ssh' : command };
}

async function remote(
  text: string,
  flags: GlobalFlags,
  environment: Environment,
  input: () => Promise<string>,
  stored?: string,
): Promise<Connection> {
  const url = daemonUrl(text);
  const target = { kind: 'url', url: url.href.replace(/\/+$/, '') } as const;
  return { target, credential: await credential(target.url, flags, environment, input, stored), label: url.host };
}

async function credential(
  url: string,
  flags: GlobalFlags,
  environment: Environment,
  input: () => Promise<string>,
  stored: string | undefined,
): Promise<Connection['credential']> {
  if (flags.keyFile !== undefined) {
    return credentialOf(await readKey(flags.keyFile, input), flags.keyFile === '-' ? 'stdin' : flags.keyFile);
  }
  const key = filled(environment['HYDRANT_KEY']);
  if (key !== undefined) return credentialOf(key, 'HYDRANT_KEY');
  const token = filled(environment['HYDRANT_TAP_TOKEN']);
  if (token !== undefined) return credentialOf(token, 'HYDRANT_TAP_TOKEN');
  if (stored !== undefined) return credentialOf(stored, 'the context');
  throw new UsageError(`a key is needed for ${url}`, {
    hint: 'set HYDRANT_KEY, or give --key-file <file> (- reads stdin); for `rule` and `tail`, HYDRANT_TAP_TOKEN is enough',
  });
}

/** The prefix tells the two kinds apart, so a key in the wrong variable still does what it can. */
export function credentialOf(
  text: string,
  from: string,
): Exclude<Connection['credential'], { readonly kind: 'operator' }> {
  const key = text.trim();
  // Anything but plain characters would be refused by node:http with a message that names a header, not the file.
  if (/^svcm_[A-Za-z0-9]+$/.test(key)) return { kind: 'manager', key };
  if (/^svc_[A-Za-z0-9]+$/.test(key)) return { kind: 'tap', token: key };
  throw new UsageError(`${from} contains no key: a management key begins with svcm_, a tap token with svc_`);
}

/** The text of --key-file, or of stdin. */
export async function readKey(file: string, input: () => Promise<string>): Promise<string> {
  if (file === '-') return input();
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read --key-file ${file}: ${systemReason(error)}`);
  }
}

async function local(flags: GlobalFlags, environment: Environment): Promise<Connection> {
  const { directory, given } = directoryOf(flags, environment);
  const { socket } = await readNotice(directory, given);
  return { ...operator({ kind: 'socket', path: socket }, flags, environment), label: given ?? 'local' };
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
  throw absent(`${file} is damaged`, `restart the daemon, which writes the file again: ${start}`);
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

/** The data directory on this machine that is meant; `hydrant <what>` works nowhere else. @throws {UsageError} */
export async function localDirectory(flags: GlobalFlags, environment: Environment, what: string): Promise<string> {
  const choice = await choose(flags, environment);
  if (choice.kind === 'local') return directoryOf(flags, environment).directory;
  const address = choice.kind === 'url' ? choice.url : choice.context.url;
  const fix = choice.kind === 'url' ? 'without --url and HYDRANT_URL' : 'with --context local';
  if (isSsh(address)) {
    throw new UsageError(`\`hydrant ${what}\` works on the daemon's own machine only`, {
      try: `${sshLine(address)} hydrant ${what}`,
    });
  }
  throw new UsageError(`\`hydrant ${what}\` works on the daemon's own machine only`, { hint: `run it there, ${fix}` });
}

/** The socket of the daemon on this machine. @throws {UsageError} when another one is meant */
export async function localSocket(flags: GlobalFlags, environment: Environment, what: string): Promise<string> {
  await localDirectory(flags, environment, what);
  const { directory, given } = directoryOf(flags, environment);
  return (await readNotice(directory, given)).socket;
}

function directoryOf(
  flags: GlobalFlags,
  environment: Environment,
): { readonly directory: string; readonly given: string | undefined } {
  const given = flags.dataDir ?? filled(environment['HYDRANT_DATA_DIR']);
  const directory = given ?? defaultDataDir(environment);
  if (directory !== undefined) return { directory: path.resolve(directory), given };
  throw new UsageError('no data directory: HOME is not set', { hint: 'give --data-dir <dir> or --url <url>' });
}
