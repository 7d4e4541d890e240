import type { SinkChange, SinkReport } from '../../../shared/api/notify.ts';
import { SINK_KINDS, type SinkKindName } from '../../../shared/api/notify-values.ts';
import { quoted } from '../../../shared/text/printable.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure } from '../../runtime/failure.ts';
import { flagOf } from '../notify/notify-fields.ts';
import {
  AS_NEW,
  checkQuery,
  type NameOf,
  type Settings,
  settingsOf,
  writtenSettings,
} from '../notify/notify-settings.ts';
import { lost } from '../notify/notify-state.ts';
import type { YamlFields } from '../yaml-text.ts';
import { kindOf, type Refusal, refusal, type World } from './kind.ts';

/** A sink as a file has it. Of its secrets the file has the names: they are set by hand, and stay. */
interface WantedSink {
  readonly name: string;
  readonly kind: SinkKindName;
  readonly options: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly paused: boolean;
  /** What the file leaves out is as a new sink has it; but for the zone, which stays. */
  readonly settings: Settings;
}

const SETTINGS = ['taps', 'query', 'watches', 'problems', 'digest', 'quiet', 'zone', 'at_most', 'template'] as const;

export const sinkKind = kindOf<WantedSink, SinkReport>({
  section: 'sinks',
  noun: 'sink',
  isOperators: true,
  fields: ['name', 'kind', 'options', 'secrets', ...SETTINGS, 'paused'],
  nameOf: ({ name }) => name,
  present: ({ client }) => client.sinks.list(),
  read: (fields) => ({
    name: fields.required('name'),
    kind: kindIn(fields),
    options: optionsIn(fields),
    secrets: listIn(fields, 'secrets') ?? [],
    paused: fields.flag('paused') ?? false,
    settings: { ...AS_NEW, ...settingsIn(fields) },
  }),
  check: async ({ item: { settings }, fields }, world) => {
    await checkQuery(settings, namesIn(fields));
    for (const tap of settings.taps === 'all' ? [] : (settings.taps ?? [])) {
      const isThere = world.taps.has(tap) || (await world.knownTaps()).some(({ name }) => name === tap);
      if (!isThere) throw fields.fault('taps', `there is no tap \`${tap}\`, in the file or on the daemon`);
    }
  },
  differing,
  words: (wanted, present) =>
    present === undefined
      ? [wanted.kind, ...wanted.secrets.map((secret) => `without its secret ${secret}: ${wayTo(wanted, secret)}`)]
      : differing(wanted, present),
  notes: (wanted, present) =>
    wanted.secrets
      .filter((secret) => !present.secrets.includes(secret))
      .map((secret) => `${wanted.name} has no secret ${secret} yet; set it with: ${wayTo(wanted, secret)}`),
  lost: (removed) => (removed.length === 0 ? '' : `With the sinks: ${lost(removed)}`),
  written: (sink) => ({
    name: sink.name,
    kind: sink.kind,
    ...(Object.keys(sink.options).length > 0 && { options: sink.options }),
    ...(sink.secrets.length > 0 && { secrets: sink.secrets }),
    ...writtenSettings(sink),
    ...(sink.state === 'paused' && { paused: true }),
  }),
  addAll,
  add,
  change: async ({ client }, wanted, present) => {
    const changed = new Set(differing(wanted, present));
    if (changed.has('kind')) {
      const way = `hydrant notify remove ${quoted(wanted.name)}`;
      throw refused(`it is a sink of the kind ${present.kind}, and a kind never changes; remove it first: ${way}`);
    }
    const change: SinkChange = {
      ...(changed.has('options') && { options: { ...wanted.options } }),
      ...Object.fromEntries(Object.entries(wanted.settings).filter(([name]) => changed.has(name))),
    };
    if (Object.keys(change).length > 0) await client.sinks.change(present.id, change);
    if (changed.has('paused')) await (wanted.paused ? client.sinks.pause(present.id) : client.sinks.resume(present.id));
  },
  remove: ({ client }, { id }) => client.sinks.remove(id),
});

function wayTo({ name }: WantedSink, secret: string): string {
  return `hydrant notify edit ${quoted(name)} ${flagOf(secret)}@FILE`;
}

function refused(message: string): Failure {
  return new Failure('refused', exitCode.refused, message);
}

