import { TooManyStates } from './budget.ts';

/** A step over one character of any of these kinds. */
interface Arc {
  readonly kinds: readonly number[];
  readonly to: number;
}

/** So that a state's number fits 16 bits. */
const MOST = 0xffff;

/** A non-deterministic automaton with free steps, as Thompson builds them: linear in the regex. */
export class Nfa {
  readonly start = 0;
  readonly accept = 1;
  readonly #arcs: Arc[][] = [[], []];
  readonly #free: number[][] = [[], []];

  get size(): number {
    return this.#arcs.length;
  }

  addState(): number {
    if (this.#arcs.length === MOST) throw new TooManyStates();
    this.#arcs.push([]);
    this.#free.push([]);
    return this.#arcs.length - 1;
  }

  addArc(from: number, to: number, kinds: readonly number[]): void {
    this.#arcs[from]?.push({ kinds, to });
  }

  /** A step that reads nothing. */
  addFree(from: number, to: number): void {
    this.#free[from]?.push(to);
  }

  arcs(state: number): readonly Arc[] {
    return this.#arcs[state] ?? [];
  }

  free(state: number): readonly number[] {
    return this.#free[state] ?? [];
  }

  /** 1 for each state that stays where it is on every kind of character and may end: all texts match from it. */
  universal(kinds: number): Uint8Array {
    const ends = this.#statesAtTheEnd();
    return ends.map((isEnd, state) =>
      isEnd === 1 && this.arcs(state).some((arc) => arc.to === state && arc.kinds.length === kinds) ? 1 : 0,
    );
  }

  /** 1 for each state that reaches the end for free. */
  #statesAtTheEnd(): Uint8Array {
    const into = this.#free.map((): number[] => []);
    for (const [from, targets] of this.#free.entries()) for (const to of targets) into[to]?.push(from);
    const ends = new Uint8Array(this.size);
    const waiting = [this.accept];
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      if (ends[state] === 1) continue;
      ends[state] = 1;
      waiting.push(...(into[state] ?? []));
    }
    return ends;
  }
}
