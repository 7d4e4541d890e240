import type { SinkReplay, SinkReport, SinkTestReport } from '../../../shared/api/notify.ts';
import { grouped } from '../../../shared/grouped.ts';
import type { Client } from '../../client/client.ts';
import { found } from '../../client/found.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { UsageError } from '../../runtime/failure.ts';
import { count } from '../../../shared/text/plural.ts';
import { printable, quoted } from '../../../shared/text/printable.ts';
import { confirm, type Session } from '../session.ts';
import { instantOf } from '../option-values.ts';

/** One sink by its name, its id or the beginning of its id. @throws {NotFound} with those that there are */
export function findSink(sinks: readonly SinkReport[], wanted: string): SinkReport {
  return found('sink', sinks, wanted, ({ name }) => name);
}

/** All are looked up before the first is touched: a wrong name changes nothing. Each once. */
export async function findSinks(client: Client, wanted: readonly string[]): Promise<SinkReport[]> {
  const all = await client.sinks.list();
  const chosen = wanted.map((word) => findSink(all, word));
  return [...new Map(chosen.map((sink) => [sink.id, sink])).values()];
}

export async function pauseSinks(session: Session, wanted: readonly string[]): Promise<void> {
  const { client } = await session.connect();
  for (const { id, name } of await findSinks(client, wanted)) {
    const sink = await client.sinks.pause(id);
    session.out.done(sink, { id, notice: `${name} is paused; what comes waits as long as the log keeps it` });
  }
}

export async function resumeSinks(session: Session, wanted: readonly string[]): Promise<void> {
  const { client } = await session.connect();
  for (const { id, name } of await findSinks(client, wanted)) {
    const sink = await client.sinks.resume(id);
    session.out.done(sink, { id, notice: `${name} sends again, to ${sink.target}` });
  }
}

export async function removeSinks(session: Session, wanted: readonly string[]): Promise<void> {
  const { client } = await session.connect();
  const sinks = await findSinks(client, wanted);
  const names = sinks.map(({ name }) => name).join(', ');
  await confirm(session, `Remove ${names}? ${lost(sinks)}`);
  for (const { id, name } of sinks) {
    await client.sinks.remove(id);
    session.out.done({ id, name, removed: true }, { id, notice: `${name} removed` });
  }
}

/** A sentence: what goes with them. */
export function lost(sinks: readonly SinkReport[]): string {
  const parked = sinks.reduce((sum, { counts }) => sum + counts.parked, 0);
  const kept = parked === 0 ? '' : `, and ${count(parked, 'message')} that were refused`;
  return `Secrets and logs${kept} are deleted permanently.`;
}

export async function testSinks(session: Session, wanted: readonly string[]): Promise<number> {
  const { client } = await session.connect();
  let code: number = exitCode.ok;
  for (const sink of await findSinks(client, wanted)) {
    if ((await testSink(session, sink)).outcome !== 'delivered') code = exitCode.no;
  }
  return code;
}

async function testSink(session: Session, sink: SinkReport): Promise<SinkTestReport> {
  const { client } = await session.connect();
  const report = await client.sinks.test(sink.id);
  const { id, name } = sink;
  session.out.one({ id, name, ...report }, { id, lines: [testLine(sink, report)] });
  adviseOn(session, sink, report);
  return report;
}

/** What came back, as a line. */
export function testLine({ name, target }: SinkReport, report: SinkTestReport): string {
  return printable(`${name}: ${testWords(report, target)}`);
}

/** What to do about it, on stderr. */
export function adviseOn({ out }: Session, { name }: SinkReport, { outcome }: SinkTestReport): void {
  const edit = `hydrant notify edit ${quoted(name)} --help`;
  if (outcome === 'refused') out.notice('the receiver does not want it: look at the address and the token', edit);
  if (outcome === 'unavailable') out.notice('real messages are tried again until they are delivered', edit);
  if (outcome === 'gone') out.notice('the address is no longer in use', edit);
}

function testWords({ outcome, status, detail, ms }: SinkTestReport, target: string): string {
  const answer = status === undefined ? '' : ` (${status})`;
  const where = outcome === 'delivered' ? 'to' : 'by';
  const said = detail === '' ? '' : `: ${detail}`;
  return `${OUTCOMES[outcome]}${answer} ${where} ${target} in ${grouped(Math.round(ms))} ms${said}`;
}

/** What a failure is, for people. */
export const OUTCOMES = {
  delivered: 'delivered',
  refused: 'refused',
  unavailable: 'not accepted',
  gone: 'gone for good',
} as const;

interface ReplayFlags {
  readonly since?: string | undefined;
  readonly parked?: true | undefined;
}

export async function replaySinks(session: Session, wanted: readonly string[], flags: ReplayFlags): Promise<void> {
  const asked = replayOf(flags, session.context.now());
  const { client } = await session.connect();
  for (const { id, name, state } of await findSinks(client, wanted)) {
    const report = await client.sinks.replay(id, asked);
    const what =
      'parked' in asked
        ? `${count(report.replayed, 'message')} tried again`
        : `${count(report.replayed, 'event')} looked at again; what is carried of them is sent with the ids it had`;
    const waits = state === 'active' ? '' : `, once it is resumed: it is ${state}`;
    session.out.done(
      { id, name, ...report },
      { id, notice: `${name}: ${what}${waits}`, next: `hydrant notify log ${quoted(name)}` },
    );
  }
}

function replayOf({ since, parked }: ReplayFlags, now: number): SinkReplay {
  if (since !== undefined && parked === true) throw new UsageError('--since and --parked exclude each other; give one');
  if (parked === true) return { parked };
  if (since !== undefined) return { since: new Date(Math.max(0, instantOf(since, now, '--since'))).toISOString() };
  throw new UsageError('what is to be sent again is missing', {
    hint: '--since 2h for what is still kept of two hours, --parked for what was refused',
  });
}
