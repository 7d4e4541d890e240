/** A set of whole numbers that come in runs: [first, next) each, in order, never touching. */
export class Intervals {
  readonly #runs: { first: number; next: number }[] = [];
  readonly #atMost: number;

  /** Beyond `atMost` runs the lowest is forgotten. */
  constructor(atMost = Infinity) {
    this.#atMost = atMost;
  }

  /** How many runs there are. */
  get size(): number {
    return this.#runs.length;
  }

  /** How far everything from `from` on is in the set. */
  reach(from: number): number {
    const run = this.#runs.findLast(({ first }) => first <= from);
    return run === undefined ? from : Math.max(from, run.next);
  }

  add(first: number, next: number): void {
    if (first >= next) return;
    const start = this.#runs.findIndex((run) => run.next >= first);
    const index = start < 0 ? this.#runs.length : start;
    let end = index;
    const joined = { first, next };
    for (let run = this.#runs[end]; run !== undefined && run.first <= next; run = this.#runs[end]) {
      joined.first = Math.min(joined.first, run.first);
      joined.next = Math.max(joined.next, run.next);
      end += 1;
    }
    this.#runs.splice(index, end - index, joined);
    if (this.#runs.length > this.#atMost) this.#runs.shift();
  }

  /** Takes out the lowest run, at most `atMost` of it. */
  shift(atMost: number): { readonly first: number; readonly next: number } | undefined {
    const run = this.#runs[0];
    if (run === undefined) return undefined;
    const { first } = run;
    const next = Math.min(run.next, first + atMost);
    if (next === run.next) this.#runs.shift();
    else run.first = next;
    return { first, next };
  }
}
