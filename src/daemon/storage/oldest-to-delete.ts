interface Aged {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly bytes: number;
}

/**
 * What of a log has to go: of the oldest rows those from before a time, and as many more as it is too large by.
 * @param oldest by their times, so that what is old is a beginning of them
 * @param total bytes of the whole log
 */
export function oldestToDelete<Row extends Aged>(
  oldest: readonly Row[],
  total: number,
  before: number,
  mostBytes: number,
): { readonly old: readonly Row[]; readonly bytes: number } {
  let bytes = 0;
  const kept = oldest.findIndex((row) => {
    if (row.at >= before && total - bytes <= mostBytes) return true;
    bytes += row.bytes;
    return false;
  });
  return { old: kept < 0 ? oldest : oldest.slice(0, kept), bytes };
}
