import type { Hint } from '../codes.ts';
import { OTHER_NAMES, QUERY_FIELDS, type VocabularyName } from '../fields.ts';
import { nearestValue } from './nearest-value.ts';
import { type Meant, misspelled } from './misspelling.ts';
import type { Diagnostic } from '../../api/diagnostic.ts';

/** A millisecond each, at worst: a hostile query has a thousand values that are nearly right. */
const MOST = 20;

/** The suggestions made for one query: each word is looked up once, and only so many different ones. */
export class Suggestions {
  readonly #known = new Map<string, Meant | undefined>();
  readonly #guesses = new Set<Hint>();

  /** The field that was meant by a name there is none of. */
  field(name: string): string | undefined {
    return this.#lookUp(`field ${name}`, () => meantAs(nearestField(name)))?.value;
  }

  /** The saved filter that was meant by a name there is none of; `names` are the same for the whole query. */
  filter(name: string, names: readonly string[]): string | undefined {
    // `$100` is a price.
    if (/^\d+$/.test(name)) return undefined;
    return this.#lookUp(`filter ${name}`, () => meantAs(misspelled(name, names)))?.value;
  }

  /** The value that was meant by one outside the vocabulary. */
  value(vocabulary: VocabularyName, written: string): Meant | undefined {
    return this.#lookUp(`${vocabulary} ${written}`, () => nearestValue(vocabulary, written));
  }

  /** A hint that puts `meant` where something else stands; where that is a guess, it is noted that it is one. */
  hint(meant: Meant | undefined, message: string, replacement: string): Hint {
    const hint = { message, replacement };
    if (meant?.isSure === false) this.#guesses.add(hint);
    return hint;
  }

  /** Hints that are worth a look and must not be followed unasked. */
  get guesses(): ReadonlySet<Hint> {
    return this.#guesses;
  }

  #lookUp(key: string, find: () => Meant | undefined): Meant | undefined {
    if (!this.#known.has(key) && this.#known.size < MOST) this.#known.set(key, find());
    return this.#known.get(key);
  }
}

function meantAs(value: string | undefined): Meant | undefined {
  return value === undefined ? undefined : { value, isSure: true };
}

/** Shorter beginnings are those of too many words. */
const SHORTEST_BEGINNING = 3;
/** Other names that are long enough to be known by a misspelling. */
const LONG_OTHER_NAMES = Object.keys(OTHER_NAMES).filter((name) => name.length > SHORTEST_BEGINNING);
/** Longer names are no names. */
const LONGEST = 64;

/**
 * The field that was meant by a name there is none of: what it is called elsewhere, its words in another form
 * (`publishTime`, `time`), its beginning (`lang`), or a misspelling of it. Undefined when none is near: `foo` is no `url`.
 */
export function nearestField(name: string): string | undefined {
  const written = name.slice(0, LONGEST);
  const words = wordsOf(written);
  const joined = words.join('_');
  const other = otherName(written.toLowerCase()) ?? otherName(joined);
  return other ?? sameWords(words) ?? begunBy(joined) ?? misspelled(joined, QUERY_FIELDS) ?? otherMisspelled(joined);
}

function otherName(name: string): string | undefined {
  return Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
}

/** A short name is one letter from too many words: `page` is no misspelt `age`. */
function otherMisspelled(name: string): string | undefined {
  const near = misspelled(name, LONG_OTHER_NAMES);
  return near === undefined ? undefined : otherName(near);
}

function wordsOf(name: string): string[] {
  return name
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** The field with most of the words among those written (`source_url`), else the only one that has all of those. */
function sameWords(words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined;
  const within = QUERY_FIELDS.filter((field) => field.split('_').every((word) => words.includes(word)));
  const [most] = within.toSorted((one, other) => other.length - one.length);
  if (most !== undefined) return most;
  const around = QUERY_FIELDS.filter((field) => words.every((word) => field.split('_').includes(word)));
  return around.length === 1 ? around[0] : undefined;
}

function begunBy(beginning: string): string | undefined {
  if (beginning.length < SHORTEST_BEGINNING) return undefined;
  const [shortest, next] = QUERY_FIELDS.filter((field) => field.startsWith(beginning)).toSorted(
    (one, other) => one.length - other.length,
  );
  // `add` begins `added` and `added_anchor`; `page` begins two that have nothing in common.
  return next === undefined || (shortest !== undefined && next.startsWith(shortest)) ? shortest : undefined;
}

/** What is shown about a text, hints untried, and whether reading stopped at the first mistake. */
export interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  readonly isUnread: boolean;
}

