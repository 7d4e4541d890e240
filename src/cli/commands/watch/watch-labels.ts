import { Option } from '@commander-js/extra-typings';
import { tagsFault, titleFault, uniqueTags, type WatchLabels } from '../../../shared/api/watch-labels.ts';
import { grouped } from '../../../shared/grouped.ts';
import { NotFound, UsageError } from '../../runtime/failure.ts';
import { quoted } from '../../../shared/text/printable.ts';

/** The title and the tags of watches, as the command line has them. */
export interface LabelFlags {
  /** False: `--no-title`. */
  readonly title?: string | false | undefined;
  readonly tag?: readonly string[] | undefined;
  /** False: `--no-tags`. Commander says true without it. */
  readonly tags?: boolean | undefined;
}

export function titleOption(): Option<'--title <text>'> {
  return new Option('--title <text>', 'what you call the page; shown in lists and with its changes');
}

export function tagOption(about: string): Option<'--tag <tag>', undefined, undefined, readonly string[]> {
  return new Option('--tag <tag>', `${about}; may be repeated`).argParser(collected);
}

function collected(value: string, former: readonly string[] | undefined): readonly string[] {
  return [...(former ?? []), value];
}

/** What the daemon is asked for; null and the empty list take away. */
export interface AskedLabels {
  readonly title?: string | null;
  readonly tags?: string[];
}

/** Only what was said. @throws {UsageError} for what the daemon would refuse */
export function askedLabels({ title, tag, tags }: LabelFlags): AskedLabels {
  if (tag !== undefined && tags === false) throw new UsageError('--tag and --no-tags exclude each other; give one');
  refuse('--title', typeof title === 'string' ? titleFault(title) : undefined);
  refuse('--tag', tag === undefined ? undefined : tagsFault(tag));
  const all = tags === false ? [] : tag;
  return {
    ...(title !== undefined && { title: title === false ? null : title.trim() }),
    ...(all !== undefined && { tags: uniqueTags(all) }),
  };
}

function refuse(flag: string, fault: string | undefined): void {
  if (fault !== undefined) throw new UsageError(`${flag} ${fault}`);
}

interface Labels {
  readonly title?: string | null;
  readonly tags?: readonly string[];
}

/** `title Prices`, `tag shop`: what there is of them, for a line of a plan. */
export function labelWords({ title, tags = [] }: Labels): string[] {
  return [...(title ? [`title ${title}`] : []), ...tags.map((tag) => `tag ${tag}`)];
}

/** The same as flags of `watch add` and `watch edit`, ready for a shell. */
export function labelFlags({ title, tags }: AskedLabels): string[] {
  const named = title === null || title === '' ? '--no-title' : `--title ${quoted(title ?? '')}`;
  const sorted = tags?.length === 0 ? ['--no-tags'] : (tags ?? []).map((tag) => `--tag ${quoted(tag)}`);
  return [...(title === undefined ? [] : [named]), ...sorted];
}

/** Whether a watch has all of `tags`. */
export function hasTags({ tags = [] }: WatchLabels, wanted: readonly string[]): boolean {
  return wanted.every((tag) => tags.includes(tag));
}

/** What `--tag` asks for must be there: a misspelt one would select nothing, silently. @throws {NotFound} */
export function checkTagged(watches: readonly WatchLabels[], wanted: readonly string[]): void {
  if (watches.some((watch) => hasTags(watch, wanted))) return;
  const known = knownTags(watches);
  const way = known === undefined ? { try: 'hydrant watch edit <watch> --tag <tag>' } : { hint: known };
  throw new NotFound(`no watch has ${tagWords(wanted)}`, way);
}

/** `the tag shop`, `the tags shop and eu` */
export function tagWords(tags: readonly string[]): string {
  return `the ${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(' and ')}`;
}

/** `known tags: eu, shop`; undefined where no watch has one. */
export function knownTags(watches: readonly WatchLabels[]): string | undefined {
  const known = [...new Set(watches.flatMap(({ tags = [] }) => tags))].toSorted();
  const more = known.length > SHOWN ? [`and ${grouped(known.length - SHOWN)} more`] : [];
  return known.length === 0 ? undefined : `known tags: ${[...known.slice(0, SHOWN), ...more].join(', ')}`;
}

/** Tags that a message names. */
const SHOWN = 20;
