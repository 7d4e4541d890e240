import type { WatchOptions } from '../../../shared/api/watch.ts';
import { tagFault, titleFault, uniqueTags, type WatchLabels } from '../../../shared/api/watch-labels.ts';
import { WATCH_TAGS, WATCH_TITLE_LENGTH } from '../../../shared/limits.ts';

/** A page to watch, as a list, a file or the command line names it. */
export interface WatchEntry {
  /** As it was written. */
  readonly url: string;
  /** Undefined: as often as the command says. */
  readonly minutes?: number;
  readonly options?: Partial<WatchOptions>;
  readonly paused?: boolean;
  readonly title?: string;
  readonly tags?: readonly string[];
  /** Where it was read: `feeds.txt line 3`; none for a word of the command line. */
  readonly place?: string;
  /** What of it cannot be carried over. Short, without a full stop, as several entries may share one. */
  readonly notes: readonly string[];
}

/** What was read of a list: nothing is left out without a sentence. */
export interface WatchList {
  /** What kind of list it is, for a sentence: `a sitemap`; undefined for lines. */
  readonly kind: string | undefined;
  readonly entries: readonly WatchEntry[];
  /** Sentences: what could not be read at all, and where. */
  readonly problems: readonly string[];
}

/** An http(s) URL. */
export function isUrl(text: string): boolean {
  const url = /\s/.test(text) ? null : URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.hostname !== '';
}

/** The texts of a list; a single text is a list of one. Blank ones say nothing. */
export function texts(value: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((one) => typeof one === 'string').filter((one) => one.trim() !== '');
}

/**
 * The title and the tags that a list has for a page, as a watch may have them: in one line, without what cannot be seen. What
 * there is no room for is left out with a note.
 */
export function labelsOf(
  title: string | undefined,
  tags: readonly string[] = [],
): WatchLabels & { readonly notes: readonly string[] } {
  const notes: string[] = [];
  const line = inOneLine(title ?? '');
  const cut = line.slice(0, WATCH_TITLE_LENGTH).toWellFormed().trim();
  if (cut.length < line.length) notes.push(`its title is cut at ${WATCH_TITLE_LENGTH} characters`);
  const all = uniqueTags(tags.flatMap((tag) => tag.split(',')).map(inOneLine)).filter((tag) => tag !== '');
  const usable = all.filter((tag) => tagFault(tag) === undefined);
  const kept = usable.slice(0, WATCH_TAGS);
  if (kept.length < all.length) notes.push(`of its ${all.length} tags, ${kept.length} are kept`);
  return {
    ...(cut !== '' && titleFault(cut) === undefined && { title: cut }),
    ...(kept.length > 0 && { tags: kept }),
    notes,
  };
}

/** Neither line ends nor control characters, nor what turns the direction of the text beside it. */
function inOneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069\s]+/gu, ' ')
    .trim();
}
