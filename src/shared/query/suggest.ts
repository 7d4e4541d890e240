/** Longer words are compared by their beginnings. */
const LONGEST = 64;

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

/**
 * Optimal string alignment: insertions, deletions, replacements, and swaps of neighbours (`tilte`), one each. Given
 * up, with a distance of at least `limit`, as soon as it cannot be less.
 */
export function distance(left: string, right: string, limit = Infinity): number {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let edits = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && swapped) edits = Math.min(edits, at(beforePrevious, column - 2) + 1);
      current.push(edits);
      least = Math.min(least, edits);
    }
    // A swap reaches back one row more, and costs one.
    if (least > limit) return limit;
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, right.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
