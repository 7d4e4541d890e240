import type { WatchOptions } from '../../../shared/api/watch.ts';
import { nearest } from './watch-csv.ts';
import { isUrl, texts, type WatchEntry, type WatchList } from './watch-entry.ts';
import { isObject } from '../../../shared/page/json-value.ts';
import { WATCH_IGNORES, WATCH_OPTION_LENGTH, WATCH_SELECTORS } from '../../../shared/limits.ts';
import { checkPattern, isPattern } from '../../../shared/page/select/ignored-lines.ts';
import { checkSelector } from '../../../shared/page/select/selectors.ts';

/**
 * What changedetection.io exports as JSON: the `url-watches.json` of a backup, the answer of `GET /api/v1/watch`, one
 * watch (`watch.json` of newer backups), or a list of watches.
 */
export function readChangedetection(value: unknown, name: string): WatchList {
  const found = watchesOf(value);
  const usual = usualMinutes(value);
  const entries: WatchEntry[] = [];
  const problems = found.length === 0 ? [`${name}: it is JSON, and no list of watches that is known`] : [];
  for (const [key, watch] of found) {
    const url = typeof watch['url'] === 'string' ? watch['url'].trim() : '';
    const place = `${name}, ${key}`;
    if (!isUrl(url)) problems.push(`${place}: "${url.slice(0, 100)}" is not an http or https URL`);
    else entries.push(entryOf(watch, { url, place, ...usual }));
  }
  return { kind: 'an export of changedetection.io', entries, problems };
}

type Fields = Readonly<Record<string, unknown>>;

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

function entryOf(watch: Fields, { url, place, usual }: { url: string; place: string; usual?: number }): WatchEntry {
  const reading = optionsOf(watch);
  const own = watch['time_between_check_use_default'] === true ? undefined : minutesOf(watch['time_between_check']);
  const minutes = own ?? usual;
  const rhythm = minutes === undefined ? { notes: [] } : nearest(minutes);
  return {
    url,
    place,
    ...rhythm,
    ...reading,
    ...(watch['paused'] === true && { paused: true }),
    notes: [...rhythm.notes, ...reading.notes, ...leftOut(watch)],
  };
}

/** `{ weeks, days, hours, minutes, seconds }`, each a number, a text or null. */
function minutesOf(value: unknown): number | undefined {
  if (!isObject(value)) return undefined;
  const sizes = { weeks: 10_080, days: 1_440, hours: 60, minutes: 1, seconds: 1 / 60 };
  const sum = Object.entries(sizes).reduce((total, [unit, size]) => total + (Number(value[unit]) || 0) * size, 0);
  return sum > 0 ? sum : undefined;
}

function usualMinutes(value: unknown): { readonly usual?: number } {
  const settings = isObject(value) && isObject(value['settings']) ? value['settings'] : {};
  const requests = isObject(settings['requests']) ? settings['requests'] : {};
  const usual = minutesOf(requests['time_between_check']);
  return usual === undefined ? {} : { usual };
}

function optionsOf(watch: Fields): Pick<WatchEntry, 'options' | 'notes'> {
  const filters = [...texts(watch['include_filters']), ...texts(watch['css_filter'])];
  const removed = texts(watch['subtractive_selectors']);
  const only = onlyOf(watch);
  const { options, notes } = carried({
    select: filters.filter(isCss),
    ignore: [...removed.filter(isCss), ...texts(watch['ignore_text']).map(pattern)],
    ...(only !== undefined && { only }),
  });
  const others = [...filters, ...removed].filter((one) => !isCss(one));
  return {
    ...(options && { options }),
    notes: [...others.map((one) => `"${one.slice(0, 100)}" is no CSS selector`), ...notes],
  };
}

/** XPath, JSONPath and jq have a prefix, or begin as a path does. */
export function isCss(selector: string): boolean {
  return !/^(?:\/|\.\/|\.\.|\(\/|\$|(?:xpath1?|json|jq|jqraw):)/.test(selector.trim());
}

/** Lines with a text, in either case, or with a match of `/expression/flags`. */
function pattern(text: string): string {
  const [, expression, flags = ''] = /^\/(.+)\/([a-z]*)$/s.exec(text.trim()) ?? [];
  if (expression === undefined) return `/${literal(text.trim())}/i`;
  return `/${expression}/${flags.includes('i') ? 'i' : ''}`;
}

/** A text as an expression that matches it alone. */
function literal(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
}

function onlyOf(watch: Fields): WatchOptions['only'] | undefined {
  const [added, removed] = [watch['filter_text_added'] !== false, watch['filter_text_removed'] !== false];
  if (added === removed) return undefined;
  return added ? 'added' : 'removed';
}

const LEFT_OUT: readonly (readonly [key: string, note: string])[] = [
  ['title', 'its title is not kept'],
  ['tag', 'tags are not kept'],
  ['tags', 'tags are not kept'],
  ['trigger_text', 'trigger_text reads the page, and --trigger the change: write a query'],
  ['text_should_not_be_present', 'text_should_not_be_present is not known'],
  ['extract_text', 'extract_text is not known'],
  ['headers', 'its own request headers are not sent'],
  ['body', 'a request body is not sent'],
  ['browser_steps', 'steps in a browser are not made'],
  ['webdriver_js_execute_code', 'scripts are not run'],
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
  const method = watch['method'];
  const schedule = watch['time_schedule_limit'];
  return [
    ...new Set(said),
    ...(typeof method === 'string' && method.toUpperCase() !== 'GET' ? [`it is fetched with GET, not ${method}`] : []),
    ...(isObject(schedule) && schedule['enabled'] === true ? ['it is checked at all hours'] : []),
    ...(/webdriver|playwright|selenium|puppeteer/.test(String(watch['fetch_backend']))
      ? ['it is not rendered in a browser']
      : []),
    ...(watch['processor'] === 'restock_diff' ? ['prices and stock are watched as text'] : []),
    ...(watch['filter_text_added'] === false && watch['filter_text_removed'] === false ? ['every change counts'] : []),
  ];
}

function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((one) => isSet(one));
  if (isObject(value)) return Object.values(value).some((one) => isSet(one));
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 'system';
}

/** What another watcher has of options, as far as they can be ours; what cannot is left out with a note. */
export function carried({
  select = [],
  ignore = [],
  only,
}: Partial<WatchOptions>): Pick<WatchEntry, 'options' | 'notes'> {
  const notes: string[] = [];
  const usable = (all: readonly string[], most: number): string[] => {
    const kept = all.filter((one) => {
      const complaint = complaintOf(one);
      if (complaint !== undefined) notes.push(`"${one.slice(0, 100)}" is left out: ${complaint}`);
      return complaint === undefined;
    });
    if (kept.length > most) notes.push(`${kept.length - most} more than ${most} selectors or patterns are left out`);
    return kept.slice(0, most);
  };
  const [selected, ignored] = [usable(select, WATCH_SELECTORS), usable(ignore, WATCH_IGNORES)];
  const options = {
    ...(selected.length > 0 && { select: selected }),
    ...(ignored.length > 0 && { ignore: ignored }),
    ...(only && { only }),
  };
  return { ...(Object.keys(options).length > 0 && { options }), notes };
}

function complaintOf(text: string): string | undefined {
  if (text.length > WATCH_OPTION_LENGTH) return `it is longer than ${WATCH_OPTION_LENGTH} characters`;
  const complaint = isPattern(text) ? checkPattern(text) : checkSelector(text);
  return complaint?.replace(/\.$/, '');
}
