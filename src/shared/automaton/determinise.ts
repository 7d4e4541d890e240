import { type Dfa, DfaBuilder } from './dfa.ts';
import type { RegexBudget } from './budget.ts';
import type { Nfa } from './nfa.ts';
import { StateSets } from './state-sets.ts';

/** Closures up to this length are kept, which is nearly all: longer ones of every state could fill the memory. */
const KEPT = 8;

/** The subset construction: each state stands for the states the other automaton may be in. */
export function determinise(nfa: Nfa, kinds: number, budget: RegexBudget): Dfa {
  return new Subsets(nfa, kinds, budget).all();
}

class Subsets {
  readonly #nfa: Nfa;
  readonly #budget: RegexBudget;
  readonly #dfa: DfaBuilder;
  readonly #sets = new StateSets();
  readonly #universal: number;
  readonly #closures: (readonly number[] | undefined)[] = [];
  /** The round in which a state was last reached. */
  readonly #reached: Uint32Array;
  #round = 0;
  /** Of each kind of character the list of states it leads to, as the end of a chain. */
  readonly #lists: Uint32Array;
  /** The chains: an entry is a state and the entry before it; 0 is the end. */
  #before: number[] = [0];
  #state: number[] = [0];
  /** Which longer chain an entry became under the arc at hand. */
  #longer: number[] = [0];

  constructor(nfa: Nfa, kinds: number, budget: RegexBudget) {
    this.#nfa = nfa;
    this.#budget = budget;
    this.#dfa = new DfaBuilder(kinds, budget);
    this.#universal = nfa.universal(kinds) ?? -1;
    this.#reached = new Uint32Array(nfa.size);
    this.#lists = new Uint32Array(kinds);
  }

  all(): Dfa {
    this.#sets.add([]);
    const start = this.#stateOf([this.#nfa.start]);
    for (let state = 1; state < this.#sets.count; state++) this.#fill(state);
    return this.#dfa.finish(start);
  }

  /**
   * Finds the next state for each kind of character. Kinds that lead to the same states, most of them as a rule,
   * share one list, so its closure is made and looked up once.
   */
  #fill(state: number): void {
    this.#lists.fill(0);
    this.#before = [0];
    this.#state = [0];
    this.#longer = [0];
    for (const from of this.#sets.members(state)) {
      for (const { kinds, to } of this.#nfa.arcs(from)) this.#extend(kinds, to);
    }
    const next: number[] = [0];
    for (const [kind, list] of this.#lists.entries()) {
      if (list === 0) continue;
      next[list] ??= this.#stateOf(this.#statesOf(list));
      this.#dfa.connect(state, kind, next[list]);
    }
  }

  /** Puts a state at the end of the lists of these kinds. */
  #extend(kinds: readonly number[], to: number): void {
    this.#budget.spend(kinds.length);
    const known = this.#before.length;
    for (const kind of kinds) {
      const list = this.#lists[kind] ?? 0;
      let longer = this.#longer[list] ?? 0;
      if (longer < known) {
        longer = this.#before.push(list) - 1;
        this.#state.push(to);
        this.#longer.push(0);
        this.#longer[list] = longer;
      }
      this.#lists[kind] = longer;
    }
  }

  #statesOf(list: number): number[] {
    const states: number[] = [];
    for (let entry = list; entry !== 0; entry = this.#before[entry] ?? 0) states.push(this.#state[entry] ?? 0);
    return states.reverse();
  }

  /** The state of these states and all that they reach for free. */
  #stateOf(seeds: readonly number[]): number {
    const members = this.#closure(seeds);
    const known = this.#sets.find(members);
    if (known >= 0) return known;
    const state = this.#dfa.add(members.includes(this.#nfa.accept) || members[0] === this.#universal);
    this.#sets.add(members);
    return state;
  }

  #closure(seeds: readonly number[]): readonly number[] {
    const round = ++this.#round;
    const members: number[] = [];
    for (const seed of seeds) {
      const reached = this.#closures[seed] ?? this.#closureOf(seed);
      this.#budget.spend(reached.length);
      for (const state of reached) {
        if (this.#reached[state] === round) continue;
        this.#reached[state] = round;
        // Where everything matches the other places no longer matter: `.*a.*|.*b.*` would note who was met for ever.
        if (state === this.#universal) return [state];
        members.push(state);
      }
    }
    return sorted(members);
  }

  /** What a state reaches for free and that says something of its own. */
  #closureOf(seed: number): readonly number[] {
    const seen = new Set<number>();
    const waiting = [seed];
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      if (seen.has(state)) continue;
      seen.add(state);
      for (const to of this.#nfa.free(state)) waiting.push(to);
    }
    this.#budget.spend(seen.size);
    const closure = [...seen].filter((state) => state === this.#nfa.accept || this.#nfa.arcs(state).length > 0);
    if (closure.length <= KEPT) this.#closures[seed] = closure;
    return closure;
  }
}

/** Nearly in order as they come, so inserting is linear; a long list is left to the engine. */
function sorted(members: number[]): number[] {
  if (members.length > 64) return members.sort((one, other) => one - other);
  for (let at = 1; at < members.length; at++) {
    const member = members[at] ?? 0;
    let place = at;
    for (; place > 0 && (members[place - 1] ?? 0) > member; place--) members[place] = members[place - 1] ?? 0;
    members[place] = member;
  }
  return members;
}
