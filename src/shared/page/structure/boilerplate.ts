import { contentOf } from './content.ts';
import type { Ignored } from '../change.ts';
import { hashOf } from '../history.ts';
import { type Anchor, EXTRACTOR, type Page, type Segment, type Zone } from '../page.ts';

/**
 * Which text the pages of one host share, wherever on the page it stands: the cookie notice, the box of partner
 * offers, the list of latest headlines that no class name gives away. What stands on many pages of a host is its
 * boilerplate and no content of any of them.
 *
 * A summary of frequent items (Misra and Gries, 1982) over the texts and links of the pages as they now are: a text
 * counts once a page, and goes down again when a page loses it. Bounded: what is rare is forgotten to make room.
 *
 * A sentence of the main text is what people read, and ten pages of one day may say the same with good reason ("The line is
 * closed until Monday."): none is boilerplate in the first days of a host.
 */
export class Boilerplate {
  readonly #counts: Map<number, number>;
  readonly #sinceMinute: number;
  readonly #coversSentences: boolean;
  #pages: number;

  private constructor(known: Known, at: number) {
    this.#counts = known.counts;
    this.#pages = known.pages;
    this.#sinceMinute = known.sinceMinute;
    this.#coversSentences = at - known.sinceMinute * MINUTE_MS >= FIRST_DAYS_MS;
  }

