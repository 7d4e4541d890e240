import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Command, type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { DAEMON_NOTICE } from '../../../shared/daemon-notice.ts';
import { localDirectory } from '../../runtime/connection.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure, systemReason, upkeepFailure } from '../../runtime/failure.ts';
import { pacedWrite, paintFor } from '../../runtime/output.ts';
import { Ending, exitCodeOf } from '../../runtime/ending.ts';
import { withExamples } from '../help.ts';
import { isSevere, lastLines, type Level, LEVEL_NAMES, newLines, pretty } from './log-reader.ts';
import type { Action, Session } from '../session.ts';

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
    .description('what the daemon logged, where it keeps a log file (--log-file)')
    .option('-f, --follow', 'go on with new lines as they are written')
    .option('-n, --lines <count>', 'so many of the last lines', lineCount, 50)
    .addOption(
      new Option('--level <level>', 'leave out what is less severe').choices(LEVEL_NAMES).default('debug' as const),
    )
    .option('--file <file>', 'another log file')
    .action(action((session, _words, flags) => show(session, flags)));
}

/** Lines that are held in memory at a time. */
const MOST_LINES = 100_000;

function lineCount(text: string): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (count <= MOST_LINES) return count;
  throw new InvalidArgumentError(`It is a whole number from 0 to ${MOST_LINES}.`);
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
  throw new Failure('not_found', exitCode.notFound, 'the daemon keeps no log file: it logs to its stderr', {
    hint:
      'of a service: journalctl --user -u hydrant, or sudo journalctl -u hydrant; in a container: docker logs; ' +
      'to keep a file, start it with --log-file <file> or HYDRANT_LOG_FILE',
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
