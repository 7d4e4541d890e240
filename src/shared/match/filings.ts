import { FILED, LEAF_SIZE, type Leaves } from './leaves.ts';
import type { Filing } from './plan.ts';

/** A rule (twice its number, and 1 when it need not be run), its guard, and the next node filed under the same leaf. */
const NODE = 3;
const RULE = 0;
const GUARD = 1;
const NEXT = 2;
const FEWEST = 256;

/** Which rules are filed under which leaf: for each leaf a chain through one array. Node 0 is the end of every chain. */
export class Filings {
  readonly #leaves: Leaves;
  #nodes = new Int32Array(NODE * FEWEST);
  #used = 1;
  /** Nodes that were given back, chained. */
  #free = 0;

  constructor(leaves: Leaves) {
    this.#leaves = leaves;
  }

  first(key: number): number {
    return this.#leaves.state[LEAF_SIZE * key + FILED] ?? 0;
  }

  rule(node: number): number {
    return (this.#nodes[NODE * node + RULE] ?? 0) >>> 1;
  }

  suffices(node: number): boolean {
    return ((this.#nodes[NODE * node + RULE] ?? 0) & 1) === 1;
  }

  guard(node: number): number {
    return this.#nodes[NODE * node + GUARD] ?? 0;
  }

  next(node: number): number {
    return this.#nodes[NODE * node + NEXT] ?? 0;
  }

  add({ key, guard, suffices }: Filing, rule: number): void {
    const node = this.#take();
    this.#nodes[NODE * node + RULE] = 2 * rule + (suffices ? 1 : 0);
    this.#nodes[NODE * node + GUARD] = guard;
    this.#nodes[NODE * node + NEXT] = this.first(key);
    this.#leaves.state[LEAF_SIZE * key + FILED] = node;
  }

  /** One filing of the rule under this key. */
  remove(key: number, rule: number): void {
    let before = 0;
    let node = this.first(key);
    while (node !== 0 && this.rule(node) !== rule) {
      before = node;
      node = this.next(node);
    }
    if (node === 0) return;
    if (before === 0) this.#leaves.state[LEAF_SIZE * key + FILED] = this.next(node);
    else this.#nodes[NODE * before + NEXT] = this.next(node);
    this.#nodes[NODE * node + NEXT] = this.#free;
    this.#free = node;
  }

  #take(): number {
    if (this.#free !== 0) {
      const node = this.#free;
      this.#free = this.next(node);
      return node;
    }
    if (NODE * (this.#used + 1) > this.#nodes.length) {
      const nodes = new Int32Array(2 * this.#nodes.length);
      nodes.set(this.#nodes);
      this.#nodes = nodes;
    }
    return this.#used++;
  }
}
