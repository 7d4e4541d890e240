import { grouped } from '../grouped.ts';
import { AUTOMATON_STEPS, MOST_STATES, PLACE_STEPS, RegexBudget, STEPS_AT_ONCE, TooManyStates } from './budget.ts';
import { literalsOf } from './literals.ts';
import type { Literals, Matcher } from './matcher.ts';
import { type ParsedRegex, parseRegex, type Shorthand } from './regex-parser.ts';
import { RegexProblem } from './regex-problem.ts';
import { type Dfa, DfaBuilder, minimised, Table } from './dfa.ts';
import { Alphabet, Nfa } from './nfa.ts';
import { determinise } from './determinise.ts';
import { isNothing, type Node, partsOf, type RepeatNode, type SetNode } from './regex-node.ts';

export interface RegexMatcher extends Matcher {
  /** `\d` and its kind, which are plain letters here. */
  readonly shorthands: readonly Shorthand[];
  /** Nothing fits, as with `#` or `a&b`. */
  readonly matchesNothing: boolean;
  /** Every text but perhaps the empty one fits, as with `.*`. */
  readonly matchesEverything: boolean;
  /** Of the deterministic automaton. */
  readonly states: number;
}

/**
 * The matcher of a regex in Lucene's dialect. Throws RegexProblem for what cannot be read, and for what needs more
 * than 10,000 deterministic states or, short of that, more steps than the budget has to find out.
 */
export function compileRegex(pattern: string, budget: RegexBudget = new RegexBudget()): RegexMatcher {
  try {
    const { node, shorthands } = readable(pattern, budget);
    const { alphabet, dfa } = automatonOf(node, budget);
    return matcherOf(new Table(alphabet, dfa), literalsOf(node), shorthands);
  } catch (error) {
    throw error instanceof TooManyStates ? tooManyStates(pattern) : error;
  }
}

/** Apart, so that what is kept for as long as the rule lives holds on to the table only, not to the tree. */
function matcherOf(
  table: Table,
  { required, prefix, suffix }: Literals,
  shorthands: readonly Shorthand[],
): RegexMatcher {
  const { states, matchesNothing, matchesEverything } = table;
  const [piece = ''] = required;
  // Looking for the longest piece first costs a tenth of a run.
  const matches = (text: string): boolean => text.includes(piece) && table.matches(text);
  return { matches, required, prefix, suffix, shorthands, states, matchesNothing, matchesEverything };
}

function readable(pattern: string, budget: RegexBudget): ParsedRegex {
  try {
    return parseRegex(pattern, budget);
  } catch (error) {
    throw error instanceof RegexProblem && error.hint ? withTriedHint(error, pattern, budget) : error;
  }
}

/** A remedy that only uncovers the next mistake is none. Whether it can be built too is for who offers it to try. */
function withTriedHint(problem: RegexProblem, pattern: string, budget: RegexBudget): RegexProblem {
  const { kind, message, start, end, hint } = problem;
  try {
    budget.spend(AUTOMATON_STEPS);
    const tried = parseRegex(pattern.slice(0, start) + (hint?.replacement ?? '') + pattern.slice(end), budget);
    if (tried.shorthands.length === 0) return problem;
  } catch {
    // Whatever is still wrong with it, the first finding is reported first.
  }
  return new RegexProblem(kind, message, { start, end });
}

/** Written once: a query of a thousand regexes too many would write the number a thousand times. */
const TOO_MANY = `The regex needs more than ${grouped(MOST_STATES)} states; use fewer or lower counts, or fewer .* before them.`;

function tooManyStates(pattern: string): RegexProblem {
  return new RegexProblem('states', TOO_MANY, { start: 0, end: pattern.length });
}

/**
 * The deterministic automaton of a regex. All but `&` and `~` is a non-deterministic automaton first; those two only
 * make sense of deterministic ones, so their parts are made such and set into the whole again.
 *
 * Nearly all are small when they are built at once. One that is not is built part by part, each part as the smallest
 * automaton that matches the same, as Lucene does with every regex: `(.*a|.*b|.*c)` is three states then, and not all
 * the ways of having met some of the three. That is what its states are counted of.
 */
function automatonOf(root: Node, budget: RegexBudget): { alphabet: Alphabet; dfa: Dfa } {
  const alphabet = new Alphabet(root, budget);
  const atOnce = new RegexBudget(Math.max(STEPS_AT_ONCE, budget.left >>> 1), budget);
  try {
    return { alphabet, dfa: new Automata(alphabet, atOnce, false).dfaOf(root) };
  } catch (error) {
    if (!(error instanceof TooManyStates) || !hasParts(root)) throw error;
    return { alphabet, dfa: new Automata(alphabet, budget, true).dfaOf(root) };
  }
}

