import { parseAllDocuments } from 'yaml';
import type { RequestChange } from '../../../shared/api/own-request.ts';
import type { WatchOptions } from '../../../shared/api/watch.ts';
import { isObject } from '../../../shared/page/json-value.ts';
import { quoted } from '../../../shared/text/printable.ts';
import { carried, cssOf, ignoredOf, linePattern, RENDERED, requestIn, tryIt } from './watch-carried.ts';
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

/** `urls.yaml` of urlwatch, and `jobs.yaml` of webchanges, which came of it: a job a document. */
export function readUrlwatch(text: string, name: string): WatchList {
  const list = new ListCollector('a list of jobs of urlwatch');
  const documents = parseAllDocuments(text, { logLevel: 'silent' });
  const all = Array.isArray(documents) ? documents : [];
  for (const [index, document] of all.entries()) {
    const place = `${name}, job ${index + 1}`;
    const [error] = document.errors;
    const value: unknown = error === undefined ? document.toJS({ maxAliasCount: ALIASES }) : undefined;
    if (error !== undefined) list.problem(`${place}: ${error.message.split('\n')[0] ?? ''}`);
    else for (const job of Array.isArray(value) ? value : [value]) add(job, place, list);
  }
  return list.list();
}

const ALIASES = 100;

function add(job: unknown, place: string, list: ListCollector): void {
  if (job === null || job === undefined) return;
  const fields = isObject(job) ? job : {};
  const { command } = fields;
  const url = [fields['url'], fields['navigate']].find((one) => typeof one === 'string')?.trim();
  const title = textIn(fields, 'name');
  if (typeof command === 'string') {
    list.add({ place, title: title ?? command.slice(0, 100) }, () => {
      throw new CannotWork('it runs a command, and hydrant reads pages alone', COMMAND);
    });
  } else if (url === undefined || !isUrl(url)) list.problem(`${place}: it has no http or https URL`);
  else list.add({ place, title, url }, () => entryOf(fields, url, place));
}

/** What to do instead of having a command run. */
export const COMMAND = 'let cron keep what it prints, and compare two of them with: hydrant diff OLD NEW';

function textIn(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** @throws {CannotWork} */
function entryOf(job: Fields, url: string, place: string): WatchEntry {
  const said: string[] = [];
  const request = requestOf(job, url, said);
  const browser = isRendered(job) ? RENDERED : {};
  const reading = filtersIn(job, url);
  const only = onlyOf(job);
  const { options: counted, notes } = carried({ ...reading, ...(only !== undefined && { only }) });
  const options = { ...counted, ...browser };
  const { notes: cuts, ...labels } = labelsOf(textIn(job, 'name'), tagsIn(job));
  return {
    url,
    place,
    ...labels,
    ...(Object.keys(options).length > 0 && { options }),
    ...(request && { request }),
    ...(job['enabled'] === false && { paused: true }),
    notes: [...said, ...reading.notes, ...notes, ...cuts, ...leftOut(job)],
  };
}

function isRendered(job: Fields): boolean {
  return job['navigate'] !== undefined || job['use_browser'] === true;
}

function requestOf(job: Fields, url: string, notes: string[]): RequestChange | undefined {
  const { method, headers, cookies, json, timeout } = job;
  const proxy = job[url.startsWith('https:') ? 'https_proxy' : 'http_proxy'];
  return requestIn({ method, headers, cookies, body: job['data'], json, timeout, proxy }, url, notes);
}

/** A list, or words with commas. */
function tagsIn(job: Fields): readonly string[] {
  return texts(job['tags']);
}

interface Reading {
  readonly select: string[];
  readonly ignore: string[];
  readonly notes: readonly string[];
}

/** What the chain of filters of a job selects and leaves out. @throws {CannotWork} for one that there is not */
function filtersIn(job: Fields, url: string): Reading {
  const selections: (readonly string[])[] = [];
  const ignore: string[] = [];
  const notes: string[] = [];
  for (const [kind, value] of filtersOf(job['filter'] ?? job['filters'])) {
    const read = filter(kind, value, url);
    if (read.select) selections.push(read.select);
    ignore.push(...(read.ignore ?? []));
    notes.push(...(read.notes ?? []));
  }
  if (selections.length > 1) throw chained(selections, url);
  return { select: [...(selections[0] ?? [])], ignore, notes };
}

function chained(selections: readonly (readonly string[])[], url: string): CannotWork {
  const isPlain = selections.every((some) => some.length === 1);
  const path = selections.flat().join(' ');
  const next = isPlain ? `hydrant watch add ${quoted(url)} --select ${quoted(path)}` : tryIt(url);
  return new CannotWork('each of its filters selects in what the one before has selected', next);
}

/** A list of names and of maps with one key; older files have a text: `css:main,html2text`. */
function filtersOf(value: unknown): (readonly [string, unknown])[] {
  if (typeof value === 'string') {
    return value.split(',').map((one): [string, unknown] => {
      const [kind = '', ...rest] = one.split(':');
      return [kind.trim(), rest.join(':')];
    });
  }
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.flatMap((one): (readonly [string, unknown])[] => {
    if (typeof one === 'string') return [[one, '']];
    return isObject(one) ? Object.entries(one) : [];
  });
}

interface Read {
  readonly select?: readonly string[];
  readonly ignore?: readonly string[];
  readonly notes?: readonly string[];
}

/** What hydrant does anyway: it reads the text of a page, line by line, and lines that only moved are no change. */
const ANYWAY: ReadonlySet<string> = new Set(
  (
    'html2text strip striplines strip_each_line strip_empty_lines beautify pdf2text pypdf csv2text format-json ' +
    'format-xml absolute_links sort reverse'
  ).split(' '),
);

type Reader = (named: (key: string) => string, url: string, said: Fields) => Read;

const FILTERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['css', (named, url, said) => selection(named('selector'), url, said)],
  ['xpath', (named, url, said) => selection(xpathText(named('path')), url, said, xpathText)],
  ['element-by-id', (named) => ({ select: [attribute('id', named('id'))] })],
  ['element-by-class', (named) => ({ select: [attribute('class~', named('class'))] })],
  ['element-by-style', (named) => ({ select: [attribute('style', named('style'))] })],
  ['element-by-tag', (named, url) => ({ select: cssOf(named('tag'), url) })],
  ['grepi', (named) => ({ ignore: [`/${named('re')}/`] })],
  [
    'delete_lines_containing',
    (named) => ({ ignore: [named('re') === '' ? linePattern(named('text')) : `/${named('re')}/`] }),
  ],
]);

