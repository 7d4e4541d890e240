import { isMap, isNode, isSeq, LineCounter, parseDocument, type Document, stringify } from 'yaml';
import { NO_OPTIONS, type WatchOptions } from '../../shared/api/watch.ts';
import type { SeenWatch } from '../client/watches.ts';
import { UsageError } from '../failure.ts';
import { isObject, isUrl, texts, type WatchEntry } from './watch-entry.ts';
import { comparable } from './watch-names.ts';
import { cadenceFault, cadenceWord, minutesOf } from './watch-options.ts';

/**
 * The file of `watch export` and `watch apply`: `watches:`, a list; each has a `url`, and what differs from a watch
 * without options. A mistake is refused with its line: what is misspelt would silently not hold.
 */
const KEYS = ['url', 'every', 'status', 'select', 'ignore', 'only', 'trigger', 'confirm'] as const;

/** @throws {UsageError} */
export function readWatchFile(text: string, name: string): WatchEntry[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' });
  const [error] = document.errors;
  if (error !== undefined) throw fault(name, error.linePos?.[0].line, yamlFault(error.message));
  const list = document.get('watches');
  if (!isSeq(list))
    throw fault(name, undefined, 'there is no list `watches`', 'it looks as `hydrant watch export` writes it');
  refuseOthers(document, name);
  const seen = new Map<string, number>();
  return list.items.map((item) => {
    const line = lineOf(item, lines);
    const entry = entryOf(toJs(item, document), { name, line });
    const known = seen.get(comparable(entry.url));
    if (known !== undefined) throw fault(name, line, `${entry.url} stands on line ${known} already`);
    seen.set(comparable(entry.url), line ?? 0);
    return entry;
  });
}

/** The first line of what the parser says, without the place: it is told before. */
function yamlFault(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
}

function refuseOthers(document: Document, name: string): void {
  const top: unknown = document.toJS({ maxAliasCount: ALIASES });
  const other = isObject(top) ? Object.keys(top).find((key) => key !== 'watches') : undefined;
  if (other !== undefined) throw fault(name, undefined, `\`${other}\` is not known; there is \`watches\` alone`);
}

const ALIASES = 100;

function toJs(item: unknown, document: Document): unknown {
  return isMap(item) ? item.toJS(document, { maxAliasCount: ALIASES }) : undefined;
}

function lineOf(item: unknown, lines: LineCounter): number | undefined {
  const range = isNode(item) ? item.range : undefined;
  return range ? lines.linePos(range[0]).line : undefined;
}

interface Place {
  readonly name: string;
  readonly line: number | undefined;
}

function entryOf(value: unknown, at: Place): WatchEntry {
  if (!isObject(value)) throw faultAt(at, 'an entry is a map with a `url`');
  const other = Object.keys(value).find((key) => !KEYS.some((known) => known === key));
  if (other !== undefined) throw faultAt(at, `\`${other}\` is not known`, `known: ${KEYS.join(', ')}`);
  const { url, every, status } = value;
  if (typeof url !== 'string' || !isUrl(url)) throw faultAt(at, '`url` is no http or https URL');
  if (status !== undefined && status !== 'active' && status !== 'paused') {
    throw faultAt(at, '`status` is active or paused');
  }
  return {
    url,
    place: `${at.name} line ${at.line ?? 0}`,
    ...(every !== undefined && { minutes: minutes(every, at) }),
    ...(status !== undefined && { paused: status === 'paused' }),
    options: optionsOf(value, at),
    notes: [],
  };
}

function minutes(every: unknown, at: Place): number {
  const word = typeof every === 'number' ? `${every}m` : String(every);
  const wrong = cadenceFault(word);
  if (wrong !== undefined) throw faultAt(at, `\`every: ${String(every)}\`: ${wrong.replace(/\.$/, '')}`);
  return minutesOf(word) ?? 0;
}

/** All of them: what is not in the file is as in a watch without options. */
function optionsOf(value: Readonly<Record<string, unknown>>, at: Place): WatchOptions {
  const { only = null, trigger = null, confirm = false } = value;
  if (only !== null && only !== 'added' && only !== 'removed') throw faultAt(at, '`only` is added or removed');
  if (trigger !== null && typeof trigger !== 'string') throw faultAt(at, '`trigger` is a query, in quotes');
  if (typeof confirm !== 'boolean') throw faultAt(at, '`confirm` is true or false');
  return { select: list(value, 'select', at), ignore: list(value, 'ignore', at), only, trigger, confirm };
}

function list(value: Readonly<Record<string, unknown>>, key: 'select' | 'ignore', at: Place): string[] {
  const given = value[key];
  if (given === undefined || given === null) return [];
  const all: readonly unknown[] = Array.isArray(given) ? given : [given];
  const read = texts(all);
  if (read.length !== all.length) throw faultAt(at, `\`${key}\` is a list of texts, in quotes`);
  return read;
}

function faultAt({ name, line }: Place, message: string, hint?: string): UsageError {
  return fault(name, line, message, hint);
}

function fault(name: string, line: number | undefined, message: string, hint?: string): UsageError {
  const place = line === undefined ? name : `${name} line ${line}`;
  return new UsageError(`${place}: ${message}`, hint === undefined ? {} : { hint });
}

/** As `readWatchFile` reads it. */
export function writeWatchFile(watches: readonly SeenWatch[]): string {
  return stringify({ watches: watches.map(fieldsOf) }, { lineWidth: 0 });
}

function fieldsOf(watch: SeenWatch): object {
  const { select, ignore, only, trigger, confirm } = watch.options ?? NO_OPTIONS;
  return {
    url: watch.url,
    every: cadenceWord(watch.frequency_minutes),
    ...(watch.status === 'paused' && { status: 'paused' }),
    ...(select.length > 0 && { select }),
    ...(ignore.length > 0 && { ignore }),
    ...(only !== null && { only }),
    ...(trigger !== null && { trigger }),
    ...(confirm && { confirm }),
  };
}
