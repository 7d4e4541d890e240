import { type Dfa, DfaBuilder } from './dfa.ts';
import { AUTOMATON_STEPS, type RegexBudget } from './budget.ts';
import { type Nfa, NO_STEP } from './nfa.ts';

/** The first state; 0 is the dead end. */
const START = 1;
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
  /** The same of the closure of one state. */
  readonly #visited: Uint32Array;
  #visit = 0;
  /** Of each kind of character the list of states it leads to, as the newest entry of a chain; 0 is none. */
  readonly #lists: Uint32Array;
  /** The kinds that lead elsewhere than in the row that the state at hand began with. */
  readonly #special: number[] = [];
  /** The lists of the start, whose entries stay; they come before this one. */
  readonly #startLists: Uint32Array;
  #kept = 1;
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
    this.#visited = new Uint32Array(nfa.size);
    this.#lists = new Uint32Array(kinds);
    this.#startLists = new Uint32Array(kinds);
  }

  all(): Dfa {
    this.#sets.add(new Uint16Array());
    const start = this.#stateOf([this.#nfa.start]);
    for (let state = 1; state < this.#sets.count; state++) this.#fill(state);
    return this.#dfa.finish(start);
  }

  /**
   * Finds the next state for each kind of character. Kinds that lead to the same states share one list, so its
   * closure is made and looked up once; and nearly all lists are known before: those of the start where the state
   * contains it, as in `.*(one|two|three)`, else what reads any character.
   */
  #fill(state: number): void {
    const members = this.#sets.members(state);
    this.#budget.spend(members.length);
    this.#entries = this.#kept;
    this.#special.length = 0;
    const others = state > START ? withoutAll(members, this.#sets.members(START)) : undefined;
    const common = others ? this.#beginAsStart(state) : this.#beginWithAll(members);
    const known = this.#entries;
    for (const from of others ?? members) this.#extendFrom(from, known, others !== undefined);
    // Where every kind leads elsewhere, a state for none of them would be one too many.
    if (common !== 0 && this.#special.length < this.#lists.length) {
      this.#dfa.connectAll(state, this.#stateAfter(common));
    }
    const next: number[] = [];
    for (const kind of this.#special) {
      const list = this.#lists[kind] ?? 0;
      next[list - known] ??= this.#stateAfter(list);
      this.#dfa.connect(state, kind, next[list - known] ?? 0);
    }
    if (state > START) return;
    this.#startLists.set(this.#lists);
    this.#kept = this.#entries;
  }

  /** Returns 0: the row is filled. */
  #beginAsStart(state: number): number {
    this.#lists.set(this.#startLists);
    this.#budget.spend(this.#kept >>> 5);
    this.#longer.fill(0, 0, this.#kept);
    this.#dfa.copyRow(START, state);
    return 0;
  }

  /** Returns the list of all kinds; 0 when there is none. */
  #beginWithAll(members: Uint16Array): number {
    const { arcs } = this.#nfa;
    let list = 0;
    for (const from of members) {
      for (let arc = arcs.first(from); arc !== NO_STEP; arc = arcs.after(arc)) {
        if (this.#readsAll(arc)) list = this.#entry(list, arcs.to(arc));
      }
    }
    this.#lists.fill(list);
    return list;
  }

  #readsAll(arc: number): boolean {
    return this.#nfa.kindsOf(arc).length === this.#lists.length;
  }

  #extendFrom(from: number, known: number, withAll: boolean): void {
    const { arcs } = this.#nfa;
    for (let arc = arcs.first(from); arc !== NO_STEP; arc = arcs.after(arc)) {
      if (withAll || !this.#readsAll(arc)) this.#extend(this.#nfa.kindsOf(arc), arcs.to(arc), known);
    }
  }

  #entry(before: number, state: number): number {
    const entry = this.#entries++;
    this.#before[entry] = before;
    this.#state[entry] = state;
    this.#longer[entry] = 0;
    return entry;
  }

  /** Puts a state at the end of the lists of these kinds. */
  #extend(kinds: readonly number[], to: number, known: number): void {
    this.#budget.spend(1 + kinds.length);
    const first = this.#entries;
    this.#longer[0] = 0;
    for (const kind of kinds) {
      const list = this.#lists[kind] ?? 0;
      if (list < known) this.#special.push(kind);
      let longer = this.#longer[list] ?? 0;
      if (longer < first) {
        longer = this.#entry(list, to);
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
        // Where everything matches the other places no longer matter: `.*a.*|.*b.*` would note permanently who was met.
        if (this.#universal[state] === 1) return Uint16Array.of(this.#everything);
        this.#members[count++] = state;
      }
    }
    return sorted(this.#members.subarray(0, count));
  }

  /** What a state reaches for free and that says something of its own. */
  #closureOf(seed: number): readonly number[] {
    const { arcs, free, accept } = this.#nfa;
    const round = ++this.#visit;
    const waiting = [seed];
    const closure: number[] = [];
    this.#visited[seed] = round;
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      this.#budget.spend(1);
      if (state === accept || arcs.first(state) !== NO_STEP) closure.push(state);
      for (let step = free.first(state); step !== NO_STEP; step = free.after(step)) {
        const to = free.to(step);
        if (this.#visited[to] === round) continue;
        this.#visited[to] = round;
        waiting.push(to);
      }
    }
    if (closure.length <= KEPT) this.#closures[seed] = closure;
    return closure;
  }
}

