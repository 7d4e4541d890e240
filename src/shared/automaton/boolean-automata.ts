import type { RegexBudget } from './budget.ts';
import { type Dfa, DfaStates } from './determinise.ts';

/** What both match: the two run side by side. */
export function productOf(one: Dfa, other: Dfa, kinds: number, budget: RegexBudget): Dfa {
  const states = new DfaStates(kinds, budget);
  const pairs: [number, number][] = [[0, 0]];
  const numbers = new Map<number, number>();
  const stateOf = (a: number, b: number): number => {
    if (a === 0 || b === 0) return 0;
    const key = a * other.rows.length + b;
    let state = numbers.get(key);
    if (state === undefined) {
      state = states.add(one.accepting[a] === true && other.accepting[b] === true);
      numbers.set(key, state);
      pairs.push([a, b]);
    }
    return state;
  };
  const start = stateOf(one.start, other.start);
  for (let state = 1; state < pairs.length; state++) {
    const [a = 0, b = 0] = pairs[state] ?? [];
    for (let kind = 0; kind < kinds; kind++) {
      const row = states.rows[state];
      if (row) row[kind] = stateOf(one.rows[a]?.[kind] ?? 0, other.rows[b]?.[kind] ?? 0);
    }
  }
  return trimmed({ start, rows: states.rows, accepting: states.accepting }, kinds, budget);
}

/** What it does not match: dead ends become a state like any other, and what was accepted no longer is. */
export function complementOf(dfa: Dfa, kinds: number, budget: RegexBudget): Dfa {
  const states = new DfaStates(kinds, budget);
  for (const accepting of dfa.accepting) states.add(!accepting);
  for (const [state, row] of dfa.rows.entries()) states.rows[state + 1]?.set(row.map((next) => next + 1));
  return trimmed({ start: dfa.start + 1, rows: states.rows, accepting: states.accepting }, kinds, budget);
}

/** Without the states from which nothing can match, or that nothing leads to. */
export function trimmed(dfa: Dfa, kinds: number, budget: RegexBudget): Dfa {
  const useful = usefulStates(dfa);
  const states = new DfaStates(kinds, budget);
  const numbers = dfa.rows.map((_, state) => (useful[state] ? states.add(dfa.accepting[state] === true) : 0));
  for (const [state, row] of dfa.rows.entries()) {
    if (useful[state]) states.rows[numbers[state] ?? 0]?.set(row.map((next) => numbers[next] ?? 0));
  }
  return { start: numbers[dfa.start] ?? 0, rows: states.rows, accepting: states.accepting };
}

/** True for each state from which something matches. */
function usefulStates({ rows, accepting }: Dfa): boolean[] {
  const into = rows.map((): number[] => []);
  for (const [state, row] of rows.entries()) for (const next of new Set(row)) into[next]?.push(state);
  const useful = rows.map(() => false);
  const waiting = rows.flatMap((_, state) => (accepting[state] ? [state] : []));
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    if (useful[state]) continue;
    useful[state] = true;
    for (const from of into[state] ?? []) if (!useful[from]) waiting.push(from);
  }
  return useful;
}
