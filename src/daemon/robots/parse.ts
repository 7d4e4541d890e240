import { ROBOTS_SEARCHES, ROBOTS_SITEMAPS, ROBOTS_TXT_BYTES, URL_LENGTH } from '../../shared/limits.ts';

/** What a robots.txt says to one agent. */
export interface RobotsRules {
  /** The most specific first; of two equal ones the one that allows. */
  readonly rules: readonly Rule[];
  /** Seconds between two requests, as written; undefined when it does not say. */
  readonly crawlDelay: number | undefined;
  /** Addresses as written, each once; for every agent. */
  readonly sitemaps: readonly string[];
}

export interface Rule {
  readonly allows: boolean;
  readonly pattern: Pattern;
  /** From 1. */
  readonly line: number;
}

/**
 * Reads a robots.txt for the agent of this name (a product token, in any case): RFC 9309, and of what site owners write
 * beside it what Google reads, too – a missing colon, a few misspelt names, half a byte order mark – because they mean
 * it. Not so that `/index.html` allows `/`, which would be a liberty of ours.
 *
 * Never throws. What is beyond the first `ROBOTS_TXT_BYTES` is not read, nor is a line that they cut.
 */
export function parseRobots(file: Uint8Array, agent: string): RobotsRules {
  const groups = new Groups(agent.toLowerCase());
  const sitemaps = new Set<string>();
  for (const [index, line] of linesOf(file).entries()) {
    const [name, value] = fieldOf(line);
    const meaning = NAMES.get(name);
    if (meaning === 'sitemap') {
      if (sitemaps.size < ROBOTS_SITEMAPS && value.length <= URL_LENGTH)
        sitemaps.add(Buffer.from(value, 'latin1').toString());
    } else if (meaning !== undefined) {
      groups.read(meaning, value, index + 1);
    }
  }
  const { rules, crawlDelay } = groups.ours;
  return { rules: rules.sort(bySpecificity), crawlDelay, sitemaps: [...sitemaps].filter(Boolean) };
}

/** The part that is read, up to the last line that is whole. */
export function wholeLines(file: Uint8Array): Uint8Array {
  if (file.length <= ROBOTS_TXT_BYTES) return file;
  const start = file.subarray(0, ROBOTS_TXT_BYTES);
  return start.subarray(0, Math.max(start.lastIndexOf(LF), start.lastIndexOf(CR)) + 1);
}

const LF = 0x0a;
const CR = 0x0d;

type Meaning = 'agent' | 'allow' | 'disallow' | 'delay';

const NAMES: ReadonlyMap<string, Meaning | 'sitemap'> = new Map([
  ...['user-agent', 'useragent', 'user agent'].map((name) => [name, 'agent'] as const),
  ...['disallow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw'].map(
    (name) => [name, 'disallow'] as const,
  ),
  ...['sitemap', 'site-map'].map((name) => [name, 'sitemap'] as const),
  ['allow', 'allow'],
  ['crawl-delay', 'delay'],
]);

interface Group {
  readonly rules: Rule[];
  crawlDelay: number | undefined;
  /** Rules so far whose pieces have to be searched for. */
  searches: number;
}

/** Groups of one agent are one. A group begins with one or more agents, and the first rule ends their list. */
class Groups {
  readonly #agent: string;
  readonly #toAll: Group = { rules: [], crawlDelay: undefined, searches: 0 };
  #toUs: Group | undefined;
  /** Whom the lines are said to that follow. */
  readonly #current = new Set<Group>();
  #isListing = false;
  /** What the group has said of a delay so far. */
  #groupDelay = 0;

  constructor(agent: string) {
    this.#agent = agent;
  }

  /** What is said to us; only if nothing is, what is said to all. */
  get ours(): Group {
    return this.#toUs ?? this.#toAll;
  }

  read(meaning: Meaning, value: string, line: number): void {
    if (meaning === 'agent') this.#address(value);
    else if (meaning === 'delay') this.#delay(value);
    else this.#rule(meaning === 'allow', value, line);
  }

  #address(value: string): void {
    if (!this.#isListing) {
      this.#current.clear();
      this.#groupDelay = 0;
    }
    this.#isListing = true;
    if (/^\*(?:[\t ]|$)/.test(value)) this.#join(this.#toAll);
    // `FooBot/2.1 (a note)` is FooBot.
    const token = /^[a-z_-]+/i.exec(value)?.[0].toLowerCase();
    if (token === undefined || token !== this.#agent) return;
    this.#toUs ??= { rules: [], crawlDelay: undefined, searches: 0 };
    this.#join(this.#toUs);
  }

  #join(group: Group): void {
    this.#current.add(group);
    if (this.#groupDelay > 0) group.crawlDelay = Math.max(group.crawlDelay ?? 0, this.#groupDelay);
  }

  #rule(allows: boolean, value: string, line: number): void {
    this.#isListing = false;
    if (value === '' || this.#current.size === 0) return;
    const pattern = patternOf(value);
    // No URL that is fetched is as long: it would only be kept.
    if (leastLength(pattern) > 3 * URL_LENGTH) return;
    for (const group of this.#current) {
      if (isSearched(pattern) && (group.searches += 1) > ROBOTS_SEARCHES) {
        if (!allows) group.rules.push({ allows, pattern: beginningOf(pattern), line });
      } else {
        group.rules.push({ allows, pattern, line });
      }
    }
  }

  /** No rule, so it does not end the list of agents, and holds for those that follow, too; of several the longest. */
  #delay(value: string): void {
    if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(value)) return;
    this.#groupDelay = Math.max(this.#groupDelay, Number(value));
    for (const group of this.#current) this.#join(group);
  }
}

