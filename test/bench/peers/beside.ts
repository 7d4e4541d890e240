import type { Figure } from '../row.ts';
import { median } from '../statistics.ts';

/** The baseline of a row: the median of what a program took in all runs, or that it is not on this machine. */
export function beside(name: string, values: readonly (number | undefined)[]): Pick<Figure, 'baseline' | 'against'> {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length
    ? { baseline: median(known), against: name }
    : { against: `${name}: not installed` };
}
