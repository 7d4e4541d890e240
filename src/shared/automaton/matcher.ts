/**
 * Patterns as machines: a wildcard, a fuzzy word or a regex comes in as text, and out comes a Matcher that says
 * whether a whole text fits it. Every matcher reads its text once from front to back, whatever pattern and text
 * say: rules come from strangers and are run against every page, so nothing here may backtrack.
 *
 * - regex.ts: Lucene's own dialect (RegExp of 8.x with all its syntax), parsed to a tree, made a deterministic
 *   automaton. JavaScript's RegExp was decided against: another language (no `&`, `~`, `<1-99>`; `\d` means
 *   something else) and one that can take years over 30 characters.
 * - wildcard.ts: `*` and `?`. Not by way of a regex: `*a????????????` has thousands of deterministic states.
 * - fuzzy.ts: words a few edits away.
 *
 * Beside the answer each matcher tells what its matches have in common, so that an index can pass it over unasked.
 */
export interface Matcher {
  /** Whether the whole text fits; the case counts. */
  matches(text: string): boolean;
  /**
   * Pieces of text that every matching text contains, longest first, none within another; with them `prefix` and
   * `suffix`. Empty when none is known.
   */
  readonly required: readonly string[];
  /** What every matching text begins with; '' when nothing is known. */
  readonly prefix: string;
  /** What every matching text ends with; '' when nothing is known. */
  readonly suffix: string;
}

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