/** Characters read while trying hints: some ten milliseconds. Hints beyond are not shown, being untried. */
const CHARACTERS = 24_576;

/**
 * Every hint is tried before it is shown: its replacement in place, the finding must be gone and no error new. So a
 * remedy can be offered where one is likely, and the few queries in which it would do harm go without.
 */
export function withTriedHints(text: string, findings: Findings, examine: (text: string) => Findings): Diagnostic[] {
  const before = countsOf(findings);
  let left = CHARACTERS;
  return findings.diagnostics.map((found) => {
    if (!found.hint) return found;
    const fixed = apply(text, found);
    if (fixed.length <= left) {
      left -= fixed.length;
      const after = examine(fixed);
      if (findings.isUnread ? healsUnread(found, after) : heals(found, before, after)) return found;
    }
    const { hint: _, ...bare } = found;
    return bare;
  });
}

/** The text with a finding's replacement in the place of its span. */
export function apply(text: string, { span, hint }: Diagnostic): string {
  if (!span || !hint) return text;
  return text.slice(0, span.start) + hint.replacement + text.slice(span.end);
}

interface Counts {
  readonly all: ReadonlyMap<string, number>;
  readonly errors: ReadonlySet<string>;
}

function countsOf({ diagnostics }: Findings): Counts {
  const all = new Map<string, number>();
  for (const { code } of diagnostics) all.set(code, (all.get(code) ?? 0) + 1);
  return { all, errors: new Set(diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)) };
}

function heals({ code }: Diagnostic, before: Counts, after: Findings): boolean {
  if (after.isUnread) return false;
  const { all, errors } = countsOf(after);
  const grows = (code: string): boolean => (all.get(code) ?? 0) > (before.all.get(code) ?? 0);
  return (all.get(code) ?? 0) < (before.all.get(code) ?? 0) && ![...errors].some(grows);
}

/** What lies behind a mistake that stopped the reading was not known before. */
function healsUnread({ code, span, hint }: Diagnostic, after: Findings): boolean {
  const start = span?.start ?? 0;
  const end = start + (hint?.replacement.length ?? 0);
  return after.diagnostics.every((next) => {
    const place = next.span?.start ?? 0;
    return (place !== start || next.code !== code) && (place >= end || !after.isUnread);
  });
}

const NONE: ReadonlySet<Hint> = new Set();

/**
 * The text with all replacements in their places but `guesses`, errors' before warnings' where two overlap. Spans must point into
 * this text. One reading can uncover the next mistake: validate again, and fix again, until nothing changes.
 */
export function fix(text: string, diagnostics: readonly Diagnostic[], guesses: ReadonlySet<Hint> = NONE): string {
  const chosen: Diagnostic[] = [];
  const offered = diagnostics.filter(({ hint, span }) => hint && span && !guesses.has(hint));
  for (const severity of ['error', 'warning'] as const) {
    for (const found of offered) {
      if (found.severity === severity && !chosen.some((other) => overlap(found, other))) chosen.push(found);
    }
  }
  // From the end, so that what is changed moves nothing that is yet to change.
  const byEnd = chosen.toSorted((left, right) => (right.span?.start ?? 0) - (left.span?.start ?? 0));
  return byEnd.reduce(apply, text);
}

function overlap({ span: one }: Diagnostic, { span: other }: Diagnostic): boolean {
  if (!one || !other) return false;
  return (one.start < other.end && other.start < one.end) || one.start === other.start;
}
