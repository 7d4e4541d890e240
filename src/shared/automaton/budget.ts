/** Most states a regex may need (Lucene's own `maxDeterminizedStates`). */
export const MOST_STATES = 10_000;
/** Most cells of a table of transitions, states times kinds of characters: two megabytes. */
export const MOST_CELLS = 1_048_576;
/** Steps of reading and building the regexes of one query: a step takes some fifty nanoseconds, twice that at first. */
const STEPS = 400_000;
/** Those for building one regex at once, or half of what is left if that is more, before it is built part by part. */
export const STEPS_AT_ONCE = 100_000;
/** What an automaton costs beside its states: thousands of tiny ones take their time too. */
export const AUTOMATON_STEPS = 300;
/** What a place in a regex costs to read and to write out as states, beside its arcs. */
export const PLACE_STEPS = 4;
/** What a place costs that an interval such as <1-99> stands for: a few characters become hundreds of sets. */
export const INTERVAL_STEPS = 10;

/** Thrown inside this room only; compileRegex makes a RegexProblem of it. */
export class TooManyStates extends Error {}
/** Made once: a query may meet it a thousand times, and a stack trace costs more than a small automaton. */
const TOO_MANY_STATES = new TooManyStates();

/**
 * What building automata may cost. Ten thousand states can be found out quickly or, with thousands of places in
 * each, take minutes: the steps are bounded too, as in later versions of Lucene. One budget may serve all regexes
 * of a query, so that a thousand small ones are no way around it.
 */
export class RegexBudget {
  #left: number;
  readonly #whole: RegexBudget | undefined;

  /** `whole` is what this is a part of. */
  constructor(steps: number = STEPS, whole?: RegexBudget) {
    this.#left = steps;
    this.#whole = whole;
  }

  /** Steps that are left. */
  get left(): number {
    return this.#left;
  }

  spend(steps: number): void {
    this.#left -= steps;
    this.#whole?.spend(steps);
    if (this.#left < 0) throw TOO_MANY_STATES;
  }
}
