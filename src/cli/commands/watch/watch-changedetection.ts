import type { WatchOptions } from '../../../shared/api/watch.ts';
import { isObject } from '../../../shared/page/json-value.ts';
import { browserNeeded, carried, cssOf, ignoredOf, linePattern, RENDERED, requestIn, tryIt } from './watch-carried.ts';
import { nearest } from './watch-csv.ts';
import {
  CannotWork,
  type Fields,
  isUrl,
  labelsOf,
  ListCollector,
  texts,
  type WatchEntry,
  type WatchList,
} from './watch-entry.ts';

/**
 * What changedetection.io exports as JSON: the `url-watches.json` of a backup, the answer of `GET /api/v1/watch`, one
 * watch (`watch.json` of newer backups), or a list of watches.
 */
export function readChangedetection(value: unknown, name: string): WatchList {
  const found = watchesOf(value);
  const settings = settingsOf(value);
  const list = new ListCollector('an export of changedetection.io');
  if (found.length === 0) list.problem(`${name}: it is JSON, and no list of watches that is known`);
  for (const [key, watch] of found) {
    const place = `${name}, ${key}`;
    const written = textOf(watch['url']);
    // Its templates have spaces, which no address has.
    const url = TEMPLATE.test(written) ? written.replaceAll(/\s+/g, '') : written;
    const title = textOf(watch['title']) || undefined;
    if (url.startsWith('source:') && isUrl(url.slice('source:'.length))) {
      list.add({ place, title, url }, () => {
        throw new CannotWork('it watches the source of a page', tryIt(url.slice('source:'.length)));
      });
    } else if (!isUrl(url)) list.problem(`${place}: "${url.slice(0, 100)}" is not an http or https URL`);
    else list.add({ place, title, url }, () => entryOf(watch, { url, place, settings }));
  }
  return list.list();
}

