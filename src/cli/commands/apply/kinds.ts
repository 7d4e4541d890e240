import { canonicalUrl, watchedUrl } from '../../../shared/page/canonical-url.ts';
import type { Filter } from '../../../shared/api/rule.ts';
import type { Source } from '../../../shared/api/crawl.ts';
import type { RenderOptions } from '../../../shared/api/render.ts';
import type { Tap } from '../../../shared/api/tap.ts';
import { every, parseSeconds } from '../../text/time.ts';
import { SCOPES } from '../crawl/crawl.ts';
import { type Kind, kindOf, type Refusal, type World } from './kind.ts';
import { sinkKind } from './sinks.ts';
import { isSameRender, RENDER_FIELDS, renderOfFields, writtenRender } from '../render-flags.ts';
import type { YamlFields } from '../yaml-text.ts';
import { invalidQuery } from '../query-report.ts';
import type { WatchEdit, WatchOptions, WatchReport } from '../../../shared/api/watch.ts';
import { WATCHES_A_REQUEST } from '../../../shared/limits.ts';
import { exitCode } from '../../runtime/exit-code.ts';
import { Failure } from '../../runtime/failure.ts';
import { readWatch, type WantedWatch, WATCH_FIELDS, writtenWatch } from '../watch/watch-file.ts';
import { cadenceWord, optionWords, USUAL_MINUTES } from '../watch/watch-options.ts';
import { lost } from '../watch/watch-edit.ts';
import { labelWords } from '../watch/watch-labels.ts';
import { areSameTags } from '../../../shared/api/watch-labels.ts';

interface WantedTap {
  readonly name: string;
  readonly paused: boolean;
}

const taps = kindOf<WantedTap, Tap>({
  section: 'taps',
  noun: 'tap',
  fields: ['name', 'paused'],
  nameOf: ({ name }) => name,
  present: (world) => world.knownTaps(),
  read: (fields, world) => {
    const name = fields.required('name');
    world.taps.add(name);
    return { name, paused: fields.flag('paused') ?? false };
  },
  differing: ({ paused }, { status }) => (paused === (status === 'paused') ? [] : ['paused']),
  written: ({ name, status }) => ({ name, ...(status === 'paused' && { paused: true }) }),
  add: async ({ client }, { name, paused }) => {
    const { data } = await client.createTap(name);
    if (paused) await client.changeTap(data.id, { status: 'paused' });
  },
  change: ({ client }, { paused }, { id }) => client.changeTap(id, { status: paused ? 'paused' : 'active' }),
  remove: ({ client }, { id }) => client.revokeTap(id),
});

type WantedFilter = Pick<Filter, 'name' | 'value'>;

const filters = kindOf<WantedFilter, Filter>({
  section: 'filters',
  noun: 'filter',
  isOperators: true,
  fields: ['name', 'value'],
  nameOf: ({ name }) => name,
  present: ({ client }) => client.filters.list(),
  read: (fields, world) => {
    const [name, value] = [fields.required('name'), fields.required('value').trim()];
    world.filters.set(name, value);
    return { name, value };
  },
  differing: (wanted, { value }) => (wanted.value === value ? [] : ['value']),
  written: ({ name, value }) => ({ name, value }),
  add: ({ client }, filter) => client.filters.add(filter),
  change: ({ client }, { value }, { id }) => client.filters.change(id, { value }),
  remove: ({ client }, { id }) => client.filters.remove(id),
});

/** Depth and pages that the file does not name stay as they are. */
interface WantedSource {
  readonly url: string;
  readonly scope: Source['scope'];
  readonly depth: number | undefined;
  readonly every_seconds: number | null;
  readonly max_pages: number | undefined;
  readonly baseline: boolean;
  readonly paused: boolean;
  readonly render?: RenderOptions;
}

