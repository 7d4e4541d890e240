import type { Filter } from '../../../shared/api/filter.ts';
import type { Source } from '../../../shared/api/source.ts';
import type { Tap } from '../../../shared/api/tap.ts';
import { every, parseSeconds } from '../../text/time.ts';
import { SCOPES } from '../crawl/crawl.ts';
import { type Kind, kindOf } from './kind.ts';
import { ruleKind } from './kind-rules.ts';
import { watchKind } from './kind-watches.ts';
import type { YamlFields } from '../yaml-text.ts';

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
}

const sources = kindOf<WantedSource, Source>({
  section: 'sources',
  noun: 'source',
  isOperators: true,
  fields: ['url', 'scope', 'depth', 'every', 'max_pages', 'baseline', 'paused'],
  nameOf: ({ url, scope }) => `${url} (${scope})`,
  present: ({ client }) => client.crawl.sources(),
  read: (fields) => ({
    url: urlOf(fields),
    scope: fields.word('scope', SCOPES) ?? 'page',
    depth: fields.whole('depth'),
    every_seconds: rhythmOf(fields),
    max_pages: fields.whole('max_pages'),
    baseline: fields.flag('baseline') ?? false,
    paused: fields.flag('paused') ?? false,
  }),
  differing: (wanted, present) => {
    const changed = {
      depth: wanted.depth !== undefined && wanted.depth !== present.depth,
      every: wanted.every_seconds !== present.every_seconds,
      max_pages: wanted.max_pages !== undefined && wanted.max_pages !== present.max_pages,
      paused: wanted.paused !== present.paused,
    };
    return Object.entries(changed).flatMap(([name, differs]) => (differs ? [name] : []));
  },
  written: ({ url, scope, depth, every_seconds: seconds, max_pages, baseline, paused }) => ({
    url,
    scope,
    ...(depth !== null && { depth }),
    ...(seconds !== null && { every: every(seconds).replace(' ', '') }),
    max_pages,
    ...(baseline && { baseline }),
    ...(paused && { paused }),
  }),
  add: async ({ client }, { url, scope, depth, every_seconds: seconds, max_pages, baseline, paused }) => {
    const { id } = await client.crawl.add({
      url,
      scope,
      ...(depth !== undefined && { depth }),
      ...(seconds !== null && { every_seconds: seconds }),
      ...(max_pages !== undefined && { max_pages }),
      ...(baseline && { baseline }),
    });
    if (paused) await client.crawl.change(id, { paused });
  },
  change: ({ client }, { depth, every_seconds, max_pages, paused }, { id }) =>
    client.crawl.change(id, {
      every_seconds,
      paused,
      ...(depth !== undefined && { depth }),
      ...(max_pages !== undefined && { max_pages }),
    }),
  remove: ({ client }, { id }) => client.crawl.remove(id),
});

function urlOf(fields: YamlFields): string {
  const text = fields.required('url');
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href;
  throw fields.fault('url', `\`${text}\` is no address of the web`);
}

function rhythmOf(fields: YamlFields): number | null {
  const raw = fields.raw('every');
  if (raw === undefined || raw === null || raw === 'auto') return null;
  const seconds = typeof raw === 'string' || typeof raw === 'number' ? parseSeconds(String(raw)) : undefined;
  if (seconds === undefined || seconds < 1)
    throw fields.fault('every', '`every` is no time, as 30s, 10m, 6h, 1d, auto');
  return seconds;
}

/** In the order in which they are made; they are removed in the other one. */
export const kinds: readonly Kind[] = [filters, taps, ruleKind, sources, watchKind];
