/**
 * What is under way, in the order in which it was begun. Jobs end in any order; how far a tap was read moves only past
 * what has succeeded together with all before it, and never past a failure.
 */
export class InOrder<Item> {
  readonly #reached: (item: Item) => void;
  #waiting: { readonly item: Item; isDone: boolean }[] = [];
  #isStuck = false;

  /** @param reached the last of those that are done together with all before them */
  constructor(reached: (item: Item) => void) {
    this.#reached = reached;
  }

  /** Begun and not yet passed. */
  get size(): number {
    return this.#waiting.length;
  }

  /** The answer says how it ended, once. */
  begin(item: Item): (succeeded: boolean) => void {
    if (this.#isStuck) return () => {};
    const one = { item, isDone: false };
    this.#waiting.push(one);
    return (succeeded) => {
      if (succeeded) this.#done(one);
      else this.#failed(one);
    };
  }

  #done(one: { isDone: boolean }): void {
    one.isDone = true;
    const count = this.#waiting.findIndex(({ isDone }) => !isDone);
    const passed = this.#waiting.splice(0, count === -1 ? this.#waiting.length : count);
    const last = passed.at(-1);
    if (last) this.#reached(last.item);
  }

  /** Those before it may still succeed; those behind it will come again. */
  #failed(one: { readonly item: Item; isDone: boolean }): void {
    const at = this.#waiting.indexOf(one);
    if (at === -1) return;
    this.#isStuck = true;
    this.#waiting = this.#waiting.slice(0, at);
  }
}
