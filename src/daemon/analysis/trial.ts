import type { Withheld } from '../../shared/api/rule-report.ts';
import type { Labels } from '../../shared/label/label.ts';
import { type RegisteredRule, RuleIndex } from '../../shared/match/rule-index.ts';
import type { Change } from '../../shared/page/change.ts';
import type { Page } from '../../shared/page/page.ts';
import type { RecentChange } from '../storage/recent-changes.ts';
import { event } from './matching.ts';
import { unpackedChange } from './packing.ts';

/** What trying a rule on one change came to. */
export interface Tried {
  /** Of the change. */
  readonly seq: number;
  /** When it was told, milliseconds since 1970. */
  readonly at: number;
  readonly url: string;
  /** Why the page would have been kept from the rule; absent: it matches. */
  readonly withheld?: Withheld;
  /** JSON, as the event would have had it, or would have without the rule's filters; where one is wanted. */
  readonly document?: string;
}

/** How many are wanted whole: of those that match, and of those that a filter keeps from the rule. */
export interface Whole {
  readonly matches: number;
  readonly withheld: number;
}

export interface TriedPart {
  /** Changes that fit the query, in the order they were given. */
  readonly fitting: readonly Tried[];
  /** Changes that could not be read, or broke the rule. */
  readonly failed: number;
}

type Label = (page: Page) => Labels;

/** One rule, asked of changes as a visit would have asked it. */
export class TriedRule {
  readonly #rule = new RuleIndex();
  /** The same query without filters: what the rule would deliver of a page that they keep from it. */
  readonly #unfiltered = new RuleIndex();
  readonly #label: Label;

  constructor(rule: RegisteredRule, label: Label) {
    this.#rule.register(rule);
    this.#unfiltered.register({ ...rule, quality: false, nsfw: true });
    this.#label = label;
  }

  tryOn(changes: readonly RecentChange[], whole: Whole): TriedPart {
    const fitting: Tried[] = [];
    let failed = 0;
    let { matches, withheld } = whole;
    for (const change of changes) {
      const tried = this.#tryOne(change, { matches, withheld });
      if (tried === 'failed') failed += 1;
      else if (tried) fitting.push(tried);
      if (tried === 'failed' || tried?.document === undefined) continue;
      if (tried.withheld === undefined) matches -= 1;
      else withheld -= 1;
    }
    return { fitting, failed };
  }

  #tryOne(kept: RecentChange, left: Whole): Tried | 'failed' | undefined {
    try {
      const found = unpackedChange(kept, this.#label);
      if (!found) return 'failed';
      const { changed } = found;
      const { matches, withheld, failures } = this.#rule.match(changed, found.at);
      if (failures.size > 0) return 'failed';
      const about = { seq: kept.seq, at: kept.at, url: changed.page.url };
      const [match] = matches;
      if (match) return { ...about, ...(left.matches > 0 && { document: event(match, changed).document }) };
      const reason = withheld[0]?.reason;
      if (reason === undefined) return undefined;
      const [unfiltered] = left.withheld > 0 ? this.#unfiltered.match(changed, found.at).matches : [];
      return { ...about, withheld: reason, ...(unfiltered && { document: event(unfiltered, changed).document }) };
    } catch {
      // One change that cannot be read says nothing of the others.
      return 'failed';
    }
  }
}

/** The newest change of a page that is kept, and what rules make of it. */
export interface SeenChange {
  /** When it was told, milliseconds since 1970. */
  readonly at: number;
  readonly url: string;
  readonly title?: string;
  readonly change: Change;
  /** Ids of rules. */
  readonly matched: readonly string[];
  readonly withheld: readonly { readonly ruleId: string; readonly reason: Withheld }[];
  readonly failed: readonly string[];
}

/** The first of `changes` that is one of a page with one of these URLs; undefined where none is, or none that can be read. */
export function seenIn(
  changes: readonly RecentChange[],
  urls: ReadonlySet<string>,
  rules: Pick<RuleIndex, 'match'>,
  label: Label,
): SeenChange | undefined {
  for (const kept of changes) {
    const seen = seenOne(kept, urls, rules, label);
    if (seen) return seen;
  }
  return undefined;
}

function seenOne(
  kept: RecentChange,
  urls: ReadonlySet<string>,
  rules: Pick<RuleIndex, 'match'>,
  label: Label,
): SeenChange | undefined {
  try {
    const found = unpackedChange(kept, label);
    if (!found || !urls.has(found.changed.page.url)) return undefined;
    const { page, change } = found.changed;
    const { matches, withheld, failures } = rules.match(found.changed, found.at);
    return {
      at: kept.at,
      url: page.url,
      ...(page.title !== undefined && { title: page.title }),
      change,
      matched: matches.flatMap(({ ruleIds }) => ruleIds),
      withheld,
      failed: [...failures.keys()],
    };
  } catch {
    return undefined;
  }
}
