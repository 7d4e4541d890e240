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

/** One sentence and, where there is one, one remedy for each thing that is wrong with a regex. */

const SHOWN = 40;
const DASH = 'To match a dash, put it first or escape it.';

function quote(written: string): string {
  return written.length > SHOWN ? `${written.slice(0, SHOWN)}…` : written;
}

function escapeHint(start: string, rest = ''): { message: string; replacement: string } {
  return { message: `To match a literal ${start}, escape it.`, replacement: `\\${start}${rest}` };
}

function tail(pattern: string, start: number): { start: number; end: number } {
  return { start, end: pattern.length };
}

export function strayParenthesis(at: number): RegexProblem {
  const message = `The ) at position ${at} of the regex has no matching (.`;
  return new RegexProblem('syntax', message, { start: at, end: at + 1 }, escapeHint(')'));
}

/** The pattern ended where something to match was expected. */
export function nothingAfter(pattern: string): RegexProblem {
  const end = pattern.length;
  const start = Math.max(0, end - 1);
  const last = pattern.slice(start);
  if (last === '\\') {
    const message = 'The backslash at the end of the regex escapes nothing.';
    const hint = { message: 'To use a backslash as a character, write it twice.', replacement: '\\\\' };
    return new RegexProblem('syntax', message, { start, end }, hint);
  }
  const message = `Nothing follows the ${last} at the end of the regex.`;
  return new RegexProblem('syntax', message, { start, end }, escapeHint(last));
}

/** `literal`: where a `)` was read as a character, which is why the group goes on. */
export function unclosedGroup(pattern: string, start: number, literal: number): RegexProblem {
  const span = tail(pattern, start);
  if (literal > start) {
    const message =
      `The ( at position ${start} of the regex is never closed: the ) at position ${literal} stands where something ` +
      'to match is expected, and means itself.';
    const replacement = `${pattern.slice(start, literal)}()${pattern.slice(literal)}`;
    return new RegexProblem('syntax', message, span, { message: 'To match the empty text, write ().', replacement });
  }
  const message = `The ( at position ${start} of the regex is never closed.`;
  return new RegexProblem('syntax', message, span, { message: 'Close it.', replacement: `${pattern.slice(start)})` });
}

export function tooDeep(start: number, most: number): RegexProblem {
  const message = `The regex has more than ${most} nested groups.`;
  return new RegexProblem('syntax', message, { start, end: start + 1 });
}

/** `dash`: where a dash made a range up to a bare `]`, which is why the class goes on. */
export function unclosedClass(pattern: string, start: number, dash: number): RegexProblem {
  const span = tail(pattern, start);
  if (dash > start) {
    const message = `The [ at position ${start} of the regex is never closed: the - at position ${dash} makes a range up to ].`;
    const replacement = `${pattern.slice(start, dash)}\\${pattern.slice(dash)}`;
    return new RegexProblem('syntax', message, span, { message: DASH, replacement });
  }
  if (pattern.startsWith(']', start + 1)) {
    const message = `The [ at position ${start} of the regex is never closed; a ] right after it means itself.`;
    const replacement = `\\${pattern.slice(start)}`;
    return new RegexProblem('syntax', message, span, { message: 'To match a literal [, escape it.', replacement });
  }
  const message = `The [ at position ${start} of the regex is never closed.`;
  return new RegexProblem('syntax', message, span, { message: 'Close it.', replacement: `${pattern.slice(start)}]` });
}

export function backwardRange(pattern: string, start: number, end: number): RegexProblem {
  const written = pattern.slice(start, end);
  if (written.endsWith('-]')) {
    const message = `The - at position ${end - 2} of the regex makes a range up to ], and ${written} runs backwards.`;
    const replacement = `${written.slice(0, -2)}\\-]`;
    return new RegexProblem('syntax', message, { start, end }, { message: DASH, replacement });
  }
  return new RegexProblem('syntax', `The range ${written} in the regex runs backwards.`, { start, end });
}

export function unclosedQuote(start: number): RegexProblem {
  const message = `The quote at position ${start} of the regex is never closed.`;
  return new RegexProblem('syntax', message, { start, end: start + 1 }, escapeHint('"'));
}

export function unclosedInterval(start: number): RegexProblem {
  const message = `The < at position ${start} of the regex begins an interval such as <1-99> and is never closed.`;
  return new RegexProblem('syntax', message, { start, end: start + 1 }, escapeHint('<'));
}

export function badInterval(pattern: string, start: number, end: number): RegexProblem {
  const message = `${quote(pattern.slice(start, end))} is not an interval; an interval has two whole numbers up to 2147483647, as in <1-99>.`;
  return new RegexProblem('syntax', message, { start, end }, escapeHint('<', pattern.slice(start + 1, end)));
}

export function countWithoutNumber(start: number, end: number): RegexProblem {
  const message = `The { at position ${start} of the regex needs a number, as in {2}, {2,} or {2,5}.`;
  return new RegexProblem('syntax', message, { start, end }, escapeHint('{'));
}

export function unclosedCount(pattern: string, start: number, end: number): RegexProblem {
  const written = pattern.slice(start, end);
  const message = `The count ${quote(written)} at position ${start} of the regex is not closed by }.`;
  return new RegexProblem('syntax', message, { start, end }, { message: 'Close it.', replacement: `${written}}` });
}

export function hugeCount(start: number, end: number): RegexProblem {
  return new RegexProblem('syntax', 'The regex has a count above 2147483647.', { start, end });
}

export function tooManyRepetitions(pattern: string, start: number, end: number): RegexProblem {
  const message = `${quote(pattern.slice(start, end))} needs more than 10,000 states; lower its counts.`;
  return new RegexProblem('states', message, { start, end });
}
