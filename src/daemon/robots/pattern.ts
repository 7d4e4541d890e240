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
export function leastLength({ pieces }: Pattern): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

/** Whether its pieces have to be searched for: what has none but the first is compared at once. */
export function isSearched({ pieces }: Pattern): boolean {
  return pieces.slice(1).some((piece) => piece !== '');
}

/** Up to its first `*`: matches all that the pattern does, and more. */
export function beginningOf({ pieces, length }: Pattern): Pattern {
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
