import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { createReadStream } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { StringDecoder } from 'node:string_decoder';
import { Command, type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { DAEMON_NOTICE } from '../../../shared/daemon-notice.ts';
import { localDirectory } from '../../runtime/connection.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure, systemReason, upkeepFailure } from '../../runtime/failure.ts';
import { pacedWrite, paintFor, type Paint } from '../../runtime/output.ts';
import { Ending, exitCodeOf } from '../../runtime/ending.ts';
import { withExamples } from '../help.ts';
import type { Action, Session } from '../session.ts';
import { type Chunks, eachLine } from '../../runtime/input.ts';
import { printable } from '../../../shared/text/printable.ts';

interface LogFlags {
  readonly follow?: true | undefined;
  readonly lines: number;
  readonly level: Level;
  readonly file?: string | undefined;
}

/** The daemon's log file: for people on a terminal, its own JSON lines in a pipe. */
export function logsCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('logs'),
    'hydrant logs',
    'hydrant logs -f --level warn',
    "hydrant logs -n 1000 --json | jq -r 'select(.level >= 50) | .msg'",
  )
    .description("show the daemon's log file, if it writes one (--log-file)")
    .option('-f, --follow', 'keep printing new lines as they are written')
    .option('-n, --lines <count>', 'number of last lines to print', lineCount, 50)
    .addOption(
      new Option('--level <level>', 'least severe level to print').choices(LEVEL_NAMES).default('debug' as const),
    )
    .option('--file <file>', 'another log file')
    .action(action((session, _words, flags) => show(session, flags)));
}

/** Lines that are held in memory at a time. */
const MOST_LINES = 100_000;

