import { AUTOMATON_STEPS, PLACE_STEPS, type RegexBudget } from './budget.ts';
import { type Dfa, DfaBuilder } from './dfa.ts';

/** What both match: the two run side by side. */
export function productOf(one: Dfa, other: Dfa, budget: RegexBudget): Dfa {
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
export function complementOf({ start, count, kinds, next, accepting }: Dfa, budget: RegexBudget): Dfa {
  const builder = new DfaBuilder(kinds, budget);
  budget.spend(count * kinds);
  for (let state = 0; state < count; state++) builder.add(accepting[state] !== 1);
  for (let state = 0; state < count; state++) {
    for (let kind = 0; kind < kinds; kind++) builder.connect(state + 1, kind, (next[state * kinds + kind] ?? 0) + 1);
  }
  return trimmed(builder.finish(start + 1), budget);
}

/** Without the states from which nothing can match. */
export function trimmed({ start, count, kinds, next, accepting }: Dfa, budget: RegexBudget): Dfa {
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
