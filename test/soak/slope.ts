/** One reading of a figure: when, in any unit of time, and what. */
export interface Reading {
  readonly at: number;
  readonly value: number;
}

/**
 * How a figure grows in one unit of time: the median of the slopes between all pairs (Theil and Sen). A garbage collection
 * or a peak of a moment, which would bend a least-squares line, moves it little. 0 of fewer than two readings.
 */
export function slopeOf(readings: readonly Reading[]): number {
  const slopes = readings.flatMap((one, index) =>
    readings
      .slice(index + 1)
      .filter((other) => other.at !== one.at)
      .map((other) => (other.value - one.value) / (other.at - one.at)),
  );
  return quantile(slopes, 0.5);
}

/** `q` from 0 to 1; 0 of nothing. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}
