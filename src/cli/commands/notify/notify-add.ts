import type { SinkChange, SinkCreation, SinkKindReport, SinkReport } from '../../../shared/api/notify.ts';
import { SINK_KINDS, type SinkKindName } from '../../../shared/api/notify-values.ts';
import { quoted } from '../../../shared/text/printable.ts';
import type { Client } from '../../client/client.ts';
import { Refused } from '../../client/transport.ts';
import type { Connection } from '../../runtime/context.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { UsageError } from '../../runtime/failure.ts';
import { invalidQuery, placed } from '../query-report.ts';
import type { Session } from '../session.ts';
import { fieldWords, kindOf, readFields, readNewFields, reportOf } from './notify-fields.ts';
import { flagOfSetting, refuseOtherFlags, settingWordsOf, type SinkFlags, typedFields } from './notify-options.ts';
import { carriedWords, checkQuery, rhythmWords, settingsOf } from './notify-settings.ts';
import { adviseOn, findSinks, testLine } from './notify-state.ts';
import { targetFields, type Typed } from './notify-targets.ts';

interface AddWords {
  readonly name: string;
  readonly kind: string;
  readonly target: readonly string[];
}

/** `hydrant notify add`. What can be judged without the daemon is judged before it is asked. */
export async function addSink(
  session: Session,
  { name, kind: word, target }: AddWords,
  { test, ...flags }: SinkFlags & { readonly test?: true | undefined },
): Promise<number> {
  const { out } = session;
  refuseOtherFlags(session.flags, target);
  const kind = kindNamed(name, word);
  const settings = settingsOf(settingWordsOf(flags), flagOfSetting);
  await checkQuery(settings, flagOfSetting);
  const typed = typedFields(flags);
  const { connection, client } = await session.connect();
  const report = reportOf(await client.sinks.kinds(), kind);
  const fields = await readNewFields(session, report, await joined(typed, target, kind, { session, connection }));
  const creation: SinkCreation = {
    name,
    kind,
    options: { ...fields.options },
    secrets: { ...fields.secrets },
    ...settings,
  };
  const sink = await toldBy({ kind: report, query: settings.query }, () => client.sinks.add(creation));
  const carried = carriedWords(sink);
  const what = carried.length === 0 ? 'nothing yet' : carried.join('; ');
  const notice = `${sink.name} sends to ${sink.target}: ${what}; ${rhythmWords(sink).join('; ')}`;
  if (test !== true) {
    out.done(sink, { id: sink.id, notice, next: `hydrant notify test ${quoted(sink.name)}` });
    return exitCode.ok;
  }
  out.notice(notice);
  const tested = await client.sinks.test(sink.id);
  out.one({ ...sink, test: tested }, { id: sink.id, lines: [testLine(sink, tested)] });
  adviseOn(session, sink, tested);
  return tested.outcome === 'delivered' ? exitCode.ok : exitCode.no;
}

/** @throws {UsageError} also where the name was left out, so that the kind stands in its place */
function kindNamed(name: string, word: string): SinkKindName {
  const isKind = (one: string): boolean => SINK_KINDS.some((kind) => kind === one);
  if (isKind(word) || !isKind(name)) return kindOf(word);
  throw new UsageError('the name is missing: it stands before the kind', {
    try: `hydrant notify add my-${name} ${name} …`,
  });
}

interface Place {
  readonly session: Session;
  readonly connection: Connection;
}

/** A field by its flag and by what stands behind the kind is one too many. */
async function joined(
  typed: Typed,
  target: readonly string[],
  kind: SinkKindName,
  { session, connection }: Place,
): Promise<Typed> {
  if (target.length === 0) return typed;
  const found = await targetFields(kind, target, { session, isHere: connection.target.kind === 'socket' });
  const twice = Object.keys(found).find((field) => typed[field] !== undefined);
  if (twice !== undefined) throw new UsageError(`the field ${twice} is given twice: by a flag and behind the kind`);
  return { ...typed, ...found };
}

/** What was asked for, where the daemon's answer speaks of it. */
interface Asked {
  readonly kind: SinkKindReport | undefined;
  readonly query: string | null | undefined;
}