function lineCount(text: string): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (count <= MOST_LINES) return count;
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${MOST_LINES}.`);
}

async function show(session: Session, flags: LogFlags): Promise<number> {
  const { context } = session;
  const { stdout } = context.io;
  const file = flags.file ?? (await logFileOf(session));
  const paint = paintFor(stdout, context.environment, session.flags);
  const isPretty = session.out.forPeople;
  const say = (line: string): Promise<void> =>
    pacedWrite(stdout, `${isPretty ? pretty(line, paint) : line}\n`, context.closed);
  const wanted = (line: string): boolean => isSevere(line, flags.level);
  const ending = new Ending(process, context.closed);
  try {
    // What comes while the last lines are read is new: it is not among them.
    const { size } = await stat(file).catch((error: unknown) => {
      throw new Failure('not_found', exitCode.notFound, `the log file ${file}: ${systemReason(error)}`);
    });
    for (const line of await lastLines(file, size, flags.lines, wanted)) await say(line);
    if (flags.follow !== true) return exitCode.ok;
    for await (const line of newLines(file, size, ending.signal)) if (wanted(line)) await say(line);
    return exitCodeOf(ending.cause);
  } finally {
    ending.dispose();
  }
}

/** That of the daemon that runs; else that of one that would start now. */
async function logFileOf({ context, flags }: Session): Promise<string> {
  const dataDir = await localDirectory(flags, context.environment, 'logs');
  const running = await noticed(path.join(dataDir, DAEMON_NOTICE));
  if (running !== undefined && running !== '') return running;
  if (running === undefined) {
    const { settingsOf } = await context.upkeep();
    const { logFile } = await settingsOf({ dataDir }, context.environment).catch((error: unknown) => {
      throw upkeepFailure(error);
    });
    if (logFile !== '') return logFile;
  }
  throw new Failure('not_found', exitCode.notFound, 'the daemon writes no log file: it logs to its stderr', {
    hint:
      'of a service: journalctl --user -u hydrant, or sudo journalctl -u hydrant; in a container: docker logs; ' +
      'to write a file, start it with --log-file <file> or HYDRANT_LOG_FILE',
  });
}

/** Undefined where no daemon runs; empty where it keeps no file. */
async function noticed(file: string): Promise<string | undefined> {
  try {
    const notice: unknown = JSON.parse(await readFile(file, 'utf8'));
    const isNamed = typeof notice === 'object' && notice !== null && 'log_file' in notice;
    return isNamed && typeof notice.log_file === 'string' ? notice.log_file : '';
  } catch {
    return undefined;
  }
}

/** Former files beside the present one, as the daemon keeps them. */
const KEPT = 4;
/** Characters of a line; a longer one is left out. */
const LONGEST = 1_024 * 1_024;

/** The last `most` lines that are `wanted`, oldest first, of the first `size` bytes of the file and the former ones beside it. */
export async function lastLines(
  file: string,
  size: number,
  most: number,
  wanted: (line: string) => boolean,
): Promise<string[]> {
  const parts = [size === 0 ? [] : await lastOf(createReadStream(file, { end: size - 1 }), file, most, wanted)];
  let missing = most - (parts[0]?.length ?? 0);
  for (let age = 1; age <= KEPT && missing > 0; age += 1) {
    const former = `${file}.${age}`;
    if ((await stat(former).catch(() => undefined)) === undefined) break;
    const part = await lastOf(createReadStream(former), former, missing, wanted);
    missing -= part.length;
    parts.unshift(part);
  }
  return parts.flat();
}

async function lastOf(from: Chunks, name: string, most: number, wanted: (line: string) => boolean): Promise<string[]> {
  const kept: string[] = [];
  for await (const { text } of eachLine(from, name, LONGEST)) {
    if (text === undefined || !wanted(text)) continue;
    kept.push(text);
    // Twice as many at most, and not one by one: a shift for each line would move them all.
    if (kept.length >= 2 * most) kept.splice(0, kept.length - most);
  }
  return kept.slice(Math.max(0, kept.length - most));
}

/** Milliseconds between two looks at the file. */
const LOOK_MS = 250;

/**
 * The lines after the first `from` bytes, as they are written. When the file is rotated: the rest of it, and then the one
 * that took its place. Ends when the signal aborts.
 */
export async function* newLines(file: string, from: number, signal: AbortSignal): AsyncGenerator<string> {
  let followed = await Followed.open(file, from);
  try {
    for (;;) {
      yield* followed.read();
      const present = await stat(file).catch(() => undefined);
      if (present !== undefined && followed.isOther(present)) {
        yield* followed.read();
        await followed.close();
        followed = await Followed.open(file, 0);
        continue;
      }
      await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  } finally {
    await followed.close();
  }
}

class Followed {
  readonly #handle: FileHandle;
  readonly #inode: number;
  readonly #decoder = new StringDecoder('utf8');
  #at: number;
  #begun = '';

  private constructor(handle: FileHandle, inode: number, at: number) {
    this.#handle = handle;
    this.#inode = inode;
    this.#at = at;
  }

  static async open(file: string, at: number): Promise<Followed> {
    const handle = await open(file, 'r');
    return new Followed(handle, (await handle.stat()).ino, at);
  }

  /** Another file, or this one cut short by hand. */
  isOther({ ino, size }: { ino: number; size: number }): boolean {
    return ino !== this.#inode || size < this.#at;
  }

  async *read(): AsyncGenerator<string> {
    const buffer = Buffer.alloc(64 * 1_024);
    for (;;) {
      const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, this.#at);
      if (bytesRead === 0) return;
      this.#at += bytesRead;
      const lines = (this.#begun + this.#decoder.write(buffer.subarray(0, bytesRead))).split('\n');
      this.#begun = (lines.pop() ?? '').slice(0, LONGEST);
      yield* lines;
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** The levels of the daemon's log, with the numbers that stand in its lines. */
const LEVELS = { debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const;
export type Level = keyof typeof LEVELS;
export const LEVEL_NAMES = ['debug', 'info', 'warn', 'error', 'fatal'] as const satisfies readonly Level[];

/** Whether a line is at least so severe. What is no line of the log is always shown: it is there for some reason. */
export function isSevere(line: string, least: Level): boolean {
  const level = parse(line)?.['level'];
  return typeof level !== 'number' || level >= LEVELS[least];
}

/** A line of the log for people: the time, the level, what is said, the facts, and of an error its stack. */
export function pretty(line: string, paint: Paint): string {
  const record = parse(line);
  if (record === undefined) return printable(line);
  const { level, time, msg, err, ...facts } = record;
  const said = [
    paint('dim', clock(time)),
    named(level, paint),
    printable(typeof msg === 'string' ? msg : ''),
    ...Object.entries(facts).map(([name, value]) => paint('dim', printable(`${name}=${shown(value)}`))),
  ];
  return [said.join(' '), ...stackOf(err).map((text) => `    ${paint('dim', printable(text))}`)].join('\n');
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function clock(time: unknown): string {
  if (typeof time !== 'number' || !(Math.abs(time) < LAST_DATE)) return '';
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Milliseconds that a Date can tell. */
const LAST_DATE = 8.64e15;

const colours = { debug: 'dim', info: 'green', warn: 'yellow', error: 'red', fatal: 'red' } as const;

function named(level: unknown, paint: Paint): string {
  const name = (['fatal', 'error', 'warn', 'info', 'debug'] as const).find((one) => Number(level) >= LEVELS[one]);
  return name === undefined ? '     ' : paint(colours[name], name.toUpperCase().padEnd(5));
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function stackOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return [];
  if ('stack' in error && typeof error.stack === 'string') return error.stack.split('\n').map((line) => line.trim());
  return 'message' in error && typeof error.message === 'string' ? [error.message] : [];
}
