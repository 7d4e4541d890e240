import type { Diagnostic } from '../../api/diagnostic.ts';
import { RegexBudget } from '../../automaton/budget.ts';
import { compileRegex, type RegexMatcher } from '../../automaton/regex.ts';
import { RegexProblem } from '../../automaton/regex-problem.ts';
import { QUALITY_AGE_SECONDS } from '../../limits.ts';
import type { NumberQuery, Query, Span } from '../ast.ts';
import { COMPLETE_TIME } from './values.ts';
import { diagnostic } from '../codes.ts';
import { compareCodePoints } from '../syntax/code-point-order.ts';
import { valuesOf } from '../suggest/nearest-value.ts';
import { ADULT, QUALITY_EXCLUSIONS } from './quality.ts';
import { CaseAnalysis, isBetween, type Leaf, type Possible, testOf } from './satisfiability.ts';

/** What a rule asks for besides its query, and when it is asked. */
export interface RuleSettings {
  readonly quality: boolean;
  readonly nsfw: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const DAYS = QUALITY_AGE_SECONDS / 86_400;
/** A publish_time has no zone: the wall clock may be this far behind UTC. */
const ZONES_MS = 12 * 3_600_000;
/** As the crawler writes an address: without a fragment, and with its path. No host is called `tag`. */
const ADDRESS = String.raw`https?:\/\/([^\/?#]*[.:][^\/?#]*|localhost)\/[^?#]*(\?[^#]+)?`;
/** What none of the excluded addresses is without, as it stands in a regex: most patterns need no closer look. */
const TELLING = /\\\?|\[[^\]]*\?|"[^"]*\?|page|tag|categor|topic|label|author|section|\/p\\?\//i;
/** Steps of comparing the patterns of one query with the filter: some fifty milliseconds. */
const STEPS = 1_000_000;

/** Why a clause matches nothing, and how that is changed. */
interface Reason {
  readonly why: string;
  readonly remedy: string;
}

const NEEDS_NSFW: Reason = { why: `pages labelled ${ADULT} are left out while nsfw is off`, remedy: 'turn nsfw on' };

function needsNoQuality(why: string): Reason {
  return { why, remedy: 'turn quality off' };
}

const TOO_OLD = needsNoQuality(`quality lets through only pages published within the last ${DAYS} days`);
const EXCLUDED_URL = needsNoQuality('quality removes each address that fits it');
const ALL_RECENT = needsNoQuality(`quality lets through no other pages than those of the last ${DAYS} days`);

/** What becomes of a leaf under the settings. */
interface Verdict extends Possible {
  readonly reason?: Reason;
}

const OPEN: Verdict = { true: 1n, false: 1n };

function never(reason: Reason): Verdict {
  return { true: 0n, false: 1n, reason };
}

/** Of the pages that pass the filter it holds for each. */
function always(reason: Reason): Verdict {
  return { true: 1n, false: 0n, reason };
}

/**
 * Warns of clauses that a rule's own settings take every page from: `/Adult` without `nsfw`; with `quality` a time
 * older than seven days, or an address that it removes. Says so of the whole where no other way to a match is left,
 * and warns of a `recent` that `quality` shortens.
 */
export function filteredOut(query: Query, places: ReadonlyMap<Query, Span>, settings: RuleSettings): Diagnostic[] {
  const verdicts = new Verdicts(settings);
  const isLost = new CaseAnalysis(1n, (leaf) => verdicts.of(leaf)).of(query).true === 0n;
  const found: Diagnostic[] = [];
  eachLeaf(query, true, (leaf, isWanted) => {
    const span = places.get(leaf);
    const one = span && (lost(leaf, isWanted) ?? shortened(leaf, isWanted, settings));
    if (one) found.push(diagnostic(one.code, span, one.message, { field: fieldOf(leaf) }));
  });
  return found;

  function lost(leaf: Leaf, isWanted: boolean): Finding | undefined {
    const { reason, ...possible } = verdicts.of(leaf);
    if (!reason || possible[isWanted ? 'true' : 'false'] !== 0n) return undefined;
    const what = isLost
      ? 'The rule can never match'
      : isWanted
        ? 'This clause never matches'
        : 'This clause removes every page';
    return { code: 'filtered_out', message: `${what}: ${reason.why}. To match such pages, ${reason.remedy}.` };
  }
}

interface Finding {
  readonly code: 'filtered_out' | 'recent_shortened';
  readonly message: string;
}

function shortened(leaf: Leaf, isWanted: boolean, { quality }: RuleSettings): Finding | undefined {
  if (!quality || !isWanted || leaf.kind !== 'number' || leaf.field !== 'age') return undefined;
  if ((leaf.high ?? QUALITY_AGE_SECONDS) <= QUALITY_AGE_SECONDS) return undefined;
  const message = `quality shortens this to ${DAYS} days: it lets through no older pages. For older pages too, turn quality off.`;
  return { code: 'recent_shortened', message };
}

