/**
 * The stored queries, asked of every changed page. A `ChangedPage` and "now" come in; out comes, for each tap, which
 * of its rules match and the excerpt of the change that is delivered. A page is read once, however many rules there
 * are, and most rules are never looked at: each is filed under what it cannot do without, and only the rules filed
 * under something the page has are run.
 *
 * The way of a query: its terms and tests become numbers (leaves), its tree becomes a short array (program), and a
 * plan says under which numbers it is filed (plan, triggers). The way of a page: its words become hashes and
 * those become the numbers of terms (open-page); what is filed there is run (percolator, program). The query's tree is
 * not kept: the excerpt comes from the program, and an explanation from the rule's text.
 *
 * Decided against: an index of the page that queries are run on (Lucene's MemoryIndex): with few pages a second and
 * many rules, the rules are the side worth indexing. And against building the index anew when a rule changes.
 */
import type { DiffChunk } from '../api/match.ts';
import type { Withheld } from '../api/rule-report.ts';
import { WITHHELD_A_PAGE } from '../limits.ts';
import type { Query } from '../query/ast.ts';
import { type ChangedPage, type FieldValues, valuesOf } from './document.ts';
import { excerpt } from './excerpt.ts';
import { hitsOf, NO_HITS } from './hits.ts';
import { Percolator } from './percolator.ts';
import { isAdult, lowQuality } from './quality.ts';

export interface RegisteredRule {
  readonly id: string;
  readonly tapId: string;
  readonly query: Query;
  readonly quality: boolean;
  /** Whether pages labelled as adult count. */
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
  /** Rules whose query fits the page, and that did not get it for their switches; so many at most. */
  readonly withheld: readonly WithheldPage[];
  /** Rules that could not be evaluated, and what they threw; all others were. */
  readonly failures: ReadonlyMap<string, unknown>;
}

export interface WithheldPage {
  readonly ruleId: string;
  readonly reason: Withheld;
}

export class RuleIndex {
  readonly #percolator = new Percolator();
  readonly #numbers = new Map<string, number>();
  /** By number. */
  readonly #ids: string[] = [];
  readonly #tapIds: string[] = [];
  readonly #quality: boolean[] = [];
  readonly #nsfw: boolean[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#numbers.size;
  }

  /** Replaces the rule of the same id. Throws what a pattern's compilation throws; the old rule then stays. */
  register({ id, tapId, query, quality, nsfw }: RegisteredRule): void {
    const number = this.#free.at(-1) ?? this.#ids.length;
    this.#percolator.add(number, query);
    if (number < this.#ids.length) this.#free.pop();
    this.#ids[number] = id;
    this.#tapIds[number] = tapId;
    this.#quality[number] = quality;
    this.#nsfw[number] = nsfw;
    this.unregister(id);
    this.#numbers.set(id, number);
  }

  unregister(ruleId: string): void {
    const number = this.#numbers.get(ruleId);
    if (number === undefined) return;
    this.#percolator.remove(number);
    this.#numbers.delete(ruleId);
    this.#ids[number] = '';
    this.#tapIds[number] = '';
    this.#free.push(number);
  }

  /** `now` in milliseconds since 1970. */
  match(page: ChangedPage, now: number): Matched {
    return this.#percolate(valuesOf(page, now), (matched, withheld, failures) => {
      const byTap = Map.groupBy(matched, (rule) => this.#tapIds[rule] ?? '');
      return { matches: this.#deliver(byTap, page), withheld, failures };
    });
  }

  /** The ids of the rules that match, in no order; a rule that throws is not among them. */
  matchValues(values: FieldValues): string[] {
    return this.#percolate(values, (matched) => matched.map((rule) => this.#ids[rule] ?? ''));
  }

  /** `then` is called while the page is open. */
  #percolate<Result>(
    values: FieldValues,
    then: (
      matched: readonly number[],
      withheld: readonly WithheldPage[],
      failures: ReadonlyMap<string, unknown>,
    ) => Result,
  ): Result {
    const page = new Filter(values);
    const matched: number[] = [];
    const withheld: WithheldPage[] = [];
    const failures = new Map<string, unknown>();
    try {
      this.#percolator.percolate(
        values,
        (rule) => {
          const reason = page.refuses(this.#quality[rule] === true, this.#nsfw[rule] === true);
          if (reason === undefined) matched.push(rule);
          else if (withheld.length < WITHHELD_A_PAGE) withheld.push({ ruleId: this.#ids[rule] ?? '', reason });
        },
        (rule, failure) => {
          const isKept = page.refuses(this.#quality[rule] === true, this.#nsfw[rule] === true) !== undefined;
          if (!isKept) failures.set(this.#ids[rule] ?? '', failure);
        },
      );
      return then(matched, withheld, failures);
    } finally {
      this.#percolator.page.close();
    }
  }

  #deliver(byTap: ReadonlyMap<string, readonly number[]>, page: ChangedPage): TapMatch[] {
    const { chunks } = page.change;
    const { segments } = page.page;
    const taps = Array.from(byTap).sort(([left], [right]) => compare(left, right));
    const hits = hitsOf(
      taps.map(([, rules]) => rules),
      this.#percolator,
      chunks,
    );
    return taps.map(([tapId, rules], tap) => {
      const ruleIds = rules.map((rule) => this.#ids[rule] ?? '').sort(compare);
      return { tapId, ruleIds, chunks: excerpt(chunks, hits[tap] ?? NO_HITS, segments) };
    });
  }
}

/** What the rules' switches say of one page, found out when the first rule asks. */
class Filter {
  readonly #values: FieldValues;
  #isAdult: boolean | undefined;
  #lowQuality: Withheld | null | undefined;

  constructor(values: FieldValues) {
    this.#values = values;
  }

  /** Asked last: whether a page is one for adults takes its labels. */
  get isAdult(): boolean {
    return (this.#isAdult ??= isAdult(this.#values));
  }

  /** Why a rule with these switches does not get the page; undefined when it does. */
  refuses(quality: boolean, nsfw: boolean): Withheld | undefined {
    if (quality) {
      if (this.#lowQuality === undefined) this.#lowQuality = lowQuality(this.#values) ?? null;
      if (this.#lowQuality !== null) return this.#lowQuality;
    }
    return !nsfw && this.isAdult ? 'adult' : undefined;
  }
}

/** By code units, the same in every locale. */
function compare(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
