import type { SinkKindReport, SinkReport } from '../../../shared/api/notify.ts';
import { grouped } from '../../../shared/grouped.ts';
import type { Field, Out } from '../../runtime/output.ts';
import { count } from '../../../shared/text/plural.ts';
import { quoted } from '../../../shared/text/printable.ts';
import type { Column } from '../../text/table.ts';
import { duration, relative } from '../../text/time.ts';
import type { Session } from '../session.ts';
import { kindOf, meaningOf, reportOf } from './notify-fields.ts';
import { carriedWords, rhythmWords } from './notify-settings.ts';
import { findSink, OUTCOMES } from './notify-state.ts';

/** `hydrant notify list`, `show` and `kinds`. */
export async function listSinks(session: Session, { failing }: { readonly failing?: true | undefined }): Promise<void> {
  const { out } = session;
  const { client } = await session.connect();
  const all = await client.sinks.list();
  const shown = failing === true ? all.filter((sink) => rankOf(sink) < HEALTHY) : all;
  const none =
    all.length === 0
      ? 'nothing is sent anywhere yet; begin with: hydrant notify add phone ntfy https://ntfy.sh/my-topic'
      : `none of ${count(all.length, 'sink')} is failing`;
  out.list(
    shown.toSorted((one, other) => rankOf(one) - rankOf(other)),
    { id: ({ id }) => id, columns: sinkColumns(out.now), none },
  );
}

/** Those first that need somebody. */
function rankOf({ state, dead_since: dead, failing_since: failing, counts }: SinkReport): number {
  if (dead !== null) return 0;
  if (state === 'disabled') return 1;
  if (failing !== null) return 2;
  return counts.parked > 0 ? 3 : HEALTHY;
}

const HEALTHY = 4;

function sinkColumns(now: number): Column<SinkReport>[] {
  const number = (value: number): string => (value === 0 ? '' : grouped(value));
  return [
    { title: 'id', show: ({ id }) => id.slice(0, 8), plain: ({ id }) => id, spare: 3 },
    { title: 'name', show: ({ name }) => name, least: 10 },
    { title: 'kind', show: ({ kind }) => kind, least: 8 },
    { title: 'target', show: ({ target }) => target, least: 12 },
    { title: 'state', show: (sink) => stateWord(sink, now), plain: plainState, least: 14 },
    {
      title: 'sent',
      show: ({ counts }) => grouped(counts.sent),
      plain: ({ counts }) => String(counts.sent),
      align: 'right',
    },
    {
      title: 'parked',
      show: ({ counts }) => number(counts.parked),
      plain: ({ counts }) => String(counts.parked),
      align: 'right',
    },
    {
      title: 'last',
      show: ({ last_delivery_at: at }) => (at === null ? 'never' : relative(at, now)),
      plain: ({ last_delivery_at: at }) => at ?? '',
      spare: 1,
    },
  ];
}

/** For a program: one word. */
function plainState({ state, dead_since: dead, failing_since: failing }: SinkReport): string {
  if (state !== 'active') return state;
  return dead !== null ? 'dead' : failing !== null ? 'failing' : state;
}

/** `dead 3 d`, `failing 2 h`, `until 07:00`, `active`. */
function stateWord(sink: SinkReport, now: number): string {
  const { failing_since: failing, waiting } = sink;
  const word = plainState(sink);
  if ((word === 'dead' || word === 'failing') && failing !== null)
    return `${word} ${duration(now - Date.parse(failing))}`;
  if (word !== 'active' || waiting === null || waiting.why === 'failure') return word;
  return WAITING[waiting.why];
}

const WAITING = { quiet: 'quiet hours', digest: 'collecting', at_most: 'at its limit', failure: 'failing' } as const;

export async function showSink({ out, connect }: Session, wanted: string): Promise<void> {
  const { client } = await connect();
  const sink = findSink(await client.sinks.list(), wanted);
  out.fields(sink, { id: sink.id, fields: fieldsOf(sink, out) });
  const { counts, state, name } = sink;
  if (state !== 'active') out.notice('nothing is sent', `hydrant notify resume ${quoted(name)}`);
  else if (counts.parked > 0)
    out.notice('see what was refused, and why', `hydrant notify log ${quoted(name)} --parked`);
  else if (sink.failing_since !== null) out.notice('try it', `hydrant notify test ${quoted(name)}`);
}

