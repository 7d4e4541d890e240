import type { Diagnostic } from '../../api/diagnostic.ts';

/** How lexer and parser stop at the first mistake; `validate` catches it, so it never leaves this room. */
export class SyntaxRefusal extends Error {
  override readonly name = 'SyntaxRefusal';
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}