/** What is in the one and not in the other; undefined unless all of the other is in the one. Both in order. */
function withoutAll(members: Uint16Array, other: Uint16Array): number[] | undefined {
  const rest: number[] = [];
  let at = 0;
  for (const member of members) {
    if (member === other[at]) at++;
    else rest.push(member);
  }
  return at === other.length ? rest : undefined;
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

/** Sets of numbers, each once, numbered in the order they came: a hash table over one array of all members. */
class StateSets {
  #members = new Uint16Array(256);
  /** Where each set begins; one more entry than there are sets. */
  readonly #begins = [0];
  /** The newest set of each hash, and of each set the one before it of the same hash. */
  readonly #newest = new Map<number, number>();
  readonly #older: number[] = [];

  get count(): number {
    return this.#older.length;
  }

  members(set: number): Uint16Array {
    return this.#members.subarray(this.#begins[set] ?? 0, this.#begins[set + 1] ?? 0);
  }

  /** The number of this set, its members in order; -1 when it is new. */
  find(members: Uint16Array): number {
    let set = this.#newest.get(hashOf(members)) ?? -1;
    while (set >= 0 && !this.#equals(set, members)) set = this.#older[set] ?? -1;
    return set;
  }

  /** Takes a new set. */
  add(members: Uint16Array): void {
    const begin = this.#begins.at(-1) ?? 0;
    const end = begin + members.length;
    if (end > this.#members.length) this.#grow(end);
    this.#members.set(members, begin);
    this.#begins.push(end);
    const hash = hashOf(members);
    this.#older.push(this.#newest.get(hash) ?? -1);
    this.#newest.set(hash, this.#older.length - 1);
  }

  #equals(set: number, members: Uint16Array): boolean {
    const begin = this.#begins[set] ?? 0;
    if ((this.#begins[set + 1] ?? 0) - begin !== members.length) return false;
    for (let at = 0; at < members.length; at++) if (this.#members[begin + at] !== members[at]) return false;
    return true;
  }

  #grow(least: number): void {
    const members = this.#members;
    this.#members = new Uint16Array(Math.max(2 * members.length, least));
    this.#members.set(members);
  }
}

/** FNV-1a over the members; 30 bits, so that a Map keeps it as a small integer. */
function hashOf(members: Uint16Array): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < members.length; at++) hash = Math.imul(hash ^ (members[at] ?? 0), 0x01000193);
  return hash >>> 2;
}
