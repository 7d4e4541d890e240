import { Alphabet } from './alphabet.ts';
import { PLACE_STEPS, type RegexBudget } from './budget.ts';
import { complementOf, productOf, trimmed } from './boolean-automata.ts';
import { determinise } from './determinise.ts';
import type { Dfa } from './dfa.ts';
import { Nfa } from './nfa.ts';
import { isNothing, type Node, type RepeatNode, type SetNode } from './regex-node.ts';

/**
 * The deterministic automaton of a regex. All but `&` and `~` is a non-deterministic automaton first; those two only
 * make sense of deterministic ones, so their parts are made such and set into the whole again.
 */
export function automatonOf(root: Node, budget: RegexBudget): { alphabet: Alphabet; dfa: Dfa } {
  const alphabet = new Alphabet(root, budget);
  return { alphabet, dfa: new Automata(alphabet, budget).dfaOf(root) };
}

class Automata {
  readonly #alphabet: Alphabet;
  readonly #budget: RegexBudget;
  /** A counted group is built many times over. */
  readonly #parts = new Map<Node, Dfa>();
  /** So is a counted set. Kept here and not with the alphabet, which outlives the building in each rule's table. */
  readonly #kinds = new Map<SetNode, readonly number[]>();
  /** Something in it matches nothing, so there may be ways that lead nowhere. */
  #hasDeadEnds = false;

  constructor(alphabet: Alphabet, budget: RegexBudget) {
    this.#alphabet = alphabet;
    this.#budget = budget;
  }

  dfaOf(node: Node): Dfa {
    const known = this.#parts.get(node);
    if (known) return known;
    const dfa = this.#make(node);
    this.#parts.set(node, dfa);
    return dfa;
  }

  #make(node: Node): Dfa {
    if (node.kind === 'complement') return complementOf(this.dfaOf(node.item), this.#budget);
    if (node.kind === 'intersection') {
      return node.items.map((item) => this.dfaOf(item)).reduce((one, other) => productOf(one, other, this.#budget));
    }
    const nfa = new Nfa();
    this.#build(nfa, node, nfa.start, nfa.accept);
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

  /** Adds the ways from one state to another that the node matches. */
  #build(nfa: Nfa, node: Node, from: number, to: number): void {
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