  /**
   * From what `toBytes` made; a host that nobody has seen yet has none. Bytes of another form are none, too, and those
   * of another extractor, which had other texts.
   * @param at now, milliseconds since 1970
   */
  static from(bytes: Uint8Array | undefined, at: number): Boilerplate {
    const counts = new Map<number, number>();
    if (!bytes || bytes.length < HEAD || bytes[0] !== FORMAT || bytes[1] !== EXTRACTOR)
      return new Boilerplate({ pages: 0, sinceMinute: Math.floor(at / MINUTE_MS), counts }, at);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = HEAD; at + ENTRY <= bytes.length; at += ENTRY) counts.set(view.getInt32(at), view.getUint16(at + 4));
    return new Boilerplate({ pages: view.getUint16(2), sinceMinute: view.getUint32(4), counts }, at);
  }

  toBytes(): Uint8Array {
    const bytes = new Uint8Array(HEAD + this.#counts.size * ENTRY);
    const view = new DataView(bytes.buffer);
    view.setUint8(0, FORMAT);
    view.setUint8(1, EXTRACTOR);
    view.setUint16(2, this.#pages);
    view.setUint32(4, this.#sinceMinute);
    let at = HEAD;
    for (const [hash, count] of this.#counts) {
      view.setInt32(at, hash);
      view.setUint16(at + 4, count);
      at += ENTRY;
    }
    return bytes;
  }

  /** Whether what has this key (`Keys`) belongs to the site and not to the page. */
  has(key: string, isMainSentence = false): boolean {
    if (isMainSentence && !this.#coversSentences) return false;
    const count = this.#counts.get(numberOf(key)) ?? 0;
    return count >= LEAST_PAGES && count >= this.#pages * LEAST_SHARE;
  }

  /** A page was seen for the first time (`before` undefined), or gave way to another version of itself. */
  learn(before: Page | undefined, after: Page): void {
    const was = before ? keysOf(before) : new Set<number>();
    const is = keysOf(after);
    if (!before) this.#countPage();
    for (const hash of is) if (!was.has(hash)) this.#add(hash);
    for (const hash of was) if (!is.has(hash)) this.#take(hash);
  }

  #countPage(): void {
    this.#pages += 1;
    if (this.#pages < MOST_PAGES) return;
    // Old pages weigh less and less: a site that is made over has new boilerplate.
    this.#pages = Math.floor(this.#pages / 2);
    for (const [hash, count] of this.#counts) this.#set(hash, Math.floor(count / 2));
  }

  #add(hash: number): void {
    const known = this.#counts.get(hash);
    if (known === undefined && this.#counts.size >= MOST_TEXTS) {
      for (const [other, count] of this.#counts) this.#set(other, count - 1);
      if (this.#counts.size >= MOST_TEXTS) return;
    }
    this.#set(hash, (known ?? 0) + 1);
  }

  #take(hash: number): void {
    const known = this.#counts.get(hash);
    if (known !== undefined) this.#set(hash, known - 1);
  }

  #set(hash: number, count: number): void {
    if (count > 0) this.#counts.set(hash, Math.min(count, 0xffff));
    else this.#counts.delete(hash);
  }
}

interface Known {
  readonly pages: number;
  /** When its first page was learned, minutes since 1970. */
  readonly sinceMinute: number;
  readonly counts: Map<number, number>;
}

/**
 * The keys of the segments and links of a page. What it is about and what stands beside that are counted apart: the
 * headline that a hundred pages have in their box of latest news is news on its own page, and on the front page.
 */
export class Keys {
  readonly #hasMain: boolean;

  constructor({ segments }: Page) {
    this.#hasMain = segments.some(({ zone }) => zone === 'main');
  }

  ofSegment({ text, zone }: Segment): string {
    return this.#within(zone) + text;
  }

  /** Something that the page says to its readers, and not a word on a button. */
  isMainSentence({ text, kind, zone }: Segment): boolean {
    return kind === 'sentence' && (zone === 'main' || !this.#hasMain) && SENTENCE.test(text);
  }

  ofAnchor({ href, text, zone }: Anchor): string {
    return `${this.#within(zone)}${text}\n${href}`;
  }

  #within(zone: Zone): string {
    return this.#hasMain && zone !== 'main' ? '\t' : '';
  }
}

/** Pages that must share a text, and their share of the host's: ten pages are a template, five may be a series. */
const LEAST_PAGES = 10;
const LEAST_SHARE = 0.2;
/** Texts that are counted for a host (12 kB), and those that one page may bring. */
const MOST_TEXTS = 2_048;
const PAGE_TEXTS = 400;
/** Pages after which the counts are halved. */
const MOST_PAGES = 2_000;
/** Characters of a text that is counted; boilerplate comes in short pieces. */
const TEXT_LENGTH = 500;

const SENTENCE = /[.!?…。！？][\s"'”’»)\]]*$/;
const MINUTE_MS = 60_000;
const FIRST_DAYS_MS = 3 * 24 * 60 * MINUTE_MS;

const FORMAT = 3;
const HEAD = 8;
const ENTRY = 6;

/** Signed: beyond 2³¹ V8 makes an object of each number in a map, 2,048 of them a page. */
function numberOf(key: string): number {
  return hashOf(key) | 0;
}

function keysOf(page: Page): Set<number> {
  const hashes = new Set<number>();
  const add = (key: string): void => {
    if (key.length <= TEXT_LENGTH && hashes.size < PAGE_TEXTS) hashes.add(numberOf(key));
  };
  const keys = new Keys(page);
  for (const segment of contentOf(page)) add(keys.ofSegment(segment));
  for (const anchor of page.anchors) if (anchor.zone !== 'chrome') add(keys.ofAnchor(anchor));
  return hashes;
}

/** Whether a segment or link that has this key (`Keys`) belongs to the site and not to the page. */
export type IsBoilerplate = (key: string, isMainSentence?: boolean) => boolean;

/**
 * The texts of two pages of one URL without what their host has on many pages. What is content of one of the two and
 * boilerplate on the other (it moved out of the main text, or into it) stays on both: it has neither gone nor come.
 */
export function textsOf(before: Page | undefined, after: Page, isBoilerplate: IsBoilerplate): Texts {
  const [one, other] = [parted(before, isBoilerplate), parted(after, isBoilerplate)];
  return {
    was: unshared(one, other.content),
    is: unshared(other, one.content),
    leftOut: { gone: missingIn(other, one.sentences), come: missingIn(one, other.sentences) },
  };
}

/** Characters of a page that would be compared if its host did not have them on many pages. */
export function sharedLength(page: Page, isBoilerplate: IsBoilerplate): number {
  const { segments, shared } = parted(page, isBoilerplate);
  return segments.reduce((sum, { text }, at) => (shared[at] ? sum + text.length : sum), 0);
}

interface Texts {
  readonly was: readonly string[];
  readonly is: readonly string[];
  /** Sentences of the main text that have gone or come and are left out as boilerplate. */
  readonly leftOut: { readonly gone: readonly string[]; readonly come: readonly string[] };
}

/** The first of the sentences that were left out, by name. */
export function sharedSentences({ leftOut: { gone, come } }: Texts): Ignored[] {
  return [
    ...gone.slice(0, NAMED).map((text) => ({ before: text, after: '', reason: SHARED })),
    ...come.slice(0, NAMED).map((text) => ({ before: '', after: text, reason: SHARED })),
  ];
}

/** What is ignored for that has not changed by itself. */
export const SHARED = 'on many pages of its host';
const NAMED = 20;

interface Parted {
  readonly segments: readonly Segment[];
  /** Which of the segments are boilerplate. */
  readonly shared: readonly boolean[];
  /** Texts of those that are none. */
  readonly content: ReadonlySet<string>;
  /** Sentences of the main text among the boilerplate. */
  readonly sentences: readonly string[];
}

function parted(page: Page | undefined, isBoilerplate: IsBoilerplate): Parted {
  if (!page) return NOTHING;
  const segments = contentOf(page);
  const keys = new Keys(page);
  const sentences: string[] = [];
  const shared = segments.map((segment) => {
    const key = keys.ofSegment(segment);
    if (!isBoilerplate(key)) return false;
    const isSentence = keys.isMainSentence(segment);
    if (isSentence && !isBoilerplate(key, true)) return false;
    if (isSentence) sentences.push(segment.text);
    return true;
  });
  const content = new Set(segments.filter((_, at) => !shared[at]).map(({ text }) => text));
  return { segments, shared, content, sentences };
}

function missingIn({ segments }: Parted, sentences: readonly string[]): string[] {
  if (sentences.length === 0) return [];
  const all = new Set(segments.map(({ text }) => text));
  return [...new Set(sentences)].filter((text) => !all.has(text));
}

const NOTHING: Parted = { segments: [], shared: [], content: new Set(), sentences: [] };

function unshared({ segments, shared, content }: Parted, other: ReadonlySet<string>): string[] {
  const kept = new Set<string>();
  const stays = ({ text }: Segment, at: number): boolean => {
    if (!shared[at]) return true;
    if (content.has(text) || !other.has(text) || kept.has(text)) return false;
    kept.add(text);
    return true;
  };
  return segments.filter(stays).map(({ text }) => text);
}

/** The links of the content that their host has not on many pages. */
export function anchorsOf(page: Page | undefined, isBoilerplate: IsBoilerplate): Anchor[] {
  if (!page) return [];
  const keys = new Keys(page);
  return page.anchors.filter((anchor) => anchor.zone !== 'chrome' && !isBoilerplate(keys.ofAnchor(anchor)));
}
