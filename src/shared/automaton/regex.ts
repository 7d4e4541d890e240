import { automatonOf } from './automata.ts';
import { AUTOMATON_STEPS, MOST_STATES, RegexBudget, TooManyStates } from './budget.ts';
import { literalsOf } from './literals.ts';
import type { Literals, Matcher } from './matcher.ts';
import { type ParsedRegex, parseRegex, type Shorthand } from './regex-parser.ts';
import { RegexProblem } from './regex-problem.ts';
import { Table } from './dfa.ts';

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
const TOO_MANY = `The regex needs more than ${MOST_STATES.toLocaleString('en')} states; use fewer or lower counts, or fewer .* before them.`;

function tooManyStates(pattern: string): RegexProblem {
  return new RegexProblem('states', TOO_MANY, { start: 0, end: pattern.length });
}
