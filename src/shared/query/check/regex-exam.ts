import type { Diagnostic } from '../../api/diagnostic.ts';
import { RegexBudget } from '../../automaton/budget.ts';
import { compileRegex, type RegexMatcher } from '../../automaton/regex.ts';
import { RegexProblem } from '../../automaton/regex-problem.ts';
import type { Regex, Span } from '../ast.ts';
import { diagnostic, shown } from '../codes.ts';

/** Judges the regexes of one query. Each is built once, and all of them share one budget of work. */
export class RegexExam {
  readonly #budget = new RegexBudget();
  readonly #known = new Map<string, RegexMatcher | RegexProblem>();
  /** That nothing is left of the budget: said of all further regexes without asking a thousand times. */
  #spent: RegexProblem | undefined;

  examine(regex: Regex): Diagnostic[] {
    const found = this.#build(regex.pattern);
    if (found === this.#spent) return [refused(regex, found, { start: 0, end: regex.pattern.length })];
    if (found instanceof RegexProblem) return [refused(regex, found, found)];
    const shorthands = found.shorthands.map(({ start, end, replacement }) => {
      const place = within(regex, { start, end });
      const written = regex.pattern.slice(start, end);
      const message = `${written} is no shorthand here but the letter ${written.slice(1)}; a class such as [0-9] is.`;
      const hint = replacement === undefined ? undefined : { message: `Write ${shown(replacement)}.`, replacement };
      return diagnostic('regex_shorthand', place, message, { field: regex.field, hint });
    });
    if (shorthands.length > 0) return shorthands;
    // Written as such; what comes to the same by a longer way (`.*~(ab)`) is left to who wrote it.
    if (found.matchesEverything && /^[.*+?@()]*$/.test(regex.pattern)) {
      const message = 'This regex matches every page; it must ask for something.';
      return [diagnostic('match_all', regex.span, message, { field: regex.field })];
    }
    if (!found.matchesNothing) return [];
    const message = `No text fits the regex ${shown(regex.pattern)}, so this clause matches nothing.`;
    return [diagnostic('empty_regex', regex.span, message, { field: regex.field })];
  }

  #build(pattern: string): RegexMatcher | RegexProblem {
    const known = this.#known.get(pattern) ?? this.#spent;
    if (known) return known;
    const built = this.#compile(pattern);
    this.#known.set(pattern, built);
    if (built instanceof RegexProblem && built.kind === 'states' && this.#budget.left < 0) this.#spent = built;
    return built;
  }

  #compile(pattern: string): RegexMatcher | RegexProblem {
    try {
      return compileRegex(pattern, this.#budget);
    } catch (problem) {
      if (problem instanceof RegexProblem) return problem;
      throw problem;
    }
  }
}

function refused(regex: Regex, problem: RegexProblem, place: Span): Diagnostic {
  const code = problem.kind === 'states' ? 'regex_too_large' : 'bad_regex';
  const details = { field: regex.field, hint: problem.hint };
  return diagnostic(code, within(regex, place), problem.message, details);
}

/** A place in the pattern, which begins behind the regex's first slash, as a place in the query. */
function within(regex: Regex, { start, end }: Span): Span {
  const first = regex.span.start + 1;
  return { start: first + start, end: first + Math.max(end, start) };
}
