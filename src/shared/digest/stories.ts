import type { Sha1 } from '../documents/name-based-id.ts';
import type { PastMatch } from '../documents/past-match.ts';
import { isTracking } from '../page/structure/parameters.ts';
import { domainOf, withoutTags } from '../text/printable.ts';

/**
 * A page with its changes, and the pages that say the same: ten newspapers print the same report, and one page has as many
 * addresses as it has been shared in. Same page: an address without what tracks its reader. Same text: word for word, under
 * the same title or on another host, since a shop says the same of two things. Nothing that differs is folded away.
 */
export interface Story {
  readonly title: string;
  readonly url: string;
  /** Of the newest of them, ISO-8601. */
  readonly at: string;
  /** The beginning of what came, or went, in the newest of them that has text. */
  readonly excerpt: string;
  /** What it said, at the time of the first match that had it; the newest first. */
  readonly changes: readonly { readonly at: string; readonly excerpt: string }[];
  readonly taps: readonly string[];
  readonly tags: readonly string[];
  readonly categories: readonly string[];
  /** Matches that it was folded from. */
  readonly matches: number;
  /** The other pages, in the order in which they were found. */
  readonly others: readonly { readonly title: string; readonly url: string }[];
}

/** Characters of an excerpt. */
const EXCERPT = 280;
/** Words that a text has to have to tell a story by: "Sold out" is said of many things. */
const TEXT_WORDS = 8;
/** Entries of one text that later ones are compared with. */
const TELLERS = 20;

interface Entry {
  readonly match: Omit<PastMatch, 'chunks'>;
  readonly page: string;
  readonly excerpt: string;
  /** Of its whole text. */
  readonly hash: string;
}

/** Matches come in, in any order; stories go out. Of a match is kept what a story needs, and not its text. */
export class Fold {
  readonly #sha1: Sha1;
  readonly #entries: Entry[] = [];
  /** By entry: one that it is the same as, nearer to the first of them; itself, where it is that. */
  readonly #same: number[] = [];
  /** The first entry of a page. */
  readonly #keys = new Map<string, number>();
  /** The first entries with a text, by it. */
  readonly #told = new Map<string, number[]>();

  constructor(sha1: Sha1) {
    this.#sha1 = sha1;
  }

  /** Matches so far. */
  get size(): number {
    return this.#entries.length;
  }

  add({ chunks, ...match }: PastMatch): void {
    const entry = this.#entries.length;
    const page = pageOf(match.url);
    const text = textOf(chunks);
    const words = wordsOf(text);
    const hashed = this.#sha1(words.join(' '));
    const title = withoutTags(match.title);
    this.#entries.push({ match: { ...match, title }, page, excerpt: shortened(text), hash: hashed });
    this.#same.push(entry);
    this.#join(entry, page);
    if (words.length >= TEXT_WORDS) this.#joinTold(entry, hashed);
  }

  /** Which matches a story is of: the numbers that they came in with, from 0. In the order of the first of each. */
  groups(): number[][] {
    return [...Map.groupBy(this.#entries.keys(), (entry) => this.#first(entry)).values()];
  }

  /** The newest first. */
  stories(): Story[] {
    return this.groups()
      .map((entries) => storyOf(entries.flatMap((entry) => this.#entries[entry] ?? [])))
      .sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
  }

  #join(entry: number, key: string): void {
    const known = this.#keys.get(key);
    if (known === undefined) this.#keys.set(key, entry);
    else this.#unite(known, entry);
  }

  #joinTold(entry: number, text: string): void {
    const told = this.#told.get(text) ?? [];
    const isSame = (other: number): boolean => {
      const [one, two] = [this.#entries[entry]?.match, this.#entries[other]?.match];
      if (!one || !two) return false;
      return wordsOf(one.title).join(' ') === wordsOf(two.title).join(' ') || domainOf(one.url) !== domainOf(two.url);
    };
    const same = told.find(isSame);
    if (same !== undefined) this.#unite(same, entry);
    if (told.length < TELLERS) this.#told.set(text, [...told, entry]);
  }

  #unite(one: number, other: number): void {
    const [first, second] = [this.#first(one), this.#first(other)].sort((left, right) => left - right);
    if (first !== undefined && second !== undefined) this.#same[second] = first;
  }

  #first(entry: number): number {
    let at = entry;
    for (;;) {
      const next = this.#same[at] ?? at;
      if (next === at) return at;
      this.#same[at] = this.#same[next] ?? next;
      at = next;
    }
  }
}

/** Told by the first page that had it, with all that was said. */
function storyOf(entries: readonly Entry[]): Story {
  const sorted = entries.toSorted((one, other) => (one.match.at < other.match.at ? -1 : 1));
  const pages = new Map(sorted.toReversed().map((one) => [one.page, one]));
  const [lead] = sorted;
  if (!lead) throw new Error('a story of no match');
  const others = [...pages.values()].toReversed().filter(({ page }) => page !== lead.page);
  const changes = changesOf(sorted).toReversed();
  const all = (pick: (match: Entry['match']) => readonly string[]): string[] => [
    ...new Set(sorted.flatMap(({ match }) => pick(match))),
  ];
  return {
    title: lead.match.title,
    url: lead.match.url,
    at: sorted.at(-1)?.match.at ?? lead.match.at,
    excerpt: changes.find(({ excerpt }) => excerpt !== '')?.excerpt ?? '',
    changes,
    taps: all(({ tap }) => [tap]),
    tags: all(({ tags }) => tags),
    categories: all(({ categories }) => categories),
    matches: entries.length,
    others: others.map(({ match: { title, url } }) => ({ title, url })),
  };
}

/**
 * What the pages of a story said, the oldest first. A match that repeats what its page said last is none (a page may match in
 * several taps), nor is what another page has said before; a text that comes back is one.
 */
function changesOf(sorted: readonly Entry[]): Story['changes'] {
  const last = new Map<string, string>();
  const tellers = new Map<string, string>();
  return sorted.flatMap(({ page, hash: text, excerpt, match: { at } }) => {
    const isRepeated = last.get(page) === text || (tellers.get(text) ?? page) !== page;
    last.set(page, text);
    if (!tellers.has(text)) tellers.set(text, page);
    return isRepeated ? [] : [{ at, excerpt }];
  });
}

/** What is one page: without what tracks the reader, the fragment, `www.` and a slash at the end. */
export function pageOf(address: string): string {
  const url = new URL(address);
  const query = [...url.searchParams]
    .filter(([name]) => !isTracking(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const path = url.pathname.replace(/\/+$/, '');
  const search = new URLSearchParams(query).toString();
  return `${url.host.replace(/^www\./, '')}${path}${search === '' ? '' : `?${search}`}`;
}

function textOf(chunks: PastMatch['chunks']): string {
  const inserted = chunks.filter(({ typ }) => typ === 'ins');
  return withoutTags((inserted.length > 0 ? inserted : chunks).map(({ text }) => text).join('\n'));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function shortened(text: string): string {
  const folded = text.replaceAll(/\s+/g, ' ').trim();
  if (folded.length <= EXCERPT) return folded;
  const cut = folded.slice(0, EXCERPT).toWellFormed();
  const space = cut.lastIndexOf(' ');
  return `${space > EXCERPT - 40 ? cut.slice(0, space) : cut}…`;
}