/** An age is written as `recent`. */
function fieldOf(leaf: Leaf): string {
  return leaf.field === 'age' ? 'recent' : leaf.field;
}

/** `isWanted` is false for what stands behind a NOT, and true again behind two. */
function eachLeaf(query: Query, isWanted: boolean, see: (leaf: Leaf, isWanted: boolean) => void): void {
  if (query.kind !== 'boolean') return see(query, isWanted);
  for (const clause of query.clauses) eachLeaf(clause.query, (clause.occur !== 'must_not') === isWanted, see);
}

class Verdicts {
  readonly #settings: RuleSettings;
  /** The earliest publish_time that any page can pass with. */
  readonly #earliest: string;
  readonly #budget = new RegexBudget(STEPS);
  readonly #known = new Map<Leaf, Verdict>();

  constructor(settings: RuleSettings) {
    this.#settings = settings;
    this.#earliest = new Date(settings.now - QUALITY_AGE_SECONDS * 1_000 - ZONES_MS).toISOString().slice(0, 19);
  }

  of(leaf: Leaf): Verdict {
    const known = this.#known.get(leaf);
    if (known) return known;
    const verdict = this.#judge(leaf);
    this.#known.set(leaf, verdict);
    return verdict;
  }

  #judge(leaf: Leaf): Verdict {
    const { quality, nsfw } = this.#settings;
    if (leaf.field === 'page_category') return nsfw || !isAdultOnly(leaf) ? OPEN : never(NEEDS_NSFW);
    if (!quality) return OPEN;
    if (leaf.kind === 'number') return leaf.field === 'age' ? ofAge(leaf) : OPEN;
    if (leaf.field === 'publish_time') return this.#ofTime(leaf);
    return leaf.field === 'url' ? this.#ofAddress(leaf) : OPEN;
  }

  #ofTime(leaf: Leaf): Verdict {
    if (leaf.kind === 'term') {
      // A part of a time is the value of no page, old or new.
      return COMPLETE_TIME.test(leaf.term) && compareCodePoints(leaf.term, this.#earliest) < 0 ? never(TOO_OLD) : OPEN;
    }
    if (leaf.kind !== 'range') return OPEN;
    if (leaf.high && compareCodePoints(leaf.high.text, this.#earliest) < 0) return never(TOO_OLD);
    return !leaf.high && isBetween(this.#earliest, leaf) ? always(ALL_RECENT) : OPEN;
  }

  #ofAddress(leaf: Leaf): Verdict {
    const pattern = patternOf(leaf);
    if (pattern === undefined || !TELLING.test(plain(pattern))) return OPEN;
    try {
      const fits = (and: string): RegexMatcher => compileRegex(`(${pattern})&${ADDRESS}${and}`, this.#budget);
      // What fits no address at all has another fault.
      if (!fits(`&~(${QUALITY_EXCLUSIONS.join('|')})`).matchesNothing) return OPEN;
      return fits('').matchesNothing ? OPEN : never(EXCLUDED_URL);
    } catch (problem) {
      // Too much to find out: a warning is not worth more.
      if (problem instanceof RegexProblem) return OPEN;
      throw problem;
    }
  }
}

function ofAge({ low = 0, high = Infinity }: NumberQuery): Verdict {
  if (low > QUALITY_AGE_SECONDS) return never(TOO_OLD);
  return low <= 0 && high >= QUALITY_AGE_SECONDS ? always(ALL_RECENT) : OPEN;
}

/** Of all categories it holds for this one alone. */
function isAdultOnly(leaf: Leaf): boolean {
  const holds = testOf(leaf);
  return holds?.(ADULT) === true && !valuesOf('page_category').some((value) => value !== ADULT && holds(value));
}

/** What an address has to fit, as a regex; undefined where that is no question of a pattern. */
function patternOf(leaf: Leaf): string | undefined {
  switch (leaf.kind) {
    case 'term':
      return escaped(leaf.term);
    case 'wildcard':
      return leaf.pattern.replace(
        /\\([^])|([*?])|([^\\*?]+)/gu,
        (part, literal: string | undefined, star: string | undefined) =>
          star === '*' ? '.*' : star === '?' ? '.' : escaped(literal ?? part),
      );
    case 'regex':
      return leaf.pattern;
    case 'phrase':
    case 'fuzzy':
    case 'range':
    case 'number':
      return undefined;
  }
}

/** Without the backslashes that mean nothing and with `[Tt]` as `T`, for a look that letter case does not matter to. */
function plain(pattern: string): string {
  return pattern
    .replace(/\\(?=[a-z])/gi, '')
    .replace(/\[([A-Z])([A-Z])\]/gi, (both, one: string, other: string) =>
      one.toLowerCase() === other.toLowerCase() ? one : both,
    );
}

/** A backslash in front of any character is that character. */
function escaped(text: string): string {
  return text.replace(/[^]/gu, '\\$&');
}