class Automata {
  readonly #alphabet: Alphabet;
  readonly #budget: RegexBudget;
  /** Each part is made as small as can be before it is set into the whole. */
  readonly #isByParts: boolean;
  /** A counted group is built many times over. */
  readonly #parts = new Map<Node, Dfa>();
  /** So is a counted set. Kept here and not with the alphabet, which outlives the building in each rule's table. */
  readonly #kinds = new Map<SetNode, readonly number[]>();
  /** Something in it matches nothing, so there may be ways that lead nowhere. */
  #hasDeadEnds = false;

  constructor(alphabet: Alphabet, budget: RegexBudget, isByParts: boolean) {
    this.#alphabet = alphabet;
    this.#budget = budget;
    this.#isByParts = isByParts;
  }

  dfaOf(node: Node): Dfa {
    const known = this.#parts.get(node);
    if (known) return known;
    const made = this.#make(node);
    const dfa = this.#isByParts ? minimised(made, this.#budget) : made;
    this.#parts.set(node, dfa);
    return dfa;
  }

  #make(node: Node): Dfa {
    if (node.kind === 'complement') return complementOf(this.dfaOf(node.item), this.#budget);
    if (node.kind === 'intersection') {
      return node.items.map((item) => this.dfaOf(item)).reduce((one, other) => productOf(one, other, this.#budget));
    }
    const nfa = new Nfa();
    this.#buildOwn(nfa, node, nfa.start, nfa.accept);
    const dfa = determinise(nfa, this.#alphabet.count, this.#budget);
    return this.#hasDeadEnds ? trimmed(dfa, this.#budget) : dfa;
  }

  #kindsOf(node: SetNode): readonly number[] {
    const known = this.#kinds.get(node);
    if (known) return known;
    const kinds = this.#alphabet.kindsOf(node);
    this.#kinds.set(node, kinds);
    return kinds;
  }

  /** Adds the ways from one state to another that a part matches. */
  #build(nfa: Nfa, node: Node, from: number, to: number): void {
    if (this.#isByParts && node.size > SMALL && isTangled(node)) this.#embed(nfa, this.dfaOf(node), from, to);
    else this.#buildOwn(nfa, node, from, to);
  }

  #buildOwn(nfa: Nfa, node: Node, from: number, to: number): void {
    this.#budget.spend(PLACE_STEPS);
    switch (node.kind) {
      case 'set':
        if (isNothing(node)) this.#hasDeadEnds = true;
        nfa.addArc(from, to, this.#kindsOf(node));
        return;
      case 'sequence':
        this.#buildSequence(nfa, node.items, from, to);
        return;
      case 'union':
        for (const item of node.items) this.#build(nfa, item, from, to);
        return;
      case 'repeat':
        this.#buildRepeat(nfa, node, from, to);
        return;
      case 'intersection':
      case 'complement':
        this.#embed(nfa, this.dfaOf(node), from, to);
    }
  }

  #buildSequence(nfa: Nfa, items: readonly Node[], from: number, to: number): void {
    let at = from;
    for (const item of items) {
      const next = nfa.addState();
      this.#build(nfa, item, at, next);
      at = next;
    }
    nfa.addFree(at, to);
  }

  #buildRepeat(nfa: Nfa, { item, min, max }: RepeatNode, from: number, to: number): void {
    // Any number of nothing is nothing, also where that is found out only now: `(a&b)*`.
    if (max === Infinity && item.mayBeNothing && this.dfaOf(item).start === 0) {
      this.#hasDeadEnds = true;
      return;
    }
    let at = nfa.addState();
    nfa.addFree(from, at);
    const copies = max === Infinity ? min : max;
    for (let copy = 1; copy <= copies; copy++) {
      const next = nfa.addState();
      this.#build(nfa, item, at, next);
      if (copy === min && max === Infinity) nfa.addFree(next, at);
      if (copy > min) nfa.addFree(at, to);
      at = next;
    }
    if (copies === 0) this.#build(nfa, item, at, at);
    nfa.addFree(at, to);
  }

