import { MOST_CELLS, MOST_STATES, type RegexBudget, TooManyStates } from './budget.ts';
import type { Nfa } from './nfa.ts';

/** A deterministic automaton. State 0 is the dead end, from which nothing matches; the others begin at 1. */
export interface Dfa {
  readonly start: number;
  /** For each state the next one, by kind of character. */
  readonly rows: readonly Uint16Array[];
  readonly accepting: readonly boolean[];
}

/** The states of a deterministic automaton as they are found, held to the limits. */
export class DfaStates {
  readonly rows: Uint16Array[] = [];
  readonly accepting: boolean[] = [];
  readonly #kinds: number;
  readonly #budget: RegexBudget;

  constructor(kinds: number, budget: RegexBudget) {
    this.#kinds = kinds;
    this.#budget = budget;
    this.add(false);
  }

  add(accepting: boolean): number {
    const count = this.rows.length;
    if (count > MOST_STATES || (count + 1) * this.#kinds > MOST_CELLS) throw new TooManyStates();
    this.#budget.spend(this.#kinds);
    this.accepting.push(accepting);
    this.rows.push(new Uint16Array(this.#kinds));
    return count;
  }
}

/** The subset construction: each state stands for the states the other automaton may be in. */
export function determinise(nfa: Nfa, kinds: number, budget: RegexBudget): Dfa {
  return new Subsets(nfa, kinds, budget).all();
}

class Subsets {
  readonly #nfa: Nfa;
  readonly #kinds: number;
  readonly #budget: RegexBudget;
  readonly #states: DfaStates;
  readonly #sets: Uint16Array[] = [new Uint16Array()];
  readonly #numbers = new Map<string, number>();
  readonly #universal: number | undefined;
  /** The round in which a state was last reached. */
  readonly #reached: Uint32Array;
  #round = 0;

  constructor(nfa: Nfa, kinds: number, budget: RegexBudget) {
    this.#nfa = nfa;
    this.#kinds = kinds;
    this.#budget = budget;
    this.#states = new DfaStates(kinds, budget);
    this.#universal = nfa.universal(kinds);
    this.#reached = new Uint32Array(nfa.size);
  }

  all(): Dfa {
    const start = this.#stateOf([this.#nfa.start]);
    for (let state = 1; state < this.#sets.length; state++) this.#fill(state);
    return { start, rows: this.#states.rows, accepting: this.#states.accepting };
  }

  #fill(state: number): void {
    const targets: (number[] | undefined)[] = Array.from({ length: this.#kinds });
    for (const from of this.#sets[state] ?? []) {
      for (const { kinds, to } of this.#nfa.arcs(from)) {
        this.#budget.spend(kinds.length);
        for (const kind of kinds) {
          const list = targets[kind];
          if (list) list.push(to);
          else targets[kind] = [to];
        }
      }
    }
    const row = this.#states.rows[state];
    if (!row) return;
    for (const [kind, list] of targets.entries()) if (list) row[kind] = this.#stateOf(list);
  }

  /** The state of these states and all that they reach for free. */
  #stateOf(seeds: number[]): number {
    const members = this.#closure(seeds);
    const key = String.fromCharCode(...members);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const state = this.#states.add(this.#reached[this.#nfa.accept] === this.#round);
    this.#numbers.set(key, state);
    this.#sets.push(members);
    return state;
  }

  #closure(seeds: number[]): Uint16Array {
    this.#round++;
    const members: number[] = [];
    for (let state = seeds.pop(); state !== undefined; state = seeds.pop()) {
      if (this.#reached[state] === this.#round) continue;
      this.#reached[state] = this.#round;
      this.#budget.spend(1);
      // States that only lead on for free say nothing of their own.
      if (state === this.#nfa.accept || this.#nfa.arcs(state).length > 0) members.push(state);
      for (const to of this.#nfa.free(state)) seeds.push(to);
    }
    // Where everything matches, the other places no longer matter: `.*a.*|.*b.*` would count who was met, for ever.
    const universal = this.#universal;
    if (universal !== undefined && this.#reached[universal] === this.#round) return Uint16Array.of(universal);
    return Uint16Array.from(members).sort();
  }
}