const sources = kindOf<WantedSource, Source>({
  section: 'sources',
  noun: 'source',
  isOperators: true,
  fields: ['url', 'scope', 'depth', 'every', 'max_pages', 'baseline', 'paused', ...RENDER_FIELDS],
  nameOf: ({ url, scope }) => `${url} (${scope})`,
  present: (world) => world.knownSources(),
  read: (fields) => ({
    url: urlOf(fields),
    scope: fields.word('scope', SCOPES) ?? 'page',
    depth: fields.whole('depth'),
    every_seconds: rhythmOf(fields),
    max_pages: fields.whole('max_pages'),
    baseline: fields.flag('baseline') ?? false,
    paused: fields.flag('paused') ?? false,
    ...renderOfFields(fields),
  }),
  differing: (wanted, present) => {
    const changed = {
      depth: wanted.depth !== undefined && wanted.depth !== present.depth,
      every: wanted.every_seconds !== present.every_seconds,
      max_pages: wanted.max_pages !== undefined && wanted.max_pages !== present.max_pages,
      paused: wanted.paused !== present.paused,
      render: !isSameRender(wanted.render, present.render),
    };
    return Object.entries(changed).flatMap(([name, differs]) => (differs ? [name] : []));
  },
  written: ({ url, scope, depth, every_seconds: seconds, max_pages, baseline, paused, render }) => ({
    url,
    scope,
    ...(depth !== null && { depth }),
    ...(seconds !== null && { every: every(seconds).replace(' ', '') }),
    max_pages,
    ...(baseline && { baseline }),
    ...(paused && { paused }),
    ...writtenRender(render),
  }),
  add: async ({ client }, { url, scope, depth, every_seconds: seconds, max_pages, baseline, paused, render }) => {
    const { id } = await client.crawl.add({
      url,
      scope,
      ...(depth !== undefined && { depth }),
      ...(seconds !== null && { every_seconds: seconds }),
      ...(max_pages !== undefined && { max_pages }),
      ...(baseline && { baseline }),
      ...(render && { render }),
    });
    if (paused) await client.crawl.change(id, { paused });
  },
  change: ({ client }, { depth, every_seconds, max_pages, paused, render }, { id, render: former }) =>
    client.crawl.change(id, {
      every_seconds,
      paused,
      ...(!isSameRender(render, former) && { render: render ?? null }),
      ...(depth !== undefined && { depth }),
      ...(max_pages !== undefined && { max_pages }),
    }),
  remove: ({ client }, { id }) => client.crawl.remove(id),
});

function urlOf(fields: YamlFields): string {
  const text = fields.required('url');
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return canonicalUrl(url.href) ?? url.href;
  throw fields.fault('url', `\`${text}\` is not a web address`);
}

function rhythmOf(fields: YamlFields): number | null {
  const raw = fields.raw('every');
  if (raw === undefined || raw === null || raw === 'auto') return null;
  const seconds = typeof raw === 'string' || typeof raw === 'number' ? parseSeconds(String(raw)) : undefined;
  if (seconds === undefined || seconds < 1)
    throw fields.fault('every', '`every` is not a time such as 30s, 10m, 6h, 1d, or auto');
  return seconds;
}

interface WantedRule {
  readonly tap: string;
  /** Empty: none. */
  readonly tag: string;
  readonly value: string;
  readonly quality: boolean;
  readonly nsfw: boolean;
  readonly paused: boolean;
}

/** With a management key nobody knows whether it is paused. */
interface PresentRule extends Omit<WantedRule, 'paused'> {
  readonly paused: boolean | undefined;
  readonly id: string;
  readonly token: string;
}

/** Characters of a query that name a rule without a tag. */
const NAME_LENGTH = 60;

const ruleKind = kindOf<WantedRule, PresentRule>({
  section: 'rules',
  noun: 'rule',
  fields: ['tap', 'tag', 'value', 'quality', 'nsfw', 'paused'],
  nameOf: ({ tap, tag, value }) => `${tap}/${tag || value.slice(0, NAME_LENGTH)}`,
  present,
  read: (fields) => ({
    tap: fields.required('tap'),
    tag: fields.text('tag') ?? '',
    value: fields.required('value').trim(),
    quality: fields.flag('quality') ?? true,
    nsfw: fields.flag('nsfw') ?? false,
    paused: fields.flag('paused') ?? false,
  }),
  check: async ({ item, fields }, world) => {
    if (item.paused && !world.isOperator) {
      throw fields.fault('paused', "a rule is paused on the daemon's own machine only; from here, pause its tap");
    }
    const isThere = world.taps.has(item.tap) || (await world.knownTaps()).some(({ name }) => name === item.tap);
    if (!isThere) throw fields.fault('tap', `there is no tap \`${item.tap}\`, in the file or on the daemon`);
    await checkQuery(item, (message) => fields.fault('value', message));
  },
  pair,
  differing: (wanted, found) =>
    (['value', 'tag', 'quality', 'nsfw', 'paused'] as const).filter(
      (name) => found[name] !== undefined && wanted[name] !== found[name],
    ),
  written: ({ tap, tag, value, quality, nsfw, paused }) => ({
    tap,
    ...(tag !== '' && { tag }),
    value,
    ...(!quality && { quality }),
    ...(nsfw && { nsfw }),
    ...(paused === true && { paused }),
  }),
  add: async (world, { tap, tag, value, quality, nsfw, paused }) => {
    const order = { value, quality, nsfw, ...(tag !== '' && { tag }) };
    const { rule } = await world.client.createRule(await world.tokenOf(tap), order);
    if (paused) await world.client.reports.pause(rule.id, true);
  },
  change: async ({ client }, { tag, value, quality, nsfw, paused }, { id, token, ...present }) => {
    await client.changeRule(token, id, { value, quality, nsfw, tag: tag === '' ? null : tag });
    if (present.paused !== undefined && present.paused !== paused) await client.reports.pause(id, paused);
  },
  remove: ({ client }, { id, token }) => client.removeRule(token, id),
});