function bySpecificity(one: Rule, other: Rule): number {
  return (
    other.pattern.length - one.pattern.length || Number(other.allows) - Number(one.allows) || one.line - other.line
  );
}

/** One character a byte. UTF-16, which some editors save, is told by its mark alone. */
function linesOf(file: Uint8Array): string[] {
  const bytes = Buffer.from(wholeLines(file));
  const [first, second] = bytes;
  const utf16 =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
  const text = utf16 === undefined ? bytes : Buffer.from(new TextDecoder(utf16).decode(bytes));
  return text
    .subarray(markLength(text))
    .toString('latin1')
    .split(/\r\n|\r|\n/);
}

/** Of a byte order mark, or of the part of one that is left. */
function markLength(text: Uint8Array): number {
  const mark = [0xef, 0xbb, 0xbf];
  const different = mark.findIndex((byte, index) => text[index] !== byte);
  return different === -1 ? mark.length : different;
}

/** Name in lower case, and value; without a colon, two words are those. */
function fieldOf(line: string): readonly [name: string, value: string] {
  const hash = line.indexOf('#');
  const text = trimmed(hash === -1 ? line : line.slice(0, hash));
  const colon = text.indexOf(':');
  if (colon !== -1) return [trimmed(text.slice(0, colon)).toLowerCase(), trimmed(text.slice(colon + 1))];
  const gap = text.search(/[\t ]/);
  const value = trimmed(text.slice(gap + 1));
  return gap === -1 || /[\t ]/.test(value) ? ['', ''] : [text.slice(0, gap).toLowerCase(), value];
}

/** `trim` would take a byte of a character for a no-break space, and a regular expression takes its time. */
function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/**
 * Paths and the patterns of robots.txt, in the one form in which they are compared (RFC 9309, 2.2.2): percent-encoded
 * but for what need not be, hexadecimal in capitals. Texts are one character a byte, so a rule in any encoding is
 * compared by its bytes, as it was meant.
 */
export interface Pattern {
  /** What stands between the `*`s; several `*` in a row are one. */
  readonly pieces: readonly string[];
  /** Ends with `$`: the path has to end there, too. */
  readonly isAnchored: boolean;
  /** Octets as written, by which the most specific rule is found. */
  readonly length: number;
}

/** `path?query` of a parsed URL. Its own `*` and `$` mean themselves, so they are encoded. */
export function comparablePath(url: URL): string {
  return encoded(url.pathname + url.search).replaceAll(/[*$]/g, hex);
}

export function patternOf(text: string): Pattern {
  const isAnchored = text.endsWith('$');
  const whole = encoded(isAnchored ? text.slice(0, -1) : text).replaceAll('$', hex);
  const pieces = whole.split(/\*+/).map(copied);
  return { pieces, isAnchored, length: whole.length + Number(isAnchored) };
}

/** A rule as it is shown to people. */
export function written({ pieces, isAnchored }: Pattern): string {
  return pieces.join('*') + (isAnchored ? '$' : '');
}

/** The fewest characters a path needs to match. */
function leastLength({ pieces }: Pattern): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

/** Whether its pieces have to be searched for: what has none but the first is compared at once. */
function isSearched({ pieces }: Pattern): boolean {
  return pieces.slice(1).some((piece) => piece !== '');
}

/** Up to its first `*`: matches all that the pattern does, and more. */
function beginningOf({ pieces, length }: Pattern): Pattern {
  return { pieces: pieces.slice(0, 1), isAnchored: false, length };
}

/**
 * The leftmost place for each piece in turn leaves most room for the next one, so nothing is ever tried twice: one
 * pass over the path, whatever the pattern.
 */
export function matches({ pieces, isAnchored }: Pattern, path: string): boolean {
  const [first = '', ...rest] = pieces;
  if (!path.startsWith(first)) return false;
  const last = rest.pop();
  if (last === undefined) return !isAnchored || path.length === first.length;
  let at = first.length;
  for (const piece of rest) {
    const found = placeOf(piece, path, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return isAnchored ? path.length - last.length >= at && path.endsWith(last) : placeOf(last, path, at) !== -1;
}

/**
 * `indexOf`, in linear time also for long pieces that almost match everywhere (Knuth, Morris and Pratt 1977): half a
 * megabyte of them would hold up everyone for a second at each page.
 */
export function placeOf(piece: string, path: string, from: number): number {
  if (piece.length <= SHORT) return path.indexOf(piece, from);
  if (piece.length > path.length - from) return -1;
  const borders = bordersOf(piece);
  let matched = 0;
  for (let at = from; at < path.length; at += 1) {
    matched = extended(piece, borders, matched, path.charCodeAt(at));
    if (matched === piece.length) return at - matched + 1;
  }
  return -1;
}

/** Below it the engine's own search is at most this many passes, and far faster. */
const SHORT = 16;

/** For each beginning of the piece, the length of its longest proper end that is a beginning, too. */
function bordersOf(piece: string): readonly number[] {
  const borders = [0];
  for (let at = 1; at < piece.length; at += 1) {
    borders.push(extended(piece, borders, borders[at - 1] ?? 0, piece.charCodeAt(at)));
  }
  return borders;
}

function extended(piece: string, borders: readonly number[], matched: number, next: number): number {
  let length = matched;
  while (length > 0 && piece.charCodeAt(length) !== next) length = borders[length - 1] ?? 0;
  return piece.charCodeAt(length) === next ? length + 1 : length;
}

/** Unreserved characters are decoded, reserved ones left as they are, everything else is encoded. */
function encoded(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})|[^\x21-\x7e]|["'<>\\^`{|}]/gi, (found, digits: string | undefined) => {
    if (digits === undefined) return hex(found);
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return /[\w.~-]/.test(character) ? character : found.toUpperCase();
  });
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** A slice would keep the whole file alive. */
function copied(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
