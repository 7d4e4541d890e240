import { readList } from '../../../shared/lists/read-list.ts';
import { readChangedetection } from './watch-changedetection.ts';
import { looksLikeCsv, readCsv } from './watch-csv.ts';
import { isUrl, type WatchEntry, type WatchList } from './watch-entry.ts';
import { readWatchFile } from './watch-file.ts';
import { readUrlwatch } from './watch-urlwatch.ts';
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
    if (!isUrl(url)) problems.push(`${place}: "${line.slice(0, 100)}" is no http or https URL`);
    else entries.push({ url, place, notes: tags.length === 0 ? [] : ['tags are not kept'] });
  }
  return { kind: undefined, entries, problems };
}