function filter(kind: string, value: unknown, url: string): Read {
  if (ANYWAY.has(kind)) return {};
  const said = isObject(value) ? value : {};
  const word = typeof value === 'string' ? value : '';
  const named = (key: string): string => (typeof said[key] === 'string' ? said[key] : word);
  const reader = FILTERS.get(kind);
  if (reader) return reader(named, url, said);
  if (/^(?:shellpipe|execute)$/.test(kind)) {
    throw new CannotWork(
      `the filter ${kind} runs a command`,
      'hydrant watch follow --exec runs a command for each change',
    );
  }
  if (/^(?:jq|jsonpath|json)$/.test(kind)) {
    const path = kind === 'jq' ? named('query') || word : named('path') || word;
    return { select: cssOf(`${kind === 'jq' ? 'jq' : 'json'}:${path}`, url) };
  }
  throw new CannotWork(`there is no filter ${kind.slice(0, 60)}`, tryIt(url, " --select CSS --ignore '/expression/'"));
}

/** @param written how a selector of this filter is written for `cssOf` */
function selection(
  selector: string,
  url: string,
  said: Fields,
  written: (text: string) => string = (text) => text,
): Read {
  const partial = ['skip', 'maxitems'].find((key) => said[key] !== undefined && said[key] !== 0);
  if (partial !== undefined) {
    throw new CannotWork(`it takes only some of the elements that it selects (${partial})`, tryIt(url));
  }
  const notes = Object.keys(said)
    .filter((key) => !SELECTING.has(key))
    .map((key) => `"${key}" of its filter is not known`);
  const ignore = texts(said['exclude']).flatMap((one) => ignoredOf(written(one), url, notes));
  // Without a selector it only leaves out.
  if (selector.trim() === '' || selector === xpathText('')) return { ignore, notes };
  return { select: cssOf(selector, url), ignore, notes };
}

function xpathText(path: string): string {
  return `xpath:${path}`;
}

const SELECTING: ReadonlySet<string> = new Set(['selector', 'path', 'exclude', 'method', 'sort', 'skip', 'maxitems']);

function attribute(name: string, value: string): string {
  return `[${name}="${value.replaceAll(/["\\]/g, String.raw`\$&`)}"]`;
}

function onlyOf(job: Fields): WatchOptions['only'] | undefined {
  if (job['additions_only'] !== undefined && job['additions_only'] !== false) return 'added';
  return job['deletions_only'] !== undefined && job['deletions_only'] !== false ? 'removed' : undefined;
}

const READ: ReadonlySet<string> = new Set(
  (
    'url name tags filter filters kind enabled additions_only deletions_only index_number method data json cookies ' +
    'use_browser headers timeout http_proxy https_proxy'
  ).split(' '),
);

function leftOut(job: Fields): string[] {
  return Object.entries(job)
    .filter(([key, value]) => !READ.has(key) && value !== null && value !== false)
    .map(([key]) => `"${key}" is not known`);
}
