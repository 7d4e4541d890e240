import { automatonOf } from './automata.ts';
import { MOST_STATES, RegexBudget, TooManyStates } from './budget.ts';
import { literalsOf } from './literals.ts';
import type { Matcher } from './matcher.ts';
import type { Literals } from './pieces.ts';
import type { Node } from './regex-node.ts';
import { parseRegex } from './regex-parser.ts';
import { RegexProblem } from './regex-problem.ts';
import type { Shorthand } from './shorthand.ts';
import { Table } from './table.ts';

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
  const { node, shorthands } = readable(pattern);
  return matcherOf(tableOf(node, pattern, budget), literalsOf(node), shorthands);
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

function readable(pattern: string): ReturnType<typeof parseRegex> {
  try {
    return parseRegex(pattern);
  } catch (error) {
    throw error instanceof RegexProblem && error.hint ? withTriedHint(error, pattern) : error;
  }
}

/** A remedy that only uncovers the next mistake is none. */
function withTriedHint(problem: RegexProblem, pattern: string): RegexProblem {
  const { kind, message, start, end, hint } = problem;
  try {
    const tried = parseRegex(pattern.slice(0, start) + (hint?.replacement ?? '') + pattern.slice(end));
    automatonOf(tried.node, new RegexBudget());
    if (tried.shorthands.length === 0) return problem;
  } catch {
    // Whatever is still wrong with it, the first finding is reported first.
  }
  return new RegexProblem(kind, message, { start, end });
}

function tableOf(node: Node, pattern: string, budget: RegexBudget): Table {
  try {
    const { alphabet, dfa } = automatonOf(node, budget);
    return new Table(alphabet, dfa);
  } catch (error) {
    if (!(error instanceof TooManyStates)) throw error;
    const most = MOST_STATES.toLocaleString('en');
    const message = `The regex needs more than ${most} states; use fewer or lower counts, or fewer .* before them.`;
    throw new RegexProblem('states', message, { start: 0, end: pattern.length });
  }
}