function kindIn(fields: YamlFields): SinkKindName {
  fields.required('kind');
  const kind = fields.word('kind', SINK_KINDS);
  if (kind === undefined) throw fields.fault('kind', '`kind` is missing');
  return kind;
}

function optionsIn(fields: YamlFields): Record<string, string> {
  const given = fields.raw('options') ?? {};
  const isMap = typeof given === 'object' && !Array.isArray(given);
  const pairs: [string, unknown][] = isMap ? Object.entries(given) : [];
  // A port, a priority: a number of YAML is the text that it was written as.
  const texts = pairs.map(([name, value]) => [name, typeof value === 'number' ? String(value) : value] as const);
  if (isMap && texts.every((pair): pair is [string, string] => typeof pair[1] === 'string'))
    return Object.fromEntries(texts);
  throw fields.fault('options', '`options` is not a map of texts', 'such as: options: { topic: my-topic }');
}

function listIn(fields: YamlFields, name: string): string[] | undefined {
  const given = fields.raw(name);
  if (given === undefined || given === null) return undefined;
  const list: readonly unknown[] = Array.isArray(given) ? given : [undefined];
  if (list.every((one): one is string => typeof one === 'string')) return [...new Set(list)];
  throw fields.fault(name, `\`${name}\` is not a list of names`);
}

/** What the file says, in the words of the command line; but for taps, which may have any name. */
function settingsIn(fields: YamlFields): Settings {
  const taps = fields.raw('taps');
  const problems = fields.raw('problems');
  const names = typeof taps === 'string' ? undefined : listIn(fields, 'taps');
  const settings = settingsOf(
    {
      taps: typeof taps === 'string' ? taps : undefined,
      query: fields.text('query'),
      watches: fields.text('watches'),
      problems: typeof problems === 'number' ? String(problems) : fields.text('problems'),
      digest: fields.text('digest'),
      quiet: fields.text('quiet'),
      zone: fields.text('zone'),
      atMost: fields.text('at_most'),
      format: fields.text('template'),
    },
    namesIn(fields),
  );
  return names === undefined ? settings : { ...settings, taps: names };
}

/** `hydrant.yaml:7: digest`. */
function namesIn(fields: YamlFields): NameOf {
  return (setting) => {
    const name = setting === 'atMost' ? 'at_most' : setting === 'format' ? 'template' : setting;
    return fields.fault(name, `\`${name}\``).message;
  };
}

/** The names of the fields. A sink whose receiver is gone is not paused, and is left as it is. */
function differing(wanted: WantedSink, present: SinkReport): string[] {
  const { settings, options, paused } = wanted;
  const there: Settings = {
    ...present,
    taps: present.taps === 'all' ? 'all' : present.taps.map(({ name }) => name),
  };
  const changed = SETTINGS.filter(
    (name) => settings[name] !== undefined && keyOf(settings[name]) !== keyOf(there[name]),
  );
  return [
    ...(wanted.kind === present.kind ? [] : ['kind']),
    ...(keyOf(options) === keyOf(present.options) ? [] : ['options']),
    ...changed,
    ...(paused === (present.state === 'paused') ? [] : ['paused']),
  ];
}

/** The same for values that say the same: the order of names says nothing. */
function keyOf(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify(value.map(keyOf).toSorted());
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  return JSON.stringify(
    Object.entries(value)
      .map(([name, one]) => [name, keyOf(one)])
      .toSorted(),
  );
}

/** One whose secret is missing keeps no other back. */
async function addAll(world: World, wanted: readonly WantedSink[], tell: (done: number) => void): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (const sink of wanted) {
    refusals.push(await add(world, sink).then(() => undefined, refusal));
    tell(refusals.length);
  }
  return refusals;
}

async function add({ client }: World, { name, kind, options, paused, settings }: WantedSink): Promise<void> {
  const report = (await client.sinks.kinds()).find((one) => one.kind === kind);
  const needed = report?.fields.find((field) => field.is_secret && field.is_required)?.name;
  if (needed !== undefined) {
    const way = `hydrant notify add ${quoted(name)} ${kind} --option ${needed}=@FILE`;
    throw refused(`${kind} needs its secret ${needed}, which no file has; add it by hand, then apply again: ${way}`);
  }
  const sink = await client.sinks.add({ name, kind, options: { ...options }, ...settings });
  if (paused) await client.sinks.pause(sink.id);
}