async function present(world: World): Promise<PresentRule[]> {
  const rules: PresentRule[] = [];
  const reports = world.isOperator ? await world.client.reports.list() : undefined;
  const paused = new Set(reports?.filter((report) => report.rule_paused === true).map(({ rule_id: id }) => id));
  for (const { name, token } of await world.knownTaps()) {
    for (const rule of await world.client.rules(token)) {
      const { id, value, tag = '', quality, nsfw } = rule;
      rules.push({ tap: name, tag, value, quality, nsfw, paused: reports && paused.has(id), id, token });
    }
  }
  return rules;
}

/**
 * A rule is known by its tap and its query; where the query is another one, by its tag, if no other rule that is left
 * has the same: a tag is a label, which several rules may have.
 */
function pair(wanted: readonly WantedRule[], there: readonly PresentRule[]): ReadonlyMap<WantedRule, PresentRule> {
  const pairs = new Map<WantedRule, PresentRule>();
  const left = new Set(there);
  const join = (keyOf: (rule: WantedRule | PresentRule) => string | undefined, isUniqueOnly: boolean): void => {
    const open = wanted.filter((item) => !pairs.has(item));
    const candidates = Map.groupBy(left, keyOf);
    const asked = Map.groupBy(open, keyOf);
    for (const item of open) {
      const key = keyOf(item);
      const found = key === undefined ? undefined : candidates.get(key);
      const isOne = found?.length === 1 && asked.get(key)?.length === 1;
      const match = isUniqueOnly && !isOne ? undefined : found?.shift();
      if (match) pairs.set(item, match);
      if (match) left.delete(match);
    }
  };
  join(({ tap, tag, value }) => JSON.stringify([tap, tag, value]), false);
  join(({ tap, value }) => JSON.stringify([tap, value]), false);
  join(({ tap, tag }) => (tag === '' ? undefined : JSON.stringify([tap, tag])), true);
  return pairs;
}

/** A query that refers to saved filters is the daemon's to judge: what they stand for may be changed by this very file. */
async function checkQuery({ value }: WantedRule, fault: (message: string) => Error): Promise<void> {
  if (value.includes('$')) return;
  const { validate } = await import('../../../shared/query/validate.ts');
  const { valid, diagnostics } = validate(value);
  if (valid) return;
  const wrong = invalidQuery(diagnostics, value);
  throw Object.assign(wrong, { message: fault(wrong.message).message });
}

/** Watches are known by their URL. A cadence that the file does not name stays as it is; an option is taken back. */
const watchKind = kindOf<WantedWatch, WatchReport>({
  section: 'watches',
  noun: 'watch',
  isOperators: true,
  fields: WATCH_FIELDS,
  nameOf: ({ url }) => watchedUrl(url),
  // By URL: the file of a version control changes only where a watch does.
  present: async (world) => (await world.knownWatches()).toSorted((a, b) => (a.url < b.url ? -1 : 1)),
  read: readWatch,
  check: async ({ item: { options }, fields }) => {
    if (options.trigger === null) return;
    const { checkTrigger } = await import('../watch/watch-option-checks.ts');
    checkTrigger(options.trigger, fields.fault('trigger', '').message);
  },
  differing: (wanted, present) => differences(wanted, present).map(({ field }) => field),
  words: (wanted, present) =>
    present ? differences(wanted, present).map(({ field, words }) => `${field} ${words}`) : orderWords(wanted),
  lost: (removed) => (removed.length === 0 ? '' : `With the watches ${lost(removed)}`),
  written: writtenWatch,
  addAll,
  add: ({ client }, wanted) => client.watches.add(orderOf(wanted)),
  change: ({ client }, wanted, { id, ...present }) => client.watches.change(id, editOf(wanted, present)),
  remove: ({ client }, { id }) => client.watches.remove(id),
});