const TEMPLATE = /\{[{%]/;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

function watchesOf(value: unknown): (readonly [string, Fields])[] {
  if (Array.isArray(value)) {
    return value.flatMap((one: unknown, index) => {
      if (typeof one === 'string') return [[`entry ${index + 1}`, { url: one }] as const];
      return [[`entry ${index + 1}`, isObject(one) ? one : {}] as const];
    });
  }
  if (!isObject(value)) return [];
  if (typeof value['url'] === 'string') return [[nameOf(value), value]];
  const inside = isObject(value['watching']) ? value['watching'] : value;
  return Object.entries(inside).flatMap(([id, watch]) =>
    isObject(watch) && 'url' in watch ? [[id.slice(0, 8), watch] as const] : [],
  );
}

function nameOf({ uuid, title }: Fields): string {
  if (typeof uuid === 'string') return uuid.slice(0, 8);
  return typeof title === 'string' ? title : 'the watch';
}

/** What a backup says of all watches. */
interface Settings {
  /** Minutes between two checks. */
  readonly usual: number | undefined;
  /** By their ids, as watches have them: a group has a title and settings of its own, which its watches have, too. */
  readonly groups: ReadonlyMap<string, Fields>;
  readonly removed: readonly string[];
  readonly ignored: readonly string[];
  readonly inBrowser: boolean;
}

function settingsOf(value: unknown): Settings {
  const settings = fieldsIn(value, 'settings');
  const application = fieldsIn(settings, 'application');
  const groups = Object.entries(fieldsIn(application, 'tags'));
  return {
    usual: minutesOf(fieldsIn(settings, 'requests')['time_between_check']),
    groups: new Map(groups.flatMap(([id, group]) => (isObject(group) ? [[id, group]] : []))),
    removed: texts(application['global_subtractive_selectors']),
    ignored: texts(application['global_ignore_text']),
    inBrowser: isBrowser(application['fetch_backend']),
  };
}

function fieldsIn(value: unknown, key: string): Fields {
  const inner = isObject(value) ? value[key] : undefined;
  return isObject(inner) ? inner : {};
}

interface Place {
  readonly url: string;
  readonly place: string;
  readonly settings: Settings;
}

/** @throws {CannotWork} */
function entryOf(watch: Fields, { url, place, settings }: Place): WatchEntry {
  refuseKind(watch, url);
  const said: string[] = [];
  const { method, headers, body } = watch;
  const request = requestIn({ method, headers, body }, url, said);
  const browser = isBrowser(watch['fetch_backend']) ? RENDERED : {};
  const groups = texts(watch['tags']).map((id) => ({ id, group: settings.groups.get(id) }));
  const reading = optionsOf(watch, {
    url,
    settings,
    groups: groups.flatMap(({ group }) => (group === undefined ? [] : [group])),
  });
  const own = watch['time_between_check_use_default'] === true ? undefined : minutesOf(watch['time_between_check']);
  const minutes = own ?? settings.usual;
  const rhythm = minutes === undefined ? { notes: [] } : nearest(minutes);
  // Older ones have a text with commas.
  const tags = [...texts(watch['tag']), ...groups.map(({ id, group }) => textOf(group?.['title']) || id)];
  const isNamed = (tag: string): boolean => !UUID.test(tag);
  const { notes: cuts, ...labels } = labelsOf(textOf(watch['title']), tags.filter(isNamed));
  const inBrowser = settings.inBrowser && isDefault(watch['fetch_backend']);
  return {
    url,
    place,
    ...rhythm,
    ...labels,
    ...reading,
    ...(Object.keys(browser).length > 0 && { options: { ...reading.options, ...browser } }),
    ...(request && { request }),
    ...(watch['paused'] === true && { paused: true }),
    notes: [
      ...said,
      ...rhythm.notes,
      ...reading.notes,
      ...cuts,
      ...(tags.every(isNamed) ? [] : ['the names of its tags are not in the list']),
      ...(inBrowser ? ['it is not rendered in a browser'] : []),
      ...leftOut(watch),
    ],
  };
}

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

function isBrowser(backend: unknown): boolean {
  return /webdriver|playwright|selenium|puppeteer|extra_browser/.test(textOf(backend));
}

function isDefault(backend: unknown): boolean {
  return textOf(backend) === '' || backend === 'system';
}

function refuseKind(watch: Fields, url: string): void {
  if (TEMPLATE.test(url)) throw new CannotWork('its address is a template', 'add the address that it stands for');
  const processor = textOf(watch['processor']);
  if (!['', 'text_json_diff', 'restock_diff'].includes(processor)) {
    throw new CannotWork(`it is watched by ${processor.slice(0, 60)}, and hydrant compares texts`, tryIt(url));
  }
  if (hasSteps(watch['browser_steps'])) throw browserNeeded(url, 'it goes through steps in a browser');
  if (isSet(watch['webdriver_js_execute_code'])) throw browserNeeded(url, 'it runs a script in a browser');
  if (isSet(watch['extract_text'])) {
    throw new CannotWork(
      'it compares only what expressions extract (extract_text)',
      tryIt(url, " --select CSS --ignore '/expression/'"),
    );
  }
}

/** Each has the step that opens the page, and empty ones. */
function hasSteps(steps: unknown): boolean {
  const all: readonly unknown[] = Array.isArray(steps) ? steps : [];
  return all.some((step) => isObject(step) && !['', 'Choose one', 'Goto site'].includes(textOf(step['operation'])));
}

/** `{ weeks, days, hours, minutes, seconds }`, each a number, a text or null. */
function minutesOf(value: unknown): number | undefined {
  if (!isObject(value)) return undefined;
  const sizes = { weeks: 10_080, days: 1_440, hours: 60, minutes: 1, seconds: 1 / 60 };
  const sum = Object.entries(sizes).reduce((total, [unit, size]) => total + (Number(value[unit]) || 0) * size, 0);
  return sum > 0 ? sum : undefined;
}

interface Around {
  readonly url: string;
  readonly settings: Settings;
  readonly groups: readonly Fields[];
}

/** @throws {CannotWork} for a selector that there is not */
function optionsOf(
  watch: Fields,
  { url, settings, groups }: Around,
): { options?: Partial<WatchOptions>; notes: readonly string[] } {
  const inAll = (key: string): string[] => [watch, ...groups].flatMap((one) => texts(one[key]));
  const notes: string[] = [];
  const removed = [...inAll('subtractive_selectors'), ...settings.removed];
  const only = onlyOf(watch);
  const { options, notes: left } = carried({
    select: [...inAll('include_filters'), ...texts(watch['css_filter'])].flatMap((one) => cssOf(one, url)),
    ignore: [
      ...removed.flatMap((one) => ignoredOf(one, url, notes)),
      ...[...inAll('ignore_text'), ...settings.ignored].map(linePattern),
    ],
    ...(only !== undefined && { only }),
  });
  return { ...(options && { options }), notes: [...notes, ...left] };
}

function onlyOf(watch: Fields): WatchOptions['only'] | undefined {
  const [added, removed] = [watch['filter_text_added'] !== false, watch['filter_text_removed'] !== false];
  if (added === removed) return undefined;
  return added ? 'added' : 'removed';
}

const LEFT_OUT: readonly (readonly [key: string, note: string])[] = [
  ['trigger_text', 'trigger_text reads the page, and --trigger the change: write a query'],
  ['text_should_not_be_present', 'text_should_not_be_present is not known'],
  ['notification_urls', 'notifications are not sent: see `hydrant watch follow` and `feed`'],
  ['proxy', 'its proxy is not used'],
  ['conditions', 'conditions are not known'],
  ['check_unique_lines', 'check_unique_lines is not known'],
  ['ignore_status_codes', 'an error with a page in it is a failed check, and no version'],
  ['history_snapshot_max_length', 'as many checks are kept of it as of all others (--watch-history of the daemon)'],
  ['last_error', 'it failed there, too'],
];

/** What is set, and has no place here. */
function leftOut(watch: Fields): string[] {
  const said = LEFT_OUT.filter(([key]) => isSet(watch[key])).map(([, note]) => note);
  const schedule = watch['time_schedule_limit'];
  return [
    ...new Set(said),
    ...(isObject(schedule) && schedule['enabled'] === true ? ['it is checked at all hours'] : []),
    ...(watch['processor'] === 'restock_diff' ? ['prices and stock are watched as text'] : []),
    ...(watch['filter_text_added'] === false && watch['filter_text_removed'] === false ? ['every change counts'] : []),
  ];
}

function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((one) => isSet(one));
  if (isObject(value)) return Object.values(value).some((one) => isSet(one));
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 'system';
}
