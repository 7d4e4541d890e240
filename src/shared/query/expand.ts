import type { Diagnostic } from '../api/diagnostic.ts';
import type { Span } from './ast.ts';
import { diagnostic, type Hint } from './codes.ts';
import { lex, type Token } from './syntax/lexer.ts';
import { Suggestions } from './suggest/suggestions.ts';

export interface Filters {
  /** The body of the saved filter with that name. Without it, references are not allowed at all. */
  readonly filters?: ((name: string) => string | undefined) | undefined;
  /** All names, for suggestions. */
  readonly filterNames?: readonly string[] | undefined;
}

export interface Expansion {
  readonly text: string;
  /** With places in `text`. */
  readonly diagnostics: readonly Diagnostic[];
}

const REFERENCE = /^\$([A-Za-z0-9_-]{1,64})/;

/**
 * Every `$name` that begins a word becomes the filter's body in parentheses, before anything else is read
 * (docs/query-language.md, Saved filters). Not one inside quotes, a regex or a range, and not `\$name`. Bodies are taken as they are: a
 * reference in one of them is none. One that stands for nothing stays and is reported. Grows no longer than `limit`,
 * at which the rest stays as it is.
 */
export function expand(
  text: string,
  { filters, filterNames }: Filters,
  limit: number,
  suggestions = new Suggestions(),
): Expansion {
  if (!text.includes('$')) return { text, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  let expanded = '';
  let done = 0;
  for (const token of lex(text)) {
    const name = nameIn(token);
    if (name === undefined || expanded.length > limit) continue;
    expanded += text.slice(done, token.start);
    const body = filters?.(name);
    const written = body === undefined ? `$${name}` : `(${body})`;
    if (body === undefined) {
      const span = { start: expanded.length, end: expanded.length + written.length };
      diagnostics.push(
        filters ? unknown(name, span, suggestions.filter(name, filterNames ?? [])) : notAllowed(name, span),
      );
    }
    expanded += written;
    done = token.start + name.length + 1;
  }
  return { text: expanded + text.slice(done), diagnostics };
}

function nameIn({ kind, text }: Token): string | undefined {
  return kind === 'term' || kind === 'prefix' || kind === 'wildcard' ? REFERENCE.exec(text)?.[1] : undefined;
}

function notAllowed(name: string, span: Span): Diagnostic {
  const message = `Saved filters cannot be used here, and $${name} is a reference to one.`;
  return diagnostic('filter_not_allowed', span, message, { hint: escaped(name) });
}

function unknown(name: string, span: Span, closest: string | undefined): Diagnostic {
  const hint =
    closest === undefined
      ? escaped(name)
      : { message: `The closest filter is $${closest}.`, replacement: `$${closest}` };
  return diagnostic('unknown_filter', span, `There is no saved filter named ${name}. ${hint.message}`, { hint });
}

function escaped(name: string): Hint {
  return { message: 'To search for it as a word, escape the dollar sign.', replacement: `\\$${name}` };
}
