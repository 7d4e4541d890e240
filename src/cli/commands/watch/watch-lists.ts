import { parseAllDocuments } from 'yaml';
import { readList } from '../../../shared/lists/read-list.ts';
import { carried, isCss, readChangedetection } from './watch-changedetection.ts';
import { looksLikeCsv, readCsv } from './watch-csv.ts';
import { isUrl, texts, type WatchEntry, type WatchList } from './watch-entry.ts';
import { readWatchFile } from './watch-file.ts';
import { isObject } from '../../../shared/page/json-value.ts';
import type { WatchOptions } from '../../../shared/api/watch.ts';

/**
 * Lists of pages to watch, of whatever kind: URLs a line, a table, OPML, a sitemap, a feed, our own file, and what other
 * watchers export. Which it is, its text says: a name may be missing (stdin) or wrong.
 * @throws {UsageError} on a file of our own that has mistakes
 */
export function readWatchList(text: string, name: string): WatchList {
  const plain = text.replace(/^\uFEFF/, '');
  if (/^\s*</.test(plain)) return fromXml(plain, name);
  if (/^\s*[[{]/.test(plain)) return fromJson(plain, name);
  if (/^watches\s*:/m.test(plain)) return { kind: 'a file of watches', ...readWatchFile(plain, name) };
  if (/^(?:- )?(?:url|name|navigate|command|kind|filter)\s*:/m.test(plain)) return readUrlwatch(plain, name);
  return looksLikeCsv(plain) ? readCsv(plain, name) : fromLines(plain, name);
}

const kinds = { opml: 'OPML', sitemap: 'a sitemap', feed: 'a feed', lines: undefined } as const;

function fromXml(text: string, name: string): WatchList {
  const list = readList(text);
  return {
    kind: kinds[list.format],
    entries: list.urls.map(({ url }) => ({ url, place: name, notes: [] })),
    problems: list.problems.map((problem) => `${name}: ${problem}`),
  };
}

function fromJson(text: string, name: string): WatchList {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: 'JSON', entries: [], problems: [`${name}: it is no JSON: ${why}`] };
  }
  if (isObject(value) && Array.isArray(value['watches'])) {
    return { kind: 'a file of watches', ...readWatchFile(text, name) };
  }
  return readChangedetection(value, name);
}

/** A URL a line; tags after a space, as some write them, are told. Empty lines, and those with `#`, say nothing. */
function fromLines(text: string, name: string): WatchList {
  const entries: WatchEntry[] = [];
  const problems: string[] = [];
  for (const [index, written] of text.split('\n').entries()) {
    const line = written.trim();
    if (line === '' || line.startsWith('#')) continue;
    const place = `${name} line ${index + 1}`;
    const [url = '', ...tags] = line.split(/\s+/);
    if (!isUrl(url)) problems.push(`${place}: "${line.slice(0, 100)}" is not an http or https URL`);
    else entries.push({ url, place, notes: tags.length === 0 ? [] : ['tags are not kept'] });
  }
  return { kind: undefined, entries, problems };
}

/** `urls.yaml` of urlwatch, and `jobs.yaml` of webchanges, which came of it: a job a document. */
export function readUrlwatch(text: string, name: string): WatchList {
  const entries: WatchEntry[] = [];
  const problems: string[] = [];
  const documents = parseAllDocuments(text, { logLevel: 'silent' });
  const all = Array.isArray(documents) ? documents : [];
  for (const [index, document] of all.entries()) {
    const place = `${name}, job ${index + 1}`;
    const [error] = document.errors;
    const value: unknown = error === undefined ? document.toJS({ maxAliasCount: ALIASES }) : undefined;
    if (error !== undefined) problems.push(`${place}: ${error.message.split('\n')[0] ?? ''}`);
    else for (const job of Array.isArray(value) ? value : [value]) add(job, place, { entries, problems });
  }
  return { kind: 'a list of jobs of urlwatch', entries, problems };
}

const ALIASES = 100;

function add(job: unknown, place: string, to: { entries: WatchEntry[]; problems: string[] }): void {
  if (job === null || job === undefined) return;
  const fields = isObject(job) ? job : {};
  const url = [fields['url'], fields['navigate']].find((one) => typeof one === 'string')?.trim();
  if ('command' in fields) to.problems.push(`${place}: commands are not run; only URLs are watched`);
  else if (url === undefined || !isUrl(url)) to.problems.push(`${place}: it has no http or https URL`);
  else to.entries.push(entryOf(fields, url, place));
}

type Fields = Readonly<Record<string, unknown>>;

function entryOf(job: Fields, url: string, place: string): WatchEntry {
  const select: string[] = [];
  const ignore: string[] = [];
  const notes: string[] = [];
  for (const [kind, value] of filtersOf(job['filter'] ?? job['filters'])) {
    const read = filter(kind, value);
    select.push(...(read.select ?? []));
    ignore.push(...(read.ignore ?? []));
    notes.push(...(read.notes ?? []));
  }
  const only = onlyOf(job);
  const { options, notes: left } = carried({ select, ignore, ...(only !== undefined && { only }) });
  return {
    url,
    place,
    ...(options && { options }),
    ...(job['enabled'] === false && { paused: true }),
    notes: [...notes, ...left, ...leftOut(job)],
  };
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

/** What hydrant does anyway: it reads the text of a page, line by line, without white space around it. */
const ANYWAY: ReadonlySet<string> = new Set([
  'html2text',
  'strip',
  'striplines',
  'strip_each_line',
  'beautify',
  'pdf2text',
]);

function filter(kind: string, value: unknown): Read {
  const said = isObject(value) ? value : {};
  const word = typeof value === 'string' ? value : '';
  const named = (key: string): string => (typeof said[key] === 'string' ? said[key] : word);
  if (ANYWAY.has(kind)) return {};
  if (kind === 'css') return css(named('selector'), said);
  if (kind === 'element-by-id') return { select: [attribute('id', named('id'))] };
  if (kind === 'element-by-class') return { select: [attribute('class~', named('class'))] };
  if (kind === 'element-by-tag') return { select: [named('tag')] };
  if (kind === 'grepi') return { ignore: [`/${named('re')}/`] };
  if (kind === 'xpath')
    return { notes: [`the XPath "${named('path')}" is not supported: write it as a CSS selector, with --select`] };
  return { notes: [`the filter ${kind} is not known`] };
}

function css(selector: string, said: Fields): Read {
  const select = selector !== '' && isCss(selector) ? [selector] : [];
  const ignore = texts(said['exclude']);
  const others = Object.keys(said).filter((key) => key !== 'selector' && key !== 'exclude');
  return { select, ignore, notes: others.map((key) => `"${key}" of the filter css is not known`) };
}

function attribute(name: string, value: string): string {
  return `[${name}="${value.replaceAll(/["\\]/g, String.raw`\$&`)}"]`;
}

function onlyOf(job: Fields): WatchOptions['only'] | undefined {
  if (job['additions_only'] !== undefined && job['additions_only'] !== false) return 'added';
  return job['deletions_only'] !== undefined && job['deletions_only'] !== false ? 'removed' : undefined;
}

const READ: ReadonlySet<string> = new Set(
  'url filter filters kind enabled additions_only deletions_only index_number'.split(' '),
);

function leftOut(job: Fields): string[] {
  return Object.entries(job)
    .filter(([key, value]) => !READ.has(key) && value !== null && value !== false)
    .map(([key]) => {
      if (key === 'name') return 'its name is not kept';
      return key === 'navigate' ? 'it is not rendered in a browser' : `"${key}" is not known`;
    });
}
