/** How often each value occurs. */
export function counted<Value>(values: Iterable<Value>): Map<Value, number> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Takes one of that value; false when none is left. */
export function take<Value>(counts: Map<Value, number>, value: Value): boolean {
  const left = counts.get(value) ?? 0;
  if (left > 0) counts.set(value, left - 1);
  return left > 0;
}