function fieldsOf(sink: SinkReport, out: Out): Field[] {
  const { id, name, kind, options, secrets, target, template, counts, created_at: created } = sink;
  const time = timeOn(out);
  const carried = carriedWords(sink);
  return [
    ['id', id],
    ['name', name],
    ['kind', kind],
    ['sends to', target],
    ...Object.entries(options).map(([field, value]): Field => ['option', `${field}=${shortOf(value)}`]),
    ...(secrets.length === 0 ? [] : [['secrets', `${secrets.join(', ')} (set, never shown)`] as const]),
    ['carries', carried.length === 0 ? 'nothing: --taps, --watches and --problems are all none' : carried.join('; ')],
    ['sends', rhythmWords(sink).join('; ')],
    ...(template === null ? [] : [['text', template] as const]),
    ['state', stateWords(sink, time)],
    ...waitingField(sink, time),
    ['sent', sentWords(sink, time)],
    ...(counts.behind === 0 ? [] : [['waiting', `${count(counts.behind, 'event')} not looked at yet`] as const]),
    ...(counts.parked === 0 ? [] : [['refused', `${count(counts.parked, 'message')} kept aside`] as const]),
    ...(counts.dropped === 0 ? [] : [['dropped', droppedWords(counts.dropped)] as const]),
    ...lastErrorField(sink, time),
    ['created', time(created)],
  ];
}

/** A certificate says nothing to who reads it here. */
function shortOf(value: string): string {
  return value.includes('\n') ? `(${count(value.trim().split('\n').length, 'line')})` : value;
}

type Time = (instant: string) => string;

function timeOn({ forPeople, now }: Out): Time {
  return (instant) => (forPeople ? relative(instant, now) : instant);
}

function stateWords({ state, dead_since: dead, failing_since: failing }: SinkReport, time: Time): string {
  if (state === 'paused') return 'paused; what comes waits as long as the log keeps it';
  if (state === 'disabled') return 'disabled: its receiver answered that it is gone for good (410)';
  if (dead !== null) return `dead: failing since ${time(failing ?? dead)}; still tried`;
  return failing === null ? 'active' : `failing since ${time(failing)}; tried again until it works`;
}

function waitingField({ waiting }: SinkReport, time: Time): Field[] {
  if (waiting === null) return [];
  const why = {
    failure: 'the next attempt',
    quiet: 'the end of its quiet hours',
    digest: 'its next digest',
    at_most: 'it may send again (--at-most)',
  } as const;
  return [['waits', `${time(waiting.until)}: ${why[waiting.why]}`]];
}

function sentWords({ counts, last_delivery_at: last }: SinkReport, time: Time): string {
  return last === null ? 'nothing yet' : `${count(counts.sent, 'message')}, the last one ${time(last)}`;
}

function droppedWords(dropped: number): string {
  return `${count(dropped, 'event')} left the log before they could be sent; a message said so`;
}

function lastErrorField({ last_error: error }: SinkReport, time: Time): Field[] {
  if (error === null) return [];
  const status = error.status === undefined ? '' : ` ${error.status}`;
  return [['last error', `${time(error.at)}: ${OUTCOMES[error.outcome]}${status}: ${error.detail}`]];
}

export async function listKinds({ out, connect }: Session, word: string | undefined): Promise<void> {
  const wanted = word === undefined ? undefined : kindOf(word);
  const { client } = await connect();
  const all = await client.sinks.kinds();
  const shown = wanted === undefined ? all : [reportOf(all, wanted)];
  if (!out.forPeople) {
    return out.list(shown, { id: ({ kind }) => kind, columns: PLAIN_KINDS, none: 'there are none' });
  }
  const width = Math.max(...shown.flatMap(({ fields }) => fields.map(({ name }) => name.length)));
  for (const { kind, fields } of shown) {
    const lines = out.lay(
      fields.map((field): Field => [`  ${field.name}`, meaningOf(field)]),
      width + 2,
    );
    out.text(`${[out.paint('bold', kind), ...lines].join('\n')}\n`);
  }
}

const PLAIN_KINDS: readonly Column<SinkKindReport>[] = [
  { title: 'kind', show: ({ kind }) => kind },
  { title: 'fields', show: ({ fields }) => fields.map(({ name }) => name).join(',') },
];
