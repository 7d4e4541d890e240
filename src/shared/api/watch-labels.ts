import { TAG_LENGTH, WATCH_TAGS, WATCH_TITLE_LENGTH } from '../limits.ts';
import { NAME_PATTERN } from './name-pattern.ts';

/** How people name a watch and group it with others. Nothing of it changes what is checked. Absent: none. */
export interface WatchLabels {
  readonly title?: string;
  /** Each once, in the order in which they were given. */
  readonly tags?: readonly string[];
}

/** What is wrong with a title, to be put behind its name: `must have …`; undefined where nothing is. */
export function titleFault(title: string): string | undefined {
  return textFault(title, WATCH_TITLE_LENGTH);
}

/** The same of a tag. A comma separates tags in tables and in the lists of other tools, so that no tag has one. */
export function tagFault(tag: string): string | undefined {
  return tag.includes(',') ? 'must not have a comma: tags are given one by one' : textFault(tag, TAG_LENGTH);
}

/** The same of all tags of a watch. */
export function tagsFault(tags: readonly string[]): string | undefined {
  if (uniqueTags(tags).length > WATCH_TAGS) return `must have at most ${WATCH_TAGS} entries`;
  for (const tag of tags) {
    const fault = tagFault(tag);
    if (fault !== undefined) return `has the entry ${JSON.stringify(tag.slice(0, QUOTED))}, which ${fault}`;
  }
  return undefined;
}

/** As they are kept: without the spaces around them, each once. */
export function uniqueTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()))];
}

/** Whether two watches are tagged alike: the order says nothing. */
export function areSameTags(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && new Set([...some, ...others]).size === some.length;
}

/** Characters of a wrong tag that a message repeats. */
const QUOTED = 60;
const SEEN = new RegExp(NAME_PATTERN, 'u');

function textFault(text: string, most: number): string | undefined {
  if (text.trim() === '' || text.length > most) return `must have 1 to ${most} characters`;
  return SEEN.test(text) ? undefined : 'must have no line breaks, control characters or changes of direction';
}