interface Difference {
  readonly field: string;
  /** `6h → 1d` */
  readonly words: string;
}

type Settled = Pick<WatchReport, 'frequency_minutes' | 'status' | 'options' | 'title' | 'tags'>;

const OPTIONS = ['select', 'ignore', 'only', 'trigger', 'confirm', 'render'] as const;

function differences({ minutes, paused, title, tags, options }: WantedWatch, present: Settled): Difference[] {
  const status = paused ? 'paused' : 'active';
  const every = minutes ?? present.frequency_minutes;
  const presentTags = present.tags ?? [];
  return [
    {
      field: 'title',
      differs: title !== present.title,
      words: `${present.title ?? 'none'} → ${title ?? 'none'}`,
    },
    {
      field: 'tags',
      differs: !areSameTags(tags, presentTags),
      words: `${shown(presentTags)} → ${shown(tags)}`,
    },
    {
      field: 'every',
      differs: every !== present.frequency_minutes,
      words: `${cadenceWord(present.frequency_minutes)} → ${cadenceWord(every)}`,
    },
    { field: 'status', differs: status !== present.status, words: `${present.status} → ${status}` },
    ...OPTIONS.map((field) => ({
      field,
      differs: JSON.stringify(options[field]) !== JSON.stringify(present.options[field]),
      words: `${shown(present.options[field])} → ${shown(options[field])}`,
    })),
  ].flatMap(({ field, differs, words }) => (differs ? [{ field, words }] : []));
}

function shown(value: WatchOptions[keyof WatchOptions] | readonly string[]): string {
  if (typeof value === 'object' && value !== null) {
    if (!('length' in value)) return optionWords({ render: value }).join(', ');
    return value.length === 0 ? 'none' : value.join(', ');
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value ?? 'none';
}

function editOf(wanted: WantedWatch, present: Settled): WatchEdit {
  const fields = new Set(differences(wanted, present).map(({ field }) => field));
  return {
    ...(fields.has('every') && { frequency_minutes: wanted.minutes ?? present.frequency_minutes }),
    ...(fields.has('status') && { status: wanted.paused ? 'paused' : 'active' }),
    ...(fields.has('title') && { title: wanted.title ?? null }),
    ...(fields.has('tags') && { tags: [...wanted.tags] }),
    ...(OPTIONS.some((field) => fields.has(field)) && {
      options: { ...wanted.options, ...(fields.has('render') && { render: wanted.options.render ?? null }) },
    }),
  };
}

function orderWords({ minutes = USUAL_MINUTES, paused, title, tags, options }: WantedWatch): string[] {
  const labels = labelWords({ ...(title !== undefined && { title }), tags });
  return [...labels, `every ${cadenceWord(minutes)}`, ...(paused ? ['paused'] : []), ...optionWords(options)];
}

interface Order {
  readonly title?: string;
  readonly tags?: string[];
  readonly url: string;
  readonly frequency_minutes: number;
  readonly options: WatchOptions;
  readonly status?: 'paused';
}

function orderOf({ url, minutes = USUAL_MINUTES, paused, title, tags, options }: WantedWatch): Order {
  const labels = { ...(title !== undefined && { title }), ...(tags.length > 0 && { tags: [...tags] }) };
  return { url, ...labels, frequency_minutes: minutes, options, ...(paused && { status: 'paused' }) };
}

async function addAll(
  { client }: World,
  wanted: readonly WantedWatch[],
  tell: (done: number) => void,
): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (let at = 0; at < wanted.length; at += WATCHES_A_REQUEST) {
    const some = wanted.slice(at, at + WATCHES_A_REQUEST);
    const { known, refused } = await client.watches.addAll(some.map(orderOf));
    const messages = new Map([...known, ...refused].map(({ index, message }) => [index, message]));
    for (const index of some.keys()) {
      const message = messages.get(index);
      refusals.push(message === undefined ? undefined : new Failure('refused', exitCode.refused, message));
    }
    tell(refusals.length);
  }
  return refusals;
}

/** In the order in which they are made; they are removed in the other one. */
export const kinds: readonly Kind[] = [filters, taps, ruleKind, sources, watchKind, sinkKind];
