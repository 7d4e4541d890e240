import type { WatchOptions } from '../../../shared/api/watch.ts';
import type { RequestChange } from '../../../shared/api/own-request.ts';
import { tagFault, titleFault, uniqueTags, type WatchLabels } from '../../../shared/api/watch-labels.ts';
import { WATCH_TAGS, WATCH_TITLE_LENGTH } from '../../../shared/limits.ts';

/** A page to watch, as a list, a file or the command line names it. */
export interface WatchEntry {
  /** As it was written. */
  readonly url: string;
  /** Undefined: as often as the command says. */
  readonly minutes?: number;
  readonly options?: Partial<WatchOptions>;
  /** With secrets in clear: shown nowhere. */
  readonly request?: RequestChange;
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
  /** Entries that cannot work here: they are not added. */
  readonly refused: readonly RefusedEntry[];
  /** Sentences: what could not be read at all, and where. */
  readonly problems: readonly string[];
}

/** Thrown by the readers of entries: it cannot work here. The message follows a colon, without a full stop. */
export class CannotWork extends Error {
  override readonly name = 'CannotWork';
  /** What can be done instead; without a full stop. */
  readonly next: string;

  constructor(reason: string, next: string) {
    super(reason);
    this.next = next;
  }
}

/** An entry of a list that is not added. */
export interface RefusedEntry {
  readonly place: string;
  readonly title?: string;
  readonly url?: string;
  readonly reason: string;
  readonly next: string;
}

/** What is known of an entry before it is read. */
interface EntryHead {
  readonly place: string;
  readonly title?: string | undefined;
  readonly url?: string | undefined;
}

/** A list as it is read, entry by entry. */
export class ListCollector {
  readonly #kind: string | undefined;
  readonly #entries: WatchEntry[] = [];
  readonly #refused: RefusedEntry[] = [];
  readonly #problems: string[] = [];

  constructor(kind: string | undefined) {
    this.#kind = kind;
  }

  /** @param read throws `CannotWork` for what is to be refused */
  add({ place, title, url }: EntryHead, read: () => WatchEntry): void {
    try {
      if (url !== undefined && hasLogin(url)) throw new CannotWork(LOGIN, LOGIN_NEXT);
      this.#entries.push(read());
    } catch (error) {
      if (!(error instanceof CannotWork)) throw error;
      const named = { ...(title !== undefined && { title }), ...(url !== undefined && { url: withoutLogin(url) }) };
      this.#refused.push({ place, ...named, reason: error.message, next: error.next });
    }
  }

  problem(sentence: string): void {
    this.#problems.push(sentence);
  }

  list(): WatchList {
    return { kind: this.#kind, entries: this.#entries, refused: this.#refused, problems: this.#problems };
  }
}

const LOGIN = 'its address has a user name or a password, which addresses are shown with';
const LOGIN_NEXT = 'add it without them, and with: --user NAME';

/** What is shown goes into logs. */
function withoutLogin(text: string): string {
  return hasLogin(text) ? text.replace(/^(\w+:\/\/)[^/?#]*@/, '$1') : text;
}

function hasLogin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.username !== '' || url.password !== '');
}

/** What a file of another tool says of an entry. */
export type Fields = Readonly<Record<string, unknown>>;

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
