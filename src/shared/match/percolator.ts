import type { Query } from '../query/ast.ts';
import { FILED, LEAF_SIZE, type LeafTest, Leaves } from './leaves.ts';
import { OpenPage } from './open-page.ts';
import { WorkBudget } from './phrase.ts';
import { type Filing, planOf, Triggers } from './plan.ts';
import { emit, resolve, type Resolved, run } from './program.ts';
import type { FieldValues } from './document.ts';

type Consider = (rule: number, suffices: boolean) => void;

/**
 * Queries by number, asked of one page at a time. What is kept of a query is one array: where its program begins,
 * how many keys it is filed under, these, the leaves it uses, and the program. The query itself is not needed.
 */
export class Percolator {
  readonly #leaves = new Leaves();
  readonly #filings = new Filings(this.#leaves);
  readonly #triggers = new Triggers();
  readonly page: OpenPage;
  readonly #codes: (readonly number[] | undefined)[] = [];
  /** By rule: the page it was last run on; a rule filed under several leaves is run once. */
  #ran = new Int32Array(64);
  readonly #budget = new WorkBudget();
  /** Filings under a label: with one of them, each page has to be labelled to learn which rules to run. */
  #labelKeys = 0;

  constructor() {
    const [table] = this.#leaves.tables;
    if (!table) throw new Error('there are no fields');
    this.page = new OpenPage(this.#leaves, table);
  }

  /** Throws what a pattern's compilation throws, and then nothing has changed. */
  add(rule: number, query: Query): void {
    const { resolved, used } = this.#resolve(query);
    const plan = planOf(resolved, this.#leaves);
    const keys = plan.map((filing) => filing.key);
    this.#codes[rule] = [2 + keys.length + used.length, keys.length, ...keys, ...used, ...emit(resolved)];
    for (const filing of plan) this.#file(filing, rule);
    if (rule >= this.#ran.length) {
      const ran = new Int32Array(2 * rule);
      ran.set(this.#ran);
      this.#ran = ran;
    }
    this.#ran[rule] = 0;
  }

  remove(rule: number): void {
    const code = this.#codes[rule];
    if (!code) return;
    const [start = 0, keys = 0] = code;
    for (const key of code.slice(2, 2 + keys)) this.#unfile(key, rule);
    for (const leaf of code.slice(2 + keys, start)) this.#leaves.release(leaf);
    this.#codes[rule] = undefined;
  }

  /**
   * Reads the page and calls `matched` with each rule that matches, once; with what running it threw, `failed`. The page stays open for questions until `page.close()`.
   */
  percolate(
    values: FieldValues,
    matched: (rule: number) => void,
    failed: (rule: number, failure: unknown) => void,
  ): void {
    const { page } = this;
    page.open(values, this.#labelKeys > 0);
    // The pages' numbers have started over.
    if (page.number === 1) this.#ran.fill(0);
    const consider: Consider = (rule, suffices) => {
      if (this.#ran[rule] === page.number) return;
      this.#ran[rule] = page.number;
      try {
        if (suffices || this.#matches(rule)) matched(rule);
      } catch (failure) {
        failed(rule, failure);
      }
    };
    for (let at = 0; at < page.presentCount; at++) this.#visit(page.present[at] ?? 0, consider);
    this.#triggers.each(values, (test) => {
      if (this.#mayPass(test)) this.#visit(test, consider);
    });
  }

  /** The program of a rule and where it begins. */
  program(rule: number): { readonly code: readonly number[]; readonly start: number } {
    const code = this.#codes[rule] ?? [0];
    return { code, start: code[0] ?? 0 };
  }

  testOf(leaf: number): LeafTest | undefined {
    return this.#leaves.tests.get(leaf);
  }

  fieldOf(leaf: number): number {
    return this.#leaves.fields[leaf] ?? 0;
  }

  #resolve(query: Query): { readonly resolved: Resolved; readonly used: readonly number[] } {
    const used: number[] = [];
    const use = (leaf: number): number => {
      used.push(leaf);
      return leaf;
    };
    try {
      const resolved = resolve(query, {
        term: (field, term) => use(this.#leaves.term(field, term)),
        test: (test) => use(this.#leaves.test(test)),
      });
      return { resolved, used };
    } catch (failure) {
      for (const leaf of used) this.#leaves.release(leaf);
      throw failure;
    }
  }

  #visit(key: number, consider: Consider): void {
    for (let node = this.#filings.first(key); node !== 0; node = this.#filings.next(node)) {
      const guard = this.#filings.guard(node);
      if (guard === 0 || (guard > 0 ? this.page.has(guard) : this.#mayPass(-guard))) {
        consider(this.#filings.rule(node), this.#filings.suffices(node));
      }
    }
  }

  /** A test that throws is left to the rules that ask it: each of them is run, fails, and is named. */
  #mayPass(test: number): boolean {
    try {
      return this.page.passes(test);
    } catch {
      return true;
    }
  }

  #matches(rule: number): boolean {
    const code = this.#codes[rule];
    if (!code) return false;
    this.#budget.renew();
    return run(code, code[0] ?? 0, this.page, this.#budget);
  }

  #file(filing: Filing, rule: number): void {
    const { key } = filing;
    if (this.#leaves.isLabel(key)) this.#labelKeys += 1;
    const test = this.#leaves.tests.get(key);
    if (test && this.#filings.first(key) === 0) this.#triggers.add(key, test);
    this.#filings.add(filing, rule);
  }

  #unfile(key: number, rule: number): void {
    this.#filings.remove(key, rule);
    if (this.#leaves.isLabel(key)) this.#labelKeys -= 1;
    const test = this.#leaves.tests.get(key);
    if (test && this.#filings.first(key) === 0) this.#triggers.remove(key, test);
  }
}

/** A rule (twice its number, and 1 when it need not be run), its guard, and the next node filed under the same leaf. */
const NODE = 3;
const RULE = 0;
const GUARD = 1;
const NEXT = 2;
const FEWEST = 256;

/** Which rules are filed under which leaf: for each leaf a chain through one array. Node 0 is the end of every chain. */
class Filings {
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
