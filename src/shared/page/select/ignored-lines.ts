import { RE2JS, RE2JSException } from 're2js';
import { PATTERN_INSTRUCTIONS } from '../../limits.ts';

/** Whether an entry of `ignore` is an expression for lines, `/…/` or `/…/i`, and no CSS selector. */
export function isPattern(entry: string): boolean {
  return entry.startsWith('/');
}

/** What is wrong with an expression, as a sentence; undefined when it can be used. */
export function checkPattern(entry: string): string | undefined {
  const pattern = compiled(entry);
  return typeof pattern === 'string' ? pattern : undefined;
}

/**
 * Lines that are left out because an expression (RE2 syntax) matches somewhere in them. It takes linear time, whatever
 * the expression. One that is refused, after an update of hydrant, leaves nothing out.
 */
export class IgnoredLines {
  readonly #patterns: readonly { readonly pattern: string; readonly re2: RE2JS | undefined; found: number }[];

  constructor(entries: readonly string[]) {
    this.#patterns = entries.map((pattern) => {
      const found = compiled(pattern);
      return { pattern, re2: typeof found === 'string' ? undefined : found, found: 0 };
    });
  }

  /** Counts for each expression the lines it has found; the first that matches has it. */
  has(line: string): boolean {
    const matching = this.#patterns.find(({ re2 }) => re2?.test(line) === true);
    if (matching) matching.found += 1;
    return matching !== undefined;
  }

  get found(): { readonly pattern: string; readonly found: number }[] {
    return this.#patterns.map(({ pattern, found }) => ({ pattern, found }));
  }
}

/** Of this thread; those asked for longest ago go first. An expression fills as its automaton is used. */
const cache = new Map<string, RE2JS>();
const CACHED = 200;

/** The expression, or a sentence that says what is wrong with it. */
function compiled(entry: string): RE2JS | string {
  const known = cache.get(entry);
  if (known) {
    cache.delete(entry);
    cache.set(entry, known);
    return known;
  }
  const made = compile(entry);
  if (typeof made === 'string') return made;
  const [oldest] = cache.keys();
  if (cache.size >= CACHED && oldest !== undefined) cache.delete(oldest);
  cache.set(entry, made);
  return made;
}

function compile(entry: string): RE2JS | string {
  const [, source, flags] = /^\/(.*)\/([a-z]*)$/s.exec(entry) ?? [];
  if (source === undefined || flags === undefined)
    return 'The expression has no "/" at its end: write "/text/" or "/text/i".';
  if (source === '')
    return 'The expression is empty, and would leave out every line: write something between the slashes.';
  if (flags !== '' && flags !== 'i') {
    return `The expression ends in "/${flags}", and only "i" (upper and lower case alike) may stand there.`;
  }
  try {
    const made = RE2JS.compile(source, flags === 'i' ? RE2JS.CASE_INSENSITIVE : 0);
    if (made.programSize() <= PATTERN_INSTRUCTIONS) return made;
    return 'The expression is too large: make its counts, such as "{1000}", smaller.';
  } catch (refusal) {
    if (refusal instanceof RE2JSException) return refused(refusal.message, source);
    throw refusal;
  }
}

/** "error parsing regexp: missing closing ): `(a`" */
function refused(message: string, source: string): string {
  const [, what, part = ''] = /^error parsing regexp: (.*?)(?:: `(.*)`)?$/s.exec(message) ?? [];
  const at = part === '' ? -1 : source.indexOf(part);
  const place = at === -1 ? '' : ` at character ${at + 2}, "${part.slice(0, 40)}"`;
  return `The expression is not understood${place}: ${what ?? message} (it is in RE2 syntax).`;
}
