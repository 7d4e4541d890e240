import { type Dfa, DfaBuilder } from './dfa.ts';
import { AUTOMATON_STEPS, type RegexBudget } from './budget.ts';
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
  /** 1 for each state from which everything matches; the first of them stands for all. */
  readonly #universal: Uint8Array;
  readonly #everything: number;
  readonly #closures: (readonly number[] | undefined)[] = [];
  readonly #members: Uint16Array;
  /** The round in which a state was last reached. */
  readonly #reached: Uint32Array;
  #round = 0;
  /** Of each kind of character the list of states it leads to, as the newest entry of a chain; 0 is none. */
  readonly #lists: Uint32Array;
  /** The chains' entries: a state, and the entry before it. */
  readonly #before: number[] = [0];
  readonly #state: number[] = [0];
  /** What an entry's chain became under the arc at hand. */
  readonly #longer: number[] = [0];
  #entries = 1;
  /** The states that lists of one or two lead to. */
  readonly #pairs = new Map<number, number>();

  constructor(nfa: Nfa, kinds: number, budget: RegexBudget) {
    this.#nfa = nfa;
    this.#budget = budget;
    budget.spend(AUTOMATON_STEPS);
    this.#dfa = new DfaBuilder(kinds, budget);
    this.#universal = nfa.universal(kinds);
    this.#everything = this.#universal.indexOf(1);
    this.#members = new Uint16Array(nfa.size);
    this.#reached = new Uint32Array(nfa.size);
    this.#lists = new Uint32Array(kinds);
  }

  all(): Dfa {
    this.#sets.add(new Uint16Array());
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
    this.#entries = 1;
    for (const from of this.#sets.members(state)) {
      for (const arc of this.#nfa.arcs(from)) this.#extend(arc.kinds, arc.to);
    }
    const next: number[] = [];
    for (let kind = 0; kind < this.#lists.length; kind++) {
      const list = this.#lists[kind] ?? 0;
      if (list === 0) continue;
      next[list] ??= this.#stateAfter(list);
      this.#dfa.connect(state, kind, next[list]);
    }
  }

  /** Puts a state at the end of the lists of these kinds. */
  #extend(kinds: readonly number[], to: number): void {
    this.#budget.spend(kinds.length);
    const known = this.#entries;
    this.#longer[0] = 0;
    for (const kind of kinds) {
      const list = this.#lists[kind] ?? 0;
      let longer = this.#longer[list] ?? 0;
      if (longer < known) {
        longer = this.#entries++;
        this.#before[longer] = list;
        this.#state[longer] = to;
        this.#longer[longer] = 0;
        this.#longer[list] = longer;
      }
      this.#lists[kind] = longer;
    }
  }

  /** Most lists are one state or two, and the same in row after row: those of the words in `.*(one|two|three).*`. */
  #stateAfter(list: number): number {
    const before = this.#before[list] ?? 0;
    if (this.#before[before] !== 0) return this.#stateOf(this.#statesOf(list));
    const pair = (this.#state[list] ?? 0) * 0x10000 + (this.#state[before] ?? 0);
    let state = this.#pairs.get(pair);
    if (state === undefined) {
      state = this.#stateOf(this.#statesOf(list));
      this.#pairs.set(pair, state);
    }
    return state;
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
    const state = this.#dfa.add(members.includes(this.#nfa.accept) || members[0] === this.#everything);
    this.#sets.add(members);
    return state;
  }

  /** In order; valid until the next call. */
  #closure(seeds: readonly number[]): Uint16Array {
    const round = ++this.#round;
    let count = 0;
    for (const seed of seeds) {
      const reached = this.#closures[seed] ?? this.#closureOf(seed);
      this.#budget.spend(reached.length);
      for (const state of reached) {
        if (this.#reached[state] === round) continue;
        this.#reached[state] = round;
        // Where everything matches the other places no longer matter: `.*a.*|.*b.*` would note who was met for ever.
        if (this.#universal[state] === 1) return Uint16Array.of(this.#everything);
        this.#members[count++] = state;
      }
    }
    return sorted(this.#members.subarray(0, count));
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

/** Nearly in order as they come, so inserting is fast while they are few. */
function sorted(members: Uint16Array): Uint16Array {
  if (members.length > 32) return members.sort();
  for (let at = 1; at < members.length; at++) {
    const member = members[at] ?? 0;
    let place = at;
    for (; place > 0 && (members[place - 1] ?? 0) > member; place--) members[place] = members[place - 1] ?? 0;
    members[place] = member;
  }
  return members;
}
