import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { grouped } from '../../../shared/grouped.ts';
import type { FailingUrl, Status } from '../../../shared/api/status.ts';
import type { Field, Out } from '../../runtime/output.ts';
import { kibibytes, mebibytes, memoryParts } from '../../text/memory-words.ts';
import { printable, quoted } from '../../../shared/text/printable.ts';
import { sinksLine, unhealthySinkLine } from '../../text/sink-health.ts';
import { duration, every, relative } from '../../text/time.ts';
import { withExamples } from '../help.ts';
import type { Action, Session } from '../session.ts';
import { count } from '../../../shared/text/plural.ts';
import { movedLine, unhealthyLines } from '../../text/unhealthy-hosts.ts';

/** The state of the daemon on one screen; exit code 3 when it is down. */
export function statusCommand(action: Action): CommandUnknownOpts {
  return withExamples(new Command('status'), 'hydrant status', 'hydrant status --json | jq .crawl')
    .description('how the daemon is doing, on one screen')
    .action(action((session) => show(session)));
}

/** Columns of the names. */
const NAMES = 8;

async function show({ out, connect }: Session): Promise<void> {
  const { client } = await connect();
  const status = await client.status();
  const lines = [printable(headOf(status, out.now)), ...out.lay(fieldsOf(status, out), NAMES)];
  out.one(status, { id: String(status.pid), lines });
}

function headOf(status: Status, now: number): string {
  const up = duration(now - Date.parse(status.started_at));
  return joined([`hydrantd ${status.version}`, `up ${up}`, status.url, `organization ${status.organization}`]);
}

function fieldsOf(status: Status, { now, forPeople }: Pick<Out, 'now' | 'forPeople'>): Field[] {
  const { crawl, match, stream } = status;
  const behind = stream.buffered_bytes === 0 ? [] : [`${kibibytes(stream.buffered_bytes)} not yet read`];
  return [
    ['crawl', crawlWords(crawl)],
    ...robotsField(crawl.robots),
    ...networkField(crawl.network_doubted_since, now),
    ...unhealthyLines(crawl.unhealthy ?? [], now).map((line): Field => ['failing', line]),
    ...failingFields(crawl.failing ?? [], now),
    ...movedField(movedLine(crawl.moved ?? [])),
    ['watch', watchWords(status.watch)],
    ['match', `${count(match.rules, 'rule')} on ${count(match.taps, 'tap')} · ${count(match.events, 'event')}`],
    ...logField(match.log, now),
    ...sinkFields(status.sinks, now),
    ...nodeFields(status.nodes ?? []),
    ['stream', joined([`${stream.open} open`, ...behind])],
    ['process', joined([`pid ${status.pid}`, mebibytes(status.memory_bytes), status.data_dir])],
    ...memoryField(status.memory),
    ...diskField(status.disk),
    ...(status.refused_rules ?? []).map(({ id, tap, why }): Field => ['rule', refusedRuleWords(id, tap, why)]),
    ...status.problems.map(({ at, message, count: times = 1 }): Field => {
      const often = times > 1 ? ` (${grouped(times)} times)` : '';
      return ['problem', `${forPeople ? relative(at, now) : at}: ${message}${often}`];
    }),
  ];
}

function crawlWords(crawl: Status['crawl']): string {
  return joined([
    count(crawl.sources, 'source'),
    count(crawl.pages, 'page'),
    count(crawl.visits, 'visit'),
    count(crawl.changes, 'change'),
    count(crawl.failures, 'failure'),
    `${crawl.in_flight} in flight`,
    ...(crawl.oldest_due_ms === null ? [] : [`oldest due page ${duration(crawl.oldest_due_ms)} late`]),
  ]);
}

function watchWords(watch: Status['watch']): string {
  const { watches, active, failing, held, checks, changes, late_ms: late } = watch;
  return joined([
    watches === active ? count(watches, 'watch') : `${active} of ${count(watches, 'watch')} active`,
    count(checks, 'check'),
    count(changes, 'change'),
    ...(failing > 0 ? [`${failing} failing`] : []),
    ...(held > 0 ? [`${held} held: checks of the month used up`] : []),
    ...(late.p99 === null ? [] : [`99 % at most ${(late.p99 / 1_000).toFixed(1)} s late`]),
  ]);
}

/** What is sent where, and the sinks that do not work, each with why, for how long, and where to look closer. */
function sinkFields(totals: Status['sinks'], now: number): Field[] {
  const line = totals && sinksLine(totals);
  if (totals === undefined || line === undefined) return [];
  const { parked, unhealthy } = totals;
  const lines = unhealthy
    .slice(0, NAMED)
    .map((sink): Field => ['sink', `${unhealthySinkLine(sink, now)}; see hydrant notify show ${quoted(sink.name)}`]);
  const rest = unhealthy.length - lines.length;
  // Refused messages are those of sinks that work.
  const isMore = rest > 0 || (parked > 0 && unhealthy.length === 0);
  const more: Field[] = isMore
    ? [['sink', `${rest > 0 ? `and ${grouped(rest)} more` : 'what was refused'}: hydrant notify list --failing`]]
    : [];
  return [['notify', line] as Field].concat(lines, more);
}

