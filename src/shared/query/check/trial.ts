import type { BooleanQuery, Query } from '../ast.ts';

/** The cases, as the bits of one big number, in which a part can be true, and those in which it can be false. */
export interface Possible {
  readonly true: bigint;
  readonly false: bigint;
}

export type Leaf = Exclude<Query, BooleanQuery>;

/** Asks a whole tree in which of several cases it can be true: for each leaf that is known, for a group it follows. */
export class Trial {
  readonly #all: bigint;
  readonly #ofLeaf: (leaf: Leaf) => Possible;
  readonly #onDead: (group: BooleanQuery) => void;

  /** `all` has a bit for every case. `onDead` hears of groups that no case makes true though each of their parts can be. */
  constructor(all: bigint, ofLeaf: (leaf: Leaf) => Possible, onDead: (group: BooleanQuery) => void = () => undefined) {
    this.#all = all;
    this.#ofLeaf = ofLeaf;
    this.#onDead = onDead;
  }

  of(query: Query): Possible {
    return query.kind === 'boolean' ? this.#ofGroup(query) : this.#ofLeaf(query);
  }

  #ofGroup(group: BooleanQuery): Possible {
    let every = this.#all;
    let some = 0n;
    let none = this.#all;
    let broken = 0n;
    let [hasMust, hasShould, hasDeadMust] = [false, false, false];
    for (const { occur, query } of group.clauses) {
      const possible = this.of(query);
      if (occur === 'must_not') {
        every &= possible.false;
        broken |= possible.true;
        continue;
      }
      if (occur === 'must') {
        hasMust = true;
        hasDeadMust ||= possible.true === 0n;
        every &= possible.true;
        broken |= possible.false;
      } else {
        hasShould = true;
        some |= possible.true;
        none &= possible.false;
      }
    }
    // Only NOT: matches nothing.
    if (!hasMust && !hasShould) return { true: 0n, false: this.#all };
    const possible = { true: hasMust ? every : every & some, false: hasMust ? broken : broken | none };
    const isPartDead = hasMust ? hasDeadMust : some === 0n;
    if (possible.true === 0n && !isPartDead) this.#onDead(group);
    return possible;
  }
}
