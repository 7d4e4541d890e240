/**
 * The stored queries, asked of every changed page. A `ChangedPage` and "now" come in; out comes, for each tap, which
 * of its rules match and the excerpt of the change that is delivered. A page is analysed once, however many rules
 * there are, and most rules are never looked at: each is filed under a term it cannot do without, and only the rules
 * filed under a term of the page are evaluated.
 *
 * Decided against: an index of the page that queries are run on (Lucene's MemoryIndex): with few pages a second and
 * many rules, the rules are the side worth indexing.
 */
import type { DiffChunk } from '../api/match.ts';
import type { Query } from '../query/ast.ts';
import { FIELD_NAMES, type FieldName } from '../query/fields.ts';
import { type Anchor, anchorsOf } from './anchors.ts';
import type { ChangedPage } from './document.ts';
import { Evaluator } from './evaluate.ts';
import { excerpt } from './excerpt.ts';
import { hitsOf } from './hits.ts';
import { PageTerms } from './page-terms.ts';
import { passesQuality } from './quality.ts';

export interface ArmedRule {
  readonly id: string;
  readonly tapId: string;
  readonly query: Query;
  readonly quality: boolean;
  /** Kept for the pages that will carry an adult signal; none does yet, so it changes nothing. */
  readonly nsfw: boolean;
}

export interface TapMatch {
  readonly tapId: string;
  /** Ascending. */
  readonly ruleIds: readonly string[];
  /** What is delivered; empty when the change has no chunks (only a title or links differ). */
  readonly chunks: readonly DiffChunk[];
}

export interface Matched {
  /** Ordered by tap id, so that a visit repeated after a crash gives the same events. */
  readonly matches: TapMatch[];
  /** Rules that could not be evaluated, and what they threw; all others were. */
  readonly failures: ReadonlyMap<string, unknown>;
}

interface Filed {
  readonly rule: ArmedRule;
  readonly evaluator: Evaluator;
  /** Undefined: evaluated on every page. */
  readonly anchors: readonly Anchor[] | undefined;
}

export class RuleIndex {
  readonly #rules = new Map<string, Filed>();
  readonly #unanchored = new Set<Filed>();
  readonly #filed: Readonly<Record<FieldName, Map<string, Set<Filed>>>> = {
    added: new Map(),
    removed: new Map(),
    title: new Map(),
    url: new Map(),
    domain: new Map(),
  };

  get size(): number {
    return this.#rules.size;
  }

  /** Replaces the rule of the same id. */
  arm(rule: ArmedRule): void {
    const filed: Filed = { rule, evaluator: new Evaluator(rule.query), anchors: anchorsOf(rule.query) };
    this.withdraw(rule.id);
    this.#rules.set(rule.id, filed);
    if (!filed.anchors) this.#unanchored.add(filed);
    for (const { field, term } of filed.anchors ?? []) {
      const shelf = this.#filed[field].get(term);
      if (shelf) shelf.add(filed);
      else this.#filed[field].set(term, new Set([filed]));
    }
  }

  withdraw(ruleId: string): void {
    const filed = this.#rules.get(ruleId);
    if (!filed) return;
    this.#rules.delete(ruleId);
    this.#unanchored.delete(filed);
    for (const { field, term } of filed.anchors ?? []) {
      const shelf = this.#filed[field].get(term);
      shelf?.delete(filed);
      if (shelf?.size === 0) this.#filed[field].delete(term);
    }
  }

  /** `now` in milliseconds since 1970. */
  match(page: ChangedPage, now: number): Matched {
    const terms = new PageTerms(page);
    return collect(page, terms, this.#candidates(terms), now);
  }

  /** The dull twin of `match`, which evaluates every rule: the two always agree, or the filing is wrong. */
  matchEvery(page: ChangedPage, now: number): Matched {
    return collect(page, new PageTerms(page), this.#rules.values(), now);
  }

  #candidates(page: PageTerms): Set<Filed> {
    const candidates = new Set(this.#unanchored);
    for (const field of FIELD_NAMES) {
      const shelves = this.#filed[field];
      if (shelves.size === 0) continue;
      const terms = page.terms(field);
      // Whichever side is smaller asks the other: a title has ten words, an index may have ten rules.
      const fewer = terms.size < shelves.size ? terms : shelves;
      for (const term of fewer.keys()) {
        const shelf = terms.has(term) ? shelves.get(term) : undefined;
        for (const filed of shelf ?? []) candidates.add(filed);
      }
    }
    return candidates;
  }
}

function collect(page: ChangedPage, terms: PageTerms, candidates: Iterable<Filed>, now: number): Matched {
  const byTap = new Map<string, Filed[]>();
  const failures = new Map<string, unknown>();
  const good = passesQuality(page.page, now);
  for (const filed of candidates) {
    const { id, tapId, quality } = filed.rule;
    if (quality && !good) continue;
    try {
      if (!filed.evaluator.matches(terms)) continue;
    } catch (failure) {
      failures.set(id, failure);
      continue;
    }
    const matched = byTap.get(tapId);
    if (matched) matched.push(filed);
    else byTap.set(tapId, [filed]);
  }
  return { matches: deliver(byTap, page, terms), failures };
}

function deliver(byTap: ReadonlyMap<string, readonly Filed[]>, page: ChangedPage, terms: PageTerms): TapMatch[] {
  const { chunks } = page.change;
  const taps = Array.from(byTap).sort(([left], [right]) => compare(left, right));
  const groups = taps.map(([, matched]) => matched.map((filed) => filed.evaluator));
  const hits = hitsOf(groups, chunks, terms);
  return taps.map(([tapId, matched], index) => ({
    tapId,
    ruleIds: matched.map((filed) => filed.rule.id).sort(compare),
    chunks: excerpt(chunks, hits[index] ?? new Map()),
  }));
}

/** By code units, the same in every locale. */
function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