  #embed(nfa: Nfa, dfa: Dfa, from: number, to: number): void {
    if (dfa.start === 0) {
      this.#hasDeadEnds = true;
      return;
    }
    const { start, count, kinds, next, accepting } = dfa;
    const states = Array.from({ length: count }, (_, state) => (state === 0 ? -1 : nfa.addState()));
    nfa.addFree(from, states[start] ?? -1);
    for (let state = 1; state < count; state++) {
      this.#budget.spend(kinds);
      const at = states[state] ?? -1;
      if (accepting[state] === 1) nfa.addFree(at, to);
      const targets = kindsByTarget(next.subarray(state * kinds, (state + 1) * kinds));
      for (const [target, kinds] of targets) nfa.addArc(at, states[target] ?? -1, kinds);
    }
  }
}

/** A part of fewer places is as well written out. */
const SMALL = 3;

/** Whether there is more to it than one character after the other. */
function isTangled(node: Node): boolean {
  return node.kind === 'sequence' ? node.items.some((item) => item.kind !== 'set') : node.kind !== 'set';
}

function hasParts(root: Node): boolean {
  return partsOf(root).some((part) => part.size > SMALL && isTangled(part));
}

function kindsByTarget(row: Uint16Array): Map<number, number[]> {
  const targets = new Map<number, number[]>();
  for (const [kind, target] of row.entries()) {
    if (target === 0) continue;
    const kinds = targets.get(target);
    if (kinds) kinds.push(kind);
    else targets.set(target, [kind]);
  }
  return targets;
}

/** What both match: the two run side by side. */
function productOf(one: Dfa, other: Dfa, budget: RegexBudget): Dfa {
  const { kinds } = one;
  const builder = new DfaBuilder(kinds, budget);
  const pairs: [number, number][] = [[0, 0]];
  const numbers = new Map<number, number>();
  const stateOf = (a: number, b: number): number => {
    if (a === 0 || b === 0) return 0;
    const key = a * other.count + b;
    let state = numbers.get(key);
    if (state === undefined) {
      state = builder.add(one.accepting[a] === 1 && other.accepting[b] === 1);
      numbers.set(key, state);
      pairs.push([a, b]);
    }
    return state;
  };
  const start = stateOf(one.start, other.start);
  for (let state = 1; state < pairs.length; state++) {
    budget.spend(PLACE_STEPS + kinds);
    const [a = 0, b = 0] = pairs[state] ?? [];
    for (let kind = 0; kind < kinds; kind++) {
      builder.connect(state, kind, stateOf(one.next[a * kinds + kind] ?? 0, other.next[b * kinds + kind] ?? 0));
    }
  }
  return trimmed(builder.finish(start), budget);
}

/** What it does not match: its dead end becomes a state like any other, and what was accepted no longer is. */
function complementOf({ start, count, kinds, next, accepting }: Dfa, budget: RegexBudget): Dfa {
  const builder = new DfaBuilder(kinds, budget);
  budget.spend(count * kinds);
  for (let state = 0; state < count; state++) builder.add(accepting[state] !== 1);
  for (let state = 0; state < count; state++) {
    for (let kind = 0; kind < kinds; kind++) builder.connect(state + 1, kind, (next[state * kinds + kind] ?? 0) + 1);
  }
  return trimmed(builder.finish(start + 1), budget);
}

/** Without the states from which nothing can match. */
function trimmed({ start, count, kinds, next, accepting }: Dfa, budget: RegexBudget): Dfa {
  budget.spend(AUTOMATON_STEPS + count * (PLACE_STEPS + kinds));
  const useful = usefulStates({ start, count, kinds, next, accepting });
  const builder = new DfaBuilder(kinds, budget);
  const numbers = useful.map((isUseful, state) => (isUseful ? builder.add(accepting[state] === 1) : 0));
  for (const [state, number] of numbers.entries()) {
    if (number === 0) continue;
    for (let kind = 0; kind < kinds; kind++) {
      builder.connect(number, kind, numbers[next[state * kinds + kind] ?? 0] ?? 0);
    }
  }
  return builder.finish(numbers[start] ?? 0);
}

/** True for each state from which something matches. */
function usefulStates({ count, kinds, next, accepting }: Dfa): boolean[] {
  const into = Array.from({ length: count }, (): number[] => []);
  for (let state = 0; state < count; state++) {
    for (const to of new Set(next.subarray(state * kinds, (state + 1) * kinds))) into[to]?.push(state);
  }
  const useful = into.map(() => false);
  const waiting = Array.from(accepting.keys()).filter((state) => accepting[state] === 1);
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    if (useful[state]) continue;
    useful[state] = true;
    for (const from of into[state] ?? []) if (!useful[from]) waiting.push(from);
  }
  return useful;
}
