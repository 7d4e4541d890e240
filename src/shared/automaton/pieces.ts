import type { Matcher } from './matcher.ts';

/** What a matcher tells of its matches. */
export type Literals = Pick<Matcher, 'required' | 'prefix' | 'suffix'>;

/** Pieces beyond this many say little that the longest do not. */
const MOST_PIECES = 8;

/** Orders what is known of a pattern's matches: the longest first, nothing that another piece says already. */
export function commonPieces(prefix: string, suffix: string, pieces: Iterable<string>): Literals {
  const [start, end] = [wholeCharacters(prefix), wholeCharacters(suffix)];
  const required: string[] = [];
  const candidates = new Set([start, end, ...[...pieces].map(wholeCharacters)]);
  candidates.delete('');
  for (const piece of [...candidates].sort((one, other) => other.length - one.length)) {
    if (required.length === MOST_PIECES) break;
    if (!required.some((longer) => longer.includes(piece))) required.push(piece);
  }
  return { required, prefix: start, suffix: end };
}

/** Half a surrogate pair at either end goes: `😀|😁` begin alike only as UTF-16 does. */
function wholeCharacters(piece: string): string {
  return piece.replace(/^[\udc00-\udfff]+|[\ud800-\udbff]+$/g, '');
}
