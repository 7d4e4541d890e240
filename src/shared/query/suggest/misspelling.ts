/** Longer words are compared by their beginnings. */
const LONGEST = 64;

/** What was meant by a word that is none of those allowed. */
export interface Meant {
  readonly value: string;
  /** Whether it may be put in the place of the word unasked: the same name, written otherwise or with a slip. */
  readonly isSure: boolean;
}

/** How many slips of the hand a word may have: in a short one, two make another word. */
function editsAllowed({ length }: string): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : length < 12 ? 2 : 3;
}

/** The candidate that a word is a misspelling of, letter case and what joins words aside; undefined where none is near. */
export function misspelled<Candidate extends string>(
  word: string,
  candidates: readonly Candidate[],
): Candidate | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/[-_ ]/g, '');
  const wanted = plain(word.slice(0, LONGEST));
  const exact = candidates.find((candidate) => plain(candidate) === wanted);
  if (exact !== undefined || wanted === '') return exact;
  const near = nearest(wanted, candidates.map(plain));
  const found = near === undefined ? undefined : candidates.find((candidate) => plain(candidate) === near);
  if (near === undefined || found === undefined) return undefined;
  // `ulr` is a slip too.
  const most = isShuffled(wanted, near) ? 1 : editsAllowed(wanted);
  return distance(wanted, near) <= most ? found : undefined;
}

function isShuffled(one: string, other: string): boolean {
  return Array.from(one).sort().join('') === Array.from(other).sort().join('');
}

/** The candidate with the fewest edits to the word, letter case aside; the earlier one of two equally near. */
export function nearest<Candidate extends string>(
  word: string,
  candidates: readonly Candidate[],
): Candidate | undefined {
  // Past this every name is equally far away, and a hostile one would cost thousands of rows.
  const wanted = word.slice(0, LONGEST).toLowerCase();
  let best: Candidate | undefined;
  let fewest = Infinity;
  for (const candidate of candidates) {
    const edits = distance(wanted, candidate.toLowerCase(), fewest);
    if (edits >= fewest) continue;
    fewest = edits;
    best = candidate;
  }
  return best;
}

/** Rows of the table of distances, for one comparison at a time. No word is longer than a label of 160 characters. */
const WIDEST = 256;
const rows = [new Uint16Array(WIDEST + 1), new Uint16Array(WIDEST + 1), new Uint16Array(WIDEST + 1)] as const;

/**
 * Optimal string alignment: insertions, deletions, replacements, and swaps of neighbours (`tilte`), one each. Given
 * up, with `limit` for an answer, as soon as it cannot be less; a thousand labels are compared with a value, so only
 * cells that can lead to less are filled in. Beyond 256 characters words count as equal.
 */
export function distance(one: string, other: string, limit = WIDEST): number {
  const left = one.slice(0, WIDEST);
  const right = other.slice(0, WIDEST);
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let [beforePrevious, previous, current] = rows;
  for (let column = 0; column <= right.length; column++) previous[column] = column;
  for (let row = 1; row <= left.length; row++) {
    const least = fillRow(current, previous, beforePrevious, left, right, row, limit);
    if (least > limit) return limit;
    [beforePrevious, previous, current] = [previous, current, beforePrevious];
  }
  return Math.min(previous[right.length] ?? limit, limit);
}

/** Fills the cells that lie less than `limit` off the diagonal, and walls on both sides. Returns the least of them. */
function fillRow(
  current: Uint16Array,
  previous: Uint16Array,
  beforePrevious: Uint16Array,
  left: string,
  right: string,
  row: number,
  limit: number,
): number {
  const first = Math.max(1, row - limit);
  const last = Math.min(right.length, row + limit);
  const letter = left.charCodeAt(row - 1);
  const letterBefore = row > 1 ? left.charCodeAt(row - 2) : -1;
  let before = first === 1 ? row : WIDEST;
  current[first - 1] = before;
  let least = before;
  for (let column = first; column <= last; column++) {
    const other = right.charCodeAt(column - 1);
    const replaced = at(previous, column - 1) + Number(letter !== other);
    let edits = Math.min(at(previous, column) + 1, before + 1, replaced);
    if (column > 1 && letterBefore === other && letter === right.charCodeAt(column - 2)) {
      edits = Math.min(edits, at(beforePrevious, column - 2) + 1);
    }
    current[column] = edits;
    before = edits;
    if (edits < least) least = edits;
  }
  if (last < right.length) current[last + 1] = WIDEST;
  return least;
}

function at(row: Uint16Array, column: number): number {
  return row[column] ?? WIDEST;
}
