import type { Suggestions } from '../suggest/suggestions.ts';
import type { Token } from './token.ts';

/**
 * The field that applies where the lexer reads. The grammar's tokens do not depend on it; only values that no token
 * fits (a slash without its backslash) do, which are then read whole, to be refused in one piece.
 */
export class FieldContext {
  readonly suggestions: Suggestions;
  /** Of the groups that are open, innermost last. */
  readonly #groups: string[] = [];
  #beforeLast: Token | undefined;
  #last: Token | undefined;

  constructor(suggestions: Suggestions) {
    this.suggestions = suggestions;
  }

  /** The field that stands right before, with its colon. */
  get written(): Token | undefined {
    return this.#last?.kind === 'colon' ? this.#beforeLast : undefined;
  }

  get name(): string {
    return this.written?.text ?? this.#groups.at(-1) ?? '';
  }

  follow(token: Token): void {
    if (token.kind === 'left_parenthesis') this.#groups.push(this.name);
    else if (token.kind === 'right_parenthesis') this.#groups.pop();
    this.#beforeLast = this.#last;
    this.#last = token;
  }
}
