import { createHash } from 'node:crypto';
import { Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import type { Tap } from '../../../shared/api/tap.ts';
import { STREAM_LIMIT_EVENTS, STREAM_TIMEOUT_SECONDS, TRIAL_SECONDS } from '../../../shared/limits.ts';
import type { Client } from '../../client/client.ts';
import { findTap, type OpenedTap, openTap } from '../../client/found.ts';
import { RuleBook } from '../../client/rule-book.ts';
import type { Connection, Context, GlobalFlags } from '../../runtime/context.ts';
import { NotFound, UsageError } from '../../runtime/failure.ts';
import { wantsColour } from '../../runtime/output.ts';
import { Ending } from '../../runtime/ending.ts';
import { withExamples } from '../help.ts';
import { upToRetention } from '../option-values.ts';
import type { Action, Session } from '../session.ts';
import { quoted } from '../../../shared/text/printable.ts';
import type { FeedFacts } from './tail-feed.ts';
import { MATCH_FIELDS, parseFields } from './tail-fields.ts';
import { parseTemplate } from '../../text/template.ts';
import type { TailForm, TailSession } from './tail-run.ts';
import { type EventId, formatEventId, parseEventId } from '../../../shared/api/stream.ts';
import type { FollowOptions } from '../../client/follow.ts';
import { parseSeconds } from '../../text/time.ts';

/** Commands at a time at most: more than any machine has processors for. */
const MOST_JOBS = 64;

const ABOUT = `
On a terminal this is a full-screen view (--plain prints lines instead). In a
pipe, and with --json, it prints one JSON object per line: the match as the API
sends it, after its id and before the name of its tap and the tags of its rules:
  {"id":"0-1842","event":"update",…,"tap":"news","tags":["linux"]}
Only matches go to stdout. The exit code is 0 after a closed pipe, and 130 after
Ctrl-C while printing lines.

--once reads the kept matches and stops at the last one that the log had when
the connection opened, or fails. Without a start it reads everything that is
kept: 24 h, or as long as the daemon's stream-retention says.

--resume continues where the last run with --resume ended, for each tap; use
--once --resume in cron. A start that you give counts for the first run only. A
match counts as read when it has left this program: a run that is killed may
repeat its last match, and what the reader of a pipe loses is lost. Each line
has its id.

--exec runs a command for each match, with the match as JSON on its stdin and
HYDRANT_MATCH_ID, _TAP, _TAGS, _URL, _DOMAIN, _TITLE, _LANGUAGE and _MATCHED_AT
in its environment; nothing else is printed. A command that fails is reported,
the others continue, and the exit code is 1. With --resume, the next run starts
with the first match whose command failed.
`;

/** `hydrant tail`: the streams of taps. */
export function tailCommand(action: Action): CommandUnknownOpts {
  return withExamples(
    new Command('tail'),
    'hydrant tail news',
    "hydrant tail news --json | jq --unbuffered -r '[.matched_at, .document.url] | @tsv'",
    "hydrant tail --all --format '{matched_at}\\t{tap}\\t{document.title}'",
    'hydrant tail news --once --resume --exec \'mail -s "$HYDRANT_MATCH_TITLE" me@example.org\'',
  )
    .alias('stream')
    .description('show the matches of taps as they happen')
    .argument('[tap...]', 'names or ids of taps; may be left out when there is one tap')
    .option('--all', 'all taps')
    .option('--since <time>', 'start with what matched in the last 5m, 24h, 7d, if it is kept', upToRetention)
    .option('--offset <number>', 'start with the event at this offset', integer(0, MOST_OFFSET))
    .option('--last-id <id>', 'start after this event, such as 0-1842', idOf)
    .option('--resume', 'start where the last run with --resume ended')
    .option('--rule <rule>', 'replay once what this rule, as it is now, matches in the last 24h')
    .option(
      '--limit <count>',
      'stop after this many matches',
      integer(STREAM_LIMIT_EVENTS.least, STREAM_LIMIT_EVENTS.most),
    )
    .option(
      '--timeout <seconds>',
      'have the daemon close the stream after this many seconds',
      integer(STREAM_TIMEOUT_SECONDS.least, STREAM_TIMEOUT_SECONDS.most),
    )
    .option('--for <time>', 'stop after 30s, 10m, 1h', secondsOf)
    .option('--once', 'read to the end of the log, then stop')
    .option('--plain', 'readable lines instead of the screen')
    .option('--format <template>', "a line format of your own, such as '{document.url}\\t{added}'")
    .option('--fields <list>', 'only these parts of the JSON, such as id,document.url')
    .option('--exec <command>', 'run a command for each match', commandOf)
    .option('--exec-jobs <count>', 'commands at a time (default: 1)', integer(1, MOST_JOBS))
    .option('--no-reconnect', 'stop when the connection is lost')
    .addHelpText('after', ABOUT)
    .action(action((session, [wanted], flags) => tail(session, wanted, flags)));
}

async function tail(session: Session, wanted: readonly string[], flags: TailFlags): Promise<number> {
  const { context } = session;
  checkFlags(flags, session.flags.json === true, wanted);
  const written = writtenIn(flags);
  if (flags.rule !== undefined) return replay(session, flags.rule, flags, written);
  const ending = new Ending(process, context.closed);
  const facts: FeedFacts[] = [];
  try {
    const { connection, client } = await session.connect();
    const opened = await openTaps(connection, client, wanted, flags.all === true);
    for (const { tap } of opened) if (tap?.status === 'paused') tellPaused(session, tap);
    for (const one of opened) facts.push(await feedOf(session, connection, client, one, flags));
    // Only who tails pays for the stream's client.
    const { runTail } = await import('./tail-run.ts');
    return await runTail({
      context,
      taps: facts,
      form: await formed(session, client, flags, written),
      exec: execOf(flags, context),
      ending,
      label: connection.label,
      open: false,
      durationMs: flags.for === undefined ? undefined : flags.for * 1_000,
      // One tap counts by itself, which tells the daemon when to end.
      limit: facts.length > 1 ? flags.limit : undefined,
      once: flags.once === true,
      quiet: session.flags.quiet === true,
      resume: (id) => resumeCommand(connection, opened[0]?.tap?.name, session.flags, id),
    });
  } finally {
    for (const { cursor } of facts) cursor?.close();
    ending.dispose();
  }
}

/** Once, from the changes that are kept: nothing is followed. */
async function replay(session: Session, rule: string, flags: TailFlags, written: Written): Promise<number> {
  const { context } = session;
  const ending = new Ending(process, context.closed);
  try {
    const { client } = await session.connect();
    const form = await formed(session, client, { ...flags, once: true }, written);
    if (form.kind === 'screen') throw new UsageError('--rule prints lines');
    const { replayRule } = await import('./tail-replay.ts');
    const seconds = flags.since ?? TRIAL_SECONDS;
    return await replayRule(
      session,
      { rule, seconds, limit: flags.limit },
      { form, exec: execOf(flags, context), ending },
    );
  } finally {
    ending.dispose();
  }
}

async function openTaps(
  connection: Connection,
  client: Client,
  wanted: readonly string[],
  all: boolean,
): Promise<readonly OpenedTap[]> {
  if (connection.credential.kind === 'tap' || (wanted.length < 2 && !all)) {
    return [await openTap(connection, client, wanted[0])];
  }
  const taps = await client.taps();
  if (taps.length === 0) throw new NotFound('there is no tap yet', { try: 'hydrant tap create news' });
  const chosen = all ? taps : wanted.map((word) => findTap(taps, word));
  // Named twice, by its name and by its id: one stream.
  return [...new Set(chosen)].map((tap) => ({ token: tap.token, tap }));
}

function tellPaused({ out }: Session, { name }: Tap): void {
  out.notice(`tap ${name} is paused: nothing new will match`, `hydrant tap resume ${quoted(name)}`);
}

async function feedOf(
  { context }: Session,
  connection: Connection,
  client: Client,
  { token, tap }: OpenedTap,
  flags: TailFlags,
): Promise<FeedFacts> {
  const { now, random } = context;
  const read = async () => client.rules(token);
  const rules = new RuleBook(await read(), read, now);
  const cursor = flags.resume === true ? await openCursor(context, tap?.id ?? secretName(token)) : undefined;
  return {
    tap: tap?.name ?? 'tap',
    tapId: tap?.id,
    rules,
    cursor,
    follow: { ...start(flags, cursor?.next), target: connection.target, token, now, random },
  };
}

async function openCursor(context: Context, tapId: string) {
  const { Cursor, cursorFile } = await import('../../runtime/read-cursor.ts');
  return Cursor.open(cursorFile(context.environment, tapId));
}

/** The token itself is a secret, and names of files are not. */
function secretName(token: string): string {
  return `token-${createHash('sha256').update(token).digest('hex').slice(0, 16)}`;
}

async function formed(
  { context, out, flags: { color, json } }: Session,
  client: Client,
  flags: TailFlags,
  { fields, template }: Written,
): Promise<TailSession['form']> {
  const kind = formOf({ ...flags, json }, context);
  if (kind === 'json') return { kind, fields };
  if (kind === 'template') return { kind, template };
  if (kind === 'plain') return { kind, paint: out.paint, now: context.now };
  const { tailActions } = await import('./tail-run.ts');
  const colour = wantsColour(context.io.stdout, context.environment, { color });
  return { kind, colour, actions: tailActions(client, context.environment) };
}

/** @throws {UsageError} before anything is asked for */
function writtenIn({ fields, format }: TailFlags): Written {
  return {
    fields: fields === undefined ? undefined : parseFields(fields),
    template: format === undefined ? [] : parseTemplate(format, '--format', MATCH_FIELDS),
  };
}

interface Written {
  readonly fields: readonly string[] | undefined;
  readonly template: ReturnType<typeof parseTemplate>;
}

function execOf({ exec, execJobs = 1 }: TailFlags, { environment }: Context): TailSession['exec'] {
  return exec === undefined ? undefined : { command: exec, jobs: execJobs, environment };
}

function resumeCommand(connection: Connection, tap: string | undefined, flags: GlobalFlags, id: string): string {
  const where = flags.url ?? flags.dataDir;
  return [
    'hydrant tail',
    ...(tap === undefined || connection.credential.kind === 'tap' ? [] : [quoted(tap)]),
    ...(where === undefined ? [] : [flags.url === undefined ? '--data-dir' : '--url', quoted(where)]),
    ...(flags.context === undefined ? [] : ['--context', quoted(flags.context)]),
    `--last-id ${id}`,
  ].join(' ');
}

export interface TailFlags {
  readonly all?: true | undefined;
  /** Seconds. */
  readonly since?: number | undefined;
  readonly offset?: number | undefined;
  readonly lastId?: string | undefined;
  readonly resume?: true | undefined;
  readonly rule?: string | undefined;
  readonly limit?: number | undefined;
  /** Seconds, as `for`. */
  readonly timeout?: number | undefined;
  readonly for?: number | undefined;
  readonly once?: true | undefined;
  readonly plain?: true | undefined;
  readonly format?: string | undefined;
  readonly fields?: string | undefined;
  readonly exec?: string | undefined;
  readonly execJobs?: number | undefined;
  readonly reconnect: boolean;
}

/** As many digits as an event id has (shared/api/stream.ts). */
export const MOST_OFFSET = 999_999_999_999_999;

/** Flags that say two things at once. @throws {UsageError} */
export function checkFlags(flags: TailFlags, json: boolean, taps: readonly string[]): void {
  checkForms(flags, json);
  checkPlaces(flags, flags.all === true || taps.length > 1);
  if (flags.execJobs !== undefined && flags.exec === undefined) throw new UsageError('--exec-jobs is for --exec');
  if (flags.rule !== undefined) checkReplay(flags, taps);
  if (flags.all === true && taps.length > 0) throw new UsageError('--all takes every tap; leave the names out');
}

/** What is replayed has no place in a log, and ends by itself. */
function checkReplay(flags: TailFlags, taps: readonly string[]): void {
  const others = [
    ...(taps.length > 0 || flags.all === true ? ['taps'] : []),
    ...(flags.offset === undefined ? [] : ['--offset']),
    ...(flags.lastId === undefined ? [] : ['--last-id']),
    ...(flags.resume === undefined ? [] : ['--resume']),
    ...(flags.timeout === undefined ? [] : ['--timeout']),
    ...(flags.for === undefined ? [] : ['--for']),
  ];
  if (others.length > 0) throw new UsageError(`--rule replays one rule, once; leave out ${others.join(' and ')}`);
}

function checkForms(flags: TailFlags, json: boolean): void {
  const forms = [
    ...(flags.plain === true ? ['--plain'] : []),
    ...(json ? ['--json'] : []),
    ...(flags.format === undefined ? [] : ['--format']),
  ];
  if (forms.length > 1) throw new UsageError(`${forms.join(' and ')} exclude each other; give one`);
  const form = forms.find((one) => one !== '--json');
  if (form === undefined) return;
  if (flags.fields !== undefined) throw new UsageError(`--fields is for JSON; leave ${form} out`);
  if (flags.exec !== undefined) throw new UsageError(`--exec prints no lines; leave ${form} out`);
}

function checkPlaces(flags: TailFlags, areSeveral: boolean): void {
  const places = [flags.since, flags.offset, flags.lastId].filter((place) => place !== undefined);
  if (places.length > 1) throw new UsageError('--since, --offset and --last-id all set the start; give one');
  if (areSeveral && (flags.offset !== undefined || flags.lastId !== undefined)) {
    throw new UsageError('an offset belongs to a single tap', { hint: 'with several taps give --since or --resume' });
  }
}

/** Where it begins, and when the daemon ends it. @param next where the run before has come to */
export function start(flags: TailFlags, next: EventId | undefined): Partial<FollowOptions> {
  const { limit, timeout, reconnect } = flags;
  const shared = { limit, timeout, reconnect };
  if (next !== undefined) {
    // Offset 0 has no event before it.
    if (next.offset === 0) return { ...shared, offset: 0 };
    return { ...shared, lastEventId: formatEventId({ ...next, offset: next.offset - 1 }) };
  }
  const placed = flags.since !== undefined || flags.offset !== undefined || flags.lastId !== undefined;
  // Reading to the head from the head would read nothing.
  const since = flags.once === true && !placed ? Infinity : flags.since;
  return { ...shared, lastEventId: flags.lastId, offset: flags.offset, since };
}

/** Keys need a terminal too, so a screen takes both ends, and a terminal that can move its cursor. */
export function formOf(
  flags: Partial<Pick<TailFlags, 'plain' | 'once' | 'format' | 'fields' | 'exec'>> & Pick<GlobalFlags, 'json'>,
  { io, environment }: Pick<Context, 'io' | 'environment'>,
): TailForm {
  if (flags.format !== undefined) return 'template';
  if (flags.json === true || flags.fields !== undefined || flags.exec !== undefined) return 'json';
  if (flags.plain === true) return 'plain';
  if (io.stdout.isTTY !== true) return 'json';
  const isScreen = io.stdin.isTTY === true && environment['TERM'] !== 'dumb';
  return isScreen && flags.once !== true ? 'screen' : 'plain';
}

export function secondsOf(text: string): number {
  const seconds = parseSeconds(text);
  if (seconds === undefined || seconds < 1 || seconds > 30 * 86_400) {
    throw new InvalidArgumentError('It must be a time from 1s to 30d, such as 30s, 10m, 1h.');
  }
  return seconds;
}

export function idOf(text: string): string {
  if (parseEventId(text)) return text;
  throw new InvalidArgumentError('It must be the id of an event, such as 0-1842.');
}

export function commandOf(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('It must be a command for the shell.');
}

export function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}
