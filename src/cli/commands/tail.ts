import { Command, InvalidArgumentError } from 'commander';
import { parseEventId } from '../../shared/api/stream.ts';
import { STREAM_LIMIT_EVENTS, STREAM_SINCE_SECONDS, STREAM_TIMEOUT_SECONDS } from '../../shared/limits.ts';
import { type Client, openTap } from '../client/client.ts';
import { RuleBook } from '../client/rule-book.ts';
import type { Connection, Context } from '../context.ts';
import { UsageError } from '../failure.ts';
import { wantsColour } from '../output.ts';
import { parseSeconds } from '../time.ts';
import { Ending } from './ending.ts';
import { withExamples } from './help.ts';
import type { OnStopped } from './serve.ts';
import { openSession, type Session, type SessionFlags } from './session.ts';
import { quoted } from './shell.ts';
import type { TailForm } from './tail-run.ts';

interface TailFlags extends SessionFlags {
  readonly since?: string;
  readonly offset?: number;
  readonly lastId?: string;
  readonly limit?: number;
  readonly timeout?: number;
  readonly for?: number;
  readonly once?: boolean;
  readonly plain?: boolean;
  readonly reconnect?: boolean;
}

/** As many digits as an event id has (shared/api/stream.ts). */
const MOST_OFFSET = 999_999_999_999_999;

const ABOUT = `
On a terminal it is a screen (--plain: lines); in a pipe, and with --json, one
JSON object a line, the match as the API sends it between its id and its tags:
  {"id":"0-1842","event":"update",…,"tags":["linux"]}
Everything but matches goes to stderr. A closed pipe ends it with 0, Ctrl-C on
lines with 130.

--once reads what is in the buffer and ends at the head of the log: after 2 s
without an event on an open connection, or at the first event that is newer
than the connection. Without a place to start from it reads the whole buffer
of 24 h; with --last-id it is the form for cron.
`;

/** `hydrant tail`: the stream of a tap. */
export function tailCommand(context: Context, onStopped: OnStopped): Command {
  return withExamples(
    new Command('tail'),
    'hydrant tail news',
    "hydrant tail news --json | jq --unbuffered -r '[.matched_at, .document.url] | @tsv'",
    'hydrant tail news --since 1h --once --json > last-hour.ndjson',
  )
    .alias('stream')
    .description('show the matches of a tap as they happen')
    .argument('[tap]', 'name or id of the tap; may be left out when there is one tap')
    .option('--since <time>', 'begin with what matched in the last 5m, 1h, up to 24h', sinceOf)
    .option('--offset <number>', 'begin with the event of this offset', integer(0, MOST_OFFSET))
    .option('--last-id <id>', 'begin after this event, as 0-1842', idOf)
    .option(
      '--limit <count>',
      'end after so many matches',
      integer(STREAM_LIMIT_EVENTS.least, STREAM_LIMIT_EVENTS.most),
    )
    .option(
      '--timeout <seconds>',
      'let the daemon end it after so many seconds',
      integer(STREAM_TIMEOUT_SECONDS.least, STREAM_TIMEOUT_SECONDS.most),
    )
    .option('--for <time>', 'end after 30s, 10m, 1h', secondsOf)
    .option('--once', 'read to the head of the log, and end')
    .option('--plain', 'lines for people, not the screen')
    .option('--no-reconnect', 'end when the connection does')
    .addHelpText('after', ABOUT)
    .action(async (wanted: string | undefined, _flags: object, command: Command) => {
      onStopped(await tail(openSession(context, command), wanted, command.optsWithGlobals<TailFlags>()));
    });
}

async function tail(session: Session, wanted: string | undefined, flags: TailFlags): Promise<number> {
  const { context, out } = session;
  checkFlags(flags);
  const ending = new Ending(process, context.closed);
  try {
    const { connection, client } = await session.connect();
    const tap = await openTap(connection, client, wanted);
    const name = tap.tap?.name ?? 'tap';
    if (tap.tap?.status === 'paused') {
      out.notice(`tap ${name} is paused: nothing new will match`, `hydrant tap resume ${quoted(name)}`);
    }
    // Only who tails pays for the stream's client.
    const { runTail } = await import('./tail-run.ts');
    return await runTail({
      context,
      follow: {
        ...start(flags),
        target: connection.target,
        token: tap.token,
        now: context.now,
        random: context.random,
      },
      rules: await readRules(client, tap.token, context),
      form: formOf(flags, context),
      ending,
      tap: name,
      label: connection.label,
      open: false,
      durationMs: flags.for === undefined ? undefined : flags.for * 1_000,
      once: flags.once === true,
      quiet: flags.quiet === true,
      paint: out.paint,
      colour: wantsColour(context.io.stdout, context.environment, flags),
      resume: (id) => resumeCommand(connection, tap.tap?.name, flags, id),
    });
  } finally {
    ending.dispose();
  }
}

async function readRules(client: Client, token: string, context: Context): Promise<RuleBook> {
  const read = async () => client.rules(token);
  return new RuleBook(await read(), read, context.now);
}

function start(flags: TailFlags) {
  const placed = flags.since !== undefined || flags.offset !== undefined || flags.lastId !== undefined;
  // Reading to the head from the head would read nothing.
  const since = flags.once === true && !placed ? '24h' : flags.since;
  const { lastId: lastEventId, offset, limit, timeout, reconnect } = flags;
  return { lastEventId, offset, since, limit, timeout, reconnect };
}

function checkFlags(flags: TailFlags): void {
  if (flags.plain === true && flags.json === true) throw new UsageError('--plain and --json are two forms; give one');
  const places = [flags.since, flags.offset, flags.lastId].filter((place) => place !== undefined);
  if (places.length > 1) throw new UsageError('--since, --offset and --last-id name two beginnings; give one of them');
}

/** Keys need a terminal too, so a screen takes both ends, and a terminal that can move its cursor. */
export function formOf(
  flags: Pick<TailFlags, 'json' | 'plain' | 'once'>,
  { io, environment }: Pick<Context, 'io' | 'environment'>,
): TailForm {
  if (flags.json === true) return 'json';
  if (flags.plain === true) return 'plain';
  if (io.stdout.isTTY !== true) return 'json';
  const isScreen = io.stdin.isTTY === true && environment['TERM'] !== 'dumb';
  return isScreen && flags.once !== true ? 'screen' : 'plain';
}

function resumeCommand(connection: Connection, tap: string | undefined, flags: TailFlags, id: string): string {
  const where = flags.url ?? flags.dataDir;
  return [
    'hydrant tail',
    ...(tap === undefined || connection.credential.kind === 'tap' ? [] : [quoted(tap)]),
    ...(where === undefined ? [] : [flags.url === undefined ? '--data-dir' : '--url', quoted(where)]),
    `--last-id ${id}`,
  ].join(' ');
}

export function secondsOf(text: string): number {
  const seconds = parseSeconds(text);
  if (seconds === undefined || seconds < 1 || seconds > 30 * 86_400) {
    throw new InvalidArgumentError('It is a time from 1s to 30d, as 30s, 10m, 1h.');
  }
  return seconds;
}

function sinceOf(text: string): string {
  const seconds = parseSeconds(text);
  if (seconds !== undefined && seconds >= 1 && seconds <= STREAM_SINCE_SECONDS) return `${seconds}s`;
  throw new InvalidArgumentError('It is a time up to 24h, as 5m, 1h, 24h.');
}

function idOf(text: string): string {
  if (parseEventId(text)) return text;
  throw new InvalidArgumentError('It is the id of an event, as 0-1842.');
}

function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
  };
}
