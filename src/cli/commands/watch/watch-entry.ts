import type { WatchOptions } from '../../../shared/api/watch.ts';

/** A page to watch, as a list, a file or the command line names it. */
export interface WatchEntry {
  /** As it was written. */
  readonly url: string;
  /** Undefined: as often as the command says. */
  readonly minutes?: number;
  readonly options?: Partial<WatchOptions>;
  readonly paused?: boolean;
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
