import type { Diagnostic } from '../../api/diagnostic.ts';
import type { Regex, Span, Wildcard } from '../ast.ts';
import { diagnostic, type Hint, shown } from '../codes.ts';
import { timeRange } from './values.ts';
import type { Field } from '../fields.ts';
import type { Suggestions } from '../suggest/suggestions.ts';
import { insteadOfPrefix } from '../suggest/word-forms.ts';
import { quote, withoutBackslashes } from '../syntax/print.ts';
import { RegexBudget } from '../../automaton/budget.ts';
import { compileRegex, type RegexMatcher } from '../../automaton/regex.ts';
import { RegexProblem } from '../../automaton/regex-problem.ts';

/** What costs time when a query is checked: shared by all readings of it, so that the cost is limited for all of them together. */
export interface CheckContext {
  readonly regexes: RegexChecks;
  readonly suggestions: Suggestions;
}

/** What is wrong with a wildcard or a regex, in this field or by itself. */
export function checkPattern(leaf: Wildcard | Regex, field: Field, text: string, context: CheckContext): Diagnostic[] {
  if (leaf.kind === 'wildcard')
    return field.allowsWildcards ? [] : [wildcardNotAllowed(leaf, field, context.suggestions)];
  return field.allowsRegex ? context.regexes.examine(leaf) : [regexNotAllowed(leaf, field, text, context.suggestions)];
}

function wildcardNotAllowed(wildcard: Wildcard, field: Field, suggestions: Suggestions): Diagnostic {
  const matched = field.kind === 'text' ? 'matched by whole words' : 'compared whole';
  const message = `A wildcard works in url and domain only; ${field.name} is ${matched}.`;
  const hint = instead(withoutBackslashes(wildcard.pattern), field, suggestions);
  return diagnostic('wildcard_not_allowed', wildcard.span, message, { field: field.name, hint });
}

function regexNotAllowed(regex: Regex, field: Field, text: string, suggestions: Suggestions): Diagnostic {
  const written = text.slice(regex.span.start, regex.span.end);
  const message = `Text between slashes is a regex, which works in url only, not in ${field.name}.`;
  return diagnostic('regex_not_allowed', regex.span, message, {
    field: field.name,
    hint: /^[\p{L}\p{N}_&-]+$/u.test(regex.pattern)
      ? { message: 'To use slashes as characters, escape them.', replacement: written.replace(/\//g, '\\/') }
      : instead(regex.pattern.replace(/\.\*$/, '*'), field, suggestions),
  });
}

/** What does nearly the same as `pattern`: a range of times, the label above, the forms of a word. */
function instead(pattern: string, field: Field, suggestions: Suggestions): Hint | undefined {
  if (!pattern.endsWith('*')) return undefined;
  const prefix = pattern.slice(0, -1);
  if (field.name === 'publish_time') {
    const replacement = timeRange(prefix.replace(/[-T:]$/, ''));
    return replacement === undefined ? undefined : { message: 'Use a range of times.', replacement };
  }
  if (field.vocabulary === 'page_category' || field.vocabulary === 'page_type') {
    const label = suggestions.value(field.vocabulary, prefix);
    return label && suggestions.hint(label, 'A label includes all labels below it.', quote(label.value));
  }
  return field.kind === 'text' ? insteadOfPrefix(prefix, field) : undefined;
}

/** Judges the regexes of one query. Each is built once, and all of them share one budget of work. */
export class RegexChecks {
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
      const message = `${written} is not a shorthand here, but the letter ${written.slice(1)}; use a class such as [0-9].`;
      const hint = replacement === undefined ? undefined : { message: `Write ${shown(replacement)}.`, replacement };
      return diagnostic('regex_shorthand', place, message, { field: regex.field, hint });
    });
    if (shorthands.length > 0) return shorthands;
    // Written as such; what comes to the same by a longer way (`.*~(ab)`) is left to who wrote it.
    if (found.matchesEverything && /^[.*+?@()]*$/.test(regex.pattern)) {
      const message = 'This regex matches every page; make it more specific.';
      return [diagnostic('match_all', regex.span, message, { field: regex.field })];
    }
    if (!found.matchesNothing) return [];
    const message = `No text can match the regex ${shown(regex.pattern)}, so this clause matches nothing.`;
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
