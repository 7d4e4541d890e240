import { constants } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type ConfType from 'conf';
import { defaultConfigFile } from '../../shared/directories.ts';
import { FileLock } from './file-lock.ts';
import type { Environment } from './context.ts';
import { exitCode } from './exit-code.ts';
import { Failure, NotFound, systemReason, UsageError } from './failure.ts';

/**
 * Contexts: daemons elsewhere by name, each with its address and its key, in `contexts.json` of the configuration
 * directory. It is read by hand, since every command that finds its daemon passes here; conf, which checks and
 * replaces the file as one, takes as long to load as the rest of a command and is needed for writing only. A file
 * that is damaged, or that others can read, is refused as it is: nothing is guessed, and nothing of it is lost.
 */
export interface Contexts {
  /** The context in use: `local` unless another was chosen. */
  readonly current: string;
  readonly contexts: readonly StoredContext[];
}

export interface StoredContext {
  readonly name: string;
  readonly url: string;
  /** Absent: it comes from the environment each time. */
  readonly key?: string;
}

/** The daemon on this machine: always there, never stored. */
export const LOCAL = 'local';
const FILE = 'contexts.json';
const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/i;

/** @throws {UsageError} for what is no name, or the one that is taken for good */
export function checkName(name: string): string {
  if (name === LOCAL) throw new UsageError(`\`${LOCAL}\` is the daemon on this machine; choose another name`);
  if (NAME.test(name)) return name;
  throw new UsageError(
    `\`${name}\` is not a valid name for a context: use up to 63 letters and digits, with . _ - between them`,
  );
}

/** @throws {UsageError} where neither XDG_CONFIG_HOME nor a home is known */
export function contextsFile(environment: Environment): string {
  const file = defaultConfigFile(environment, FILE);
  if (file !== undefined) return file;
  throw new UsageError('no directory for contexts: HOME is not set', { hint: 'set HOME or XDG_CONFIG_HOME' });
}

/** None where there is no file. @throws {Failure} on one that is damaged, or that others can read */
export async function readContexts(environment: Environment): Promise<Contexts> {
  const file = defaultConfigFile(environment, FILE);
  const text = file === undefined ? undefined : await readPrivately(file);
  return file === undefined || text === undefined ? { current: LOCAL, contexts: [] } : parse(file, text);
}

export function findContext({ contexts }: Contexts, name: string): StoredContext {
  const found = contexts.find((one) => one.name === name);
  if (found) return found;
  const known = [LOCAL, ...contexts.map((one) => one.name)].join(', ');
  throw new NotFound(`there is no context \`${name}\``, {
    hint: `known: ${known}; add one with: hydrant context add <name> <url>`,
  });
}

/**
 * Reads the contexts, changes them and replaces the file as one, under a lock: of two commands at the same time neither undoes
 * the other, and who reads meanwhile finds the former file or the new one. What `change` throws leaves it as it is.
 */
export async function changeContexts<Kept extends Contexts>(
  environment: Environment,
  change: (before: Contexts) => Kept,
): Promise<Kept> {
  const file = contextsFile(environment);
  const directory = path.dirname(file);
  const { default: Conf } = await import('conf');
  const lock = await writing(file, async () => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return lockOf(`${file}.lock`);
  });
  if (lock === undefined) throw refused(`another command is changing ${file}`, 'nothing was changed; try again');
  try {
    const changed = change(await readContexts(environment));
    await writing(file, async () => write(Conf, file, changed));
    return changed;
  } finally {
    lock.release();
  }
}

/** Milliseconds that a command waits for others: each holds the lock for the time of one write. */
const LOCKED_MS = 10_000;

/** Between two tries, milliseconds. */
const LOOK_EVERY_MS = 20;

async function lockOf(file: string): Promise<FileLock | undefined> {
  for (let left = LOCKED_MS / LOOK_EVERY_MS; left > 0; left -= 1) {
    const lock = FileLock.take(file, 0);
    if (lock) return lock;
    await pause(LOOK_EVERY_MS);
  }
  return undefined;
}

async function writing<Result>(file: string, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    throw refused(`${file} cannot be written: ${systemReason(error)}`, 'nothing was changed; check its permissions');
  }
}

async function write(Conf: typeof ConfType, file: string, { current, contexts }: Contexts): Promise<void> {
  const store = new Conf<{ current: string; contexts: StoredContext[] }>({
    cwd: path.dirname(file),
    configName: path.basename(file, '.json'),
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
  });
  store.set({ current, contexts: [...contexts] });
}

async function readPrivately(file: string): Promise<string | undefined> {
  try {
    await refuseOpenDirectory(path.dirname(file));
    const handle = await open(file, constants.O_RDONLY);
    try {
      const { mode } = await handle.stat();
      // Windows has no such modes; there the profile's directory is the user's own.
      if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
        throw refused(`${file} contains keys, and other users can read it`, `restrict it to you: chmod 600 ${file}`);
      }
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
      return undefined;
    }
    throw refused(`${file} cannot be read: ${systemReason(error)}`, INSTEAD);
  }
}

/** Who may write the directory may put a file of his own there, and so choose where commands and keys go. */
async function refuseOpenDirectory(directory: string): Promise<void> {
  const { mode } = await stat(directory);
  if (process.platform === 'win32' || (mode & 0o022) === 0) return;
  throw refused(
    `other users can write to ${directory}, which contains keys`,
    `restrict it to you: chmod 700 ${directory}`,
  );
}

const INSTEAD = 'until then, --context local means the daemon on this machine';

function parse(file: string, text: string): Contexts {
  const damaged = (what: string): Failure =>
    refused(`${file} is damaged: ${what}`, `repair it, or move it away: mv ${file} ${file}.damaged; ${INSTEAD}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own words would repeat a part of the file, and keys are in it.
    throw damaged('it is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw damaged('it must hold an object');
  const current: unknown = 'current' in value ? value.current : LOCAL;
  const contexts: unknown = 'contexts' in value ? value.contexts : [];
  if (typeof current !== 'string') throw damaged('`current` must be a name');
  if (!Array.isArray(contexts)) throw damaged('`contexts` must be a list');
  const strange = contexts.findIndex((one) => !isContext(one));
  if (strange >= 0) throw damaged(`\`contexts\`, entry ${strange + 1}, must have a name and a url, and a key or none`);
  return { current, contexts: contexts.filter(isContext) };
}

function isContext(value: unknown): value is StoredContext {
  if (typeof value !== 'object' || value === null) return false;
  const isText = (field: unknown): boolean => typeof field === 'string';
  if (!('name' in value) || !isText(value.name) || !NAME.test(String(value.name))) return false;
  return 'url' in value && isText(value.url) && (!('key' in value) || isText(value.key));
}

function refused(message: string, hint: string): Failure {
  return new Failure('configuration', exitCode.configuration, message, { hint });
}
