/** Why a regex is refused. Offsets are UTF-16 units into the pattern, `end` exclusive. */
export class RegexProblem extends Error {
  override readonly name = 'RegexProblem';
  /** `states`: well formed, but too large a machine. */
  readonly kind: 'syntax' | 'states';
  readonly start: number;
  readonly end: number;
  /** `replacement` is what to put in the place of the span; with it the pattern can be read. */
  declare readonly hint?: RegexHint;

  constructor(kind: 'syntax' | 'states', message: string, span: { start: number; end: number }, hint?: RegexHint) {
    super(message);
    this.kind = kind;
    this.start = span.start;
    this.end = span.end;
    if (hint) this.hint = hint;
  }
}

export interface RegexHint {
  readonly message: string;
  readonly replacement: string;
}