/** The daemons of one database: those that live, then those that were not heard of lately. */
function nodeFields(nodes: NonNullable<Status['nodes']>): Field[] {
  if (nodes.length === 0) return [];
  const live = nodes.filter((node) => node.is_live);
  const silent = nodes.filter((node) => !node.is_live);
  const named = live.map(({ name, is_this: isThis }) => `${name}${isThis ? ' (this one)' : ''}`).join(', ');
  return [
    ['nodes', `${count(live.length, 'node')}: ${named}`] as Field,
    ...silent.map(({ name, silent_ms: ms }): Field => ['nodes', `${name} has not been heard of for ${duration(ms)}`]),
  ];
}

/** How far back a replay goes, and what that takes. */
function logField(log: Status['match']['log'], now: number): Field[] {
  if (log === undefined) return [];
  const { bytes, most_bytes: most, retention_seconds: seconds, kept_from: keptFrom } = log;
  const isShort = keptFrom !== null && Date.parse(keptFrom) > now - seconds * 1_000;
  return [
    [
      'log',
      joined([
        `matches are kept for ${every(seconds)}`,
        `${mebibytes(bytes)} of at most ${mebibytes(most)}`,
        ...(isShort ? [`complete since ${relative(keptFrom, now)}`] : []),
      ]),
    ],
  ];
}

function diskField(disk: Status['disk']): Field[] {
  return disk === undefined ? [] : [['disk', `${mebibytes(disk.free_bytes)} free of ${mebibytes(disk.total_bytes)}`]];
}

function memoryField(memory: Status['memory']): Field[] {
  return memory === undefined ? [] : [['memory', `${memoryParts(memory)} (memory ${memory.plan})`]];
}

function networkField(since: string | null | undefined, now: number): Field[] {
  if (since === null || since === undefined) return [];
  return [['network', `no host has answered since ${relative(since, now)}: check the network of this machine`]];
}

/** The sources and watches whose last visit failed, each with why, for how long, and where to look closer. */
function failingFields(failing: readonly FailingUrl[], now: number): Field[] {
  return (['source', 'watch'] as const).flatMap((kind) => {
    const some = failing.filter((one) => one.kind === kind);
    const rest = some.length - NAMED;
    const lister = kind === 'source' ? 'hydrant crawl list --failing' : 'hydrant watch list --failing';
    const lines = some.slice(0, NAMED).map((one): Field => [kind, failingWords(one, now)]);
    if (rest <= 0) return lines;
    const all: Field = [kind, byReason(some)];
    return [all].concat(lines, [[kind, `and ${grouped(rest)} more: ${lister}`]]);
  });
}

/** `36 failing · robots: 20 · 404: 16`: of more than are named, why they fail. */
function byReason(failing: readonly FailingUrl[]): string {
  const groups = [...Map.groupBy(failing, ({ reason }) => reason)].map(([reason, some]) => ({
    reason,
    size: some.length,
  }));
  const sorted = groups.toSorted((one, other) => other.size - one.size);
  return joined([
    `${grouped(failing.length)} failing`,
    ...sorted.map(({ reason, size }) => `${reason}: ${grouped(size)}`),
  ]);
}

/** Of each kind. */
const NAMED = 10;

function failingWords({ kind, id, url, reason, detail, failures, since }: FailingUrl, now: number): string {
  const long = since === undefined ? '' : ` for ${duration(now - Date.parse(since))}`;
  const often = failures > 1 ? `, ${grouped(failures)} times` : '';
  const look = kind === 'source' ? `hydrant crawl why ${quoted(url)}` : `hydrant watch explain ${id.slice(0, 8)}`;
  return `${url} failing${long}${often}: ${detail ?? reason}; see ${look}`;
}

function movedField(line: string | undefined): Field[] {
  return line === undefined ? [] : [['moved', line]];
}

/** Only where there is something to tell. */
function robotsField({ refused, unreachable }: Status['crawl']['robots']): Field[] {
  const parts = [
    ...(refused > 0 ? [`${count(refused, 'page')} refused since the start`] : []),
    ...(unreachable > 0 ? [`cannot be fetched from ${count(unreachable, 'host')}`] : []),
  ];
  return parts.length > 0 ? [['robots', joined(parts)]] : [];
}

/** One that an older version stored, and whose query this one refuses. */
function refusedRuleWords(id: string, tap: string, why: string): string {
  return `${id.slice(0, 8)} of the tap ${tap} matches nothing: ${why} Change it: hydrant rule edit ${id.slice(0, 8)}`;
}

function joined(parts: readonly string[]): string {
  return parts.join(' · ');
}
