import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Logger, multistream, type MultiStreamRes, pino } from 'pino';
import { StartFailure } from '../start-failure.ts';

export type Log = Pick<Logger, 'child' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

type Level = 'debug' | 'info' | 'warn' | 'error';

export type LogOutput = NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };

/**
 * The daemon's log, on stderr: lines for people on a terminal, one JSON object a line otherwise; and in a file, if
 * there is one, always as JSON. Keys, tokens and headers that carry them are never passed to it, but for the first
 * key, which the file does not keep; the redaction is a second safeguard.
 */
export async function createLog(
  settings: { level: Level; format: 'auto' | 'pretty' | 'json' },
  output: LogOutput,
  file?: { write(line: string): void },
): Promise<Log> {
  const isPretty = settings.format === 'pretty' || (settings.format === 'auto' && output.isTTY === true);
  const options = {
    level: settings.level,
    base: null,
    redact: { paths: ['authorization', '*.authorization', 'req.headers.authorization'], remove: true },
  };
  // Loaded where it is used: most daemons have no terminal.
  const pretty = isPretty ? (await import('pino-pretty')).default : undefined;
  const colorize = output.isTTY === true;
  const screen = pretty?.({ colorize, translateTime: 'SYS:HH:MM:ss', destination: output }) ?? output;
  // Typed, since a logger of any levels might have one named `then`.
  const log: Log = pino(options, file === undefined ? screen : both(settings.level, screen, file));
  return log;
}

function both(level: Level, screen: NodeJS.WritableStream, file: { write(line: string): void }): MultiStreamRes {
  const kept = { write: (line: string) => file.write(withoutKey(line)) };
  return multistream([
    { level, stream: screen },
    { level, stream: kept },
  ]);
}

/** The key that the first start shows: a file would keep it for as long as it lies there. */
function withoutKey(line: string): string {
  return line.replace(/("management_key":")svcm_[^"]*"/, '$1(on stderr only)"');
}

/** Former files that are kept beside the present one: `.1` is the newest. */
const KEPT = 4;

/**
 * A log file that stays small: before a line would make it larger than it may be, it moves aside, and the oldest of
 * those goes. Lines are written at once and whole, so that the last one of a crash is there. What cannot be written is
 * lost, which is reported once, and the daemon goes on: a full disk must not stop it by way of its log.
 */
export class LogFile {
  readonly #path: string;
  readonly #most: number;
  readonly #onTrouble: (what: string) => void;
  #file: number;
  #bytes: number;
  #isTroubled = false;

  /** @throws {StartFailure} when the file cannot be written */
  constructor(path: string, most: number, onTrouble: (what: string) => void) {
    this.#most = most;
    this.#onTrouble = onTrouble;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      this.#path = leadingTo(path);
      this.#file = openOwn(this.#path);
      this.#bytes = fstatSync(this.#file).size;
    } catch (error) {
      throw new StartFailure('configuration', `--log-file: ${path} cannot be written: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  /** One line, with its end. */
  write(line: string): void {
    const bytes = Buffer.from(line);
    try {
      if (this.#bytes > 0 && this.#bytes + bytes.length > this.#most) this.#rotate();
      writeSync(this.#file, bytes);
      this.#bytes += bytes.length;
      this.#isTroubled = false;
    } catch (error) {
      if (!this.#isTroubled) this.#onTrouble(`log lines are lost: ${(error as Error).message}`);
      this.#isTroubled = true;
    }
  }

  #rotate(): void {
    for (let age = KEPT; age > 0; age -= 1) {
      const younger = age === 1 ? this.#path : `${this.#path}.${age - 1}`;
      renameIfThere(younger, `${this.#path}.${age}`);
    }
    const former = this.#file;
    this.#file = openOwn(this.#path);
    this.#bytes = fstatSync(this.#file).size;
    closeSync(former);
  }
}

/** Addresses of pages may hold what is nobody else's: readable by its owner alone, whatever it was before. */
function openOwn(path: string): number {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    const found = fstatSync(file);
    refuseStrange(found);
    // A second name may be somebody's who wants our lines in a file of his choice.
    if (found.isFile() && found.nlink > 1) throw new Error('it has a second name (a hard link); remove one of them');
    // A pipe or a device has rights of its own.
    if (found.isFile() && (found.mode & 0o077) !== 0) fchmodSync(file, 0o600);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

const MOST_LINKS = 8;

/** Where links lead that are our own, or root's: in a directory like /tmp anyone may have put one. */
function leadingTo(path: string): string {
  let place = path;
  for (let links = 0; links < MOST_LINKS; links += 1) {
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found === undefined) return place;
    refuseStrange(found);
    if (!found.isSymbolicLink()) return place;
    place = resolve(dirname(place), readlinkSync(place));
  }
  throw new Error('too many links lead from one to the next');
}

function refuseStrange({ uid }: { readonly uid: number }): void {
  const own = process.geteuid?.();
  if (own === undefined || uid === own || uid === 0) return;
  throw new Error(
    `it belongs to the user with id ${uid}, and hydrantd runs as the one with id ${own}; give another path`,
  );
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
