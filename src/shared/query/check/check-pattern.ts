import type { Diagnostic } from '../../api/diagnostic.ts';
import { analyze } from '../../analysis/analyze.ts';
import type { Regex, Wildcard } from '../ast.ts';
import { diagnostic, type Hint, shown } from '../codes.ts';
import { timeRange } from './check-time.ts';
import type { Field } from '../fields.ts';
import type { Aids } from './aids.ts';
import type { Suggestions } from '../suggest/suggestions.ts';
import { withoutBackslashes, quote } from '../syntax/written.ts';

/** What is wrong with a wildcard or a regex, in this field or by itself. */
export function checkPattern(leaf: Wildcard | Regex, field: Field, text: string, aids: Aids): Diagnostic[] {
  if (leaf.kind === 'wildcard') return field.allowsWildcards ? [] : [wildcardNotAllowed(leaf, field, aids.suggestions)];
  return field.allowsRegex ? aids.regexes.examine(leaf) : [regexNotAllowed(leaf, field, text, aids.suggestions)];
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
      ? { message: 'Slashes that are meant as characters are escaped.', replacement: written.replace(/\//g, '\\/') }
      : instead(regex.pattern.replace(/\.\*$/, '*'), field, suggestions),
  });
}

/** What does nearly the same as `pattern`: a range of times, the label above, the word itself. */
function instead(pattern: string, field: Field, suggestions: Suggestions): Hint | undefined {
  if (!pattern.endsWith('*')) return undefined;
  const prefix = pattern.slice(0, -1);
  if (field.name === 'publish_time') {
    const replacement = timeRange(prefix.replace(/[-T:]$/, ''));
    return replacement === undefined ? undefined : { message: 'A range of times does it.', replacement };
  }
  if (field.vocabulary === 'page_category' || field.vocabulary === 'page_type') {
    const label = suggestions.value(field.vocabulary, prefix);
    return label && suggestions.hint(label, 'A label stands for all labels below it.', quote(label.value));
  }
  return field.kind === 'text' ? wordItself(prefix, field) : undefined;
}

function wordItself(word: string, field: Field): Hint | undefined {
  if (!/^[\p{L}\p{N}]+$/u.test(word) || /^(?:AND|OR|NOT)$/i.test(word)) return undefined;
  let count = 0;
  analyze(word, field.keepsStopWords, () => count++);
  return count === 0 ? undefined : { message: `The word itself, ${shown(word)}.`, replacement: word };
}
