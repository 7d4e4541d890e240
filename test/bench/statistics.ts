/** The value below which a share of all is; of none, not a number. */
export function quantile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((one, other) => one - other);
  return ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export interface Point {
  readonly size: number;
  readonly value: number;
}

/**
 * The exponent of the power law that fits best (least squares of the logarithms): 0 where the size does not matter, 1
 * where twice the size costs twice as much. Not a number where there are less than two sizes or a value is not positive.
 */
export function slope(points: readonly Point[]): number {
  const logs = points.map(({ size, value }) => ({ x: Math.log(size), y: Math.log(value) }));
  const mean = (of: (log: { x: number; y: number }) => number): number =>
    logs.reduce((sum, log) => sum + of(log), 0) / logs.length;
  const [x, y] = [mean((log) => log.x), mean((log) => log.y)];
  const covariance = mean((log) => (log.x - x) * (log.y - y));
  return covariance / mean((log) => (log.x - x) ** 2);
}
