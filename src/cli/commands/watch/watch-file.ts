import { watchedUrl } from '../../../shared/page/canonical-url.ts';
import type { WatchOptions } from '../../../shared/api/watch.ts';
import { NO_OPTIONS } from '../../../shared/api/watch-values.ts';
import type { SeenWatch } from '../../client/watches.ts';
import { tagsFault, titleFault, uniqueTags } from '../../../shared/api/watch-labels.ts';
import { isUrl, texts, type WatchEntry, type WatchList } from './watch-entry.ts';
import { cadenceFault, cadenceWord, minutesOf } from './watch-options.ts';
import { RENDER_FIELDS, renderOfFields, writtenRender } from '../render-flags.ts';
import { YamlFields, YamlText } from '../yaml-text.ts';
import { isObject } from '../../../shared/page/json-value.ts';

/**
 * The section `watches` of a file for `hydrant apply`: each has a `url`, and what differs from a watch without options.
 * A mistake is refused with its line: what is misspelt would silently not hold.
 */
export const WATCH_FIELDS = [
  'url',
  'title',
  'tags',
  'every',
  'status',
  'select',
  'ignore',
  'only',
  'trigger',
  'confirm',
  ...RENDER_FIELDS,
] as const;

const SIDES = ['added', 'removed'] as const;

/** An entry of the section. */
export interface WantedWatch {
  readonly url: string;
  /** Undefined: the file does not say. */
  readonly minutes: number | undefined;
  readonly paused: boolean;
  /** None, where the file has none. */
  readonly title?: string;
  readonly tags: readonly string[];
  /** All of them: what is not in the file is as in a watch without options. */
  readonly options: WatchOptions;
}

/** @throws {UsageError} with the line */
export function readWatch(fields: YamlFields): WantedWatch {
  const url = fields.required('url');
  if (!isUrl(url)) throw fields.fault('url', '`url` is not an http or https URL');
  return {
    url,
    minutes: minutes(fields),
    paused: fields.word('status', ['active', 'paused']) === 'paused',
    ...titleOf(fields),
    tags: tagsOf(fields),
    options: {
      select: list(fields, 'select'),
      ignore: list(fields, 'ignore'),
      only: fields.word('only', SIDES) ?? null,
      trigger: fields.text('trigger') ?? null,
      confirm: fields.flag('confirm') ?? false,
      ...renderOfFields(fields),
    },
  };
}

function minutes(fields: YamlFields): number | undefined {
  const every = fields.raw('every');
  if (every === undefined || every === null) return undefined;
  // A list may be part of itself, by an alias.
  const isWord = typeof every === 'string' || typeof every === 'number' || typeof every === 'boolean';
  const written = isWord ? String(every) : 'a list or map';
  const word = typeof every === 'number' ? `${every}m` : written;
  const wrong = cadenceFault(word);
  if (wrong !== undefined) throw fields.fault('every', `\`every: ${written}\`: ${wrong.replace(/\.$/, '')}`);
  return minutesOf(word);
}

function titleOf(fields: YamlFields): { readonly title?: string } {
  const title = fields.text('title')?.trim() ?? '';
  if (title === '') return {};
  const fault = titleFault(title);
  if (fault !== undefined) throw fields.fault('title', `\`title\` ${fault}`);
  return { title };
}

function tagsOf(fields: YamlFields): string[] {
  const tags = uniqueTags(list(fields, 'tags'));
  const fault = tagsFault(tags);
  if (fault !== undefined) throw fields.fault('tags', `\`tags\` ${fault}`);
  return tags;
}

function list(fields: YamlFields, name: 'select' | 'ignore' | 'tags'): string[] {
  const given = fields.raw(name);
  if (given === undefined || given === null) return [];
  const all: readonly unknown[] = Array.isArray(given) ? given : [given];
  const read = texts(all);
  if (read.length !== all.length) throw fields.fault(name, `\`${name}\` is a list of texts, in quotes`);
  return read;
}

/** The section as a list of pages; what else is in the file is told. @throws {UsageError} with the line */
export function readWatchFile(text: string, name: string): Pick<WatchList, 'entries' | 'refused' | 'problems'> {
  const yaml = new YamlText(text, name);
  if (!isObject(yaml.value)) throw yaml.fault([], 'there is no section `watches`');
  const { watches = null, ...others } = yaml.value;
  if (watches !== null && !Array.isArray(watches)) throw yaml.fault(['watches'], '`watches` is not a list');
  const seen = new Map<string, number>();
  const entries = (watches ?? []).map((value: unknown, index: number): WatchEntry => {
    const fields = new YamlFields(yaml, ['watches', index], value, WATCH_FIELDS);
    const wanted = readWatch(fields);
    const known = seen.get(watchedUrl(wanted.url));
    if (known !== undefined) throw fields.fault('url', `${wanted.url} is already on line ${known}`);
    seen.set(watchedUrl(wanted.url), fields.line);
    return entryOf(wanted, `${name} line ${fields.line}`);
  });
  const sections = Object.keys(others);
  return {
    entries,
    // The daemon says why it refuses one.
    refused: [],
    problems: sections.length === 0 ? [] : [`${name}: left out: ${sections.join(', ')}; \`hydrant apply\` reads all`],
  };
}

function entryOf({ minutes: every, ...wanted }: WantedWatch, place: string): WatchEntry {
  return { ...wanted, place, ...(every !== undefined && { minutes: every }), notes: [] };
}

/** As `readWatch` reads it. */
export function writtenWatch(watch: SeenWatch): object {
  const { select, ignore, only, trigger, confirm, render }: WatchOptions = watch.options ?? NO_OPTIONS;
  return {
    url: watch.url,
    ...(watch.title !== undefined && { title: watch.title }),
    ...(watch.tags !== undefined && { tags: watch.tags }),
    every: cadenceWord(watch.frequency_minutes),
    ...(watch.status === 'paused' && { status: 'paused' }),
    ...(select.length > 0 && { select }),
    ...(ignore.length > 0 && { ignore }),
    ...(only !== null && { only }),
    ...(trigger !== null && { trigger }),
    ...(confirm && { confirm }),
    ...writtenRender(render),
  };
}
