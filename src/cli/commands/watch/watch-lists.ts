import { readList } from '../../../shared/lists/read-list.ts';
import { readChangedetection } from './watch-changedetection.ts';
import { looksLikeCsv, readCsv } from './watch-csv.ts';
import { CannotWork, isUrl, labelsOf, ListCollector, type WatchEntry, type WatchList } from './watch-entry.ts';
import { readWatchFile } from './watch-file.ts';
import { COMMAND, readUrlwatch } from './watch-urlwatch.ts';
import { isObject } from '../../../shared/page/json-value.ts';

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
  const { format, urls, problems } = readList(text);
  const list = new ListCollector(kinds[format]);
  for (const problem of problems) list.problem(`${name}: ${problem}`);
  for (const { url, title, tags } of urls) list.add({ place: name, title, url }, () => entryOf(url, name, title, tags));
  return list.list();
}

function entryOf(url: string, place: string, title: string | undefined, tags: readonly string[] = []): WatchEntry {
  return { url, place, ...labelsOf(title, tags) };
}

function fromJson(text: string, name: string): WatchList {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: 'JSON', entries: [], refused: [], problems: [`${name}: it is no JSON: ${why}`] };
  }
  if (isObject(value) && Array.isArray(value['watches'])) {
    return { kind: 'a file of watches', ...readWatchFile(text, name) };
  }
  return readChangedetection(value, name);
}

/**
 * A URL a line. Behind it may be tags: with commas, as changedetection.io has them, or words, in quotes where they have
 * spaces, as newsboat has them; `~` begins its title. Empty lines, and those with `#`, say nothing.
 */
function fromLines(text: string, name: string): WatchList {
  const list = new ListCollector(undefined);
  for (const [index, written] of text.split('\n').entries()) {
    const line = written.trim();
    if (line === '' || line.startsWith('#')) continue;
    const place = `${name} line ${index + 1}`;
    const [url = ''] = line.split(/\s/, 1);
    const { title, tags } = behind(line.slice(url.length).trim());
    if (/^"?(?:exec|filter):/.test(line)) {
      list.add({ place, title: title ?? line.slice(0, 100) }, () => {
        throw new CannotWork('it runs a command, and hydrant reads pages alone', COMMAND);
      });
    } else if (isUrl(url)) list.add({ place, title, url }, () => entryOf(url, place, title, tags));
    else list.problem(`${place}: "${line.slice(0, 100)}" is not an http or https URL`);
  }
  return list.list();
}

function behind(rest: string): { readonly title?: string; readonly tags: readonly string[] } {
  if (rest.includes(',') && !rest.includes('"')) return { tags: rest.split(',') };
  const words = Array.from(rest.matchAll(/"([^"]*)"?|\S+/g), ([word, inner]) => inner ?? word);
  const title = words.find((word) => word.startsWith('~'))?.slice(1);
  return { ...(title !== undefined && { title }), tags: words.filter((word) => !/^[~!]/.test(word)) };
}
