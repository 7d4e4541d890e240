/** What one benchmark is asked for. */
export interface Asked {
  /** A small form that shows that everything runs: its figures say nothing, and no goal is held against them. */
  readonly isShort: boolean;
  /** Of a benchmark that can be made larger: its largest number of rules, URLs, streams, watches … */
  readonly size: number | undefined;
  /** How often what varies from run to run is measured anew; without it, as often as the benchmark does by itself. */
  readonly runs?: number;
}

/** What one benchmark gives: what it was measured on, in plain words, and its figures. */
export interface Outcome {
  readonly notes: readonly string[];
  readonly figures: readonly Figure[];
}

export type Benchmark = (asked: Asked) => Promise<Outcome>;

/** The most or the least that we want of a value. */
export type Goal = { readonly atMost: number } | { readonly atLeast: number };

export interface Figure {
  /** What was measured, as short as in a table. */
  readonly name: string;
  /** How many of what the benchmark grows: rules, URLs, streams, watches … */
  readonly size?: number;
  readonly value: number;
  /** `ms`, `µs`, `MB` (a million bytes), `/s` … or `exponent` of a growth: 0 is flat, 1 is linear. */
  readonly unit: string;
  /** The same of something plainer, measured in the same run. */
  readonly baseline?: number;
  /** What that is; without a baseline, why there is none: a program that is not installed. */
  readonly against?: string;
  readonly goal?: Goal;
}

/** A line of the table, and an object of the JSON. */
export interface Row extends Figure {
  readonly bench: string;
  /** `value / baseline`; exponents have none. */
  readonly ratio?: number;
  /** Whether the goal is; stands where `goal` does. */
  readonly met?: boolean;
}

export function rowOf(bench: string, figure: Figure): Row {
  const { value, unit, baseline, goal } = figure;
  return {
    bench,
    ...figure,
    ...(baseline !== undefined && unit !== 'exponent' && { ratio: value / baseline }),
    ...(goal && { met: 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast }),
  };
}

/** The rows of a benchmark. The goals are of the whole form, so a short one has none. */
export function rowsOf(bench: string, { figures }: Outcome, { isShort }: Asked): Row[] {
  return figures.map((figure) => {
    const { goal, ...rest } = figure;
    return rowOf(bench, isShort || goal === undefined ? rest : figure);
  });
}