/**
 * What the daemon says of a field names it as the wire does: which fields there are says more. A mistake in the query that it
 * alone can find, in a saved filter, is shown in its place.
 */
async function toldBy<Result>({ kind, query }: Asked, send: () => Promise<Result>): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { diagnostics, details, code, exitCode: exit, message } = error;
    if (diagnostics.length > 0 && typeof query === 'string') {
      throw invalidQuery(placed(diagnostics, query), query, undefined, error);
    }
    if (kind === undefined || !/^(?:options|secrets)/.test(details.field ?? '')) throw error;
    throw new UsageError(message, { ...details, hint: `fields of ${kind.kind}: ${fieldWords(kind)}` }, code, exit);
  }
}

interface EditFlags extends SinkFlags {
  readonly name?: string | undefined;
  readonly target?: string | undefined;
}

/** `hydrant notify edit`. Fields of one kind make sense for sinks of this kind alone. */
export async function editSinks(session: Session, wanted: readonly string[], flags: EditFlags): Promise<void> {
  refuseOtherFlags(session.flags, wanted);
  const { target } = flags;
  const settings = settingsOf(settingWordsOf(flags), flagOfSetting);
  await checkQuery(settings, flagOfSetting);
  const asked = { ...(flags.name !== undefined && { name: flags.name }), ...settings };
  const typed = typedFields(flags);
  const hasFields = target !== undefined || Object.keys(typed).length > 0;
  if (!hasFields && Object.keys(asked).length === 0) {
    throw new UsageError('nothing to change: give --taps, --watches, --digest, --quiet-hours, --target or others', {
      hint: 'all of them: hydrant notify edit --help',
    });
  }
  const { connection, client } = await session.connect();
  const sinks = await findSinks(client, wanted);
  if (asked.name !== undefined && sinks.length > 1) {
    throw new UsageError(`--name names one sink, and these are ${sinks.length}`);
  }
  const changes = hasFields ? await fieldChanges({ session, connection }, client, sinks, { typed, target }) : undefined;
  for (const { id } of sinks) {
    const change: SinkChange = { ...asked, ...changes?.of.get(id) };
    const sink = await toldBy({ kind: changes?.report, query: asked.query }, () => client.sinks.change(id, change));
    session.out.done(sink, {
      id,
      notice: `${sink.name}: ${editWords(sink, hasFields)}`,
      next: `hydrant notify ${hasFields ? 'test' : 'show'} ${quoted(sink.name)}`,
    });
  }
}

function editWords(sink: SinkReport, hasFields: boolean): string {
  const carried = carriedWords(sink);
  const what = carried.length === 0 ? ['carries nothing'] : carried;
  return [...(hasFields ? [`sends to ${sink.target}`] : []), ...what, ...rhythmWords(sink)].join('; ');
}

type FieldChange = Pick<SinkChange, 'options' | 'secrets'>;

/** By the id of the sink. Options are replaced as a whole on the wire: those that were not named stay. */
async function fieldChanges(
  place: Place,
  client: Client,
  sinks: readonly SinkReport[],
  { typed, target }: { readonly typed: Typed; readonly target: string | undefined },
): Promise<{ readonly report: SinkKindReport; readonly of: ReadonlyMap<string, FieldChange> }> {
  const [first, ...others] = new Set(sinks.map(({ kind }) => kind));
  if (first === undefined || others.length > 0) {
    throw new UsageError(
      `these are sinks of several kinds, which have no fields in common: ${[first, ...others].join(', ')}`,
      {
        hint: 'change the fields of one kind at a time',
      },
    );
  }
  const report = reportOf(await client.sinks.kinds(), first);
  const words = target === undefined ? [] : [target];
  const fields = await readFields(place.session, report, await joined(typed, words, first, place));
  const of = new Map(
    sinks.map(({ id, options }) => [
      id,
      {
        ...(Object.keys(fields.options).length > 0 && { options: { ...options, ...fields.options } }),
        ...(Object.keys(fields.secrets).length > 0 && { secrets: { ...fields.secrets } }),
      },
    ]),
  );
  return { report, of };
}
